// SPDX-License-Identifier: MIT
#include "kwin.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct wl_interface kde_output_device_registry_v2_interface, kde_output_device_v2_interface,
    kde_output_device_mode_v2_interface, kde_output_management_v2_interface,
    kde_output_configuration_v2_interface, org_kde_kwin_dpms_manager_interface, org_kde_kwin_dpms_interface;

// The numbers of the events, in the order of the protocols.
enum { REGISTRY_FINISHED, REGISTRY_OUTPUT };
enum { DEVICE_GEOMETRY, DEVICE_CURRENT_MODE, DEVICE_MODE, DEVICE_DONE, DEVICE_SCALE, DEVICE_ENABLED = 6,
       DEVICE_CAPABILITIES = 10, DEVICE_NAME = 14, DEVICE_POLICY = 18, DEVICE_REMOVED = 36 };
enum { MODE_SIZE };
enum { CONFIGURATION_APPLIED, CONFIGURATION_FAILED, CONFIGURATION_REASON };
enum { POWER_SUPPORTED, POWER_MODE, POWER_DONE };
enum { REGISTRY_SINCE = 21, POLICY_SINCE = 4, REASON_SINCE = 12 };

// What a configuration can change.
struct state {
    int x, y, transform;
    uint32_t policy;
};

struct output {
    struct wl_list link;
    char name[64];
    int width, height, is_enabled, power;
    double scale;
    uint32_t capabilities;
    struct state now, wanted;
    struct wl_global *global;
    struct wl_resource *resource, *mode, *dpms;
};

// One client at a time is enough for tests.
struct kwin {
    struct fake_compositor *fake;
    struct wl_display *display;
    int device_version;
    struct wl_list outputs, unplugged;
};

static void ignore(void) {}

static void release(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    wl_resource_destroy(resource);
}

// Clears the pointer to a resource that a client has destroyed.
static void forget(struct wl_resource *resource) {
    struct wl_resource **place = wl_resource_get_user_data(resource);
    if (place) *place = NULL;
}

static struct wl_resource *create(struct wl_client *client, const struct wl_interface *interface, int version,
                                  uint32_t id, struct wl_resource **place) {
    static const void *const requests[] = {release};
    *place = wl_resource_create(client, interface, version, id);
    wl_resource_set_implementation(*place, requests, place, forget);
    return *place;
}

static struct output *output_named(struct kwin *kwin, const char *name) {
    struct output *output;
    wl_list_for_each(output, &kwin->outputs, link) if (strcmp(output->name, name) == 0) return output;
    return NULL;
}

static struct output *output_of(struct kwin *kwin, struct wl_resource *resource) {
    struct output *output;
    wl_list_for_each(output, &kwin->outputs, link) if (output->resource == resource) return output;
    return NULL;
}

// Outputs

static void send_state(struct output *output) {
    struct wl_resource *device = output->resource;
    if (!device) return;
    wl_resource_post_event(device, DEVICE_GEOMETRY, output->now.x, output->now.y, 300, 200, 0, "maker", "model",
                           output->now.transform);
    wl_resource_post_event(device, DEVICE_SCALE, wl_fixed_from_double(output->scale));
    wl_resource_post_event(device, DEVICE_ENABLED, output->is_enabled);
    if (wl_resource_get_version(device) >= POLICY_SINCE)
        wl_resource_post_event(device, DEVICE_POLICY, output->now.policy);
    wl_resource_post_event(device, DEVICE_DONE);
}

static void describe(struct output *output) {
    struct wl_resource *device = output->resource;
    create(wl_resource_get_client(device), &kde_output_device_mode_v2_interface, wl_resource_get_version(device), 0,
           &output->mode);
    wl_resource_post_event(device, DEVICE_MODE, output->mode);
    wl_resource_post_event(output->mode, MODE_SIZE, output->width, output->height);
    wl_resource_post_event(device, DEVICE_CURRENT_MODE, output->mode);
    wl_resource_post_event(device, DEVICE_NAME, output->name);
    wl_resource_post_event(device, DEVICE_CAPABILITIES, output->capabilities);
    send_state(output);
}

static void bind_output(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct output *output = data;
    create(client, &kde_output_device_v2_interface, (int)version, id, &output->resource);
    describe(output);
}

static void bind_registry(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    static const void *const requests[] = {ignore};
    struct kwin *kwin = data;
    struct wl_resource *registry =
        wl_resource_create(client, &kde_output_device_registry_v2_interface, (int)version, id);
    wl_resource_set_implementation(registry, requests, NULL, NULL);
    struct output *output;
    wl_list_for_each(output, &kwin->outputs, link) {
        create(client, &kde_output_device_v2_interface, (int)version, 0, &output->resource);
        wl_resource_post_event(registry, REGISTRY_OUTPUT, output->resource);
        describe(output);
    }
}

static void forget_resources(struct output *output) {
    struct wl_resource *const resources[] = {output->resource, output->mode, output->dpms};
    for (int index = 0; index < 3; index++)
        if (resources[index]) wl_resource_set_user_data(resources[index], NULL);
}

static void unplug(struct kwin *kwin, struct output *output) {
    if (output->global) wl_global_remove(output->global);
    else if (output->resource) wl_resource_post_event(output->resource, DEVICE_REMOVED);
    forget_resources(output);
    wl_list_remove(&output->link);
    // A client may still bind the global, so the memory stays until the end.
    wl_list_insert(&kwin->unplugged, &output->link);
}

// Configurations

static void note(struct wl_resource *configuration, const char *what, struct output *output, int value) {
    struct kwin *kwin = wl_resource_get_user_data(configuration);
    fake_note(kwin->fake, "%s %s %d\n", what, output->name, value);
}

static void set_transform(struct wl_client *client, struct wl_resource *resource, struct wl_resource *device,
                          int32_t transform) {
    (void)client;
    struct output *output = output_of(wl_resource_get_user_data(resource), device);
    if (!output) return;
    note(resource, "transform", output, transform);
    output->wanted.transform = transform;
}

static void set_position(struct wl_client *client, struct wl_resource *resource, struct wl_resource *device,
                         int32_t x, int32_t y) {
    (void)client;
    struct output *output = output_of(wl_resource_get_user_data(resource), device);
    if (!output) return;
    note(resource, "x", output, x);
    output->wanted.x = x;
    output->wanted.y = y;
}

static void set_policy(struct wl_client *client, struct wl_resource *resource, struct wl_resource *device,
                       uint32_t policy) {
    (void)client;
    struct output *output = output_of(wl_resource_get_user_data(resource), device);
    if (!output) return;
    note(resource, "policy", output, (int)policy);
    output->wanted.policy = policy;
}

static void apply_wanted(struct kwin *kwin) {
    struct output *output;
    wl_list_for_each(output, &kwin->outputs, link) {
        output->now = output->wanted;
        send_state(output);
    }
}

static void fail(struct wl_resource *resource, const char *reason) {
    if (reason && wl_resource_get_version(resource) >= REASON_SINCE)
        wl_resource_post_event(resource, CONFIGURATION_REASON, reason);
    wl_resource_post_event(resource, CONFIGURATION_FAILED);
}

static void answer(struct kwin *kwin, struct wl_resource *resource, const char *word) {
    if (strcmp(word, "succeed") == 0) apply_wanted(kwin);
    if (strcmp(word, "unplug") == 0) {
        struct output *last = wl_container_of(kwin->outputs.prev, last, link);
        unplug(kwin, last);
        fail(resource, NULL);
    }
    if (strcmp(word, "fail") == 0) fail(resource, "no CRTC was left");
    if (strcmp(word, "succeed") == 0 || strcmp(word, "lie") == 0 || strcmp(word, "slow") == 0)
        wl_resource_post_event(resource, CONFIGURATION_APPLIED);
    if (strcmp(word, "slow") == 0) apply_wanted(kwin);
    if (strcmp(word, "die") == 0) wl_display_terminate(kwin->display);
}

static void apply(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    struct kwin *kwin = wl_resource_get_user_data(resource);
    fake_note(kwin->fake, "apply\n");
    char word[32];
    fake_next_answer(kwin->fake, word);
    answer(kwin, resource, word);
}

static const void *const configuration_requests[40] = {
    ignore, ignore, set_transform, set_position, ignore, apply, release, ignore, ignore, ignore,
    ignore, ignore, ignore, ignore, ignore, set_policy, ignore, ignore, ignore, ignore,
    ignore, ignore, ignore, ignore, ignore, ignore, ignore, ignore, ignore, ignore};

static void create_configuration(struct wl_client *client, struct wl_resource *management, uint32_t id) {
    struct kwin *kwin = wl_resource_get_user_data(management);
    struct wl_resource *resource = wl_resource_create(
        client, &kde_output_configuration_v2_interface, wl_resource_get_version(management), id);
    wl_resource_set_implementation(resource, configuration_requests, kwin, NULL);
    struct output *output;
    wl_list_for_each(output, &kwin->outputs, link) output->wanted = output->now;
}

static void bind_management(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    static const void *const requests[] = {create_configuration, ignore};
    struct wl_resource *management =
        wl_resource_create(client, &kde_output_management_v2_interface, (int)version, id);
    wl_resource_set_implementation(management, requests, data, NULL);
}

// Power

static void send_power(struct output *output) {
    if (!output->dpms) return;
    wl_resource_post_event(output->dpms, POWER_MODE, output->power);
    wl_resource_post_event(output->dpms, POWER_DONE);
}

static void get_power(struct wl_client *client, struct wl_resource *manager, uint32_t id,
                      struct wl_resource *wl_output) {
    static const void *const requests[] = {ignore, release};
    struct output *output = output_named(wl_resource_get_user_data(manager), fake_output_name(wl_output));
    struct wl_resource *dpms = wl_resource_create(client, &org_kde_kwin_dpms_interface, 1, id);
    wl_resource_set_implementation(dpms, requests, output ? &output->dpms : NULL, forget);
    if (!output) return;
    output->dpms = dpms;
    wl_resource_post_event(dpms, POWER_SUPPORTED, 1);
    send_power(output);
}

static void bind_powers(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    static const void *const requests[] = {get_power};
    struct wl_resource *manager =
        wl_resource_create(client, &org_kde_kwin_dpms_manager_interface, (int)version, id);
    wl_resource_set_implementation(manager, requests, data, NULL);
}

// Commands of the tests

static int offer(struct kwin *kwin, int devices, int management) {
    kwin->device_version = devices;
    wl_global_create(kwin->display, &kde_output_management_v2_interface, management, kwin, bind_management);
    wl_global_create(kwin->display, &org_kde_kwin_dpms_manager_interface, 1, kwin, bind_powers);
    if (devices >= REGISTRY_SINCE)
        wl_global_create(kwin->display, &kde_output_device_registry_v2_interface, devices, kwin, bind_registry);
    return 1;
}

static int plug(struct kwin *kwin, const struct output *described) {
    struct output *output = calloc(1, sizeof *output);
    *output = *described;
    wl_list_insert(kwin->outputs.prev, &output->link);
    if (kwin->device_version < REGISTRY_SINCE)
        output->global = wl_global_create(kwin->display, &kde_output_device_v2_interface, kwin->device_version,
                                          output, bind_output);
    return 1;
}

static int set(struct output *output, const char *what, double value) {
    if (strcmp(what, "transform") == 0) output->now.transform = (int)value;
    else if (strcmp(what, "x") == 0) output->now.x = (int)value;
    else if (strcmp(what, "policy") == 0) output->now.policy = (uint32_t)value;
    else if (strcmp(what, "enabled") == 0) output->is_enabled = (int)value;
    else if (strcmp(what, "scale") == 0) output->scale = value;
    else if (strcmp(what, "power") == 0) output->power = (int)value;
    else return 0;
    if (strcmp(what, "power") == 0) send_power(output);
    else send_state(output);
    return 1;
}

int kwin_run(struct kwin *kwin, const char *command) {
    struct output described = {.is_enabled = 1, .scale = 1};
    char name[64], what[16];
    int devices, management;
    double value;
    if (sscanf(command, "offer %d %d", &devices, &management) == 2) return offer(kwin, devices, management);
    if (sscanf(command, "output %63s %d %d %d %u", described.name, &described.width, &described.height,
               &described.now.x, &described.capabilities) == 5)
        return plug(kwin, &described);
    struct output *output = sscanf(command, "%*s %63s", name) == 1 ? output_named(kwin, name) : NULL;
    if (!output) return 0;
    if (sscanf(command, "set %*s %15s %lf", what, &value) == 2) return set(output, what, value);
    if (strncmp(command, "unplug ", 7) != 0) return 0;
    unplug(kwin, output);
    return 1;
}

struct kwin *kwin_create(struct fake_compositor *fake, struct wl_display *display) {
    struct kwin *kwin = calloc(1, sizeof *kwin);
    kwin->fake = fake;
    kwin->display = display;
    wl_list_init(&kwin->outputs);
    wl_list_init(&kwin->unplugged);
    return kwin;
}

void kwin_free(struct kwin *kwin) {
    struct output *output, *next;
    wl_list_insert_list(&kwin->outputs, &kwin->unplugged);
    wl_list_for_each_safe(output, next, &kwin->outputs, link) free(output);
    free(kwin);
}
