# SPDX-License-Identifier: MIT
"""The readings of a real machine's chip, by the definition of its matrix.

A chip at rest reads the opposite of gravity in a right-handed frame of its own. Its matrix maps x and y to the frame
of the part that it is mounted in; the sign of z then follows from the matrix.
"""

import math

G = 9.81
ACCELERATIONS = {"normal": (0, -1), "left-up": (1, 0), "bottom-up": (0, 1), "right-up": (-1, 0)}
"""x and y of the panel for each upright orientation, in units of G, as iio-sensor-proxy reads them."""


def determinant(m):
    return (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]))


def upright(matrix, word):
    """The reading while the panel is upright: the first two rows are perpendicular, so they can be inverted."""
    x, y = ACCELERATIONS[word]
    return [G * (x * a + y * b) for a, b in zip(matrix[0], matrix[1])]


def in_part(matrix, gravity):
    """The reading of gravity in the frame of its part: x right, y away from the hinge, z out of the screen."""
    z = 1 if determinant(matrix) < 0 else -1
    vector = (gravity[0], gravity[1], z * gravity[2])
    return [sum(matrix[row][column] * vector[row] for row in range(3)) for column in range(3)]


def hinge(degrees, tip):
    """Gravity in the frames of display and base of a device opened by `degrees`, its base tipped over its back edge."""
    def part(angle):
        return (0, -G * math.sin(math.radians(angle)), G * math.cos(math.radians(angle)))
    return part(degrees + tip), part(tip)


def is_orthogonal(rows):
    return all(sum(a * b for a, b in zip(rows[i], rows[j])) == (i == j) for i in range(2) for j in range(2))
