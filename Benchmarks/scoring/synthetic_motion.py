# SPDX-License-Identifier: MIT
"""Motion that the recordings lack: firm rotations while the sensor shakes, and with an inaccurate sensor."""

import math
import random

from .traces import FIRM, RATE, Trace

GRAVITY = 9.80665
SHAKING = [("sine", amplitude, hertz) for amplitude in (1, 2) for hertz in (8, 12, 24)] + [
    ("noise", rms, None) for rms in (1.0, 1.4)]
SHAKING_SEEDS, SHAKING_SECONDS = 4, 70
# title, gain, offset of each axis in m/s²
ERRORS = [("exact", 1, (0, 0, 0)), ("gain +5 %", 1.05, (0, 0, 0)), ("gain -5 %", 0.95, (0, 0, 0))] + [
    (f"offset {sign:+d} m/s² of {'xyz'[axis]}", 1, tuple(sign * (axis == other) for other in range(3)))
    for axis in range(3) for sign in (1, -1)]
ERROR_SEEDS, ERROR_SECONDS = 3, 90
REST_SECONDS, REST_ENDS = 12, 60


def smooth(part):
    """From 0 to 1 with the least jerk, as hands move."""
    return part ** 3 * (10 - 15 * part + 6 * part ** 2)


def poses(chance, seconds, hold):
    """(degrees in the plane of the screen, degrees of leaning from the horizontal) of each sample: quarter turns."""
    quarter, course = chance.randrange(4), []
    pose = (90 * quarter + chance.uniform(-10, 10), chance.uniform(45, 80))
    course += [pose] * int(RATE * chance.uniform(2, 3))
    while len(course) < seconds * RATE:
        quarter += chance.choice((-1, 1))
        goal = (90 * quarter + chance.uniform(-10, 10), chance.uniform(45, 80))
        steps = int(RATE * chance.uniform(0.4, 1.2))
        for step in range(1, steps + 1):
            done = smooth(step / steps)
            course.append(tuple(a + (b - a) * done for a, b in zip(pose, goal)))
        pose = goal
        course += [pose] * int(RATE * chance.uniform(*hold))
    return course[:seconds * RATE]


def truth(course, beyond):
    """The quarter of each sample; it changes `beyond` degrees past the diagonal."""
    quarter, quarters = round(course[0][0] / 90), []
    for angle, _ in course:
        near = round(angle / 90)
        if near != quarter and abs(angle - 90 * near) < 45 - beyond:
            quarter = near
        quarters.append(quarter % 4)
    return quarters


def measured(chance, course, index, arm):
    """(acceleration, rate) of a sensor at `arm` from the axis of rotation."""
    before, after = course[max(0, index - 1)], course[min(len(course) - 1, index + 1)]
    (angle, lean), (begin, lean_begin), (end, lean_end) = (
        map(math.radians, pose) for pose in (course[index], before, after))
    rotating = -(end - begin) * RATE / 2
    leaning = (lean_end - lean_begin) * RATE / 2
    gathering = -(begin - 2 * angle + end) * RATE ** 2
    x, y = arm
    acceleration = (
        GRAVITY * math.sin(angle) * math.sin(lean) - gathering * y - rotating ** 2 * x,
        -GRAVITY * math.cos(angle) * math.sin(lean) + gathering * x - rotating ** 2 * y,
        GRAVITY * math.cos(lean))
    rate = (-leaning * math.cos(angle), -leaning * math.sin(angle), rotating)
    return acceleration, tuple(each + chance.gauss(0, 0.01) for each in rate)


def recorded(chance, course, group, shake=None, gain=1, offset=(0, 0, 0)):
    trace = Trace()
    arm = chance.choice((-0.1, 0.1)), chance.choice((-0.08, 0.08))
    strict, lenient = truth(course, 8), truth(course, 1)
    for index, (angle, _) in enumerate(course):
        acceleration, rate = measured(chance, course, index, arm)
        shaken = shake(index / RATE) if shake else (0, 0, 0)
        acceleration = tuple((a + b) * gain + off + chance.gauss(0, 0.05)
                             for a, b, off in zip(acceleration, shaken, offset))
        is_firm = abs((angle - 90 * strict[index] + 180) % 360 - 180) < 30
        trace.add(index * 1000 // RATE, acceleration, rate, (strict[index],) * 2 + (lenient[index],) * 2,
                  FIRM if is_firm else 0, group)
    return trace.finish()


def sine(chance, amplitude, hertz):
    phases = [chance.uniform(0, 2 * math.pi) for _ in range(3)]
    return lambda time: [amplitude * math.sin(2 * math.pi * hertz * time + phase) for phase in phases]


def noise(chance, rms, _):
    """Forty sines from 5 to 20 Hz on each axis, of random frequency, phase and size."""
    def axis():
        parts = [(chance.uniform(5, 20), chance.uniform(0, 2 * math.pi), chance.expovariate(1) ** 0.5)
                 for _ in range(40)]
        scale = rms * math.sqrt(2 / sum(size ** 2 for _, _, size in parts))
        return [(2 * math.pi * hertz, phase, scale * size) for hertz, phase, size in parts]
    axes = [axis() for _ in range(3)]
    return lambda time: [sum(size * math.sin(speed * time + phase) for speed, phase, size in parts)
                         for parts in axes]


def shaking_group(kind, size, hertz):
    return f"{kind} {size:g} m/s²" + (f" {hertz} Hz" if hertz else " rms")


def shaken():
    for seed in range(SHAKING_SEEDS):
        for kind, size, hertz in SHAKING:
            chance = random.Random(f"shaking {kind} {size} {hertz} {seed}")
            course = poses(chance, SHAKING_SECONDS, hold=(2.5, 5))
            shake = (sine if kind == "sine" else noise)(chance, size, hertz)
            yield recorded(chance, course, shaking_group(kind, size, hertz), shake)


def off():
    for seed in range(ERROR_SEEDS):
        for title, gain, offset in ERRORS:
            chance = random.Random(f"error {title} {seed}")
            course = poses(chance, ERROR_SECONDS, hold=(6, 9))
            yield recorded(chance, course, title, gain=gain, offset=offset)


def rests(gain, offset):
    """The same rest repeatedly, each ended by an instant quarter turn, one sample later each time."""
    chance = random.Random(1)
    jitter = [[chance.gauss(0, 0.03) for _ in range(3)] for _ in range((REST_SECONDS + 3) * RATE + REST_ENDS)]
    for extra in range(REST_ENDS):
        trace, end = Trace(), REST_SECONDS * RATE + extra
        for index in range(end + 3 * RATE // 2):
            pose = (0, 60) if index < end else (90, 60)
            angle, lean = map(math.radians, pose)
            exact = (math.sin(angle) * math.sin(lean), -math.cos(angle) * math.sin(lean), math.cos(lean))
            acceleration = tuple(GRAVITY * each * gain + error + (trembling if index < end else 0)
                                 for each, error, trembling in zip(exact, offset, jitter[index]))
            trace.add(index * 1000 // RATE, acceleration, None, (0,) * 4, 0, "rest")
        yield trace


def reads_a_second(moments):
    """From the times of decisions, in seconds; each read at rest causes one."""
    times = sorted({round(moment, 3) for moment in moments if moment is not None})
    return (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else math.nan
