// SPDX-License-Identifier: MIT
// Input and screen capture for the bench in a Wayland session.
//
// wayland window APP [OUTPUT]   opens a window whose upper half is red and lower half blue, fullscreen on OUTPUT if
//                               that is named; prints "ready"; accepts lines on standard input: "fullscreen OUTPUT",
//                               "windowed"; ends with it
// wayland seat                  gives the session a pointer, without which nothing has focus, until its input ends;
//                               prints "ready"
// wayland look OUTPUT           prints where the red is on the panel's glass, in fractions of the panel's own axes,
//                               and how much of the glass it is: "0.250 0.500 0.500"
// wayland dark|lit [OUTPUT]     switches an output's power, or that of all, as swayidle does
// wayland power                 prints for each output whether it is dark or lit
#define _GNU_SOURCE
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#include "wlr-output-power-management-unstable-v1.h"
#include "wlr-screencopy-unstable-v1.h"
#include "wlr-virtual-pointer-unstable-v1.h"
#include "xdg-shell.h"

enum { RED = 0xffff0000, BLUE = 0xff0000ff, MOST_OUTPUTS = 8 };

static struct wl_display *display;
static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct xdg_wm_base *shell;
static struct zwlr_screencopy_manager_v1 *copier;
static struct zwlr_virtual_pointer_manager_v1 *pointers;
static struct zwlr_output_power_manager_v1 *powers;

static struct output {
    struct wl_output *proxy;
    char name[64];
} outputs[MOST_OUTPUTS];
static int output_count;

static void die(const char *what) {
    fprintf(stderr, "wayland: %s\n", what);
    exit(1);
}

static void ignore() {}

// Globals

static void handle_name(void *data, struct wl_output *proxy, const char *name) {
    (void)proxy;
    snprintf(((struct output *)data)->name, sizeof outputs->name, "%s", name);
}

static const struct wl_output_listener output_listener = {
    .geometry = ignore, .mode = ignore, .done = ignore, .scale = ignore, .name = handle_name, .description = ignore};

static void pong(void *data, struct xdg_wm_base *base, uint32_t serial) {
    (void)data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = pong};

static void handle_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface, uint32_t version) {
    (void)data;
    if (strcmp(interface, "wl_compositor") == 0)
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 3);
    if (strcmp(interface, "wl_shm") == 0) shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    if (strcmp(interface, "xdg_wm_base") == 0) {
        shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
        xdg_wm_base_add_listener(shell, &shell_listener, NULL);
    }
    if (strcmp(interface, "zwlr_screencopy_manager_v1") == 0)
        copier = wl_registry_bind(registry, name, &zwlr_screencopy_manager_v1_interface, 1);
    if (strcmp(interface, "zwlr_virtual_pointer_manager_v1") == 0)
        pointers = wl_registry_bind(registry, name, &zwlr_virtual_pointer_manager_v1_interface, 1);
    if (strcmp(interface, "zwlr_output_power_manager_v1") == 0)
        powers = wl_registry_bind(registry, name, &zwlr_output_power_manager_v1_interface, 1);
    if (strcmp(interface, "wl_output") == 0 && version >= 4 && output_count < MOST_OUTPUTS) {
        struct output *output = &outputs[output_count++];
        output->proxy = wl_registry_bind(registry, name, &wl_output_interface, 4);
        wl_output_add_listener(output->proxy, &output_listener, output);
    }
}

static const struct wl_registry_listener registry_listener = {.global = handle_global, .global_remove = ignore};

static void connect_display(void) {
    display = wl_display_connect(NULL);
    if (!display) die("no compositor");
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    wl_display_roundtrip(display);
    wl_display_roundtrip(display);
}

static struct wl_output *output_named(const char *name) {
    for (int number = 0; number < output_count; number++)
        if (strcmp(outputs[number].name, name) == 0) return outputs[number].proxy;
    die("no such output");
    return NULL;
}

static struct wl_buffer *buffer_of(int width, int height, int stride, uint32_t format, uint8_t **pixels) {
    size_t size = (size_t)stride * height;
    int file = memfd_create("pixels", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size) != 0) die("out of memory");
    *pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, size);
    struct wl_buffer *buffer = wl_shm_pool_create_buffer(pool, 0, width, height, stride, format);
    wl_shm_pool_destroy(pool);
    close(file);
    return buffer;
}

// The window

static struct wl_surface *surface;
static struct xdg_toplevel *toplevel;
static int width, height;
static bool is_shown, is_closed;

// Twice as fine as the output, or a compositor scans out the window's own memory, which screencopy does not report.
enum { FINER = 2 };

static void draw(void) {
    uint8_t *bytes;
    int columns = width * FINER, rows = height * FINER;
    struct wl_buffer *buffer = buffer_of(columns, rows, columns * 4, WL_SHM_FORMAT_XRGB8888, &bytes);
    uint32_t *pixels = (uint32_t *)bytes;
    for (int at = 0; at < columns * rows; at++) pixels[at] = at / columns < rows / 2 ? RED : BLUE;
    munmap(bytes, (size_t)columns * rows * 4);
    wl_surface_set_buffer_scale(surface, FINER);
    wl_surface_attach(surface, buffer, 0, 0);
    wl_surface_damage(surface, 0, 0, width, height);
    wl_surface_commit(surface);
}

static void handle_size(void *data, struct xdg_toplevel *proxy, int32_t w, int32_t h, struct wl_array *states) {
    (void)data, (void)proxy, (void)states;
    width = w > 0 ? w : 400;
    height = h > 0 ? h : 300;
}

static void handle_close(void *data, struct xdg_toplevel *proxy) {
    (void)data, (void)proxy;
    is_closed = true;
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = handle_size, .close = handle_close};

static void configured(void *data, struct xdg_surface *proxy, uint32_t serial) {
    (void)data;
    xdg_surface_ack_configure(proxy, serial);
    draw();
    is_shown = true;
}

static const struct xdg_surface_listener surface_listener = {.configure = configured};

static void carry_out_line(void) {
    char line[128], name[64];
    if (!fgets(line, sizeof line, stdin)) exit(0);
    if (sscanf(line, "fullscreen %63s", name) == 1) xdg_toplevel_set_fullscreen(toplevel, output_named(name));
    else xdg_toplevel_unset_fullscreen(toplevel);
}

static int window(const char *application, const char *output) {
    if (!compositor || !shm || !shell) die("the compositor lacks a protocol for windows");
    surface = wl_compositor_create_surface(compositor);
    struct xdg_surface *shell_surface = xdg_wm_base_get_xdg_surface(shell, surface);
    xdg_surface_add_listener(shell_surface, &surface_listener, NULL);
    toplevel = xdg_surface_get_toplevel(shell_surface);
    xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
    xdg_toplevel_set_app_id(toplevel, application);
    if (output) xdg_toplevel_set_fullscreen(toplevel, output_named(output));
    wl_surface_commit(surface);
    while (!is_shown && wl_display_dispatch(display) >= 0) {}
    wl_display_roundtrip(display);
    puts("ready");
    fflush(stdout);
    struct pollfd waiting[] = {{.fd = wl_display_get_fd(display), .events = POLLIN}, {.fd = 0, .events = POLLIN}};
    while (!is_closed && wl_display_flush(display) >= 0 && poll(waiting, 2, -1) > 0) {
        if (waiting[1].revents) carry_out_line();
        if (waiting[0].revents && wl_display_dispatch(display) < 0) return 1;
    }
    return 0;
}

// Screen capture

static struct {
    uint32_t format, width, height, stride;
    bool is_known, is_upside_down, is_ready, has_failed;
} frame;

static void handle_buffer(void *data, struct zwlr_screencopy_frame_v1 *proxy, uint32_t format, uint32_t w, uint32_t h,
                        uint32_t stride) {
    (void)data, (void)proxy;
    frame.format = format, frame.width = w, frame.height = h, frame.stride = stride;
    frame.is_known = true;
}

static void handle_flags(void *data, struct zwlr_screencopy_frame_v1 *proxy, uint32_t flags) {
    (void)data, (void)proxy;
    frame.is_upside_down = flags & ZWLR_SCREENCOPY_FRAME_V1_FLAGS_Y_INVERT;
}

static void handle_ready(void *data, struct zwlr_screencopy_frame_v1 *proxy, uint32_t high, uint32_t low, uint32_t n) {
    (void)data, (void)proxy, (void)high, (void)low, (void)n;
    frame.is_ready = true;
}

static void handle_failure(void *data, struct zwlr_screencopy_frame_v1 *proxy) {
    (void)data, (void)proxy;
    frame.has_failed = true;
}

static const struct zwlr_screencopy_frame_v1_listener frame_listener = {
    .buffer = handle_buffer, .flags = handle_flags, .ready = handle_ready, .failed = handle_failure, .damage = ignore,
    .linux_dmabuf = ignore, .buffer_done = ignore};

static void print_red_area(const uint8_t *pixels) {
    double x = 0, y = 0, count = 0;
    // Of the formats that compositors draw in, these two have blue first in memory.
    int red = frame.format == WL_SHM_FORMAT_XRGB8888 || frame.format == WL_SHM_FORMAT_ARGB8888 ? 2 : 0;
    for (uint32_t row = 0; row < frame.height; row++) {
        const uint8_t *line = pixels + (size_t)row * frame.stride;
        for (uint32_t column = 0; column < frame.width; column++) {
            const uint8_t *pixel = line + column * 4;
            if (pixel[red] < 250 || pixel[1] > 5 || pixel[2 - red] > 5) continue;
            x += column + 0.5;
            y += frame.is_upside_down ? frame.height - row - 0.5 : row + 0.5;
            count++;
        }
    }
    if (count > 0) x /= count * frame.width, y /= count * frame.height;
    printf("%.3f %.3f %.3f\n", x, y, count / ((double)frame.width * frame.height));
}

static int look(const char *name) {
    if (!copier) die("the compositor has no screencopy");
    struct zwlr_screencopy_frame_v1 *proxy = zwlr_screencopy_manager_v1_capture_output(copier, 0, output_named(name));
    zwlr_screencopy_frame_v1_add_listener(proxy, &frame_listener, NULL);
    while (!frame.is_known && wl_display_dispatch(display) >= 0) {}
    uint8_t *pixels;
    zwlr_screencopy_frame_v1_copy(
        proxy, buffer_of(frame.width, frame.height, frame.stride, frame.format, &pixels));
    while (!frame.is_ready && !frame.has_failed && wl_display_dispatch(display) >= 0) {}
    if (!frame.is_ready) die("the screen could not be captured");
    print_red_area(pixels);
    return 0;
}

static int provide_seat(void) {
    if (!pointers) die("the compositor accepts no virtual pointers");
    struct zwlr_virtual_pointer_v1 *pointer =
        zwlr_virtual_pointer_manager_v1_create_virtual_pointer(pointers, NULL);
    // Some open windows where the pointer is: at the upper left of the layout, on the panel.
    zwlr_virtual_pointer_v1_motion_absolute(pointer, 0, 1, 1, 100, 100);
    zwlr_virtual_pointer_v1_frame(pointer);
    wl_display_roundtrip(display);
    puts("ready");
    fflush(stdout);
    while (getchar() != EOF) {}
    return 0;
}

// Power

static void fail(void *data, struct zwlr_output_power_v1 *power) {
    (void)data, (void)power;
    die("another client controls the power of an output");
}

static bool is_asked;

static void print_mode(void *data, struct zwlr_output_power_v1 *power, uint32_t mode) {
    (void)power;
    if (is_asked) printf("%s %s\n", (char *)data, mode ? "lit" : "dark");
}

static const struct zwlr_output_power_v1_listener power_listener = {.mode = print_mode, .failed = fail};

static int switch_power(bool is_on, const char *name) {
    if (!powers) die("this compositor cannot switch power");
    for (int number = 0; number < output_count; number++) {
        if (name && strcmp(outputs[number].name, name) != 0) continue;
        struct zwlr_output_power_v1 *power =
            zwlr_output_power_manager_v1_get_output_power(powers, outputs[number].proxy);
        zwlr_output_power_v1_add_listener(power, &power_listener, outputs[number].name);
        if (!is_asked) zwlr_output_power_v1_set_mode(power, is_on);
    }
    return wl_display_roundtrip(display) < 0;
}

int main(int count, char **words) {
    connect_display();
    if (count >= 2 && strcmp(words[1], "dark") == 0) return switch_power(false, words[2]);
    if (count >= 2 && strcmp(words[1], "lit") == 0) return switch_power(true, words[2]);
    is_asked = count == 2 && strcmp(words[1], "power") == 0;
    if (is_asked) return switch_power(true, NULL);
    if (count >= 3 && strcmp(words[1], "window") == 0) return window(words[2], count > 3 ? words[3] : NULL);
    if (count == 2 && strcmp(words[1], "seat") == 0) return provide_seat();
    if (count == 3 && strcmp(words[1], "look") == 0) return look(words[2]);
    die("usage: wayland window APP [OUTPUT] | seat | look OUTPUT | dark [OUTPUT] | lit [OUTPUT] | power");
}
