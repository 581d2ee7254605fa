#pragma once
#include <errno.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>

// EVIOCGSW is a macro with a parameter, which Swift cannot import.
// Returns the states of all switches of an evdev device, bit SW_x for each; -1 and errno on failure.
static inline long evdev_switch_states(int descriptor) {
    unsigned long states = 0;
    _Static_assert(SW_MAX < 8 * sizeof states - 1, "more switches than bits");
    return ioctl(descriptor, EVIOCGSW(sizeof states), &states) < 0 ? -1 : (long)states;
}

// Limits the events of an evdev device to its switches and two keys; -1 and errno on failure.
static inline int evdev_receive_keys(int descriptor, unsigned first, unsigned second) {
    if (first >= KEY_CNT || second >= KEY_CNT) return errno = EINVAL, -1;
    unsigned char types = 1 << EV_SYN | 1 << EV_KEY | 1 << EV_SW, codes[KEY_CNT / 8];
    struct input_mask kinds = {.type = EV_SYN, .codes_size = sizeof types, .codes_ptr = (__u64)(size_t)&types};
    struct input_mask keys = {.type = EV_KEY, .codes_size = sizeof codes, .codes_ptr = (__u64)(size_t)codes};
    memset(codes, 0, sizeof codes);
    codes[first / 8] |= 1 << first % 8;
    codes[second / 8] |= 1 << second % 8;
    return ioctl(descriptor, EVIOCSMASK, &kinds) < 0 ? -1 : ioctl(descriptor, EVIOCSMASK, &keys);
}
