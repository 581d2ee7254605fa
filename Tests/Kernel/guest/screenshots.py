# SPDX-License-Identifier: MIT
"""PNG from the output of xwd, on a screen of four bytes a pixel."""

import struct
import zlib

HEADER = struct.Struct(">25I")
WIDTH, HEIGHT, LINE, COLORS = 4, 5, 12, 19
"""Places in the header."""
SIZE_OF_COLOR = 12


def of_dump(dump):
    header = HEADER.unpack_from(dump)
    first = header[0] + header[COLORS] * SIZE_OF_COLOR
    lines = (dump[start:start + 4 * header[WIDTH]]
             for start in range(first, first + header[HEIGHT] * header[LINE], header[LINE]))
    return _png(header[WIDTH], header[HEIGHT], b"".join(map(_row, lines)))


def _row(line):
    """No filter, and then red, green, blue from the bytes blue, green, red, unused."""
    row = bytearray(1 + len(line) // 4 * 3)
    row[1::3], row[2::3], row[3::3] = line[2::4], line[1::4], line[0::4]
    return bytes(row)


def _chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def _png(width, height, rows):
    return (b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + _chunk(b"IDAT", zlib.compress(rows, 9)) + _chunk(b"IEND", b""))
