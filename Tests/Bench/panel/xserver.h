/* SPDX-License-Identifier: MIT */
/*
 * The connection of a helper program to the X server. The program under test uses XCB, so the helpers use Xlib,
 * libXrandr and libXi: a wrong call in one is not repeated in the other.
 */
#ifndef XSERVER_H
#define XSERVER_H

#include <X11/Xlib.h>
#include <stdio.h>
#include <stdlib.h>

static Display *display;
static Window root;

static void fail(const char *sentence)
{
    fprintf(stderr, "%s: %s\n", PROGRAM, sentence);
    exit(1);
}

/* Xlib's own handler exits. A window or device may vanish before a request about it arrives. */
static int ignore_error(Display *of, XErrorEvent *error)
{
    (void) of;
    (void) error;
    return 0;
}

static int fail_without_server(Display *of)
{
    (void) of;
    fail("the X server has gone");
    return 0;
}

static void connect_to_server(void)
{
    XSetErrorHandler(ignore_error);
    XSetIOErrorHandler(fail_without_server);
    display = XOpenDisplay(NULL);
    if (!display)
        fail("there is no X server at DISPLAY");
    root = DefaultRootWindow(display);
}

#endif
