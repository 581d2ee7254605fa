# SPDX-License-Identifier: MIT
"""The report descriptor of a HID sensor hub, as the HID usage tables have it.

One report a sensor: the feature report is what the driver sets, the input report is what the hub pushes.
"""

import struct

REPORTING, POWER, STATE = (0x316, 0x840, 6), (0x319, 0x850, 6), (0x201, 0x800, 7)
INTERVAL, EVENT = 0x30E, (0x202, 0x810, 6)
EXPONENTS = {0: 0x00, -2: 0x0E, -3: 0x0D}
FEATURE, INPUT = 0xB1, 0x81


def _usage(number):
    return b"\x0a" + struct.pack("<H", number)


def _choice(field, main):
    """One byte that is an index into named values."""
    usage, first, count = field
    return (_usage(usage) + bytes((0x15, 0, 0x25, count - 1, 0x75, 8, 0x95, 1, 0xA1, 2))
            + b"".join(_usage(first + number) for number in range(count)) + bytes((main, 0, 0xC0)))


def _number(usage, bits, exponent, main):
    ranges = {16: b"\x15\x00\x26\xff\xff", 32: b"\x15\x00\x27\xff\xff\xff\x7f"}
    return _usage(usage) + ranges[bits] + bytes((0x75, bits, 0x95, 1, 0x55, EXPONENTS[exponent], main, 2))


def _axis(usage, exponent):
    return (_usage(usage) + b"\x16\x00\x80\x26\xff\x7f"
            + bytes((0x75, 16, 0x95, 1, 0x55, EXPONENTS[exponent], INPUT, 2)))


def _sensor(sensor):
    """The descriptor of one device. The unit is the usage's own: g, degrees a second."""
    features = (_choice(REPORTING, FEATURE) + _choice(POWER, FEATURE) + _choice(STATE, FEATURE)
                + _number(INTERVAL, 32, 0, FEATURE) + _number(sensor.sensitivity_usage, 16, -2, FEATURE))
    axes = b"".join(_axis(usage, sensor.exponent) for usage in sensor.axis_usages)
    inputs = _choice(STATE, INPUT) + _choice(EVENT, INPUT) + axes
    return bytes((0x05, 0x20, 0x09, sensor.usage, 0xA1, 0, 0x85, sensor.report)) + features + inputs + b"\xc0"


def hub(sensors):
    return b"".join(map(_sensor, sensors))
