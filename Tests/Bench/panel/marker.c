/* SPDX-License-Identifier: MIT */
/*
 * marker: a small coloured window that prints its input events, and a search for its colour.
 *
 *   marker show X Y SIZE        opens the window with its centre at X, Y; prints lines, ends with stdin:
 *                                 ready
 *                                 touch X Y DEVICE    a finger began on it, at screen position X, Y
 *                                 motion X Y DEVICE   a pen or mouse moved on it
 *                                 synced              answer to a line on stdin: all earlier events
 *                                                     have been printed
 *   marker look X Y WIDTH HEIGHT   prints the centre of the marker's colour in this part of the
 *                                  screen, relative to it: "X Y"; status 1 if it is not there
 */
#define PROGRAM "marker"
#include "xserver.h"

#include <X11/Xutil.h>
#include <X11/extensions/XInput2.h>
#include <poll.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define COLOUR 0xff00a5u
#define COLOUR_MASK 0xffffffu

static int input_opcode;

static void find_input(void)
{
    int major = 2, minor = 2, first_event, first_error;

    if (!XQueryExtension(display, "XInputExtension", &input_opcode, &first_event, &first_error) ||
        XIQueryVersion(display, &major, &minor))
        fail("the X server has no input extension");
}

/* ---------------------------------------------------------------------- show */

static void select_input(Window window)
{
    unsigned char bits[XIMaskLen(XI_LASTEVENT)] = { 0 };
    XIEventMask selection = { XIAllMasterDevices, sizeof bits, bits };

    XISetMask(bits, XI_TouchBegin);
    XISetMask(bits, XI_TouchUpdate);
    XISetMask(bits, XI_TouchEnd);
    XISetMask(bits, XI_Motion);
    XISelectEvents(display, window, &selection, 1);
}

static void open_window(int x, int y, int size)
{
    XSetWindowAttributes attributes = { .background_pixel = COLOUR, .override_redirect = True,
                                        .event_mask = ExposureMask };
    Window window = XCreateWindow(display, root, x - size / 2, y - size / 2, (unsigned) size, (unsigned) size, 0,
                                  CopyFromParent, InputOutput, CopyFromParent,
                                  CWBackPixel | CWOverrideRedirect | CWEventMask, &attributes);

    select_input(window);
    XMapWindow(display, window);
    XFlush(display);
}

static void print_event(const char *what, const XIDeviceEvent *event)
{
    int count = 0;
    XIDeviceInfo *device = XIQueryDevice(display, event->sourceid, &count);

    printf("%s %.2f %.2f %s\n", what, event->root_x, event->root_y, device && count ? device->name : "");
    if (device)
        XIFreeDeviceInfo(device);
}

static void handle_input(XGenericEventCookie *cookie)
{
    const XIDeviceEvent *event = cookie->data;

    if (cookie->evtype == XI_TouchBegin)
        print_event("touch", event);
    /* A touch also moves the pointer: that is not a pen's motion. */
    if (cookie->evtype == XI_Motion && !(event->flags & XIPointerEmulated))
        print_event("motion", event);
}

static void print_pending_events(void)
{
    XEvent event;

    while (XPending(display)) {
        XNextEvent(display, &event);
        if (event.type == Expose)
            puts("ready");
        if (event.type != GenericEvent || event.xcookie.extension != input_opcode)
            continue;
        if (XGetEventData(display, &event.xcookie))
            handle_input(&event.xcookie);
        XFreeEventData(display, &event.xcookie);
    }
    fflush(stdout);
}

static void synchronise(void)
{
    XSync(display, False);
    print_pending_events();
    puts("synced");
    fflush(stdout);
}

static int show(int x, int y, int size)
{
    char line[256];
    struct pollfd sources[] = { { STDIN_FILENO, POLLIN, 0 }, { ConnectionNumber(display), POLLIN, 0 } };

    open_window(x, y, size);
    for (;;) {
        print_pending_events();
        if (poll(sources, 2, -1) < 0)
            return 1;
        if (!sources[0].revents)
            continue;
        if (read(STDIN_FILENO, line, sizeof line) <= 0)
            return 0;
        synchronise();
    }
}

/* ---------------------------------------------------------------------- look */

static uint32_t pixel(const XImage *image, int x, int y)
{
    uint32_t found;

    memcpy(&found, image->data + (long) y * image->bytes_per_line + x * 4, sizeof found);
    return found & COLOUR_MASK;
}

static int look(int x, int y, int width, int height)
{
    XImage *image = XGetImage(display, root, x, y, (unsigned) width, (unsigned) height, AllPlanes, ZPixmap);
    double sum_x = 0, sum_y = 0;
    long count = 0;

    if (!image || image->bits_per_pixel != 32)
        fail("this part of the screen cannot be read");
    for (int row = 0; row < height; row++)
        for (int column = 0; column < width; column++)
            if (pixel(image, column, row) == COLOUR) {
                sum_x += column + 0.5;
                sum_y += row + 0.5;
                count++;
            }
    XDestroyImage(image);
    if (count == 0)
        return 1;
    printf("%.3f %.3f\n", sum_x / count, sum_y / count);
    return 0;
}

int main(int count, char **words)
{
    int is_show = count == 5 && strcmp(words[1], "show") == 0;
    int is_look = count == 6 && strcmp(words[1], "look") == 0;

    if (!is_show && !is_look)
        fail("say: marker show X Y SIZE, or: marker look X Y WIDTH HEIGHT");
    connect_to_server();
    find_input();
    if (is_show)
        return show(atoi(words[2]), atoi(words[3]), atoi(words[4]));
    return look(atoi(words[2]), atoi(words[3]), atoi(words[4]), atoi(words[5]));
}
