/* SPDX-License-Identifier: MIT */
/*
 * waylandwindows: plain windows of simulated applications on a Wayland compositor.
 *
 * It reads lines on stdin, answers each with "done" when the compositor has shown it, and ends with stdin.
 * NAME is any word.
 *
 *   open NAME APP_ID [KEY=VALUE…]  the keys:
 *                                    for=NAME           its parent
 *                                    fullscreen=OUTPUT  or yes
 *                                    edge=left          draws for direct scanout on the panel: with
 *                                                       the output's transform, red at that edge of the panel;
 *                                                       needs fullscreen=OUTPUT before
 *   fullscreen NAME yes|no|OUTPUT
 *   close NAME
 *
 * A window is white, and its upper quarter red, which shows the screen's upper edge.
 */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <unistd.h>
#include <wayland-client.h>

#include "xdg-shell.h"

enum { MAX_WINDOWS = 16, MAX_OUTPUTS = 8, MAX_WORD = 64, MAX_WORDS = 8 };
enum { WIDTH = 400, HEIGHT = 300 };
static const uint32_t WHITE = 0xffffffff, RED = 0xffff0000;

struct window {
    char name[MAX_WORD];
    struct wl_surface *surface;
    struct xdg_surface *shell_surface;
    struct xdg_toplevel *toplevel;
    int width, height, shown_width, shown_height, is_shown;
    char edge[MAX_WORD];
    int32_t transform;
};

static struct wl_display *display;
static struct wl_compositor *compositor;
static struct wl_shm *shm;
static struct xdg_wm_base *shell;
static struct window windows[MAX_WINDOWS];
static struct {
    struct wl_output *output;
    char name[MAX_WORD];
    int32_t transform;
} outputs[MAX_OUTPUTS];

static void fail(const char *sentence, const char *word)
{
    fprintf(stderr, "waylandwindows: %s %s\n", sentence, word);
    exit(1);
}

static struct window *window_named(const char *name)
{
    for (int i = 0; i < MAX_WINDOWS; i++)
        if (windows[i].surface && strcmp(windows[i].name, name) == 0)
            return &windows[i];
    fail("no window", name);
    return NULL;
}

static int output_number(const char *name)
{
    for (int i = 0; i < MAX_OUTPUTS; i++)
        if (outputs[i].output && strcmp(outputs[i].name, name) == 0)
            return i;
    return -1;
}

static struct wl_output *output_named(const char *name)
{
    int number = output_number(name);
    return number < 0 ? NULL : outputs[number].output;
}

/* Drawing */

static void free_buffer(void *data, struct wl_buffer *buffer)
{
    (void) data;
    wl_buffer_destroy(buffer);
}

static const struct wl_buffer_listener buffer_listener = {free_buffer};

static int is_red(const char *edge, int x, int y, int width, int height)
{
    switch (edge[0]) {
    case 'l': return x < width / 4;
    case 'r': return x >= width - width / 4;
    case 'b': return y >= height - height / 4;
    default: return y < height / 4;
    }
}

static struct wl_buffer *make_buffer(const char *edge, int width, int height)
{
    size_t size = (size_t) width * (size_t) height * 4;
    int file = memfd_create("picture", MFD_CLOEXEC);
    if (file < 0 || ftruncate(file, (off_t) size) != 0)
        fail("no memory for", "a buffer");
    uint32_t *pixels = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (pixels == MAP_FAILED)
        fail("cannot map", "a buffer");
    for (int i = 0; i < width * height; i++)
        pixels[i] = is_red(edge, i % width, i / width, width, height) ? RED : WHITE;
    munmap(pixels, size);
    struct wl_shm_pool *pool = wl_shm_create_pool(shm, file, (int32_t) size);
    struct wl_buffer *buffer =
        wl_shm_pool_create_buffer(pool, 0, width, height, width * 4, WL_SHM_FORMAT_XRGB8888);
    wl_shm_pool_destroy(pool);
    close(file);
    wl_buffer_add_listener(buffer, &buffer_listener, NULL);
    return buffer;
}

static void configured(void *data, struct xdg_surface *surface, uint32_t serial)
{
    struct window *window = data;
    xdg_surface_ack_configure(surface, serial);
    if (window->width != window->shown_width || window->height != window->shown_height) {
        int is_sideways = window->transform & 1;
        wl_surface_set_buffer_transform(window->surface, window->transform);
        wl_surface_attach(window->surface,
                          make_buffer(window->edge, is_sideways ? window->height : window->width,
                                      is_sideways ? window->width : window->height),
                          0, 0);
        wl_surface_damage(window->surface, 0, 0, window->width, window->height);
        window->shown_width = window->width;
        window->shown_height = window->height;
    }
    wl_surface_commit(window->surface);
    window->is_shown = 1;
}

static const struct xdg_surface_listener surface_listener = {configured};

static void resized(void *data, struct xdg_toplevel *toplevel, int32_t width, int32_t height,
                    struct wl_array *states)
{
    struct window *window = data;
    (void) toplevel, (void) states;
    window->width = width > 0 ? width : WIDTH;
    window->height = height > 0 ? height : HEIGHT;
}

static void closed(void *data, struct xdg_toplevel *toplevel)
{
    (void) data, (void) toplevel;
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = resized, .close = closed};

static void pinged(void *data, struct xdg_wm_base *base, uint32_t serial)
{
    (void) data;
    xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {pinged};

/* Globals */

static void output_geometry(void *data, struct wl_output *output, int32_t x, int32_t y, int32_t w, int32_t h,
                            int32_t subpixel, const char *make, const char *model, int32_t transform)
{
    (void) output, (void) x, (void) y, (void) w, (void) h, (void) subpixel, (void) make, (void) model;
    outputs[(intptr_t) data].transform = transform;
}

static void output_mode(void *data, struct wl_output *output, uint32_t flags, int32_t w, int32_t h, int32_t rate)
{
    (void) data, (void) output, (void) flags, (void) w, (void) h, (void) rate;
}

static void output_done(void *data, struct wl_output *output)
{
    (void) data, (void) output;
}

static void output_scale(void *data, struct wl_output *output, int32_t scale)
{
    (void) data, (void) output, (void) scale;
}

static void output_text(void *data, struct wl_output *output, const char *text)
{
    (void) output;
    snprintf(outputs[(intptr_t) data].name, MAX_WORD, "%s", text);
}

static void output_description(void *data, struct wl_output *output, const char *text)
{
    (void) data, (void) output, (void) text;
}

static const struct wl_output_listener output_listener = {
    output_geometry, output_mode, output_done, output_scale, output_text, output_description};

static void add_output(struct wl_registry *registry, uint32_t name, uint32_t version)
{
    for (int i = 0; i < MAX_OUTPUTS; i++)
        if (!outputs[i].output) {
            outputs[i].output =
                wl_registry_bind(registry, name, &wl_output_interface, version < 4 ? version : 4);
            wl_output_add_listener(outputs[i].output, &output_listener, (void *) (intptr_t) i);
            return;
        }
}

static void offered(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                    uint32_t version)
{
    (void) data;
    if (strcmp(interface, wl_compositor_interface.name) == 0)
        compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 2);
    else if (strcmp(interface, wl_shm_interface.name) == 0)
        shm = wl_registry_bind(registry, name, &wl_shm_interface, 1);
    else if (strcmp(interface, wl_output_interface.name) == 0)
        add_output(registry, name, version);
    else if (strcmp(interface, xdg_wm_base_interface.name) == 0) {
        shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
        xdg_wm_base_add_listener(shell, &shell_listener, NULL);
    }
}

static void withdrawn(void *data, struct wl_registry *registry, uint32_t name)
{
    (void) data, (void) registry, (void) name;
}

static const struct wl_registry_listener registry_listener = {offered, withdrawn};

/* Input lines */

static void set_fullscreen(struct window *window, const char *word)
{
    if (strcmp(word, "no") == 0)
        xdg_toplevel_unset_fullscreen(window->toplevel);
    else
        xdg_toplevel_set_fullscreen(window->toplevel, output_named(word));
}

static void draw_for_panel(struct window *window, const char *edge, const char *output)
{
    int number = output_number(output);
    if (number < 0)
        fail("no output", output);
    snprintf(window->edge, MAX_WORD, "%s", edge);
    window->transform = outputs[number].transform;
}

static void open_window(char **words, int count)
{
    struct window *window = NULL;
    for (int i = 0; i < MAX_WINDOWS && !window; i++)
        if (!windows[i].surface)
            window = &windows[i];
    if (!window || count < 3)
        fail("cannot open", words[1]);
    memset(window, 0, sizeof *window);
    snprintf(window->name, MAX_WORD, "%s", words[1]);
    window->surface = wl_compositor_create_surface(compositor);
    window->shell_surface = xdg_wm_base_get_xdg_surface(shell, window->surface);
    xdg_surface_add_listener(window->shell_surface, &surface_listener, window);
    window->toplevel = xdg_surface_get_toplevel(window->shell_surface);
    xdg_toplevel_add_listener(window->toplevel, &toplevel_listener, window);
    xdg_toplevel_set_app_id(window->toplevel, words[2]);
    xdg_toplevel_set_title(window->toplevel, words[1]);
    for (int i = 3; i < count; i++) {
        if (strncmp(words[i], "for=", 4) == 0)
            xdg_toplevel_set_parent(window->toplevel, window_named(words[i] + 4)->toplevel);
        else if (strncmp(words[i], "fullscreen=", 11) == 0)
            set_fullscreen(window, words[i] + 11);
        else if (strncmp(words[i], "edge=", 5) == 0)
            draw_for_panel(window, words[i] + 5, words[i - 1] + 11);
        else
            fail("no such key:", words[i]);
    }
    wl_surface_commit(window->surface);
    while (!window->is_shown && wl_display_dispatch(display) >= 0)
        continue;
}

static void close_window(struct window *window)
{
    xdg_toplevel_destroy(window->toplevel);
    xdg_surface_destroy(window->shell_surface);
    wl_surface_destroy(window->surface);
    window->surface = NULL;
}

static void perform(char *line)
{
    char *words[MAX_WORDS];
    int count = 0;
    for (char *word = strtok(line, " \n"); word && count < MAX_WORDS; word = strtok(NULL, " \n"))
        words[count++] = word;
    if (count < 2)
        fail("not understood:", count ? words[0] : "nothing");
    if (strcmp(words[0], "open") == 0)
        open_window(words, count);
    else if (strcmp(words[0], "fullscreen") == 0 && count == 3)
        set_fullscreen(window_named(words[1]), words[2]);
    else if (strcmp(words[0], "close") == 0)
        close_window(window_named(words[1]));
    else
        fail("not understood:", words[0]);
    wl_display_roundtrip(display);
    puts("done 0");
    fflush(stdout);
}

/* Lines and events alternate, so that pings are answered while no line arrives. */
static void serve(void)
{
    char line[512];
    size_t length = 0;
    for (;;) {
        fd_set ready;
        int socket = wl_display_get_fd(display);
        wl_display_dispatch_pending(display);
        wl_display_flush(display);
        FD_ZERO(&ready);
        FD_SET(STDIN_FILENO, &ready);
        FD_SET(socket, &ready);
        if (select(socket + 1, &ready, NULL, NULL, NULL) < 0)
            return;
        if (FD_ISSET(socket, &ready) && wl_display_dispatch(display) < 0)
            return;
        if (!FD_ISSET(STDIN_FILENO, &ready))
            continue;
        if (length == sizeof line - 1 || read(STDIN_FILENO, line + length, 1) != 1)
            return;
        if (line[length++] == '\n') {
            line[length] = '\0';
            length = 0;
            perform(line);
        }
    }
}

int main(void)
{
    display = wl_display_connect(NULL);
    if (!display)
        fail("cannot connect to", "the compositor");
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    wl_display_roundtrip(display);
    wl_display_roundtrip(display);
    if (!compositor || !shm || !shell)
        fail("the compositor lacks", "wl_compositor, wl_shm or xdg_wm_base");
    serve();
    return 0;
}
