/* SPDX-License-Identifier: MIT */
/*
 * xstate: prints the state of an X server as JSON, over one connection.
 *
 * It reads lines on stdin, answers each with one line, and ends with stdin:
 *
 *   state    an object, read part by part without a grab: a change meanwhile may show in the later parts only
 *              screen     width, height
 *              outputs    name, connected, primary, crtc (an id, or null), mm_width, mm_height; of connected ones
 *                         panel_orientation, connector_type (null where the driver does not set them)
 *              crtcs      id, x, y, width, height (on the screen), mode (id, name, width, height; null if it is off),
 *                         rotation (normal, left, inverted, right), reflection ("", x, y, xy), outputs and
 *                         possible_outputs (names); of lit ones transform (9 numbers, row by row)
 *              devices    the input devices but the masters: id, name, use (slave pointer, slave keyboard, floating
 *                         slave), enabled, properties (names), and where set matrix (9 numbers), node
 *   probe    makes the server detect which outputs are connected, and answers "done"
 *
 * Tests read the state many times a second, and each property costs a round trip: for outputs and CRTCs that are not
 * connected or off, only what is needed is read.
 */
#define PROGRAM "xstate"
#include "xserver.h"

#include "json.h"
#include "xdevices.h"

#include <X11/Xatom.h>
#include <X11/extensions/Xrandr.h>
#include <string.h>

static XRRScreenResources *resources;
static Atom orientation_atom, connector_atom;

/* ------------------------------------------------------------- outputs */

/* A property of an output whose value is an atom: its name, to be freed with XFree. */
static char *atom_property(RROutput output, Atom property)
{
    Atom type;
    int format;
    unsigned long count, after;
    unsigned char *value = NULL;
    char *name = NULL;

    if (!XRRGetOutputProperty(display, output, property, 0, 1, False, False, XA_ATOM, &type, &format,
                                          &count, &after, &value) &&
        value && type == XA_ATOM && format == 32 && count == 1)
        name = XGetAtomName(display, *(Atom *) value);
    XFree(value);
    return name;
}

static void print_atom_property(const char *key, RROutput output, Atom property)
{
    char *name = atom_property(output, property);

    putchar(',');
    print_name(key, name);
    XFree(name);
}

static void print_output(RROutput output, const XRROutputInfo *info, int is_primary)
{
    putchar('{');
    print_name("name", info->name);
    printf(",\"connected\":%s,\"primary\":%s,\"mm_width\":%lu,\"mm_height\":%lu",
           word(info->connection == RR_Connected), word(is_primary), info->mm_width, info->mm_height);
    if (info->crtc)
        printf(",\"crtc\":%lu", info->crtc);
    else
        printf(",\"crtc\":null");
    if (info->connection == RR_Connected) {
        print_atom_property("panel_orientation", output, orientation_atom);
        print_atom_property("connector_type", output, connector_atom);
    }
    putchar('}');
}

static void print_outputs(XRROutputInfo **infos)
{
    RROutput primary = XRRGetOutputPrimary(display, root);
    const char *between = "";

    printf(",\"outputs\":[");
    for (int i = 0; i < resources->noutput; i++)
        if (infos[i]) {
            printf("%s", between);
            print_output(resources->outputs[i], infos[i], resources->outputs[i] == primary);
            between = ",";
        }
    putchar(']');
}

/* ------------------------------------------------------------- CRTCs */

static void print_mode(RRMode id)
{
    for (int i = 0; i < resources->nmode; i++) {
        const XRRModeInfo *mode = &resources->modes[i];

        if (mode->id != id)
            continue;
        printf(",\"mode\":{\"id\":%lu,\"width\":%u,\"height\":%u,", id, mode->width, mode->height);
        print_name("name", mode->name);
        putchar('}');
        return;
    }
    printf(",\"mode\":null");
}

static const char *rotation_word(Rotation rotation)
{
    switch (rotation & 15) {
    case RR_Rotate_90:
        return "left";
    case RR_Rotate_180:
        return "inverted";
    case RR_Rotate_270:
        return "right";
    default:
        return "normal";
    }
}

static void print_transform(RRCrtc crtc)
{
    XRRCrtcTransformAttributes *attributes = NULL;
    double cells[MATRIX_CELLS] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };

    if (XRRGetCrtcTransform(display, crtc, &attributes) && attributes)
        for (int i = 0; i < MATRIX_CELLS; i++)
            cells[i] = XFixedToDouble(attributes->currentTransform.matrix[i / 3][i % 3]);
    XFree(attributes);
    print_numbers("transform", cells);
}

static void print_output_names(const char *key, XRROutputInfo **infos, const RROutput *outputs, int count)
{
    const char *between = "";

    printf(",\"%s\":[", key);
    for (int i = 0; i < count; i++)
        for (int j = 0; j < resources->noutput; j++)
            if (resources->outputs[j] == outputs[i] && infos[j]) {
                printf("%s", between);
                print_string(infos[j]->name);
                between = ",";
            }
    putchar(']');
}

static void print_crtc(RRCrtc id, const XRRCrtcInfo *crtc, XRROutputInfo **infos)
{
    printf("{\"id\":%lu,\"x\":%d,\"y\":%d,\"width\":%u,\"height\":%u", id, crtc->x, crtc->y, crtc->width,
           crtc->height);
    printf(",\"rotation\":\"%s\",\"reflection\":\"%s%s\"", rotation_word(crtc->rotation),
           crtc->rotation & RR_Reflect_X ? "x" : "", crtc->rotation & RR_Reflect_Y ? "y" : "");
    print_mode(crtc->mode);
    if (crtc->mode)
        print_transform(id);
    print_output_names("outputs", infos, crtc->outputs, crtc->noutput);
    print_output_names("possible_outputs", infos, crtc->possible, crtc->npossible);
    putchar('}');
}

static void print_crtcs(XRROutputInfo **infos)
{
    const char *between = "";

    printf(",\"crtcs\":[");
    for (int i = 0; i < resources->ncrtc; i++) {
        XRRCrtcInfo *crtc = XRRGetCrtcInfo(display, resources, resources->crtcs[i]);

        if (!crtc)
            continue;
        printf("%s", between);
        print_crtc(resources->crtcs[i], crtc, infos);
        between = ",";
        XRRFreeCrtcInfo(crtc);
    }
    putchar(']');
}

static void print_display_state(void)
{
    XRROutputInfo **infos;

    resources = XRRGetScreenResourcesCurrent(display, root);
    if (!resources)
        fail("the X server does not list its outputs");
    infos = calloc((size_t) resources->noutput + 1, sizeof *infos);
    if (!infos)
        fail("out of memory");
    for (int i = 0; i < resources->noutput; i++)
        infos[i] = XRRGetOutputInfo(display, resources, resources->outputs[i]);
    print_outputs(infos);
    print_crtcs(infos);
    for (int i = 0; i < resources->noutput; i++)
        if (infos[i])
            XRRFreeOutputInfo(infos[i]);
    free(infos);
    XRRFreeScreenResources(resources);
}

/* ------------------------------------------------------------- input lines */

static void print_state(void)
{
    Window of;
    int x, y;
    unsigned width = 0, height = 0, border, depth;

    if (!XGetGeometry(display, root, &of, &x, &y, &width, &height, &border, &depth))
        fail("the X server does not report its size");
    printf("{\"screen\":{\"width\":%u,\"height\":%u}", width, height);
    print_display_state();
    print_devices();
    puts("}");
}

static void probe(void)
{
    XRRScreenResources *found = XRRGetScreenResources(display, root);

    if (!found)
        fail("the X server does not list its outputs");
    XRRFreeScreenResources(found);
    puts("done");
}

/* A changed keyboard is reported to every program, asked for or not. */
static void drop_events(void)
{
    XEvent event;

    while (XQLength(display))
        XNextEvent(display, &event);
}

static void prepare(void)
{
    int event_base, error_base;

    connect_to_server();
    if (!XRRQueryExtension(display, &event_base, &error_base))
        fail("the X server has no RandR");
    prepare_devices();
    orientation_atom = XInternAtom(display, "panel orientation", False);
    connector_atom = XInternAtom(display, "ConnectorType", False);
}

int main(void)
{
    char line[64];

    prepare();
    while (fgets(line, sizeof line, stdin)) {
        if (strcmp(line, "probe\n") == 0)
            probe();
        else if (strcmp(line, "state\n") == 0)
            print_state();
        else
            fail("usage: state, or: probe");
        fflush(stdout);
        drop_events();
    }
    return 0;
}
