// SPDX-License-Identifier: MIT
// waylandrotations OUTPUT   prints the rotation of an output of the compositor, now and after each change:
//                      "SECONDS left", by the monotonic clock when the compositor's event arrives
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wayland-client.h>

static const char *wanted;

struct output {
    int rotation, printed, is_wanted;
    struct timespec received;
};

static void die(const char *why) {
    fprintf(stderr, "waylandrotations: %s\n", why);
    exit(1);
}

static void ignore() {}

static void handle_geometry(
    void *data, struct wl_output *proxy, int32_t x, int32_t y, int32_t width, int32_t height, int32_t subpixel,
    const char *make, const char *model, int32_t transform) {
    (void)proxy, (void)x, (void)y, (void)width, (void)height, (void)subpixel, (void)make, (void)model;
    struct output *output = data;
    output->rotation = transform & 3;
    clock_gettime(CLOCK_MONOTONIC, &output->received);
}

static void handle_name(void *data, struct wl_output *proxy, const char *name) {
    (void)proxy;
    ((struct output *)data)->is_wanted = !strcmp(name, wanted);
}

static void print_rotation(void *data, struct wl_output *proxy) {
    static const char *const words[] = {"normal", "left", "inverted", "right"};
    (void)proxy;
    struct output *output = data;
    if (!output->is_wanted || output->rotation == output->printed) return;
    output->printed = output->rotation;
    printf("%lld.%06ld %s\n", (long long)output->received.tv_sec, output->received.tv_nsec / 1000, words[output->rotation]);
    fflush(stdout);
}

static const struct wl_output_listener output_listener = {
    .geometry = handle_geometry, .mode = ignore, .done = print_rotation, .scale = ignore, .name = handle_name,
    .description = ignore};

static void handle_global(
    void *data, struct wl_registry *registry, uint32_t number, const char *interface, uint32_t version) {
    (void)data;
    if (strcmp(interface, "wl_output") || version < 4) return;
    struct output *output = calloc(1, sizeof *output);
    if (!output) die("no memory");
    output->printed = -1;
    wl_output_add_listener(wl_registry_bind(registry, number, &wl_output_interface, 4), &output_listener, output);
}

static const struct wl_registry_listener registry_listener = {.global = handle_global, .global_remove = ignore};

int main(int count, char **words) {
    struct wl_display *display = wl_display_connect(NULL);
    if (count != 2 || !display) die("usage: waylandrotations OUTPUT, with WAYLAND_DISPLAY");
    wanted = words[1];
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    while (wl_display_dispatch(display) >= 0) continue;
    return 0;
}
