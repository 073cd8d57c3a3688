# SPDX-License-Identifier: Apache-2.0
"""Films screens, puts those of the laptop and the desktop next to each other, and writes the files of the documents."""
import math
import signal
import subprocess
import time

import cairo
from waiting import Deadline

# Frames a second of what is recorded, and of the moving pictures.
RATE, SHOWN_RATE = 25, 12.5
MARGIN, GAP, HEAD = 10, 20, 40
FONT = "Inter"
# What a moving picture may weigh, in bytes.
LIMIT = 3_000_000


def run(*words, **options):
    subprocess.run([str(word) for word in words], check=True, stdin=subprocess.DEVNULL, timeout=600, **options)


class Recording:
    """Films the screens of machines while its block runs."""

    def __init__(self, machines, name):
        self.machines, self.name = machines, name
        self.stage = machines[0].stage
        self.recorders = []

    def file(self, machine):
        return self.stage.directory / f"{self.name}-{machine.name}.mkv"

    def __enter__(self):
        for machine in self.machines:
            self.recorders.append(self.stage.spawn(
                ["ffmpeg", "-y", "-loglevel", "warning", "-f", "x11grab", "-framerate", RATE, "-draw_mouse", "1",
                 "-video_size", "x".join(map(str, machine.size)), "-i", machine.environment["DISPLAY"],
                 "-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast", self.file(machine)],
                f"{self.name}-{machine.name}-ffmpeg",
            ))
        # Until both film.
        time.sleep(0.5)
        return self

    def __exit__(self, *_):
        for recorder in self.recorders:
            recorder.send_signal(signal.SIGINT)
        for recorder in self.recorders:
            recorder.wait(30)


def colour(context, text, alpha=1.0):
    context.set_source_rgba(*(int(text[at:at + 2], 16) / 255 for at in (1, 3, 5)), alpha)


def rounded(context, x, y, width, height, radius):
    context.new_sub_path()
    for corner, (a, b) in enumerate(((x + width, y), (x + width, y + height), (x, y + height), (x, y))):
        centre = (a - radius if corner < 2 else a + radius, b + radius if corner in (0, 3) else b - radius)
        context.arc(*centre, radius, (corner - 1) * math.pi / 2, corner * math.pi / 2)
    context.close_path()


def draw_arrow(context, x, y, theme):
    """A disc with an arrow to the right."""
    colour(context, theme.accent)
    context.arc(x, y, 23, 0, 2 * math.pi)
    context.fill()
    colour(context, theme.page)
    context.set_line_width(4)
    context.set_line_cap(cairo.LINE_CAP_ROUND)
    context.set_line_join(cairo.LINE_JOIN_ROUND)
    context.move_to(x - 10, y)
    context.line_to(x + 10, y)
    context.move_to(x + 2, y - 8)
    context.line_to(x + 10, y)
    context.line_to(x + 2, y + 8)
    context.stroke()


def pair_frame(stage, size, names=("laptop", "desktop")):
    """What lies over two screens: the ground around them, their names, and an arrow. Returns the file and its size."""
    theme, (width, height) = stage.theme, size
    whole = (2 * MARGIN + 2 * width + GAP, HEAD + height + MARGIN)
    surface = cairo.ImageSurface(cairo.FORMAT_ARGB32, *whole)
    context = cairo.Context(surface)
    colour(context, theme.page)
    context.paint()
    places = [MARGIN, MARGIN + width + GAP]
    context.set_operator(cairo.OPERATOR_CLEAR)
    for x in places:
        rounded(context, x, HEAD, width, height, 10)
    context.fill()
    context.set_operator(cairo.OPERATOR_OVER)
    context.select_font_face(FONT, cairo.FONT_SLANT_NORMAL, cairo.FONT_WEIGHT_BOLD)
    context.set_font_size(21)
    for x, name in zip(places, names):
        colour(context, theme.ink)
        extent = context.text_extents(name)
        context.move_to(x + (width - extent.width) / 2, HEAD - 13)
        context.show_text(name)
        colour(context, theme.ink, 0.35)
        rounded(context, x + 0.5, HEAD + 0.5, width - 1, height - 1, 10)
        context.set_line_width(1)
        context.stroke()
    draw_arrow(context, whole[0] / 2, HEAD + height / 2, theme)
    file = stage.directory / f"frame-{width}x{height}.png"
    surface.write_to_png(str(file))
    return file, whole


def layout(size, whole):
    """The filter that puts two inputs under the third."""
    width, _ = size
    return (
        f"[0:v]setpts=PTS-STARTPTS,pad={whole[0]}:{whole[1]}:{MARGIN}:{HEAD}[a];[1:v]setpts=PTS-STARTPTS[b];"
        f"[a][b]overlay={MARGIN + width + GAP}:{HEAD}[c];[c][2:v]overlay=0:0"
    )


def pair(stage, left, right, target, crop=None):
    """A still picture of two screens, or of the same part of both (width, height, x, y)."""
    if crop:
        left, right = (cut(picture, crop) for picture in (left, right))
    from_size = picture_size(left)
    frame, whole = pair_frame(stage, from_size)
    plain = stage.directory / "pair.png"
    run("ffmpeg", "-y", "-loglevel", "error", "-i", left, "-i", right, "-i", frame, "-filter_complex", layout(from_size, whole), "-frames:v", "1", plain)
    shrink(plain, target)


def single(picture, target, crop=None):
    """A still picture of one screen, or a part of it (width, height, x, y)."""
    shrink(cut(picture, crop) if crop else picture, target)


def cut(picture, crop):
    """A part of a picture (width, height, x, y)."""
    target = picture.with_name(f"{picture.stem}-cut.png")
    width, height, x, y = crop
    run("convert", picture, "-crop", f"{width}x{height}+{x}+{y}", "+repage", target)
    return target


def shrink(source, target):
    run("convert", source, "-strip", "-define", "png:compression-level=9", "-define", "png:compression-filter=5", f"PNG24:{target}")


def picture_size(path):
    result = subprocess.run(["identify", "-format", "%w %h", path], check=True, capture_output=True, text=True)
    return tuple(map(int, result.stdout.split()))


def film(recording, target, seconds):
    """Writes a moving picture, and returns its length in seconds. `seconds`: the shortest and the longest that is right.

    Its first picture is also its last one, because some readers see only the first.
    """
    stage, size = recording.stage, recording.machines[0].size
    frame, whole = pair_frame(stage, size)
    master = stage.directory / f"{recording.name}.mkv"
    inputs = [word for machine in recording.machines for word in ("-i", recording.file(machine))]
    run("ffmpeg", "-y", "-loglevel", "error", *inputs, "-i", frame, "-filter_complex", f"{layout(size, whole)},fps={RATE}[v]", "-map", "[v]",
        "-c:v", "libx264rgb", "-qp", "0", "-preset", "ultrafast", master)
    end = length(master)
    if not seconds[0] <= end <= seconds[1]:
        raise Deadline(f"{target.name} lasts {end:.1f} s and should last {seconds[0]} to {seconds[1]} s")
    last = stage.directory / f"{recording.name}-last.png"
    run("ffmpeg", "-y", "-loglevel", "error", "-sseof", "-0.2", "-i", master, "-frames:v", "1", last)
    raw = stage.directory / "raw.gif"
    picture = f"[0:v]trim=end_frame=1,setpts=PTS-STARTPTS[a];[1:v]fps={SHOWN_RATE}[b];[a][b]concat=n=2,split[x][y]"
    colours = "[x]palettegen=max_colors=160:stats_mode=full[p];[y][p]paletteuse=dither=none:diff_mode=rectangle"
    run("ffmpeg", "-y", "-loglevel", "error", "-framerate", SHOWN_RATE, "-i", last, "-i", master, "-filter_complex", f"{picture};{colours}", raw)
    run("gifsicle", "-O3", "--lossy=30", raw, "-o", target, stderr=subprocess.DEVNULL)
    if target.stat().st_size > LIMIT:
        raise Deadline(f"{target.name} has {target.stat().st_size} bytes, more than {LIMIT}")
    return end


def length(path):
    result = subprocess.run(
        ["ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", path], check=True, capture_output=True, text=True,
    )
    return float(result.stdout)


# ---------------------------------------------------------------------------------------------------- What pictures must show

def rows(picture, crop):
    """How dark each row of a part of a picture is (width, height, x, y)."""
    width, height, x, y = crop
    result = subprocess.run(
        ["convert", picture, "-crop", f"{width}x{height}+{x}+{y}", "+repage", "-colorspace", "gray", "-resize", f"1x{height}!", "-depth", "8", "gray:-"],
        check=True, capture_output=True,
    )
    mean = sum(result.stdout) / height
    return [value - mean for value in result.stdout]


def similarity(left, right):
    """The correlation of two profiles, from -1 to 1."""
    def product(a, b):
        return sum(x * y for x, y in zip(a, b))

    return product(left, right) / math.sqrt(product(left, left) * product(right, right) or 1)


def check_same_rows(left, right, crop, reach=8):
    """Whether both pictures show the same lines at the same height, give or take `reach` pixels."""
    width, height, x, y = crop
    profile = rows(left, crop)
    found = max((similarity(profile, rows(right, (width, height, x, y + shift))), shift) for shift in range(-reach, reach + 1))
    if found[0] < 0.8:
        raise Deadline(f"{left.name} and {right.name} do not show the same lines: {found[0]:.2f} at {found[1]} pixels")
    return found


def check_shown_once(recording, machine, crop):
    """Whether a part of the screen (width, height, x, y) changes once for a while, and then is as it was in the beginning."""
    width, height, x, y = crop
    result = subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-i", recording.file(machine), "-vf", f"crop={width}:{height}:{x}:{y}", "-f", "rawvideo", "-pix_fmt", "gray", "-"],
        check=True, capture_output=True, stdin=subprocess.DEVNULL,
    )
    size = width * height
    means = [sum(result.stdout[at:at + size]) / size for at in range(0, len(result.stdout), size)]
    shown = [abs(mean - means[0]) > 15 for mean in means]
    count = sum(now and not before for before, now in zip([False, *shown], shown))
    if count != 1 or shown[-1]:
        raise Deadline(f"what the {machine.name} should show once appears {count} times in the recording")
