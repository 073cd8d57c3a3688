# SPDX-License-Identifier: Apache-2.0
"""A short animated film, drawn here so that it is free: a lighthouse at dusk, and a boat that sails by."""
import math
import subprocess

import cairo

WIDTH, HEIGHT, RATE = 640, 360, 20
# Seconds until it begins again, and how often it does.
ROUND, ROUNDS = 12, 20
HORIZON = 235


def gradient(context, colours, x0, y0, x1, y1, radial=0):
    pattern = cairo.RadialGradient(x0, y0, 0, x0, y0, radial) if radial else cairo.LinearGradient(x0, y0, x1, y1)
    for offset, colour in colours:
        pattern.add_color_stop_rgba(offset, *colour)
    context.set_source(pattern)


def polygon(context, *points):
    context.move_to(*points[0])
    for point in points[1:]:
        context.line_to(*point)
    context.close_path()
    context.fill()


def sky(context):
    gradient(context, [(0, (0.09, 0.13, 0.28, 1)), (0.55, (0.45, 0.33, 0.48, 1)), (0.85, (0.93, 0.58, 0.42, 1)), (1, (0.99, 0.8, 0.55, 1))], 0, 0, 0, HORIZON)
    context.paint()
    gradient(context, [(0, (1, 0.93, 0.75, 1)), (0.25, (1, 0.85, 0.6, 0.7)), (1, (1, 0.7, 0.4, 0))], 190, HORIZON - 12, 0, 0, 110)
    context.paint()
    for index in range(40):
        x, y = (index * 149) % WIDTH, (index * 67) % 110
        context.set_source_rgba(1, 1, 1, 0.65 - y / 200)
        context.arc(x, y, 0.8 + index % 3 * 0.25, 0, 7)
        context.fill()


def sea(context, time):
    gradient(context, [(0, (0.85, 0.53, 0.42, 1)), (0.2, (0.38, 0.3, 0.43, 1)), (1, (0.06, 0.1, 0.2, 1))], 0, HORIZON, 0, HEIGHT)
    context.rectangle(0, HORIZON, WIDTH, HEIGHT - HORIZON)
    context.fill()
    for row in range(9):
        y = HORIZON + 6 + row * row * 1.55
        context.set_line_width(0.8 + row * 0.22)
        context.set_source_rgba(1, 0.82, 0.62, 0.36 - row * 0.03)
        context.move_to(-20, y)
        for x in range(-20, WIDTH + 20, 6):
            wave = math.sin(x / (16 + row * 5) + 2 * math.pi * time / ROUND * (3 + row % 3) * (1 if row % 2 else -1))
            context.line_to(x, y + wave * (0.6 + row * 0.36))
        context.stroke()


def beam(context, time):
    angle = 2 * math.pi * time / (ROUND / 3)
    for turn in (angle, angle + math.pi):
        reach = math.cos(turn)
        x = 505 + reach * 560
        gradient(context, [(0, (1, 0.95, 0.75, 0.6)), (1, (1, 0.95, 0.75, 0))], 505, 0, x, 0)
        polygon(context, (505, 99), (x, 99 - 60 * abs(reach)), (x, 99 + 44 * abs(reach)))
    gradient(context, [(0, (1, 0.97, 0.85, 1)), (1, (1, 0.9, 0.6, 0))], 505, 99, 0, 0, 26 + 10 * abs(math.sin(angle)))
    context.arc(505, 99, 40, 0, 7)
    context.fill()


def lighthouse(context):
    context.set_source_rgb(0.1, 0.1, 0.16)
    context.move_to(380, HORIZON + 26)
    context.curve_to(420, HORIZON - 20, 460, HORIZON - 34, 505, HORIZON - 34)
    context.curve_to(560, HORIZON - 34, 600, HORIZON - 8, WIDTH, HORIZON - 2)
    context.line_to(WIDTH, HORIZON + 40)
    context.close_path()
    context.fill()
    top, bottom = 112, HORIZON - 30
    for index in range(5):
        low, high = bottom - (bottom - top) * index / 5, bottom - (bottom - top) * (index + 1) / 5
        wide, narrow = 20 - 1.7 * index, 20 - 1.7 * (index + 1)
        context.set_source_rgb(*((0.72, 0.2, 0.2) if index % 2 else (0.93, 0.88, 0.84)))
        polygon(context, (505 - wide, low), (505 + wide, low), (505 + narrow, high), (505 - narrow, high))
    context.set_source_rgb(0.13, 0.13, 0.19)
    context.rectangle(489, 108, 32, 5)
    context.rectangle(495, 90, 3, 20)
    context.rectangle(512, 90, 3, 20)
    context.fill()
    polygon(context, (491, 90), (519, 90), (505, 76))


def boat(context, time):
    context.save()
    context.translate(-60 + (WIDTH - 90) * time / ROUND, 282 + 2.5 * math.sin(2 * math.pi * time / 3))
    context.rotate(0.05 * math.sin(2 * math.pi * time / 4))
    context.set_source_rgb(0.16, 0.1, 0.13)
    polygon(context, (-38, 0), (40, 0), (28, 15), (-28, 15))
    context.rectangle(-1, -74, 2.5, 76)
    context.fill()
    context.set_source_rgb(0.98, 0.9, 0.8)
    polygon(context, (4, -72), (4, -6), (38, -6))
    context.set_source_rgb(0.9, 0.75, 0.66)
    polygon(context, (-4, -64), (-4, -6), (-30, -6))
    context.restore()


def make(path):
    """Writes the film."""
    one = path.with_suffix(".one.mp4")
    encoder = subprocess.Popen(
        ["ffmpeg", "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "bgra", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-",
         "-pix_fmt", "yuv420p", "-c:v", "libx264", "-preset", "fast", "-crf", "20", one],
        stdin=subprocess.PIPE,
    )
    for number in range(ROUND * RATE):
        time = number / RATE
        surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, WIDTH, HEIGHT)
        context = cairo.Context(surface)
        sky(context)
        sea(context, time)
        beam(context, time)
        lighthouse(context)
        boat(context, time)
        encoder.stdin.write(bytes(surface.get_data()))
    encoder.stdin.close()
    if encoder.wait(60) != 0:
        raise RuntimeError("ffmpeg does not encode the film")
    subprocess.run(
        ["ffmpeg", "-y", "-loglevel", "error", "-stream_loop", str(ROUNDS - 1), "-i", one, "-c", "copy", "-movflags", "+faststart", path], check=True,
        stdin=subprocess.DEVNULL,
    )
    one.unlink()
