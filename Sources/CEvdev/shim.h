#pragma once
#include <linux/input.h>
#include <sys/ioctl.h>

// EVIOCGSW is a macro with a parameter, which Swift cannot import.
// Returns the states of all switches of an evdev device, bit SW_x for each; -1 and errno on failure.
static inline long evdev_switch_states(int descriptor) {
    unsigned long states = 0;
    _Static_assert(SW_MAX < 8 * sizeof states - 1, "more switches than bits");
    return ioctl(descriptor, EVIOCGSW(sizeof states), &states) < 0 ? -1 : (long)states;
}
