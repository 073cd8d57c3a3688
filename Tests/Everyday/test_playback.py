# SPDX-License-Identifier: Apache-2.0
"""What real players play, mpv with mpv-mpris and VLC, goes on in the same or another player of another machine."""
# Labs: pair
import os
import shutil
import subprocess
import time

from lab import PATIENCE, LabTest, wait_until
from pictures import PICTURES
from players import PlayingMachine, url, write_sound

# Seconds: the precision of players, and what a query takes on a busy machine is measured besides.
PRECISION = 1
TYPES = "MimeType=audio/x-wav;video/mp4;audio/mpeg;"
# Where people install players, and what keeps them from showing and sounding.
MPV = "mpv --no-config --vo=null --ao=null --ao-null-untimed=no --script=/usr/lib/mpv-mpris/mpris.so"
VLC = "vlc --intf=dummy --aout=adummy --vout=vdummy --no-media-library --no-qt-privacy-ask"


class PlayerTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        for program in ("mpv", "vlc"):
            if not shutil.which(program):
                self.skipTest(f"needs {program}")
        self.shared = self.directory / "films"
        settings = self.directory / "desktop.conf"
        settings.write_text(f"[shared-folders]\nFilms={self.shared}\n")
        self.shared.mkdir()
        self.daemons = (
            self.batond("laptop").start(), self.batond("desktop", 1, ["--config", settings]).start(),
        )
        self.make_team(*self.daemons)
        self.laptop, self.desktop = (PlayingMachine(self, daemon, XDG_CONFIG_HOME=None) for daemon in self.daemons)
        self.make_vlc()

    def make_vlc(self):
        """VLC does not run as root, because it is asked for files by others. Here, it is asked by the tests."""
        with open("/usr/bin/vlc", "rb") as file:
            program = file.read()
        for machine in (self.laptop, self.desktop):
            path = machine.programs / "vlc"
            path.write_bytes(program.replace(b"geteuid", b"getppid") if os.geteuid() == 0 else program)
            path.chmod(0o755)

    def begin(self, player, *others):
        """The laptop's player, and those that the desktop has."""
        for name in others:
            self.desktop.install(name, TYPES, exec=f"{self.command(name)} -- %U" if name == "mpv" else f"{VLC} %U")
        self.sound = write_sound(self.laptop.home / "Music" / "long sound.wav", 600, seed=7)
        for machine in (self.laptop, self.desktop):
            machine.start()
        environment = {**self.laptop.environment}
        log = self.directory / "player.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            self.spawn(
                [*self.command(player).split(), str(self.sound)], env=environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output,
            )
        self.player = wait_until(self.laptop.players, f"{player} is on the bus")[0]
        wait_until(lambda: self.laptop.status(self.player) == "Playing", f"{player} plays")

    @staticmethod
    def command(name):
        return {"mpv": MPV, "vlc": VLC}[name]

    def seek(self, seconds):
        """As a person does it in the player."""
        # A player that is still loading drops it.
        before = wait_until(lambda: self.laptop.position(self.player), "it has begun")
        self.laptop.order(self.player, "Seek", f"int64:{int((seconds - before) * 1e6)}")
        wait_until(lambda: self.laptop.position(self.player) >= seconds - PRECISION, f"it is at {seconds} s")

    def go_on(self, expected, path):
        """Continues on the desktop, and checks that the same file goes on where it was."""
        offer = wait_until(self.desktop.offers, "it is offered")[0]
        self.seek(200)
        before, begin = self.laptop.position(self.player), time.monotonic()
        self.daemons[1].baton("open", offer["id"])
        wait_until(lambda: self.laptop.status(self.player) == "Paused", "the origin is paused")
        paused = self.laptop.position(self.player)
        self.assertLessEqual(paused, before + time.monotonic() - begin + PRECISION)
        player = wait_until(self.desktop.players, "a player is on the desktop's bus")[0]
        self.assertTrue(player.startswith(expected), player)
        self.assertEqual(self.desktop.status(player), "Playing")
        position = self.desktop.position(player)
        elapsed = time.monotonic() - begin
        self.assertGreaterEqual(position, paused - PRECISION)
        self.assertLessEqual(position, paused + elapsed + PRECISION)
        self.assertIn(url(path), " ".join(self.desktop.get(player, "Metadata")))
        self.assertEqual(path.read_bytes(), self.sound.read_bytes())
        # Now the desktop offers it.
        wait_until(self.laptop.offers, "the desktop offers it")
        self.desktop.order(player, "Pause")


class FetchedTests(PlayerTest):
    """The file is not on the desktop, so it is fetched."""

    @property
    def fetched(self):
        return self.desktop.home / "Handoff" / self.sound.name

    def test_mpv_to_mpv(self):
        self.begin("mpv", "vlc", "mpv")
        self.go_on("mpv", self.fetched)

    def test_vlc_to_vlc(self):
        self.begin("vlc", "mpv", "vlc")
        self.go_on("vlc", self.fetched)

    def test_mpv_to_vlc_where_mpv_is_missing(self):
        self.begin("mpv", "vlc")
        self.go_on("vlc", self.fetched)

    def test_vlc_to_mpv_where_vlc_is_missing(self):
        self.begin("vlc", "mpv")
        self.go_on("mpv", self.fetched)

    def test_there_and_back_again(self):
        self.begin("mpv", "mpv")
        self.laptop.install("mpv", TYPES, exec=f"{MPV} -- %U")
        self.go_on("mpv", self.fetched)
        player = self.desktop.players()[0]
        self.desktop.order(player, "Seek", "int64:100000000")
        wait_until(lambda: self.desktop.position(player) >= 299, "the desktop is at 299 s")
        offer = wait_until(self.laptop.offers, "the desktop offers it")[0]
        self.daemons[0].baton("open", offer["id"])
        # The player that was paused opens what came back.
        wait_until(lambda: (self.laptop.position(self.player) or 0) >= 299, "the laptop is at 299 s")
        self.assertEqual(self.laptop.status(self.player), "Playing")
        wait_until(lambda: self.desktop.status(player) == "Paused", "the desktop is paused")


class SharedTests(PlayerTest):
    """The same content is in a shared folder of the desktop, under another name."""

    def go_on_shared(self, player):
        path = write_sound(self.shared / "elsewhere/other name.wav", 600, seed=7)
        self.begin(player, "mpv", "vlc")
        self.go_on(player, path)
        self.assertFalse((self.desktop.home / "Handoff").exists())

    def test_mpv_finds_the_same_content(self):
        self.go_on_shared("mpv")

    def test_vlc_finds_the_same_content(self):
        self.go_on_shared("vlc")


class SpeedTests(PlayerTest):
    def test_the_speed_goes_along(self):
        self.begin("mpv", "mpv")
        subprocess.run(
            ["dbus-send", f"--bus={self.laptop.bus.address}", "--print-reply", f"--dest=org.mpris.MediaPlayer2.{self.player}",
             "/org/mpris/MediaPlayer2", "org.freedesktop.DBus.Properties.Set", "string:org.mpris.MediaPlayer2.Player",
             "string:Rate", "variant:double:1.5"], check=True, capture_output=True, timeout=60,
        )
        offer = wait_until(self.desktop.offers, "it is offered")[0]
        self.daemons[1].baton("open", offer["id"])
        player = self.desktop.players()[0]
        wait_until(lambda: self.desktop.get(player, "Rate")[-1] == "1.5", "the speed")


class PictureTests(PlayerTest):
    """A video on two screens. What they show is kept in .build/everyday."""

    # With the seconds in the picture, and what a person sees who asks the player where it is.
    film = "av://lavfi:testsrc=duration=300:size=480x270:rate=2"
    shown = MPV.replace("--vo=null", "--vo=x11 --geometry=480x270+0+0 --osd-level=3 --osd-font-size=40")

    def screen(self, machine):
        reading, writing = os.pipe()
        with open(machine.home / "xvfb.log", "wb") as log:
            self.spawn(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "480x270x24", "-nolisten", "tcp", "-noreset"],
                pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=log,
            )
        os.close(writing)
        with os.fdopen(reading) as lines:
            return ":" + lines.readline().strip()

    def picture(self, name, display):
        PICTURES.mkdir(parents=True, exist_ok=True)
        subprocess.run(
            ["import", "-display", display, "-window", "root", PICTURES / f"{name}.png"], check=True, timeout=PATIENCE,
        )

    def command(self, player):
        return self.shown

    def test_a_film(self):
        screens = [self.screen(machine) for machine in (self.laptop, self.desktop)]
        film = self.laptop.home / "Videos/Whales.mp4"
        film.parent.mkdir(parents=True)
        subprocess.run(
            ["mpv", "--no-config", self.film, f"--o={film}", "--ovc=mpeg4", "--no-audio"], check=True, capture_output=True,
            stdin=subprocess.DEVNULL, timeout=PATIENCE,
        )
        self.desktop.install("mpv", TYPES, exec=f"env DISPLAY={screens[1]} {self.shown} -- %U")
        for machine in (self.laptop, self.desktop):
            machine.start()
        self.spawn(
            [*self.shown.split(), film], env={**self.laptop.environment, "DISPLAY": screens[0]}, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        self.player = wait_until(self.laptop.players, "mpv is on the bus")[0]
        self.seek(127)
        offer = wait_until(self.desktop.offers, "it is offered")[0]
        self.daemons[1].baton("open", offer["id"])
        player = wait_until(self.desktop.players, "a player is on the desktop's bus")[0]
        wait_until(lambda: self.laptop.status(self.player) == "Paused", "the origin is paused")
        wait_until(lambda: (self.desktop.position(player) or 0) >= 127, "the film goes on")
        for number, display in enumerate(screens, 1):
            self.picture(f"playback-{number}-{('laptop', 'desktop')[number - 1]}", display)
