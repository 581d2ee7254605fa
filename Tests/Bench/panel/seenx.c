// SPDX-License-Identifier: MIT
// seenx OUTPUT   says how an output of the X server is turned, now and after each change: "SECONDS left", by the
//                monotonic clock at the moment when the server's word comes
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <xcb/randr.h>
#include <xcb/xcb.h>

static xcb_connection_t *connection;
static unsigned said;

static void die(const char *why) {
    fprintf(stderr, "seenx: %s\n", why);
    exit(1);
}

static void say(unsigned rotation) {
    static const char *const words[] = {"normal", "left", "inverted", "right"};
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned turn = rotation & 15;
    if (turn == said || turn == 0) return;
    said = turn;
    printf("%lld.%06ld %s\n", (long long)now.tv_sec, now.tv_nsec / 1000, words[__builtin_ctz(turn)]);
    fflush(stdout);
}

// What the output is lit by; 0 if it is not there.
static xcb_randr_crtc_t find(xcb_window_t root, const char *wanted) {
    xcb_randr_get_screen_resources_current_reply_t *resources = xcb_randr_get_screen_resources_current_reply(
        connection, xcb_randr_get_screen_resources_current(connection, root), NULL);
    if (!resources) die("no RandR");
    xcb_randr_output_t *outputs = xcb_randr_get_screen_resources_current_outputs(resources);
    xcb_randr_crtc_t found = 0;
    for (int i = 0; i < resources->num_outputs; i++) {
        xcb_randr_get_output_info_reply_t *info = xcb_randr_get_output_info_reply(
            connection, xcb_randr_get_output_info(connection, outputs[i], 0), NULL);
        if (info && info->name_len == strlen(wanted) &&
            !memcmp(xcb_randr_get_output_info_name(info), wanted, info->name_len))
            found = info->crtc;
        free(info);
    }
    free(resources);
    return found;
}

int main(int count, char **words) {
    connection = xcb_connect(NULL, NULL);
    if (count != 2 || xcb_connection_has_error(connection)) die("usage: seenx OUTPUT, with DISPLAY");
    xcb_window_t root = xcb_setup_roots_iterator(xcb_get_setup(connection)).data->root;
    free(xcb_randr_query_version_reply(connection, xcb_randr_query_version(connection, 1, 3), NULL));
    xcb_randr_select_input(connection, root, XCB_RANDR_NOTIFY_MASK_CRTC_CHANGE);
    xcb_randr_crtc_t crtc = find(root, words[1]);
    if (!crtc) die("no such output is lit");
    xcb_randr_get_crtc_info_reply_t *info =
        xcb_randr_get_crtc_info_reply(connection, xcb_randr_get_crtc_info(connection, crtc, 0), NULL);
    if (info) say(info->rotation);
    free(info);
    int first = xcb_get_extension_data(connection, &xcb_randr_id)->first_event;
    for (xcb_generic_event_t *event; (event = xcb_wait_for_event(connection)); free(event)) {
        xcb_randr_notify_event_t *change = (xcb_randr_notify_event_t *)event;
        // On its way to another size it is dark for a moment, which is no picture.
        if ((event->response_type & 127) == first + XCB_RANDR_NOTIFY &&
            change->subCode == XCB_RANDR_NOTIFY_CRTC_CHANGE && change->u.cc.crtc == crtc && change->u.cc.mode)
            say(change->u.cc.rotation);
    }
    return 0;
}
