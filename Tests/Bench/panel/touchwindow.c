/* SPDX-License-Identifier: MIT */
/*
 * touchwindow [OUTPUT]: a fullscreen window on a Wayland compositor that prints where it is touched.
 *
 * It prints a line for each event:
 *   size W H    it is shown in this size, in its own units
 *   down X Y    a finger touched it there
 *   on NAME     it is shown on this output, if OUTPUT is given
 *   off NAME    it is no longer
 * It ends with the compositor.
 */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <wayland-client.h>

#include "xdg-shell.h"

static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct wl_seat *seat;
static struct xdg_wm_base *shell;
static struct wl_surface *surface;
static struct wl_output *output;
static const char *output_name;
static int width, height, shown_width, shown_height;

static void fail(const char *sentence)
{
    fprintf(stderr, "touchwindow: %s\n", sentence);
    exit(1);
}

static struct wl_buffer *make_buffer(void)
{
    int32_t size = width * height * 4;
    int file = memfd_create("picture", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, size) != 0)
        fail("no memory for a buffer");
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, size);
    struct wl_buffer *buffer =
        wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888);
    wl_shm_pool_destroy(pool);
    close(file);
    return buffer;
}

static void configured(void *data, struct xdg_surface *shell_surface, uint32_t serial)
{
    (void) data;
    xdg_surface_ack_configure(shell_surface, serial);
    if (width != shown_width || height != shown_height) {
        wl_surface_attach(surface, make_buffer(), 0, 0);
        shown_width = width;
        shown_height = height;
        printf("size %d %d\n", width, height);
    }
    wl_surface_commit(surface);
}

static const struct xdg_surface_listener surface_listener = {configured};

static void resized(void *data, struct xdg_toplevel *toplevel, int32_t w, int32_t h, struct wl_array *states)
{
    (void) data, (void) toplevel, (void) states;
    width = w > 0 ? w : 100;
    height = h > 0 ? h : 100;
}

static void closed(void *data, struct xdg_toplevel *toplevel)
{
    (void) data, (void) toplevel;
    exit(0);
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = resized, .close = closed};

static void pinged(void *data, struct xdg_wm_base *base, uint32_t serial)
{
    (void) data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {pinged};

/* Touch */

static void down(void *data, struct wl_touch *touch, uint32_t serial, uint32_t time, struct wl_surface *on,
                 int32_t id, wl_fixed_t x, wl_fixed_t y)
{
    (void) data, (void) touch, (void) serial, (void) time, (void) on, (void) id;
    printf("down %.1f %.1f\n", wl_fixed_to_double(x), wl_fixed_to_double(y));
}

static void up(void *data, struct wl_touch *touch, uint32_t serial, uint32_t time, int32_t id)
{
    (void) data, (void) touch, (void) serial, (void) time, (void) id;
}

static void moved(void *data, struct wl_touch *touch, uint32_t time, int32_t id, wl_fixed_t x, wl_fixed_t y)
{
    (void) data, (void) touch, (void) time, (void) id, (void) x, (void) y;
}

static void framed(void *data, struct wl_touch *touch)
{
    (void) data, (void) touch;
}

static const struct wl_touch_listener touch_listener = {
    .down = down, .up = up, .motion = moved, .frame = framed, .cancel = framed};

static void can(void *data, struct wl_seat *sat, uint32_t capabilities)
{
    static struct wl_touch *touch;
    (void) data;
    if (!touch && capabilities & WL_SEAT_CAPABILITY_TOUCH) {
        touch = wl_seat_get_touch(sat);
        wl_touch_add_listener(touch, &touch_listener, NULL);
    }
}

static void named(void *data, struct wl_seat *sat, const char *name)
{
    (void) data, (void) sat, (void) name;
}

static const struct wl_seat_listener seat_listener = {can, named};

/* Outputs */

static void output_placed(void *data, struct wl_output *each, int32_t x, int32_t y, int32_t w, int32_t h,
                          int32_t subpixel, const char *make, const char *model, int32_t transform)
{
    (void) data, (void) each, (void) x, (void) y, (void) w, (void) h, (void) subpixel, (void) make, (void) model;
    (void) transform;
}

static void output_mode(void *data, struct wl_output *each, uint32_t flags, int32_t w, int32_t h, int32_t refresh)
{
    (void) data, (void) each, (void) flags, (void) w, (void) h, (void) refresh;
}

static void output_done(void *data, struct wl_output *each)
{
    (void) data, (void) each;
}

static void output_scale(void *data, struct wl_output *each, int32_t scale)
{
    (void) data, (void) each, (void) scale;
}

static void output_named(void *data, struct wl_output *each, const char *name)
{
    (void) data;
    wl_output_set_user_data(each, strdup(name));
    if (strcmp(name, output_name) == 0)
        output = each;
}

static void output_described(void *data, struct wl_output *each, const char *description)
{
    (void) data, (void) each, (void) description;
}

static const struct wl_output_listener output_listener = {
    .geometry = output_placed, .mode = output_mode, .done = output_done, .scale = output_scale,
    .name = output_named, .description = output_described};

static void entered(void *data, struct wl_surface *window, struct wl_output *each)
{
    (void) data, (void) window;
    printf("on %s\n", (const char *) wl_output_get_user_data(each));
}

static void left(void *data, struct wl_surface *window, struct wl_output *each)
{
    (void) data, (void) window;
    printf("off %s\n", (const char *) wl_output_get_user_data(each));
}

static const struct wl_surface_listener surface_outputs = {.enter = entered, .leave = left};

/* Globals */

static void offered(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                    uint32_t version)
{
    (void) data;
    if (output_name && version >= WL_OUTPUT_NAME_SINCE_VERSION && strcmp(interface, wl_output_interface.name) == 0)
        wl_output_add_listener(wl_registry_bind(registry, name, &wl_output_interface, WL_OUTPUT_NAME_SINCE_VERSION),
                               &output_listener, NULL);
    else if (strcmp(interface, wl_compositor_interface.name) == 0)
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 1);
    else if (strcmp(interface, wl_shm_interface.name) == 0)
        shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    else if (strcmp(interface, xdg_wm_base_interface.name) == 0) {
        shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
        xdg_wm_base_add_listener(shell, &shell_listener, NULL);
    } else if (!seat && strcmp(interface, wl_seat_interface.name) == 0) {
        seat = wl_registry_bind(registry, name, &wl_seat_interface, 2);
        wl_seat_add_listener(seat, &seat_listener, NULL);
    }
}

static void withdrawn(void *data, struct wl_registry *registry, uint32_t name)
{
    (void) data, (void) registry, (void) name;
}

static const struct wl_registry_listener registry_listener = {offered, withdrawn};

int main(int count, char **words)
{
    output_name = count > 1 ? words[1] : NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct wl_display *display = wl_display_connect(NULL);
    if (!display)
        fail("no compositor");
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    wl_display_roundtrip(display);
    if (!compositor || !shm || !shell || !seat)
        fail("the compositor lacks a protocol");
    wl_display_roundtrip(display); /* the names of the outputs */
    if (output_name && !output)
        fail("no such output");
    surface = wl_compositor_create_surface(compositor);
    wl_surface_add_listener(surface, &surface_outputs, NULL);
    struct xdg_surface *shell_surface = xdg_wm_base_get_xdg_surface(shell, surface);
    xdg_surface_add_listener(shell_surface, &surface_listener, NULL);
    struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(shell_surface);
    xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
    xdg_toplevel_set_fullscreen(toplevel, output);
    wl_surface_commit(surface);
    while (wl_display_dispatch(display) >= 0)
        ;
    return 0;
}
