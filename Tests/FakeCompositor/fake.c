// SPDX-License-Identifier: MIT
#define _GNU_SOURCE
#include "FakeCompositor.h"
#include "kwin.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
#include <wayland-server.h>

extern const struct wl_interface zwlr_output_manager_v1_interface, zwlr_output_head_v1_interface,
    zwlr_output_mode_v1_interface, zwlr_output_configuration_v1_interface,
    zwlr_output_configuration_head_v1_interface, zwlr_foreign_toplevel_manager_v1_interface,
    zwlr_foreign_toplevel_handle_v1_interface, zwlr_output_power_manager_v1_interface,
    zwlr_output_power_v1_interface, ext_idle_notifier_v1_interface, ext_idle_notification_v1_interface;

// The numbers of the events, in the order of the protocols.
enum { MANAGER_HEAD, MANAGER_DONE, MANAGER_FINISHED };
enum { HEAD_NAME, HEAD_DESCRIPTION, HEAD_SIZE, HEAD_MODE, HEAD_ENABLED, HEAD_CURRENT_MODE, HEAD_POSITION,
       HEAD_TRANSFORM, HEAD_SCALE, HEAD_FINISHED };
enum { MODE_SIZE, MODE_REFRESH, MODE_PREFERRED, MODE_FINISHED };
enum { CONFIGURATION_SUCCEEDED, CONFIGURATION_FAILED, CONFIGURATION_CANCELLED };
enum { POWER_MODE, POWER_FAILED };
enum { IDLE_IDLED, IDLE_RESUMED };
enum { TOPLEVELS_TOPLEVEL, TOPLEVELS_FINISHED };
enum { TOPLEVEL_TITLE, TOPLEVEL_APP_ID, TOPLEVEL_ENTER, TOPLEVEL_LEAVE, TOPLEVEL_STATE, TOPLEVEL_DONE,
       TOPLEVEL_CLOSED, TOPLEVEL_PARENT };

struct head {
    struct wl_list link;
    char name[64];
    int width, height, x, y, transform, enabled;
    bool is_announced, is_gone;
    struct wl_resource *resource, *mode;
    int wanted_transform, wanted_x, wanted_y;
};

struct output {
    struct wl_list link;
    char name[64];
    int width, height;
    bool is_off;
    struct wl_global *global;
    struct wl_resource *resource, *power, *second;
};

struct toplevel {
    struct wl_list link;
    int id;
    char application[64];
    struct wl_resource *resource;
};

// One client at a time is enough for tests.
struct fake_compositor {
    struct wl_display *display;
    struct wl_global *managers, *lists;
    struct wl_list heads, outputs, toplevels;
    struct wl_resource *manager, *list, *idle;
    uint32_t serial;
    char answers[256];
    char log[65536];
    pthread_t thread;
    int command_ready;
    struct wl_event_source *commands;
    const char *command;
    int result;
    sem_t done;
    bool is_ended, shares_power;
    struct kwin *kwin;
};

void fake_note(struct fake_compositor *fake, const char *format, ...) {
    size_t used = strlen(fake->log);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(fake->log + used, sizeof fake->log - used, format, arguments);
    va_end(arguments);
}

// Clears the pointer to a resource that a client has destroyed.
static void forget(struct wl_resource *resource) {
    struct wl_resource **place = wl_resource_get_user_data(resource);
    if (place) *place = NULL;
}

static void release(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    wl_resource_destroy(resource);
}

static void ignore(void) {}

static struct wl_resource *create(struct wl_client *client, const struct wl_interface *interface, int version,
                                  const void *requests, struct wl_resource **place) {
    struct wl_resource *resource = wl_resource_create(client, interface, version, 0);
    wl_resource_set_implementation(resource, requests, place, forget);
    *place = resource;
    return resource;
}

// Heads of wlr-output-management

static const void *const head_requests[] = {release};

static void announce_head(struct fake_compositor *fake, struct head *head) {
    struct wl_client *client = wl_resource_get_client(fake->manager);
    int version = wl_resource_get_version(fake->manager);
    create(client, &zwlr_output_head_v1_interface, version, head_requests, &head->resource);
    wl_resource_post_event(fake->manager, MANAGER_HEAD, head->resource);
    if (strcmp(head->name, "-") != 0) wl_resource_post_event(head->resource, HEAD_NAME, head->name);
    if (head->width > 0) {
        create(client, &zwlr_output_mode_v1_interface, version, head_requests, &head->mode);
        wl_resource_post_event(head->resource, HEAD_MODE, head->mode);
        wl_resource_post_event(head->mode, MODE_SIZE, head->width, head->height);
    }
    head->is_announced = true;
}

static void send_head(struct fake_compositor *fake, struct head *head) {
    if (!head->is_announced) announce_head(fake, head);
    if (!head->resource) return;
    wl_resource_post_event(head->resource, HEAD_ENABLED, head->enabled);
    if (!head->enabled) return;
    if (head->mode) wl_resource_post_event(head->resource, HEAD_CURRENT_MODE, head->mode);
    wl_resource_post_event(head->resource, HEAD_POSITION, head->x, head->y);
    wl_resource_post_event(head->resource, HEAD_TRANSFORM, head->transform);
    wl_resource_post_event(head->resource, HEAD_SCALE, wl_fixed_from_int(1));
}

static void remove_head(struct head *head) {
    if (head->mode) wl_resource_post_event(head->mode, MODE_FINISHED);
    if (head->resource) wl_resource_post_event(head->resource, HEAD_FINISHED);
    if (head->mode) wl_resource_set_user_data(head->mode, NULL);
    if (head->resource) wl_resource_set_user_data(head->resource, NULL);
    wl_list_remove(&head->link);
    free(head);
}

static void send_heads(struct fake_compositor *fake) {
    struct head *head, *next;
    wl_list_for_each_safe(head, next, &fake->heads, link) if (head->is_gone) remove_head(head);
    fake->serial += 2;
    if (!fake->manager) return;
    wl_list_for_each(head, &fake->heads, link) send_head(fake, head);
    wl_resource_post_event(fake->manager, MANAGER_DONE, fake->serial);
}

static struct head *head_named(struct fake_compositor *fake, const char *name) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) if (strcmp(head->name, name) == 0) return head;
    return NULL;
}

// Configurations

struct configuration {
    struct fake_compositor *fake;
    uint32_t serial;
    struct head *head;
};

static struct head *head_of(struct fake_compositor *fake, struct wl_resource *resource) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) if (head->resource == resource) return head;
    return NULL;
}

static void set_position(struct wl_client *client, struct wl_resource *resource, int32_t x, int32_t y) {
    (void)client;
    struct configuration *configuration = wl_resource_get_user_data(resource);
    struct head *head = configuration->head;
    if (!head) return;
    fake_note(configuration->fake, "position %s %d %d\n", head->name, x, y);
    head->wanted_x = x;
    head->wanted_y = y;
}

static void set_transform(struct wl_client *client, struct wl_resource *resource, int32_t transform) {
    (void)client;
    struct configuration *configuration = wl_resource_get_user_data(resource);
    struct head *head = configuration->head;
    if (!head) return;
    fake_note(configuration->fake, "transform %s %d\n", head->name, transform);
    head->wanted_transform = transform;
}

static const void *const change_requests[] = {ignore, ignore, set_position, set_transform, ignore, ignore};

static void enable_head(struct wl_client *client, struct wl_resource *resource, uint32_t id,
                        struct wl_resource *head_resource) {
    struct configuration *configuration = wl_resource_get_user_data(resource);
    struct wl_resource *change = wl_resource_create(
        client, &zwlr_output_configuration_head_v1_interface, wl_resource_get_version(resource), id);
    struct head *head = head_of(configuration->fake, head_resource);
    // The following requests are for this head, since clients configure one after the other.
    configuration->head = head;
    wl_resource_set_implementation(change, change_requests, configuration, NULL);
    if (!head) return;
    fake_note(configuration->fake, "enable %s\n", head->name);
    head->wanted_transform = head->transform;
    head->wanted_x = head->x;
    head->wanted_y = head->y;
}

static void disable_head(struct wl_client *client, struct wl_resource *resource,
                         struct wl_resource *head_resource) {
    (void)client;
    struct configuration *configuration = wl_resource_get_user_data(resource);
    struct head *head = head_of(configuration->fake, head_resource);
    fake_note(configuration->fake, "disable %s\n", head ? head->name : "nothing");
}

static void apply_wanted(struct fake_compositor *fake) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) {
        if (!head->enabled) continue;
        head->transform = head->wanted_transform;
        head->x = head->wanted_x;
        head->y = head->wanted_y;
    }
}

static struct head *first_lit(struct fake_compositor *fake) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) if (head->enabled) return head;
    return NULL;
}

// Applies a configuration in part, or changes something else. Returns whether it knows the word.
static bool apply_wrongly(struct fake_compositor *fake, const char *word) {
    struct head *first = first_lit(fake);
    if (!first) return false;
    if (strcmp(word, "half") == 0) {
        first->wanted_transform = first->transform;
        apply_wanted(fake);
    } else if (strcmp(word, "astray") == 0) {
        apply_wanted(fake);
        first->x += 4000;
    } else if (strcmp(word, "resize") == 0) {
        apply_wanted(fake);
        first->width = 1280;
        first->height = 720;
        wl_resource_post_event(first->mode, MODE_SIZE, first->width, first->height);
    } else {
        return false;
    }
    send_heads(fake);
    return true;
}

static void reset_transforms(struct fake_compositor *fake) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) head->transform = 0;
    send_heads(fake);
}

static void unplug_rotating(struct fake_compositor *fake) {
    struct head *head;
    wl_list_for_each(head, &fake->heads, link)
        if (head->wanted_transform != head->transform) head->is_gone = true;
    send_heads(fake);
}

static void answer(struct fake_compositor *fake, struct wl_resource *resource, const char *word) {
    if (strcmp(word, "succeed") == 0 || strcmp(word, "undo") == 0) {
        apply_wanted(fake);
        send_heads(fake);
    }
    if (apply_wrongly(fake, word)) wl_resource_post_event(resource, CONFIGURATION_SUCCEEDED);
    if (strcmp(word, "slow") == 0) {
        wl_resource_post_event(resource, CONFIGURATION_SUCCEEDED);
        apply_wanted(fake);
        send_heads(fake);
    }
    if (strcmp(word, "unplug") == 0) unplug_rotating(fake);
    if (strcmp(word, "succeed") == 0 || strcmp(word, "undo") == 0 || strcmp(word, "lie") == 0)
        wl_resource_post_event(resource, CONFIGURATION_SUCCEEDED);
    if (strcmp(word, "undo") == 0) reset_transforms(fake);
    if (strcmp(word, "fail") == 0) wl_resource_post_event(resource, CONFIGURATION_FAILED);
    if (strcmp(word, "cancel") == 0 || strcmp(word, "unplug") == 0)
        wl_resource_post_event(resource, CONFIGURATION_CANCELLED);
    if (strcmp(word, "error") == 0) wl_resource_post_error(resource, 3, "tests do not like you");
    if (strcmp(word, "die") == 0) wl_display_terminate(fake->display);
}

void fake_next_answer(struct fake_compositor *fake, char word[32]) {
    int length = 0;
    strcpy(word, "succeed");
    sscanf(fake->answers, " %31s %n", word, &length);
    // The last word is repeated.
    if (fake->answers[length]) memmove(fake->answers, fake->answers + length, strlen(fake->answers + length) + 1);
}

static void apply(struct wl_client *client, struct wl_resource *resource) {
    (void)client;
    struct configuration *configuration = wl_resource_get_user_data(resource);
    struct fake_compositor *fake = configuration->fake;
    fake_note(fake, "apply\n");
    if (configuration->serial != fake->serial) return answer(fake, resource, "cancel");
    char word[32];
    fake_next_answer(fake, word);
    answer(fake, resource, word);
}

static const void *const configuration_requests[] = {enable_head, disable_head, apply, ignore, release};

static void free_configuration(struct wl_resource *resource) { free(wl_resource_get_user_data(resource)); }

static void create_configuration(struct wl_client *client, struct wl_resource *manager, uint32_t id,
                                 uint32_t serial) {
    struct configuration *configuration = calloc(1, sizeof *configuration);
    configuration->fake = wl_container_of(
        (struct wl_resource **)wl_resource_get_user_data(manager), configuration->fake, manager);
    configuration->serial = serial;
    struct wl_resource *resource = wl_resource_create(
        client, &zwlr_output_configuration_v1_interface, wl_resource_get_version(manager), id);
    wl_resource_set_implementation(resource, configuration_requests, configuration, free_configuration);
}

static const void *const manager_requests[] = {create_configuration, ignore};

static void bind_manager(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct fake_compositor *fake = data;
    fake->manager = wl_resource_create(client, &zwlr_output_manager_v1_interface, version, id);
    wl_resource_set_implementation(fake->manager, manager_requests, &fake->manager, forget);
    struct head *head;
    wl_list_for_each(head, &fake->heads, link) head->is_announced = false;
    send_heads(fake);
}

// wl_output

static const void *const output_requests[] = {release};

static void bind_output(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct output *output = data;
    output->resource = wl_resource_create(client, &wl_output_interface, version, id);
    wl_resource_set_implementation(output->resource, output_requests, &output->resource, forget);
    wl_output_send_mode(output->resource, WL_OUTPUT_MODE_CURRENT, output->width, output->height, 60000);
    if (version >= 4) wl_output_send_name(output->resource, output->name);
    if (version >= 2) wl_output_send_done(output->resource);
}

const char *fake_output_name(struct wl_resource *resource) {
    struct output *output = wl_container_of(
        (struct wl_resource **)wl_resource_get_user_data(resource), output, resource);
    return output->name;
}

// Output power

static const void *const power_requests[] = {ignore, release};

static void get_output_power(struct wl_client *client, struct wl_resource *manager, uint32_t id,
                             struct wl_resource *output_resource) {
    struct output *output = wl_container_of(
        (struct wl_resource **)wl_resource_get_user_data(output_resource), output, resource);
    struct fake_compositor *fake = wl_resource_get_user_data(manager);
    struct wl_resource **place = output->power ? &output->second : &output->power;
    bool is_refused = output->power && !fake->shares_power;
    *place = wl_resource_create(client, &zwlr_output_power_v1_interface, 1, id);
    wl_resource_set_implementation(*place, power_requests, place, forget);
    if (is_refused) wl_resource_post_event(*place, POWER_FAILED);
    else wl_resource_post_event(*place, POWER_MODE, !output->is_off);
}

static const void *const powers_requests[] = {get_output_power, release};

static void bind_powers(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *powers =
        wl_resource_create(client, &zwlr_output_power_manager_v1_interface, version, id);
    wl_resource_set_implementation(powers, powers_requests, data, NULL);
}

static int switch_power(struct fake_compositor *fake, const char *name, int to) {
    struct output *output;
    wl_list_for_each(output, &fake->outputs, link) {
        if (strcmp(output->name, name) != 0) continue;
        // A client that holds the power object blocks the others.
        if (output->power && !fake->shares_power) return 0;
        output->is_off = !to;
        if (output->power) wl_resource_post_event(output->power, POWER_MODE, to != 0);
        if (to == 1 && output->resource) wl_output_send_done(output->resource);
        return 1;
    }
    return 0;
}

// Seat and idle notifications

static const void *const seat_requests[] = {ignore, ignore, ignore, release};

static void bind_seat(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    (void)data;
    struct wl_resource *seat = wl_resource_create(client, &wl_seat_interface, version, id);
    wl_resource_set_implementation(seat, seat_requests, NULL, NULL);
}

static const void *const idle_requests[] = {release};

static void get_idle_notification(struct wl_client *client, struct wl_resource *notifier, uint32_t id,
                                  uint32_t timeout, struct wl_resource *seat) {
    (void)timeout, (void)seat;
    struct fake_compositor *fake = wl_resource_get_user_data(notifier);
    fake->idle = wl_resource_create(client, &ext_idle_notification_v1_interface, 1, id);
    wl_resource_set_implementation(fake->idle, idle_requests, &fake->idle, forget);
}

static const void *const notifier_requests[] = {release, get_idle_notification};

static void bind_notifier(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct wl_resource *notifier = wl_resource_create(client, &ext_idle_notifier_v1_interface, version, id);
    wl_resource_set_implementation(notifier, notifier_requests, data, NULL);
}

static int run_seat_command(struct fake_compositor *fake, const char *command) {
    if (strcmp(command, "seat") == 0) {
        wl_global_create(fake->display, &wl_seat_interface, 1, fake, bind_seat);
        wl_global_create(fake->display, &ext_idle_notifier_v1_interface, 1, fake, bind_notifier);
        return 1;
    }
    if (!fake->idle || (strcmp(command, "idle") != 0 && strcmp(command, "touch") != 0)) return 0;
    wl_resource_post_event(fake->idle, *command == 'i' ? IDLE_IDLED : IDLE_RESUMED);
    return 1;
}

// Toplevels

static const void *const toplevel_requests[] = {
    ignore, ignore, ignore, ignore, ignore, ignore, ignore, release, ignore, ignore};

static void send_toplevel(struct fake_compositor *fake, struct toplevel *toplevel) {
    if (!fake->list) return;
    create(wl_resource_get_client(fake->list), &zwlr_foreign_toplevel_handle_v1_interface,
           wl_resource_get_version(fake->list), toplevel_requests, &toplevel->resource);
    wl_resource_post_event(fake->list, TOPLEVELS_TOPLEVEL, toplevel->resource);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_TITLE, "a title");
    if (strcmp(toplevel->application, "-") != 0)
        wl_resource_post_event(toplevel->resource, TOPLEVEL_APP_ID, toplevel->application);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_DONE);
}

static void bind_list(struct wl_client *client, void *data, uint32_t version, uint32_t id) {
    struct fake_compositor *fake = data;
    fake->list = wl_resource_create(client, &zwlr_foreign_toplevel_manager_v1_interface, version, id);
    static const void *const requests[] = {ignore};
    wl_resource_set_implementation(fake->list, requests, &fake->list, forget);
    struct toplevel *toplevel;
    wl_list_for_each(toplevel, &fake->toplevels, link) send_toplevel(fake, toplevel);
}

static struct toplevel *toplevel_of(struct fake_compositor *fake, int id) {
    struct toplevel *toplevel;
    wl_list_for_each(toplevel, &fake->toplevels, link) if (toplevel->id == id) return toplevel;
    return NULL;
}

static void send_states(struct toplevel *toplevel, const char *command) {
    struct wl_array states;
    wl_array_init(&states);
    const char *const names[] = {"maximized", "minimized", "activated", "fullscreen"};
    for (uint32_t state = 0; state < 4; state++)
        if (strstr(command, names[state])) *(uint32_t *)wl_array_add(&states, sizeof state) = state;
    wl_resource_post_event(toplevel->resource, TOPLEVEL_STATE, &states);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_DONE);
    wl_array_release(&states);
}

static void enter(struct fake_compositor *fake, struct toplevel *toplevel, const char *name) {
    struct output *output;
    wl_list_for_each(output, &fake->outputs, link)
        if (strcmp(output->name, name) == 0 && output->resource)
            wl_resource_post_event(toplevel->resource, TOPLEVEL_ENTER, output->resource);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_DONE);
}

static void send_title(struct toplevel *toplevel, const char *title) {
    wl_resource_post_event(toplevel->resource, TOPLEVEL_TITLE, title);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_DONE);
}

static void set_parent(struct toplevel *toplevel, struct toplevel *parent) {
    wl_resource_post_event(toplevel->resource, TOPLEVEL_PARENT, parent ? parent->resource : NULL);
    wl_resource_post_event(toplevel->resource, TOPLEVEL_DONE);
}

static void close_toplevel(struct toplevel *toplevel) {
    wl_resource_post_event(toplevel->resource, TOPLEVEL_CLOSED);
    wl_resource_set_user_data(toplevel->resource, NULL);
    wl_list_remove(&toplevel->link);
    free(toplevel);
}

// Commands of the tests

static int run_output_command(struct fake_compositor *fake, const char *command) {
    char name[64], what[16];
    int a, b, c, d;
    if (sscanf(command, "head %63s %d %d %d %d", name, &a, &b, &c, &d) == 5) {
        struct head *head = calloc(1, sizeof *head);
        *head = (struct head){.width = a, .height = b, .x = c, .y = d, .enabled = 1};
        strcpy(head->name, name);
        wl_list_insert(fake->heads.prev, &head->link);
    } else if (sscanf(command, "set %63s %15s %d", name, what, &a) == 3) {
        struct head *head = head_named(fake, name);
        if (!head) return 0;
        *(*what == 'e' ? &head->enabled : *what == 't' ? &head->transform : &head->x) = a;
    } else if (sscanf(command, "unplug %63s", name) == 1) {
        struct head *head = head_named(fake, name);
        if (!head) return 0;
        head->is_gone = true;
    } else if (strcmp(command, "done") == 0) {
        send_heads(fake);
    } else if (strcmp(command, "where") == 0) {
        struct head *head;
        wl_list_for_each(head, &fake->heads, link) fake_note(fake, "at %s %d %d\n", head->name, head->x, head->y);
    } else if (sscanf(command, "output %63s %d %d", name, &a, &b) == 3) {
        struct output *output = calloc(1, sizeof *output);
        *output = (struct output){.width = a, .height = b};
        strcpy(output->name, name);
        wl_list_insert(&fake->outputs, &output->link);
        output->global = wl_global_create(fake->display, &wl_output_interface, 4, output, bind_output);
    } else if (strcmp(command, "share") == 0) {
        fake->shares_power = true;
    } else if (sscanf(command, "power %63s %d", name, &a) == 2) {
        return switch_power(fake, name, a);
    } else if (sscanf(command, "remove %63s", name) == 1) {
        struct output *output;
        wl_list_for_each(output, &fake->outputs, link)
            if (strcmp(output->name, name) == 0) wl_global_remove(output->global);
    } else {
        return 0;
    }
    return 1;
}

static int run_toplevel_command(struct fake_compositor *fake, const char *command) {
    char name[64];
    int id = 0, other = 0;
    if (sscanf(command, "toplevel %d %63s", &id, name) == 2) {
        struct toplevel *toplevel = calloc(1, sizeof *toplevel);
        toplevel->id = id;
        strcpy(toplevel->application, name);
        wl_list_insert(fake->toplevels.prev, &toplevel->link);
        send_toplevel(fake, toplevel);
        return 1;
    }
    sscanf(command, "%*s %d %63s", &id, name);
    sscanf(command, "%*s %*d %d", &other);
    struct toplevel *toplevel = toplevel_of(fake, id);
    if (!toplevel || !toplevel->resource) return 0;
    if (strncmp(command, "state ", 6) == 0) send_states(toplevel, command);
    else if (strncmp(command, "enter ", 6) == 0) enter(fake, toplevel, name);
    else if (strncmp(command, "title ", 6) == 0) send_title(toplevel, strchr(command + 6, ' ') + 1);
    else if (strncmp(command, "parent ", 7) == 0) set_parent(toplevel, toplevel_of(fake, other));
    else if (strncmp(command, "close ", 6) == 0) close_toplevel(toplevel);
    else return 0;
    return 1;
}

static void disconnect_clients(struct fake_compositor *fake) {
    if (fake->manager) wl_resource_post_error(fake->manager, 0, "tests do not like you");
}

static int offer(struct fake_compositor *fake, const char *command) {
    struct wl_global **global = strstr(command, "outputs") ? &fake->managers : &fake->lists;
    if (command[strlen(command) - 1] == '0') {
        wl_global_destroy(*global);
        *global = NULL;
    }
    return 1;
}

static int perform(struct fake_compositor *fake, const char *command) {
    if (strncmp(command, "offer ", 6) == 0) return offer(fake, command);
    if (strncmp(command, "kwin ", 5) == 0) return kwin_run(fake->kwin, command + 5);
    if (strncmp(command, "answer ", 7) == 0) {
        snprintf(fake->answers, sizeof fake->answers, "%s", command + 7);
    } else if (strcmp(command, "error") == 0) {
        disconnect_clients(fake);
    } else if (strcmp(command, "finish") == 0) {
        if (fake->manager) wl_resource_post_event(fake->manager, MANAGER_FINISHED);
    } else {
        return run_output_command(fake, command) || run_seat_command(fake, command) ||
               run_toplevel_command(fake, command);
    }
    return 1;
}

// Its thread

static int read_command(int descriptor, uint32_t mask, void *data) {
    (void)mask;
    struct fake_compositor *fake = data;
    eventfd_t count;
    eventfd_read(descriptor, &count);
    bool hangs = strcmp(fake->command, "hang") == 0;
    if (strcmp(fake->command, "stop") == 0) wl_display_terminate(fake->display);
    fake->result = hangs || perform(fake, fake->command);
    wl_display_flush_clients(fake->display);
    sem_post(&fake->done);
    // Until the next command.
    while (hangs && eventfd_read(descriptor, &count) != 0) usleep(1000);
    if (hangs) {
        wl_display_terminate(fake->display);
        sem_post(&fake->done);
    }
    return 0;
}

static void *serve(void *data) {
    struct fake_compositor *fake = data;
    wl_display_run(fake->display);
    wl_display_destroy_clients(fake->display);
    wl_event_source_remove(fake->commands);
    wl_display_destroy(fake->display);
    fake->is_ended = true;
    return NULL;
}

static int listen_on(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0 && listen(descriptor, 8) == 0)
        return descriptor;
    close(descriptor);
    return -1;
}

struct fake_compositor *fake_start(const char *path) {
    int descriptor = listen_on(path);
    if (descriptor < 0) return NULL;
    struct fake_compositor *fake = calloc(1, sizeof *fake);
    fake->display = wl_display_create();
    fake->serial = 40;
    fake->kwin = kwin_create(fake, fake->display);
    wl_list_init(&fake->heads);
    wl_list_init(&fake->outputs);
    wl_list_init(&fake->toplevels);
    sem_init(&fake->done, 0, 0);
    wl_display_add_socket_fd(fake->display, descriptor);
    fake->managers = wl_global_create(fake->display, &zwlr_output_manager_v1_interface, 4, fake, bind_manager);
    fake->lists = wl_global_create(fake->display, &zwlr_foreign_toplevel_manager_v1_interface, 3, fake, bind_list);
    wl_global_create(fake->display, &zwlr_output_power_manager_v1_interface, 1, fake, bind_powers);
    fake->command_ready = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    fake->commands = wl_event_loop_add_fd(wl_display_get_event_loop(fake->display), fake->command_ready,
                                          WL_EVENT_READABLE, read_command, fake);
    pthread_create(&fake->thread, NULL, serve, fake);
    return fake;
}

int fake_run(struct fake_compositor *fake, const char *command) {
    fake->command = command;
    eventfd_write(fake->command_ready, 1);
    sem_wait(&fake->done);
    return fake->result;
}

void fake_log(struct fake_compositor *fake, char *text, size_t size) { snprintf(text, size, "%s", fake->log); }

static void free_state(struct fake_compositor *fake) {
    kwin_free(fake->kwin);
    struct head *head, *next_head;
    wl_list_for_each_safe(head, next_head, &fake->heads, link) free(head);
    struct output *output, *next_output;
    wl_list_for_each_safe(output, next_output, &fake->outputs, link) free(output);
    struct toplevel *toplevel, *next_toplevel;
    wl_list_for_each_safe(toplevel, next_toplevel, &fake->toplevels, link) free(toplevel);
}

void fake_stop(struct fake_compositor *fake) {
    fake->command = "stop";
    eventfd_write(fake->command_ready, 1);
    pthread_join(fake->thread, NULL);
    close(fake->command_ready);
    free_state(fake);
    free(fake);
}
