// SPDX-License-Identifier: MIT
// xrotations OUTPUT   prints the rotation of an output of the X server, now and after each change: "SECONDS left", by
//                the monotonic clock when the server's event arrives
#define PROGRAM "xrotations"
#include "xserver.h"

#include <X11/extensions/Xrandr.h>
#include <string.h>
#include <time.h>

static unsigned said;

static void print_rotation(unsigned rotation) {
    static const char *const words[] = {"normal", "left", "inverted", "right"};
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    unsigned shown = rotation & 15;
    if (shown == said || shown == 0) return;
    said = shown;
    printf("%lld.%06ld %s\n", (long long)now.tv_sec, now.tv_nsec / 1000, words[__builtin_ctz(shown)]);
    fflush(stdout);
}

// Its output is read to the end, so it prints no message when the server ends.
static int end_without_server(Display *of) {
    (void)of;
    exit(0);
}

// The output's CRTC; 0 if there is no such output. Prints its rotation.
static RRCrtc find(const char *wanted) {
    XRRScreenResources *resources = XRRGetScreenResourcesCurrent(display, root);
    if (!resources) fail("no RandR");
    RRCrtc found = 0;
    for (int i = 0; i < resources->noutput; i++) {
        XRROutputInfo *output = XRRGetOutputInfo(display, resources, resources->outputs[i]);
        if (!output) continue;
        if (!strcmp(output->name, wanted)) found = output->crtc;
        XRRFreeOutputInfo(output);
    }
    XRRCrtcInfo *crtc = found ? XRRGetCrtcInfo(display, resources, found) : NULL;
    if (crtc) print_rotation(crtc->rotation);
    if (crtc) XRRFreeCrtcInfo(crtc);
    XRRFreeScreenResources(resources);
    return found;
}

int main(int count, char **words) {
    int first, first_error;
    if (count != 2) fail("usage: xrotations OUTPUT, with DISPLAY");
    connect_to_server();
    XSetIOErrorHandler(end_without_server);
    if (!XRRQueryExtension(display, &first, &first_error)) fail("no RandR");
    XRRSelectInput(display, root, RRCrtcChangeNotifyMask);
    RRCrtc crtc = find(words[1]);
    if (!crtc) fail("no such output is lit");
    for (;;) {
        XEvent event;
        XNextEvent(display, &event);
        const XRRCrtcChangeNotifyEvent *change = (const XRRCrtcChangeNotifyEvent *)&event;
        // While its size changes it is briefly off, which is no rotation.
        if (event.type == first + RRNotify && change->subtype == RRNotify_CrtcChange && change->crtc == crtc &&
            change->mode)
            print_rotation(change->rotation);
    }
}
