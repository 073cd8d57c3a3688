# SPDX-License-Identifier: Apache-2.0
"""Players on two machines for the tests of playback: agents with session buses of their own."""
import json
import os
import struct
import subprocess
import urllib.parse

from desktop import ScriptedProgram, SessionBus
from lab import PATIENCE, ROOT, wait_until
from test_agent import Agent

TYPE = "io.baton.playback"
PLAYER = ROOT / "Tests/Lab/fake-player"


def write_sound(path, seconds=120, seed=0):
    """A WAV file with silence that differs by its seed."""
    rate = 8000
    path.parent.mkdir(parents=True, exist_ok=True)
    data = bytearray(b"\x80" * (rate * seconds))
    data[:8] = struct.pack("<Q", seed)
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, rate, rate, 1, 8,
                         b"data", len(data))
    path.write_bytes(header + data)
    return path


def url(path):
    return "file://" + urllib.parse.quote(str(path))


class FakePlayer(ScriptedProgram):
    """Tests/Lab/fake-player on a bus."""

    def __init__(self, bus, name="org.example.Tape", *arguments):
        super().__init__(bus, PLAYER, name, *arguments)
        self.name = name

    def set(self, **properties):
        self.obey("set", json.dumps(properties))

    def play(self, where, title=None, position=0, length=3600, status="Playing", **more):
        metadata = {"mpris:trackid": "/track/7", "xesam:url": str(where), "mpris:length": length * 1_000_000, **more}
        if title is not None:
            metadata["xesam:title"] = title
        self.set(PlaybackStatus=status, Metadata=metadata, Position=position * 1_000_000)

    def calls(self, name):
        return [said for said in self.said if said.get("call") == name]

    def wait_for(self, name, count=1):
        return wait_until(lambda: self.calls(name)[count - 1:], f"call {count} of {name}")[0]


class PlayingMachine(Agent):
    """The agent of a user with a session bus."""

    def __init__(self, case, daemon, **environment):
        self.bus = SessionBus(case, f"{daemon.name}.bus").start()
        super().__init__(
            case, daemon, case.directory / f"{daemon.name}.agent", DBUS_SESSION_BUS_ADDRESS=self.bus.address, **environment
        )

    def start(self, *arguments, prefix=(), notifications=False):
        quiet = [] if notifications else ["--no-notifications"]
        return super().start(*quiet, *arguments, prefix=prefix)

    def configure(self, text):
        folder = self.home / ".config/baton"
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / "agent.new"
        new.write_text(text)
        new.rename(folder / "agent.conf")

    def add_player(self, name="org.example.Tape", types="audio/x-wav;video/mp4;audio/mpeg;", *keys, exec=None):
        """A desktop entry of a fake player."""
        self.install(
            name, f"MimeType={types}", *keys, exec=exec or f"/usr/bin/python3 {PLAYER} {name} %U",
        )

    def offers(self):
        return [offer for offer in self.daemon.offers() if offer["activityType"] == TYPE]

    def wait_for_offer(self, title):
        return wait_until(
            lambda: next((offer for offer in self.offers() if offer.get("title") == title), None), f"the offer of {title}",
        )

    def wait_for_no_offer(self):
        wait_until(lambda: not self.offers(), "no offer")

    def get(self, player, name, interface="org.mpris.MediaPlayer2.Player"):
        """A property of a player on this machine's bus: (type, text); nil if there is none."""
        result = subprocess.run(
            ["dbus-send", f"--bus={self.bus.address}", "--print-reply=literal", f"--dest=org.mpris.MediaPlayer2.{player}",
             "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Get", f"string:{interface}", f"string:{name}"],
            capture_output=True, text=True, timeout=PATIENCE,
        )
        return result.stdout.split() if result.returncode == 0 else None

    def order(self, player, method, *arguments):
        subprocess.run(
            ["dbus-send", f"--bus={self.bus.address}", "--print-reply", f"--dest=org.mpris.MediaPlayer2.{player}",
             "/org/mpris/MediaPlayer2", f"org.mpris.MediaPlayer2.Player.{method}", *arguments],
            check=True, capture_output=True, timeout=PATIENCE,
        )

    def position(self, player):
        """In seconds; nil if it does not say."""
        value = self.get(player, "Position")
        return int(value[-1]) / 1e6 if value and value[-2] == "int64" else None

    def status(self, player):
        value = self.get(player, "PlaybackStatus")
        return value[-1] if value else None

    def players(self):
        prefix = "org.mpris.MediaPlayer2."
        return [name[len(prefix):] for name in self.bus.names() if name.startswith(prefix)]
