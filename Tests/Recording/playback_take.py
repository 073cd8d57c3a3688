# SPDX-License-Identifier: Apache-2.0
"""A video in mpv that resumes on the desktop where the laptop was."""
import json
import socket
import time

import scene
from compose import pair
from stage import HOME, USER, WIDTH
from waiting import Deadline, wait_until

NAME = "The Lighthouse.mp4"
# The window, without its frame, and how much of the screen is shown.
PLACE = (30, 20, 560, 343)
SCREEN = (WIDTH, 384, 0, 0)
SETTINGS = f"""vo=x11
ao=null
geometry={PLACE[2] - 8}x{PLACE[3] - 32}+{PLACE[0]}+{PLACE[1]}
no-keepaspect-window
force-window=yes
input-ipc-server=/run/user/{USER}/mpv.sock
script-opts=osc-visibility=always,osc-layout=bottombar,osc-scalewindowed=1.1
title=${{media-title}}
"""
SECONDS = 127


def take(stage, machines, output, log):
    laptop, desktop = machines
    video = laptop.home / "Videos" / NAME
    video.parent.mkdir()
    scene.make(video)
    log("The film is drawn")
    for machine in machines:
        machine.write(".config/mpv/mpv.conf", SETTINGS)
        machine.start_screen()
        machine.start_agent("--no-notifications")
        machine.x("mousemove", 560, 430)
    laptop.start("mpv", f"--start={SECONDS}", f"{HOME}/Videos/{NAME}")
    windows = {laptop: laptop.window("mpv")}
    laptop.place(windows[laptop], *PLACE)
    offer = wait_until(lambda: [o for o in desktop.offers() if o["activityType"] == "io.baton.playback"], "the video is offered", 60)[0]
    time.sleep(2)
    desktop.ask("baton", "open", offer["id"])
    windows[desktop] = desktop.window("mpv")
    desktop.place(windows[desktop], *PLACE)
    desktop.x("mousemove", 560, 430)
    status = wait_until(lambda: (values := [playing(machine) for machine in machines])[0][0] == "Paused" and values[1][0] == "Playing" and values,
                        "the video is paused on the laptop, and plays on the desktop", 60)
    draw_controls(laptop)
    time.sleep(0.3)
    distance = status[1][1] - status[0][1]
    if not -1 <= distance <= 5:
        raise Deadline(f"the desktop is {distance:.1f} s after the laptop")
    shots = [machine.photograph(stage.directory / f"playback-{machine.name}.png") for machine in (desktop, laptop)][::-1]
    log(f"The desktop is {distance:.1f} s after the laptop")
    pair(stage, *shots, output / f"playback{stage.theme.suffix}.png", SCREEN)


def draw_controls(machine):
    """While mpv is paused, it does not draw its controls again."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(str(machine.run / "mpv.sock"))
        for value in ("never", "always"):
            connection.sendall(json.dumps({"command": ["script-message", "osc-visibility", value, "no-osd"]}).encode() + b"\n")
            time.sleep(0.1)


def playing(machine):
    """The state of the player, and where it is, in seconds."""
    text = machine.ask(
        "dbus-send", "--session", "--print-reply=literal", "--dest=org.mpris.MediaPlayer2.mpv", "/org/mpris/MediaPlayer2",
        "org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2.Player", "string:PlaybackStatus", check=False,
    )
    place = machine.ask(
        "dbus-send", "--session", "--print-reply=literal", "--dest=org.mpris.MediaPlayer2.mpv", "/org/mpris/MediaPlayer2",
        "org.freedesktop.DBus.Properties.Get", "string:org.mpris.MediaPlayer2.Player", "string:Position", check=False,
    )
    return text.split()[-1] if text else "", int(place.split()[-1]) / 1e6 if place else 0.0
