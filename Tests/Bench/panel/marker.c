/* SPDX-License-Identifier: MIT */
/*
 * marker: a small coloured window that tells what hits it, and an eye that finds its colour.
 *
 *   marker show X Y SIZE        opens the window with its centre at X, Y; prints lines, ends with stdin:
 *                                 ready
 *                                 touch X Y DEVICE    a finger began on it, at screen position X, Y
 *                                 motion X Y DEVICE   a pen or mouse moved on it
 *                                 synced              answer to a line on stdin: all that came
 *                                                     before it has been told
 *   marker look X Y WIDTH HEIGHT   prints the centre of the marker's colour in this part of the
 *                                  screen, relative to it: "X Y"; status 1 if it is not there
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

#define COLOUR 0xff00a5u
#define COLOUR_MASK 0xffffffu

static xcb_connection_t *connection;
static xcb_screen_t *screen;
static uint8_t input_opcode;

static void fail(const char *sentence)
{
    fprintf(stderr, "marker: %s\n", sentence);
    exit(1);
}

static double fixed(xcb_input_fp1616_t value)
{
    return value / 65536.0;
}

static void connect_to_server(void)
{
    const xcb_query_extension_reply_t *extension;
    xcb_input_xi_query_version_reply_t *version;

    connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection))
        fail("there is no X server at DISPLAY");
    screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    extension = xcb_get_extension_data(connection, &xcb_input_id);
    if (!extension || !extension->present)
        fail("the X server has no input extension");
    input_opcode = extension->major_opcode;
    version = xcb_input_xi_query_version_reply(
        connection, xcb_input_xi_query_version(connection, 2, 2), NULL);
    free(version);
}

/* ---------------------------------------------------------------------- show */

static void select_input(xcb_window_t window)
{
    struct {
        xcb_input_event_mask_t head;
        uint32_t mask;
    } selection = {
        { XCB_INPUT_DEVICE_ALL_MASTER, 1 },
        XCB_INPUT_XI_EVENT_MASK_TOUCH_BEGIN | XCB_INPUT_XI_EVENT_MASK_TOUCH_UPDATE |
            XCB_INPUT_XI_EVENT_MASK_TOUCH_END | XCB_INPUT_XI_EVENT_MASK_MOTION,
    };

    xcb_input_xi_select_events(connection, window, 1, &selection.head);
}

static xcb_window_t open_window(int x, int y, int size)
{
    xcb_window_t window = xcb_generate_id(connection);
    const uint32_t values[] = { COLOUR, 1, XCB_EVENT_MASK_EXPOSURE };

    xcb_create_window(connection, XCB_COPY_FROM_PARENT, window, screen->root,
                      (int16_t) (x - size / 2), (int16_t) (y - size / 2), (uint16_t) size,
                      (uint16_t) size, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, screen->root_visual,
                      XCB_CW_BACK_PIXEL | XCB_CW_OVERRIDE_REDIRECT | XCB_CW_EVENT_MASK, values);
    select_input(window);
    xcb_map_window(connection, window);
    xcb_flush(connection);
    return window;
}

static void tell(const char *what, const xcb_input_touch_begin_event_t *event)
{
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        connection, xcb_input_xi_query_device(connection, event->sourceid), NULL);
    xcb_input_xi_device_info_iterator_t devices;

    printf("%s %.2f %.2f ", what, fixed(event->root_x), fixed(event->root_y));
    if (reply) {
        devices = xcb_input_xi_query_device_infos_iterator(reply);
        if (devices.rem)
            printf("%.*s", xcb_input_xi_device_info_name_length(devices.data),
                   xcb_input_xi_device_info_name(devices.data));
        free(reply);
    }
    putchar('\n');
}

/* A touch also moves the pointer: that is no motion of a pen. */
static int is_emulated(const xcb_generic_event_t *event)
{
    const xcb_input_motion_event_t *motion = (const xcb_input_motion_event_t *) event;
    return (motion->flags & XCB_INPUT_POINTER_EVENT_FLAGS_POINTER_EMULATED) != 0;
}

static void handle(xcb_generic_event_t *event)
{
    uint8_t type = event->response_type & 0x7f;
    xcb_ge_generic_event_t *generic = (xcb_ge_generic_event_t *) event;

    if (type == XCB_EXPOSE)
        puts("ready");
    if (type != XCB_GE_GENERIC || generic->extension != input_opcode)
        return;
    if (generic->event_type == XCB_INPUT_TOUCH_BEGIN)
        tell("touch", (xcb_input_touch_begin_event_t *) event);
    if (generic->event_type == XCB_INPUT_MOTION && !is_emulated(event))
        tell("motion", (xcb_input_touch_begin_event_t *) event);
}

static void tell_all_that_came(void)
{
    xcb_generic_event_t *event;

    while ((event = xcb_poll_for_event(connection))) {
        handle(event);
        free(event);
    }
    if (xcb_connection_has_error(connection))
        fail("the X server has gone");
    fflush(stdout);
}

static void synchronise(void)
{
    free(xcb_get_input_focus_reply(connection, xcb_get_input_focus(connection), NULL));
    tell_all_that_came();
    puts("synced");
    fflush(stdout);
}

static int show(int x, int y, int size)
{
    char line[256];
    struct pollfd sources[] = { { STDIN_FILENO, POLLIN, 0 },
                                { xcb_get_file_descriptor(connection), POLLIN, 0 } };

    open_window(x, y, size);
    for (;;) {
        tell_all_that_came();
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

static int look(int x, int y, int width, int height)
{
    xcb_get_image_reply_t *image = xcb_get_image_reply(
        connection,
        xcb_get_image(connection, XCB_IMAGE_FORMAT_Z_PIXMAP, screen->root, (int16_t) x, (int16_t) y,
                      (uint16_t) width, (uint16_t) height, ~0u),
        NULL);
    const uint8_t *pixels;
    double sum_x = 0, sum_y = 0;
    long count = 0;

    if (!image || xcb_get_image_data_length(image) < width * height * 4)
        fail("this part of the screen cannot be read");
    pixels = xcb_get_image_data(image);
    for (long i = 0; i < (long) width * height; i++) {
        uint32_t pixel;

        memcpy(&pixel, pixels + i * 4, sizeof pixel);
        if ((pixel & COLOUR_MASK) != COLOUR)
            continue;
        sum_x += (double) (i % width) + 0.5;
        sum_y += (double) (i / width) + 0.5;
        count++;
    }
    free(image);
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
    if (is_show)
        return show(atoi(words[2]), atoi(words[3]), atoi(words[4]));
    return look(atoi(words[2]), atoi(words[3]), atoi(words[4]), atoi(words[5]));
}
