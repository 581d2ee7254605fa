/* SPDX-License-Identifier: MIT */
/*
 * faketouch: a finger on KWin's screen, by its protocol for fake input.
 *
 * It reads lines on stdin, "tap X Y" in pixels of the screen, answers each with "done", and ends with stdin. KWin
 * has the touchscreen for as long as this runs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wayland-client.h>

#include "fake-input.h"

static struct org_kde_kwin_fake_input *input;

static void offered(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
                    uint32_t version)
{
    (void) data, (void) version;
    if (strcmp(interface, org_kde_kwin_fake_input_interface.name) == 0)
        input = wl_registry_bind(registry, name, &org_kde_kwin_fake_input_interface, 2);
}

static void withdrawn(void *data, struct wl_registry *registry, uint32_t name)
{
    (void) data, (void) registry, (void) name;
}

static const struct wl_registry_listener registry_listener = {offered, withdrawn};

static void tap(struct wl_display *display, double x, double y)
{
    org_kde_kwin_fake_input_touch_down(input, 1, wl_fixed_from_double(x), wl_fixed_from_double(y));
    org_kde_kwin_fake_input_touch_frame(input);
    wl_display_roundtrip(display);
    org_kde_kwin_fake_input_touch_up(input, 1);
    org_kde_kwin_fake_input_touch_frame(input);
    wl_display_roundtrip(display);
}

int main(void)
{
    char line[128];
    double x, y;
    setvbuf(stdout, NULL, _IOLBF, 0);
    struct wl_display *display = wl_display_connect(NULL);
    if (!display)
        return fputs("faketouch: no compositor\n", stderr), 1;
    wl_registry_add_listener(wl_display_get_registry(display), &registry_listener, NULL);
    wl_display_roundtrip(display);
    if (!input)
        return fputs("faketouch: this is no KWin that lets one pretend\n", stderr), 1;
    org_kde_kwin_fake_input_authenticate(input, "bench", "touches of a test");
    wl_display_roundtrip(display);
    puts("done");
    while (fgets(line, sizeof line, stdin)) {
        if (sscanf(line, "tap %lf %lf", &x, &y) == 2)
            tap(display, x, y);
        puts("done");
    }
    return 0;
}
