/* SPDX-License-Identifier: MIT */
/*
 * look: tells what an X server shows and where its input devices point, over one connection that stays.
 *
 * It reads lines on stdin and answers each with one line, as the server has it at that moment:
 *
 *   look     WIDTHxHEIGHT of the screen, then a word for each of these:
 *              output:NAME:X:Y:W:H:ROTATION           each output that is lit; ROTATION is RandR's 1, 2, 4 or 8
 *              device:NAME:a:b:c:d:e:f:g:h:i          each device that has a Coordinate Transformation Matrix,
 *                                                     with its blanks as underscores
 *   probe    lets the server look which outputs are plugged in, and answers "done"
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xcb/randr.h>
#include <xcb/xcb.h>
#include <xcb/xinput.h>

enum { MAX_OUTPUTS = 32, MAX_DEVICES = 32, MATRIX_CELLS = 9, ALL_DEVICES = 0 };

static xcb_connection_t *connection;
static xcb_screen_t *screen;
static xcb_atom_t matrix_atom;

static struct {
    uint16_t id;
    char name[64];
} devices[MAX_DEVICES];
static int device_count;

static void fail(const char *sentence)
{
    fprintf(stderr, "look: %s\n", sentence);
    exit(1);
}

static xcb_atom_t atom(const char *name)
{
    xcb_intern_atom_reply_t *reply = xcb_intern_atom_reply(
        connection, xcb_intern_atom(connection, 0, (uint16_t) strlen(name), name), NULL);
    xcb_atom_t found = reply ? reply->atom : XCB_ATOM_NONE;

    free(reply);
    return found;
}

static void connect_to_server(void)
{
    connection = xcb_connect(NULL, NULL);
    if (xcb_connection_has_error(connection))
        fail("there is no X server at DISPLAY");
    screen = xcb_setup_roots_iterator(xcb_get_setup(connection)).data;
    free(xcb_input_xi_query_version_reply(
        connection, xcb_input_xi_query_version(connection, 2, 2), NULL));
    free(xcb_randr_query_version_reply(
        connection, xcb_randr_query_version(connection, 1, 5), NULL));
    matrix_atom = atom("Coordinate Transformation Matrix");
}

static void remember_device(xcb_input_xi_device_info_t *info)
{
    int length = xcb_input_xi_device_info_name_length(info);

    if (info->type == XCB_INPUT_DEVICE_TYPE_MASTER_POINTER ||
        info->type == XCB_INPUT_DEVICE_TYPE_MASTER_KEYBOARD || device_count == MAX_DEVICES)
        return;
    if (length >= (int) sizeof devices[0].name)
        length = sizeof devices[0].name - 1;
    devices[device_count].id = info->deviceid;
    memcpy(devices[device_count].name, xcb_input_xi_device_info_name(info), (size_t) length);
    devices[device_count].name[length] = 0;
    for (char *c = devices[device_count].name; *c; c++)
        if (*c == ' ')
            *c = '_';
    device_count++;
}

static void find_devices(void)
{
    xcb_input_xi_query_device_reply_t *reply = xcb_input_xi_query_device_reply(
        connection, xcb_input_xi_query_device(connection, ALL_DEVICES), NULL);
    xcb_input_xi_device_info_iterator_t each;

    if (!reply)
        fail("the server does not tell its input devices");
    for (each = xcb_input_xi_query_device_infos_iterator(reply); each.rem;
         xcb_input_xi_device_info_next(&each))
        remember_device(each.data);
    free(reply);
}

/* ---------------------------------------------------------------------- look */

static void tell_output(xcb_randr_get_output_info_reply_t *output, xcb_timestamp_t time)
{
    xcb_randr_get_crtc_info_reply_t *crtc;

    if (!output || !output->crtc)
        return;
    crtc = xcb_randr_get_crtc_info_reply(
        connection, xcb_randr_get_crtc_info(connection, output->crtc, time), NULL);
    if (crtc && crtc->mode)
        printf(" output:%.*s:%d:%d:%d:%d:%d", xcb_randr_get_output_info_name_length(output),
               (const char *) xcb_randr_get_output_info_name(output), crtc->x, crtc->y, crtc->width,
               crtc->height, crtc->rotation);
    free(crtc);
}

static void tell_outputs(void)
{
    xcb_randr_get_screen_resources_current_reply_t *all =
        xcb_randr_get_screen_resources_current_reply(
            connection, xcb_randr_get_screen_resources_current(connection, screen->root), NULL);
    xcb_randr_get_output_info_cookie_t asked[MAX_OUTPUTS];
    const xcb_randr_output_t *names;
    int count;

    if (!all)
        fail("the server does not tell its outputs");
    names = xcb_randr_get_screen_resources_current_outputs(all);
    count = xcb_randr_get_screen_resources_current_outputs_length(all);
    if (count > MAX_OUTPUTS)
        count = MAX_OUTPUTS;
    for (int i = 0; i < count; i++)
        asked[i] = xcb_randr_get_output_info(connection, names[i], all->config_timestamp);
    for (int i = 0; i < count; i++) {
        xcb_randr_get_output_info_reply_t *output =
            xcb_randr_get_output_info_reply(connection, asked[i], NULL);
        tell_output(output, all->config_timestamp);
        free(output);
    }
    free(all);
}

static void tell_matrix(const char *name, xcb_input_xi_get_property_reply_t *reply)
{
    const float *cells;

    if (!reply || reply->num_items != MATRIX_CELLS || reply->format != 32)
        return;
    cells = xcb_input_xi_get_property_items(reply);
    printf(" device:%s", name);
    for (int i = 0; i < MATRIX_CELLS; i++)
        printf(":%.6g", (double) cells[i]);
}

static void tell_matrices(void)
{
    xcb_input_xi_get_property_cookie_t asked[MAX_DEVICES];

    for (int i = 0; i < device_count; i++)
        asked[i] = xcb_input_xi_get_property(
            connection, devices[i].id, 0, matrix_atom, XCB_GET_PROPERTY_TYPE_ANY, 0, MATRIX_CELLS);
    for (int i = 0; i < device_count; i++) {
        xcb_input_xi_get_property_reply_t *reply =
            xcb_input_xi_get_property_reply(connection, asked[i], NULL);
        tell_matrix(devices[i].name, reply);
        free(reply);
    }
}

static void look(void)
{
    xcb_get_geometry_reply_t *geometry =
        xcb_get_geometry_reply(connection, xcb_get_geometry(connection, screen->root), NULL);

    if (!geometry)
        fail("the X server has gone");
    printf("%dx%d", geometry->width, geometry->height);
    free(geometry);
    tell_outputs();
    tell_matrices();
    printf("\n");
}

static void probe(void)
{
    free(xcb_randr_get_screen_resources_reply(
        connection, xcb_randr_get_screen_resources(connection, screen->root), NULL));
    printf("done\n");
}

int main(void)
{
    char line[64];

    connect_to_server();
    find_devices();
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "probe\n") == 0)
            probe();
        else
            look();
        fflush(stdout);
    }
    xcb_disconnect(connection);
    return 0;
}
