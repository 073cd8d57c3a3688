# SPDX-License-Identifier: Apache-2.0
"""Clipboard managers of both kinds of desktops, which put back what has gone."""
# Labs: lo, pair

import os
import pathlib
import select
import shutil
import subprocess
import time

from clipboards import Compositor, DesktopTest, HINT, MARKER, SECRET
from desktop import SessionBus
from lab import PATIENCE, on, wait_until
from waiting import Deadline

# GNOME's manager is part of its window manager.
GNOME = ("gnome-shell", "--x11")
CLIPMAN = ("wl-paste", "-t", "text", "--watch", "sh", "-c", "clipman store")
GPASTE = "/usr/libexec/gpaste/gpaste-daemon"


class ManagersTest(DesktopTest):
    """Clipboard managers of both desktops."""

    def manage(self, *command, other=None):
        """Starts a manager at each end."""
        return [self.run_manager(screen, *words) for screen, words in zip(self.screens, (command, other or command))]

    def run_manager(self, screen, *command):
        for program in (*command[-1].split()[:1], command[0], "dbus-daemon"):
            if not program.startswith("-") and not shutil.which(program):
                self.skipTest(f"needs {program}")
        name = screen.machine.daemon.name
        # Neither a program of the system is asked, nor is one of the session started.
        bus = SessionBus(self, f"bus-{name}").start()
        variables = {
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DBUS_SYSTEM_BUS_ADDRESS": bus.address,
            "XDG_RUNTIME_DIR": str(screen.machine.home), "QT_QPA_PLATFORM": "xcb", "GSETTINGS_BACKEND": "memory",
            "LIBGL_ALWAYS_SOFTWARE": "1", "XDG_DATA_DIRS": "/usr/share",
        }
        # clipman makes no folder for its history.
        (screen.machine.home / ".local/share").mkdir(parents=True, exist_ok=True)
        log = self.directory / f"manager-{name}.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            return screen.spawn(*command, stdout=output, stderr=output, environment=variables)

    def clear(self, client, screen):
        """Empties the clipboard, and leaves the program alone."""
        self.assertIsNotNone(screen.read("xsel", "--clipboard", "--clear"))

    def kill(self, client, screen):
        client.kill()
        client.wait(PATIENCE)

    def wait_until_kept(self, screen, end=None):
        """A manager is there when it puts back what is copied without a mark."""
        def is_kept():
            client = self.client("UTF8_STRING", "STRING", content=b"harmless", screen=screen)
            # Baton reads it, and so does the manager.
            for _ in range(2):
                if not select.select([client.stdout], [], [], 2)[0]:
                    break
                client.stdout.readline()
            (end or self.kill)(client, screen)
            deadline = time.monotonic() + 2
            while time.monotonic() < deadline:
                if screen.paste() == b"harmless":
                    return True
            return False

        wait_until(is_kept, "a manager puts it back", 60)


class ManagerTests(ManagersTest):
    """Clipboard managers that know no marks, and put back what has gone."""

    def assertKeeps(self, *command, end=None):
        """The manager keeps what is copied, and it is not shared if it was secret."""
        self.run_manager(self.near, *command)
        self.wait_until_kept(self.near, end)
        def is_shared():
            self.near.copy(b"before")
            return self.far.paste() == b"before"

        wait_until(is_shared, "it is shared", interval=2)
        secret = self.client("UTF8_STRING", "STRING", HINT, content=SECRET)
        self.wait_until_not_mirrored(self.far)
        # Only the manager reads it.
        self.assertIn(b"given", secret.stdout.readline())
        (end or self.kill)(secret, self.near)
        wait_until(lambda: self.near.paste() == SECRET, "it puts the secret back")
        self.assertNotIn(HINT.encode(), self.near.types())
        self.copy_until_mirrored(b"after")
        # The manager keeps it on this machine.
        for process in (self.laptop, self.laptop.daemon, self.desktop, self.desktop.daemon):
            self.assertFalse(self.remembers(process.process.pid, SECRET))

    def test_parcellite(self):
        self.assertKeeps("parcellite", "--no-icon")

    def test_gnome(self):
        self.assertKeeps(*GNOME)

    def test_gpaste(self):
        self.assertKeeps(GPASTE, end=self.clear)

    def test_gpaste_puts_the_secret_back_after_a_picture(self):
        """It keeps no pictures, unless a person wants that."""
        self.run_manager(self.near, GPASTE)
        self.wait_until_kept(self.near, self.clear)
        secret = self.client("UTF8_STRING", HINT, content=SECRET)
        self.assertIn(b"given", secret.stdout.readline())
        end = time.monotonic() + 5.5
        wait_until(lambda: time.monotonic() > end, "the secret is old")
        picture = self.client("image/png", content=b"picture")
        self.wait_until_mirrored(self.far, "image/png")
        self.clear(picture, self.near)
        wait_until(lambda: self.near.paste() == SECRET, "it puts the secret back")
        self.assertQuiet([[], []])
        self.assertNotIn(MARKER, self.far.types())


class ManagersAtBothEndsTests(ManagersTest):
    """Many copies in a row each way."""

    count = 100
    # Seconds between a copy's arrival and the next copy.
    pace = 0
    # After the first ten, one copy is mirrored in two seconds.
    time_limit = 300 + 6 * count

    def assertCopies(self, *command, other=None):
        managers = self.manage(*command, other=other)
        for here, there in ((self.near, self.far), (self.far, self.near)):
            for number in range(self.count):
                content = b"%s %d" % (here.machine.daemon.name.encode(), number)
                here.copy(content)
                wait_until(lambda: there.paste() == content, f"{content} is there", 60)
                end = time.monotonic() + self.pace
                wait_until(lambda: time.monotonic() >= end, "the managers have it")
                self.assertEqual((here.paste(), there.paste()), (content, content))
            end = time.monotonic() + 4
            wait_until(lambda: time.monotonic() > end, "the managers have done what they do")
            self.assertQuiet(self.identities())
            self.assertEqual((here.paste(), there.paste()), (content, content))
            self.assertEqual([manager.poll() for manager in managers], [None, None])
        # What was copied ends, and the managers put back what they have.
        self.near.copy(os.urandom(1000), "image/png")
        self.wait_until_mirrored(self.far, "image/png")
        self.laptop.run("copy", "--clear")
        end = time.monotonic() + 4
        wait_until(lambda: time.monotonic() > end, "the managers have done what they do")
        self.assertEqual(self.identities(), [[], []])

    def test_klipper(self):
        self.assertCopies("klipper")

    def test_copyq(self):
        self.assertCopies("copyq")

    def test_clipman_of_xfce(self):
        self.assertCopies("xfce4-clipman")

    def test_parcellite(self):
        self.assertCopies("parcellite", "--no-icon")

    def test_gnome(self):
        self.assertCopies(*GNOME)

    def test_gpaste(self):
        self.assertCopies(GPASTE)

    def test_klipper_and_gpaste(self):
        self.assertCopies("klipper", other=[GPASTE])


class ManagersOnWaylandTests(ManagersAtBothEndsTests):
    screen = Compositor
    # clipman runs a program for each copy, and sets it itself once more. What is copied before that gives way to it.
    pace = 1
    test_klipper = test_copyq = test_clipman_of_xfce = test_parcellite = None
    test_gnome = test_gpaste = test_klipper_and_gpaste = None

    def test_clipman(self):
        self.assertCopies(*CLIPMAN)


class TakenOverTests(ManagersTest):
    """What is left of a copy when its program ends, and a manager takes it over."""

    time_limit = 600
    text = ("UTF8_STRING", "text/plain;charset=utf-8")
    files = ("x-special/gnome-copied-files", "text/uri-list", *text)

    def copy(self, here, there, *names, content):
        """Returns the program whose copy is mirrored. What comes soon after another one has ended may be a secret."""
        before, clients = self.identities(), []

        def is_mirrored():
            if self.identities() != before and MARKER in there.types():
                return True
            clients.append(self.client(*names, content=content, screen=here))
            return False

        wait_until(is_mirrored, f"{names} is mirrored", 60, interval=2)
        self.wait_until_managers_have_it()
        return clients[-1]

    @staticmethod
    def wait_until_managers_have_it():
        end = time.monotonic() + 2.5
        wait_until(lambda: time.monotonic() > end, "the managers have it")

    def end(self, client, screen, type, content):
        self.kill(client, screen)
        wait_until(lambda: screen.paste(type) == content, "the manager puts it back")

    def assertTakenOver(self, *command):
        self.manage(*command)
        for screen in self.screens:
            self.wait_until_kept(screen)
        for here, there in ((self.near, self.far), (self.far, self.near)):
            for names in (self.text, ("image/png",)):
                content = os.urandom(1000).hex().encode()
                client = self.copy(here, there, *names, content=content)
                before = self.identities()
                self.end(client, here, names[0], content)
                self.assertQuiet(before)
                self.assertEqual(there.paste(names[0]), content)
            # Of this, the manager keeps the text only.
            client = self.copy(here, there, "text/html", *self.text, content=b"<b>rich</b>")
            self.end(client, here, None, b"<b>rich</b>")
            wait_until(lambda: b"text/html" not in there.types(), "what is gone is not offered")
            wait_until(lambda: there.paste() == b"<b>rich</b>", "the text is pasted")
            self.assertQuiet(self.identities())
            self.assertFilesStay(here, there)

    def assertFilesStay(self, here, there):
        """The names of files do not become a text."""
        files = self.client(*self.files, content=b"file:///a", screen=here)
        self.wait_until_not_mirrored(there)
        self.wait_until_managers_have_it()
        self.end(files, here, None, b"file:///a")
        self.assertQuiet([[], []])

    def test_gnome(self):
        self.assertTakenOver(*GNOME)

    def test_what_nobody_has_pasted_yet_is_the_same_copy_in_gnome(self):
        self.run_manager(self.near, *GNOME)
        self.wait_until_kept(self.near)
        client = self.copy(self.near, self.far, *self.text, content=b"unread")
        before = self.identities()
        self.end(client, self.near, None, b"unread")
        self.assertQuiet(before)
        self.assertEqual(self.far.paste(), b"unread")

    def test_a_picture_that_gpaste_encodes_anew_does_not_come_back(self):
        folder = self.desktop.home / "settings/glib-2.0/settings"
        folder.mkdir(parents=True)
        (folder / "keyfile").write_text("[org/gnome/GPaste]\nimages-support=true\n")
        variables = [f"XDG_CONFIG_HOME={self.desktop.home}/settings", "GSETTINGS_BACKEND=keyfile"]
        picture = subprocess.run(["convert", "-size", "60x60", "plasma:", "png:-"], check=True, capture_output=True).stdout
        self.run_manager(self.far, "env", *variables, GPASTE)
        self.wait_until_kept(self.far, self.clear)

        def is_taken_over():
            types = self.far.types()
            if b"image/png" in types and MARKER not in types:
                return True
            # What comes soon after the end of another machine's copy is not offered.
            self.near.copy(picture, "image/png")
            return False

        wait_until(is_taken_over, "GPaste has it", interval=3)
        self.assertNotIn(self.far.paste("image/png"), (None, picture))
        before = self.identities()
        self.assertQuiet(before)
        self.assertEqual((before[0], self.near.paste("image/png")), ([], picture))

    def test_what_ends_elsewhere_is_gone_in_gnome(self):
        self.manage(*GNOME)
        self.wait_until_kept(self.far)

        def is_mirrored():
            self.laptop.copy(b"from a command")
            return self.far.paste() == b"from a command"

        wait_until(is_mirrored, "it is mirrored", interval=1)
        self.laptop.run("copy", "--clear")
        self.wait_until_not_mirrored(self.far)
        end = time.monotonic() + 3
        while time.monotonic() < end:
            self.assertFalse(self.far.paste())

    def test_files_in_parcellite(self):
        self.run_manager(self.near, "parcellite", "--no-icon")
        self.wait_until_kept(self.near)
        self.copy(self.near, self.far, *self.text, content=b"before")
        self.assertFilesStay(self.near, self.far)


class TakenOverOnWaylandTests(TakenOverTests):
    screen = Compositor
    text = ("text/plain;charset=utf-8", "text/plain")
    files = ("x-special/gnome-copied-files", "text/uri-list", *text)
    test_gnome = test_what_nobody_has_pasted_yet_is_the_same_copy_in_gnome = None
    test_what_ends_elsewhere_is_gone_in_gnome = test_files_in_parcellite = None
    test_a_picture_that_gpaste_encodes_anew_does_not_come_back = None

    def test_files_in_clipman(self):
        self.run_manager(self.near, *CLIPMAN)
        self.copy(self.near, self.far, *self.text, content=b"before")
        self.assertFilesStay(self.near, self.far)


class KDEConnectTests(DesktopTest):
    """A second mirror, which is paired between the same machines: KDE Connect on both, and copies in turn each way."""

    labs = ("pair",)
    count = 50
    time_limit = 900

    def setUp(self):
        self.program = next(pathlib.Path("/usr/lib").glob("*/libexec/kdeconnectd"), None)
        if not self.program or not shutil.which("kdeconnect-cli"):
            self.skipTest("needs kdeconnect")
        super().setUp()
        self.ids = [f"_{name}_0000_4000_8000_000000000000_" for name in ("0aaaaaaa", "0bbbbbbb")]
        for number in range(2):
            self.make_identity(number)
        self.connects = [self.connect(*place) for place in zip(range(2), self.machines, self.screens)]
        self.meet()

    def connect(self, number, machine, screen):
        """The environment of one machine's KDE Connect, which runs there."""
        runtime = machine.home / "kde"
        folder = self.folder(number)
        # Only the first looks for the other: otherwise, they replace each other's connections.
        others = "" if number else "customDevices=10.77.0.2\n"
        (folder / "config").write_text(f"[General]\nname={machine.daemon.name}\n{others}")
        # They are paired.
        other = 1 - number
        certificate = (self.folder(other) / "certificate.pem").read_text().replace("\n", "\\n")
        (folder / "trusted_devices").write_text(
            f'[{self.ids[other]}]\ncertificate="{certificate}"\nname={self.machines[other].daemon.name}\ntype=desktop\n'
        )
        # A bus that starts nothing by itself.
        bus = runtime / "bus.conf"
        bus.write_text(
            f"<busconfig><type>session</type><listen>unix:dir={runtime}</listen><policy context='default'>"
            "<allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy></busconfig>"
        )
        reading, writing = os.pipe()
        log = machine.home / "kdeconnect.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            self.spawn(["dbus-daemon", f"--config-file={bus}", "--nofork", f"--print-address={writing}"], pass_fds=[writing], stderr=output)
            os.close(writing)
            with os.fdopen(reading, "rb") as lines:
                address = lines.readline().decode().strip()
            environment = {
                **os.environ, **screen.environment, "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": str(runtime), "QT_QPA_PLATFORM": "xcb",
                "HOME": str(runtime), "XDG_CONFIG_HOME": str(runtime / "config"),
            }
            self.spawn(on(self.host(number), self.program), env=environment, stdout=output, stderr=output)
        return environment

    def ask(self, number, *arguments):
        result = subprocess.run(
            on(self.host(number), "kdeconnect-cli", *arguments), env=self.connects[number], capture_output=True, text=True,
            timeout=PATIENCE,
        )
        return result.stdout.split("\n")

    def folder(self, number):
        return self.machines[number].home / "kde/config/kdeconnect"

    def make_identity(self, number):
        folder = self.folder(number)
        folder.mkdir(parents=True)
        (self.machines[number].home / "kde").chmod(0o700)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3000", "-subj",
             f"/O=KDE/OU=KDE Connect/CN={self.ids[number]}", "-keyout", folder / "privateKey.pem", "-out", folder / "certificate.pem"],
            check=True, capture_output=True, timeout=PATIENCE,
        )

    def meet(self):
        def have_met():
            return all(self.ids[1 - number] in self.ask(number, "--list-available", "--id-only") for number in range(2))

        wait_until(lambda: all(self.ids[number] in self.ask(number, "--my-id") for number in range(2)), "both run")

        def meet():
            try:
                return wait_until(have_met, "they meet by themselves", 5, interval=0.5)
            except Deadline:
                # Not sooner: a connection that takes the place of another one can end both.
                self.ask(0, "--refresh")
                return False

        wait_until(meet, "they meet", 120)

    def test_copies_end_and_all_that_is_copied_arrives(self):
        for daemon in self.daemons:
            daemon.kill()
        self.near.copy(b"by KDE Connect")
        wait_until(lambda: self.far.paste() == b"by KDE Connect", "it mirrors by itself")
        for daemon in self.daemons:
            daemon.start()
        for daemon in self.daemons:
            daemon.wait_for_sessions(1)
        for here, there in ((self.near, self.far), (self.far, self.near)):
            for number in range(self.count):
                content = b"%s %d" % (here.machine.daemon.name.encode(), number)
                here.copy(content)
                wait_until(lambda: there.paste() == content, f"{content} is there", 60)
                # At a person's pace. KDE Connect sends back what another program mirrors; what is copied in that moment
                # gives way to it.
                end = time.monotonic() + 0.7
                wait_until(lambda: time.monotonic() > end, "KDE Connect has answered")
                self.assertEqual((here.paste(), there.paste()), (content, content))
            end = time.monotonic() + 6
            wait_until(lambda: time.monotonic() > end, "all have answered", 30)
            self.assertQuiet(self.identities())
            self.assertEqual((here.paste(), there.paste()), (content, content))

    def test_a_password_can_be_pasted(self):
        self.near.copy(b"before")
        wait_until(lambda: self.far.paste() == b"before", "it is mirrored")
        self.client("UTF8_STRING", "text/plain", HINT, content=SECRET)
        end = time.monotonic() + 6
        while time.monotonic() < end:
            self.assertEqual(self.near.paste(), SECRET)
        # KDE Connect gives it to the other machine, as something that was copied there; nothing of this machine is offered.
        self.assertEqual(self.desktop.offers(), [])
