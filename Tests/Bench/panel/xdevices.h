/* SPDX-License-Identifier: MIT */
/* What xstate prints about input devices. */
#ifndef XDEVICES_H
#define XDEVICES_H

#include "json.h"
#include "xserver.h"

#include <X11/Xatom.h>
#include <X11/extensions/XInput2.h>

enum { MAX_VALUE_WORDS = 64 };

static Atom matrix_atom, node_atom, float_atom;

static void prepare_devices(void)
{
    int major = 2, minor = 2;

    if (XIQueryVersion(display, &major, &minor))
        fail("the X server has no XInput 2");
    matrix_atom = XInternAtom(display, "Coordinate Transformation Matrix", False);
    float_atom = XInternAtom(display, "FLOAT", False);
    node_atom = XInternAtom(display, "Device Node", False);
}

/* A property of a device, if it is `count` items of this type (0: any number); to be freed with XFree. */
static void *device_property(int device, Atom property, Atom wanted, int wanted_format, unsigned long wanted_count)
{
    Atom type;
    int format;
    unsigned long count, after;
    unsigned char *value = NULL;

    if (XIGetProperty(display, device, property, 0, MAX_VALUE_WORDS, False, wanted, &type, &format, &count, &after,
                      &value) || !value)
        return NULL;
    if (type == wanted && format == wanted_format && (!wanted_count || count == wanted_count))
        return value;
    XFree(value);
    return NULL;
}

static void print_matrix(int device)
{
    float *cells = device_property(device, matrix_atom, float_atom, 32, MATRIX_CELLS);
    double numbers[MATRIX_CELLS];

    for (int i = 0; cells && i < MATRIX_CELLS; i++)
        numbers[i] = (double) cells[i];
    if (cells)
        print_numbers("matrix", numbers);
    XFree(cells);
}

static void print_node(int device)
{
    char *node = device_property(device, node_atom, XA_STRING, 8, 0);

    if (node) {
        putchar(',');
        print_name("node", node);
    }
    XFree(node);
}

static void print_properties(int device)
{
    int count = 0, has_matrix = 0, has_node = 0;
    Atom *properties = XIListProperties(display, device, &count);

    printf(",\"properties\":[");
    for (int i = 0; properties && i < count; i++) {
        char *name = XGetAtomName(display, properties[i]);

        printf("%s", i ? "," : "");
        print_string(name ? name : "");
        XFree(name);
        has_matrix |= properties[i] == matrix_atom;
        has_node |= properties[i] == node_atom;
    }
    putchar(']');
    XFree(properties);
    if (has_matrix)
        print_matrix(device);
    if (has_node)
        print_node(device);
}

static const char *use_of(const XIDeviceInfo *device)
{
    switch (device->use) {
    case XISlavePointer:
        return "slave pointer";
    case XISlaveKeyboard:
        return "slave keyboard";
    case XIFloatingSlave:
        return "floating slave";
    default:
        return NULL;
    }
}

static void print_devices(void)
{
    int count = 0;
    XIDeviceInfo *devices = XIQueryDevice(display, XIAllDevices, &count);
    const char *between = "";

    if (!devices)
        fail("the X server does not list its input devices");
    printf(",\"devices\":[");
    for (int i = 0; i < count; i++) {
        if (!use_of(&devices[i]))
            continue;
        printf("%s{\"id\":%d,\"use\":\"%s\",\"enabled\":%s,", between, devices[i].deviceid, use_of(&devices[i]),
               word(devices[i].enabled));
        print_name("name", devices[i].name);
        print_properties(devices[i].deviceid);
        putchar('}');
        between = ",";
    }
    putchar(']');
    XIFreeDeviceInfo(devices);
}

#endif
