# SPDX-License-Identifier: Apache-2.0
"""What is copied on one desktop and pasted on another: GNOME on Wayland, whose compositor has an interface of its own.

The gate has a program that does what the compositor does. The real ones are Debian 12's, if it is installed, and Debian 13's,
in the root that Scripts/run-integration makes.

What users of neighbouring programs have reported is among the tests: a clipboard that is dead after the screen was locked
(GPaste 121, gnome-shell-screenshot 4) or blank (xrdp 841), a paste that hangs then (xrdp 3580), text that comes back when its
program has ended (GPaste 182, copypasta 15), programs that wait for each other (Clipboard Indicator 426, wl-clipboard 163),
lists of files (Clipboard Indicator 184), what the shell itself copies (GSConnect 2153), and two remote desktops at the same
time (xdg-desktop-portal 1434)."""
# Labs: lo

import json
import os
import pathlib
import select
import signal
import subprocess
import time
import types

from clipboards import DesktopTest, HINT, MARKER, SECRET, Screen, SharedTests
from desktop import SessionBus
from lab import BUILD, PATIENCE, ROOT, LabTest, on, wait_until
from test_wake import FakeLogind

TEXT = ("text/plain;charset=utf-8", "text/plain", "UTF8_STRING")
FAKE = ROOT / "Tests/Lab/fake-mutter"
PROGRAM = ROOT / "Tests/Lab/fake-program"
TRIXIE = ROOT / ".build/debian-gnome"
# The shell has a /tmp of its own, in which displays are locked, with the test's directory in it. With LOCKS, it believes that
# there is a login manager, by its /run.
PRIVATE = """
mount --make-rprivate / && lower=$1 home=$2 shared=$3 root=$2/root && shift 3 || exit
if [ "$lower" = / ]; then
  mount --rbind / "$root" || exit
else
  mount -t overlay overlay -o "lowerdir=$lower,upperdir=$home/up,workdir=$home/work" "$root" || exit
  for one in proc sys dev; do mount --rbind /$one "$root/$one" || exit; done
fi
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp" && mkdir -p "$root$shared" && mount --rbind "$shared" "$root$shared" || exit
if [ -n "$LOCKS" ]; then mount -t tmpfs tmpfs "$root/run" && mkdir -p "$root/run/systemd/seats" || exit; fi
mkdir -m 1777 "$root/tmp/.X11-unix" && exec chroot "$root" env "$@"
"""


class FakeGnome(Screen):
    """What GNOME Shell does with the clipboard."""

    tools = ("dbus-daemon",)
    pasting = (PROGRAM, "paste")

    def __init__(self, case, machine):
        self.case, self.machine = case, machine
        self.bus = SessionBus(case, f"bus-{machine.daemon.name}").start()
        # No compositor listens there.
        self.variables = {"DBUS_SESSION_BUS_ADDRESS": self.bus.address, "WAYLAND_DISPLAY": "wayland-gnome"}
        self.begin()

    def begin(self):
        self.server = self.spawn(FAKE, stdout=subprocess.PIPE)
        self.case.assertEqual(self.server.stdout.readline(), b"ready\n")

    def offer(self, *names, content=b"", **environment):
        """Owns the selection in these types, until it ends."""
        return self.spawn(PROGRAM, "copy", *names, input=content, stdout=subprocess.PIPE, environment=environment)

    def copy(self, content, type=None):
        return self.offer(*([type] if type else TEXT), content=content)

    def paste(self, type=None):
        return self.read(PROGRAM, "paste", *([type] if type else []))

    def empty(self):
        self.set("empty", True)

    def flood(self, count, last):
        process = self.spawn(PROGRAM, "flood", str(count), input=last, stdout=subprocess.PIPE)
        self.case.assertEqual(process.stdout.readline(), b"owned\n")

    def types(self):
        return self.read(PROGRAM, "types").split()

    def set(self, name, value):
        self.case.assertIsNotNone(self.read(PROGRAM, "set", name, str(int(value))))

    def refusals(self):
        """How often it was asked for a session since the last time, and refused."""
        descriptor, said = self.server.stdout.fileno(), b""
        while select.select([descriptor], [], [], 0)[0] and (part := os.read(descriptor, 4096)):
            said += part
        return said.count(b"refused")

    def restart(self):
        """As after a crash."""
        self.server.kill()
        self.server.wait(PATIENCE)
        self.begin()


class Gnome(Screen):
    """GNOME Shell without a screen."""

    tools = ("gnome-shell", "Xwayland", "xclip", "wl-copy", "busctl", "dbus-daemon", "cc")
    pasting = ("xclip", "-selection", "clipboard", "-o")
    root = pathlib.Path("/")
    locks = False

    def __init__(self, case, machine):
        self.case, self.machine = case, machine
        self.bus = SessionBus(case, f"bus-{machine.daemon.name}").start()
        self.home = machine.home / "gnome"
        for name in ("run", "root", "up", "work"):
            (self.home / name).mkdir(parents=True, mode=0o700)
        self.log = machine.home / "gnome.log"
        case.logs.append(self.log)
        self.variables = {"DBUS_SESSION_BUS_ADDRESS": self.bus.address}
        if self.locks:
            manager = self.spawn(PROGRAM, "display-manager", stdout=subprocess.PIPE)
            case.assertEqual(manager.stdout.readline(), b"ready\n")
        self.begin()

    def begin(self):
        variables = {
            "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "HOME": self.home, "XDG_RUNTIME_DIR": self.home / "run",
            "DBUS_SESSION_BUS_ADDRESS": self.bus.address, "DBUS_SYSTEM_BUS_ADDRESS": self.bus.address,
            "XDG_CURRENT_DESKTOP": "GNOME", "XDG_SESSION_TYPE": "wayland", "XDG_DATA_DIRS": "/usr/share",
            "GSETTINGS_BACKEND": "memory", "LIBGL_ALWAYS_SOFTWARE": "1", "NO_AT_BRIDGE": "1",
        }
        shell = ("gnome-shell", "--headless", "--virtual-monitor", "640x480", "--wayland", "--unsafe-mode")
        with open(self.log, "ab") as output:
            self.server = self.case.spawn(
                ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", PRIVATE, "sh", self.root, self.home, self.case.directory, "-i",
                 *(f"{name}={value}" for name, value in variables.items()), *shell],
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                env={**os.environ, "LOCKS": "1" if self.locks else ""},
            )
        self.variables = {"DBUS_SESSION_BUS_ADDRESS": self.bus.address}
        wait_until(lambda: self.evaluate("!Main.layoutManager._startingUp"), "GNOME Shell", 90)
        # Without a keyboard, no window has the focus, which wl-copy needs.
        seat = "imports.gi.Clutter.get_default_backend().get_default_seat()"
        keyboard = f"{seat}.create_virtual_device(imports.gi.Clutter.InputDeviceType.KEYBOARD_DEVICE)"
        self.evaluate(f"Main.overview.hide(); globalThis.keyboard = {keyboard}; 0")
        wait_until(lambda: self.evaluate("!Main.overview.visible && !Main.modalCount"), "the overview has gone")
        wayland = next(path for path in (self.home / "run").glob("wayland-*") if path.is_socket())
        self.variables = {
            "DBUS_SESSION_BUS_ADDRESS": self.bus.address, "WAYLAND_DISPLAY": str(wayland),
            "DISPLAY": self.evaluate("imports.gi.GLib.getenv('DISPLAY')"),
            "XAUTHORITY": self.evaluate("imports.gi.GLib.getenv('XAUTHORITY')"),
        }

    def signal(self, number):
        # The shell is the first process in there.
        os.kill(int(pathlib.Path(f"/proc/{self.server.pid}/task/{self.server.pid}/children").read_text()), number)

    def evaluate(self, code):
        """The value of JavaScript in the shell. None also while it does not answer."""
        answer = self.read(
            "busctl", f"--address={self.bus.address}", "--json=short", "call",
            "org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval", "s", code,
        )
        succeeded, value = json.loads(answer)["data"] if answer else (False, "")
        return json.loads(value or "null") if succeeded else None

    def offer(self, *names, content=b"", **environment):
        return self.spawn(self.case.program(), *names, input=content, stdout=subprocess.PIPE, environment=environment)

    def empty(self):
        """As the shell does when it locks the screen."""
        self.evaluate("imports.gi.St.Clipboard.get_default().set_text(imports.gi.St.ClipboardType.CLIPBOARD, ''); 0")

    def flood(self, count, last):
        copy = "imports.gi.St.Clipboard.get_default().set_text(imports.gi.St.ClipboardType.CLIPBOARD, text)"
        self.evaluate(
            f"for (let number = 0; number <= {count}; number++) {{"
            f" const text = number < {count} ? `number ${{number}}` : {json.dumps(last.decode())}; {copy}; }} 0"
        )

    def lock(self):
        """As on a real screen. Without one, the shell lets remote desktops go on."""
        self.evaluate("global.backend.is_headless = () => false; Main.screenShield.lock(false); 0")
        wait_until(lambda: self.evaluate("Main.sessionMode.currentMode") == "unlock-dialog", "the screen is locked")

    def unlock(self):
        self.evaluate("Main.screenShield.deactivate(false); 0")
        wait_until(lambda: self.evaluate("Main.sessionMode.currentMode") == "user", "the screen is unlocked")

    def types(self):
        selection = "global.display.get_selection().get_mimetypes(imports.gi.Meta.SelectionType.SELECTION_CLIPBOARD)"
        return [name.encode() for name in self.evaluate(selection) or []]

    def restart(self):
        self.server.kill()
        self.server.wait(PATIENCE)
        self.begin()


class TrixieGnome(Gnome):
    """That of Debian 13."""

    root = TRIXIE


class LockingGnome(Gnome):
    locks = True


class LockingTrixieGnome(TrixieGnome):
    locks = True


class GnomeTests(SharedTests):
    """For the real ones and the fake one. Each copy is read once at once, by the clipboard manager in the compositor."""

    # It asks what can be read once.
    test_what_can_be_pasted_once_is_there_when_a_person_pastes_it = None
    # Mutter gives up what somebody has just asked for when the next copy comes, and X11 programs then wait. See below.
    test_the_other_clipboard_is_never_empty_between_copies = None
    # See below.
    test_a_copy_is_the_same_in_the_hands_of_a_manager = None
    test_what_a_manager_puts_back_is_no_new_copy = None
    test_nothing_is_read_before_another_machine_asks_for_it = None

    def client(self, *names, content=b"", screen=None, first="owned", **environment):
        process = (screen or self.near).offer(*names, content=content, **environment)
        self.assertEqual(process.stdout.readline(), first.encode() + b"\n")
        return process

    @property
    def pasting(self):
        return self.screen.pasting

    def assertUnread(self, client):
        """The manager may have read it, and nobody else."""
        self.assertTrue(self.remembers(client.pid, SECRET))
        client.kill()
        self.assertLessEqual(client.stdout.read().count(b"given"), 1)

    def end(self, process):
        process.kill()
        process.wait(PATIENCE)

    def test_what_ends_is_gone_although_a_manager_keeps_what_it_reads(self):
        for content in (b"first", b"second"):
            self.near.copy(content)
            self.wait_until_mirrored(self.far)
            self.laptop.run("copy", "--clear")
            wait_until(lambda: not self.far.types(), "nothing is there any more")
        self.near.copy(b"pasted")
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.paste(), b"pasted")
        self.laptop.run("copy", "--clear")
        wait_until(lambda: not self.far.types(), "nothing is there any more")

    def test_a_copy_stays_when_its_program_ends(self):
        client = self.client(*TEXT, content=b"kept")
        self.wait_until_mirrored(self.far)
        offered = self.desktop.offers()[0]["id"]
        # Until then, the manager might have something older.
        self.wait_for_managers()
        self.end(client)
        wait_until(lambda: self.near.types() == [TEXT[0].encode()], "the manager has put it back")
        self.assertEqual(self.far.paste(), b"kept")
        self.assertEqual([offer["id"] for offer in self.desktop.offers()], [offered])

    def test_a_secret_that_is_put_back_without_its_mark_goes_nowhere(self):
        for seconds in (0, 6):
            self.copy_until_mirrored(b"before")
            secret = self.client(*TEXT, HINT, content=SECRET)
            self.wait_until_not_mirrored(self.far)
            self.wait_for_managers(seconds)
            self.end(secret)
            wait_until(lambda: self.near.types() == [TEXT[0].encode()], "the manager has put it back")
            self.assertQuiet([[], []])
            self.copy_until_mirrored(b"after")
            self.assertNowhere(SECRET)
            self.far.copy(b"reset")
            self.wait_until_mirrored(self.near)

    def test_a_secret_that_its_program_gives_late_goes_nowhere(self):
        """The manager takes it for what was copied next."""
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        secret = self.client(*TEXT[:1], HINT, content=SECRET, LATE="1")
        self.wait_until_not_mirrored(self.far)
        self.wait_for_managers(6)
        harmless = self.client(*TEXT, content=b"harmless")
        self.wait_until_mirrored(self.far)
        self.wait_for_managers()
        secret.send_signal(signal.SIGUSR1)
        self.assertIn(b"given", b"".join(secret.stdout.readline() for _ in range(2)))
        self.wait_for_managers(1)
        self.end(harmless)
        self.wait_until_not_mirrored(self.far)
        self.assertQuiet([[], []])
        self.end(secret)
        self.assertNowhere(SECRET)

    def test_a_secret_that_is_given_late_is_not_put_back_in_the_place_of_a_mirrored_copy(self):
        secret = self.client(*TEXT[:1], HINT, content=SECRET, screen=self.far, LATE="1")
        self.wait_for_managers(6)
        self.near.copy(b"mirrored")
        self.wait_until_mirrored(self.far)
        secret.send_signal(signal.SIGUSR1)
        self.assertIn(b"given", b"".join(secret.stdout.readline() for _ in range(2)))
        self.wait_for_managers(1)
        self.laptop.run("copy", "--clear")
        wait_until(lambda: not self.far.types(), "nothing is there any more")
        self.assertIsNone(self.far.paste())
        self.assertQuiet([[], []])
        self.end(secret)
        self.assertNowhere(SECRET)

    def test_a_program_that_never_answers_holds_up_nobody(self):
        hanging = self.client(*TEXT, content=b"never", LATE="1")
        self.wait_until_mirrored(self.far)
        pasting = self.far.spawn(*self.pasting, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.wait_for_managers(1)
        for number in range(3):
            content = b"answered %d" % number
            self.near.copy(content)
            wait_until(lambda: self.far.paste() == content, "what is copied next is pasted")
        self.end(hanging)
        pasting.communicate(timeout=PATIENCE)

    def test_the_other_clipboard_always_has_types_between_copies(self):
        self.near.copy(b"0")
        self.wait_until_mirrored(self.far)
        before = self.desktop.offers()[0]["id"]
        for number in range(1, 6):
            self.near.copy(b"%d" % number)
            def arrived():
                self.assertTrue(self.far.types(), f"empty before {number}")
                found = self.desktop.offers()
                return found and found[0]["id"] != before and found[0]["id"]
            before = wait_until(arrived, f"copy {number}", 30)
        wait_until(lambda: self.far.paste() == b"5", "the last is pasted")

    def test_text_that_the_manager_has_cut_is_no_longer_offered(self):
        """It keeps four MiB."""
        for size, is_kept in (((4 << 20) - 1, True), (5 << 20, False)):
            before = self.identities()
            client = self.near.copy(b"x" * size)
            wait_until(lambda: self.identities() != before and self.desktop.offers(), "it is offered")
            self.wait_for_managers()
            offers = self.identities()
            self.end(client)
            wait_until(lambda: self.near.types() == [TEXT[0].encode()], "the manager has put it back")
            if is_kept:
                self.assertQuiet(offers)
                self.assertEqual(len(self.far.paste()), size)
            else:
                self.assertEqual(len(self.near.paste(TEXT[0])), 4 << 20)
                wait_until(lambda: not self.desktop.offers(), "it is withdrawn")
                self.assertQuiet([[], []])
                self.assertEqual(self.laptop.copies(), [])

    def test_a_shell_that_empties_the_clipboard_empties_no_other(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.far.copy(b"of the other")
        self.wait_until_mirrored(self.near)
        before = self.identities()
        # What comes sooner is compared with that.
        self.wait_for_managers(6)
        self.near.empty()
        wait_until(lambda: self.near.types() == [TEXT[0].encode()], "it is empty")
        self.assertQuiet(before)
        self.assertEqual(self.far.paste(), b"of the other")
        self.assertNotIn(MARKER, self.far.types())

    def test_a_remote_desktop_at_the_same_time(self):
        remote = self.near.spawn(PROGRAM, "remote", *TEXT, input=b"by a remote desktop", stdout=subprocess.PIPE)
        self.assertEqual(remote.stdout.readline(), b"owned\n")
        wait_until(lambda: self.far.paste() == b"by a remote desktop", "it is pasted")
        self.far.copy(b"back")
        self.wait_until_mirrored(self.near)
        wait_until(lambda: MARKER in remote.stdout.readline(), "the remote desktop hears of it")
        self.assertEqual(self.near.paste(), b"back")

    def test_many_copies_in_a_row(self):
        self.near.flood(300, b"the last")
        wait_until(lambda: self.far.paste() == b"the last", "the last is pasted", 60)

    def test_a_picture_of_20_mb_in_both_directions(self):
        for here, there in ((self.near, self.far), (self.far, self.near)):
            content = os.urandom(20_000_000)
            here.copy(content, "image/png")
            self.wait_until_mirrored(there, "image/png")
            # Mutter's manager reads it at the same time, and xclip confuses the two.
            wait_until(lambda: there.paste("image/png") == content, "it is pasted")
            # Another picture that comes so soon could be the same one, encoded anew.
            self.wait_for_managers()

    def test_a_shell_that_starts_again(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.near.restart()
        self.laptop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.near.copy(b"after")
        wait_until(lambda: self.far.paste() == b"after", "it is pasted")
        # What comes soon after the end of the copy of the first shell could be a secret that is older.
        self.wait_for_managers(6)
        self.far.copy(b"back")
        wait_until(lambda: self.near.paste() == b"back", "it is pasted")

    def test_programs_that_end_while_they_paste(self):
        content = os.urandom(8_000_000)
        self.near.copy(content, "image/png")
        self.wait_until_mirrored(self.far, "image/png")
        for number in range(6):
            pasting = self.far.spawn(*self.pasting, *(("-t",) if "xclip" in self.pasting else ()), "image/png", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            if number % 2:
                pasting.stdout.read(1)
            self.end(pasting)
        self.assertEqual(self.far.paste("image/png"), content)

    def test_programs_that_end_while_they_are_read(self):
        for number in range(3):
            client = self.client(*TEXT, content=b"gone", LATE="1")
            self.wait_until_mirrored(self.far)
            pasting = self.far.spawn(*self.pasting, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
            self.wait_for_managers(0.5)
            self.end(client)
            self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], b"")
            self.wait_until_not_mirrored(self.far)
            self.copy_until_mirrored(b"next %d" % number)

    def test_a_selection_with_too_many_types_is_a_secret(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        client = self.client(*(f"image/x{number}" for number in range(400)), HINT, content=SECRET)
        self.wait_until_not_mirrored(self.far)
        self.assertQuiet([[], []])
        self.assertUnread(client)
        self.assertNowhere(SECRET)

    def wait_for_managers(self, seconds=2.5):
        """They know what is copied after this time, and the secret before it is forgotten after five seconds."""
        end = time.monotonic() + seconds
        wait_until(lambda: time.monotonic() > end, "managers have it", seconds + PATIENCE)


class FakeGnomeTests(GnomeTests, DesktopTest):
    screen = FakeGnome

    def test_nothing_is_read_before_another_machine_asks_for_it(self):
        for screen in self.screens:
            screen.set("manager", False)
        SharedTests.test_nothing_is_read_before_another_machine_asks_for_it(self)

    def test_a_session_that_is_ended_is_begun_again(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        for screen in self.screens:
            screen.set("end", True)
        self.desktop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.laptop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.near.copy(b"after")
        wait_until(lambda: self.far.paste() == b"after", "it is pasted")

    def test_a_compositor_that_hangs(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.far.set("silent", True)
        self.near.copy(b"while it hangs")
        self.desktop.wait_for_log("Not sharing the desktop's clipboard", 1)
        self.far.set("silent", False)
        wait_until(lambda: self.far.paste() == b"while it hangs", "it is pasted")

    def test_signals_of_other_programs_are_ignored(self):
        client = self.client(*TEXT[:1], HINT, content=SECRET)
        names = self.near.bus.names()
        path = "/org/gnome/Mutter/RemoteDesktop/Session/u1"
        for name in filter(lambda name: name.startswith(":"), names):
            subprocess.run(
                ["busctl", f"--address={self.near.bus.address}", "emit", f"--destination={name}", path,
                 "org.gnome.Mutter.RemoteDesktop.Session", "SelectionOwnerChanged", "a{sv}", "2",
                 "mime-types", "as", "1", TEXT[0], "session-is-owner", "b", "false"],
                check=True, timeout=PATIENCE,
            )
        self.assertQuiet([[], []])
        self.assertUnread(client)


class LockTests(DesktopTest):
    """The laptop's screen is locked."""

    screen = FakeGnome
    client = GnomeTests.client
    wait_for_managers = GnomeTests.wait_for_managers

    def setUp(self):
        self.logind = None
        super().setUp()

    def two(self):
        # Both are on one host. This one's screen has no lock.
        configuration = self.directory / "unlocked.conf"
        configuration.write_text("[Privacy]\nWithholdWhenLocked=no\n")
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1, arguments=["--config", configuration]).start()
        self.make_team(laptop, desktop)
        return laptop, desktop

    def buses(self):
        if self.logind:
            return {}
        self.logind = FakeLogind(self, self.host(0))
        self.logind.obey(f"add 1 {os.getuid()}")
        bus = subprocess.run(on(self.host(0), "printenv", "DBUS_SYSTEM_BUS_ADDRESS"), capture_output=True, text=True)
        return {"DBUS_SYSTEM_BUS_ADDRESS": bus.stdout.strip()}

    def lock(self):
        # In this order.
        self.near.set("lock", True)
        self.logind.obey("lock 1")

    def unlock(self):
        self.near.set("lock", False)
        self.logind.obey("unlock 1")

    def test_what_another_machine_copies_meanwhile_is_there_afterwards(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.lock()
        self.wait_until_not_mirrored(self.far)
        wait_until(lambda: not self.helpers(self.laptop), "the helper has ended")
        self.desktop.copy(b"meanwhile")
        wait_until(self.laptop.offers, "it is offered")
        self.wait_for_managers(1.5)
        # Nothing was tried while it was locked.
        self.assertEqual(self.near.refusals(), 0)
        self.unlock()
        self.wait_until_mirrored(self.near)
        self.assertEqual(self.near.paste(), b"meanwhile")
        self.near.copy(b"after")
        wait_until(lambda: self.far.paste() == b"after", "it is pasted")

    def test_a_lock_that_is_lifted_at_once(self):
        for number in range(3):
            self.lock()
            self.unlock()
            self.far.copy(b"%d" % number)
            wait_until(lambda: self.near.paste() == b"%d" % number, "it is pasted")

    def test_a_screen_that_is_blank_for_a_while_and_not_locked(self):
        self.far.copy(b"before")
        self.wait_until_mirrored(self.near)
        self.near.set("blank", True)
        self.laptop.wait_for_log("the desktop doesn't let programs see it")
        self.assertEqual(self.near.types(), [])
        self.near.set("blank", False)
        # What was there before is there again.
        wait_until(lambda: self.near.paste() == b"before", "it is pasted")
        self.near.set("blank", True)
        wait_until(lambda: not self.near.types(), "it has gone")
        self.near.refusals()
        self.far.copy(b"meanwhile")
        self.wait_for_managers(4)
        # The helper waits.
        self.assertLessEqual(self.near.refusals(), 1)
        self.near.set("blank", False)
        wait_until(lambda: self.near.paste() == b"meanwhile", "it is pasted")

    def test_a_paste_ends_when_the_screen_is_locked(self):
        self.far.copy(b"other")
        self.wait_until_mirrored(self.near)
        self.desktop.daemon.freeze()
        heard = self.heard(self.helper(self.laptop))
        pasting = self.near.spawn(*self.near.pasting, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.heard(self.helper(self.laptop)) >= heard and self.sleeps(pasting.pid), "it is asked for")
        self.lock()
        self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], b"")

    def test_nothing_is_shared_while_the_screen_is_locked(self):
        """Not even if the session goes on, as without a screen."""
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.logind.obey("lock 1")
        self.wait_until_not_mirrored(self.far)
        wait_until(lambda: not self.laptop.copies(), "the agent knows that the screen is locked")
        client = self.client(*TEXT, content=SECRET)
        self.assertQuiet([[], []])
        self.assertEqual(self.laptop.copies(), [])
        GnomeTests.assertUnread(self, client)
        self.assertNowhere(SECRET)
        self.logind.obey("unlock 1")
        wait_until(lambda: self.laptop.daemon.call("GetStatus").get("withheld") is None, "the daemon offers again")
        self.copy_until_mirrored(b"after")
        self.assertNowhere(SECRET)


class HelperTests(LabTest):
    """The agent's helper alone, with the fake GNOME."""

    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.machine = types.SimpleNamespace(
            daemon=types.SimpleNamespace(name="laptop"), environment=dict(os.environ), home=self.directory
        )
        self.screen = FakeGnome(self, self.machine)

    def start(self):
        return self.spawn(
            [BUILD / "baton-clipboard"], env=self.screen.environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )

    def begin(self):
        helper = self.start()
        self.assertEqual(self.hear(helper), ["ready", "mutter"])
        return helper

    def say(self, helper, line, content=b""):
        helper.stdin.write(line.encode() + b"\n" + content)
        helper.stdin.flush()

    def hear(self, helper):
        words = helper.stdout.readline().decode().split()
        return [*words, helper.stdout.read(int(words[2]))] if words[:1] == ["content"] else words

    def client(self, *names, **options):
        process = self.screen.offer(*names, **options)
        self.assertEqual(process.stdout.readline(), b"owned\n")
        return process

    def test_what_a_program_gives_before_its_types_are_known_is_not_read(self):
        """It goes through the pipe faster than the types go over the bus."""
        for _ in range(10):
            helper = self.begin()
            self.client("text/plain", content=b"before")
            number = self.hear(helper)[1]
            self.screen.set("swap", True)
            self.client("text/plain", HINT, content=SECRET)
            self.say(helper, f"get 1 {number} text/plain")
            self.assertEqual(self.hear(helper), ["failed", "1"])
            self.assertEqual(self.hear(helper)[2:], ["text/plain", HINT])
            helper.kill()

    def test_it_waits_while_the_screen_is_off(self):
        self.screen.set("blank", True)
        helper = self.start()
        # Others can say that something has changed.
        for name in filter(lambda name: name.startswith(":"), self.screen.bus.names()):
            subprocess.run(
                ["busctl", f"--address={self.screen.bus.address}", "emit", f"--destination={name}",
                 "/org/gnome/ScreenSaver", "org.gnome.ScreenSaver", "ActiveChanged", "b", "false"],
                check=True, timeout=PATIENCE,
            )
        self.assertEqual(select.select([helper.stdout], [], [], 1)[0], [])
        self.screen.set("blank", False)
        self.assertEqual(self.hear(helper), ["ready", "mutter"])
        self.screen.set("blank", True)
        self.assertEqual(self.hear(helper), ["unavailable"])
        self.assertEqual(helper.wait(PATIENCE), 1)

    def test_it_ends_with_the_agent_while_the_screen_is_off(self):
        self.screen.set("blank", True)
        helper = self.start()
        self.assertEqual(select.select([helper.stdout], [], [], 0.5)[0], [])
        helper.stdin.close()
        self.assertEqual(helper.wait(PATIENCE), 0)

    def test_it_ends_with_the_shell_while_the_screen_is_off(self):
        self.screen.set("blank", True)
        helper = self.start()
        self.assertEqual(select.select([helper.stdout], [], [], 0.5)[0], [])
        self.screen.server.kill()
        self.assertEqual(self.hear(helper), ["unavailable"])
        self.assertEqual(helper.wait(PATIENCE), 3)

    def test_what_a_person_copies_as_soon_as_a_copy_has_gone_stays(self):
        """It looks like what the manager puts back."""
        helper, number = self.begin(), "0"
        for name in ("text/plain", "image/png"):
            self.say(helper, f"offer {number} {name}")
            wait_until(lambda: self.screen.types() == [name.encode(), MARKER], "it is offered")
            self.say(helper, "drop")
            self.assertEqual(self.hear(helper)[0], "none")
            client = self.client(name, content=b"of a person")
            found = self.hear(helper)
            self.assertEqual(found[::2], ["selection", name])
            self.say(helper, f"get 1 {found[1]} {name}")
            self.assertEqual(self.hear(helper), ["content", "1", "11", b"of a person"])
            self.assertEqual(self.screen.types(), [name.encode()])
            # What the manager puts back does not.
            client.kill()
            self.assertEqual(self.hear(helper)[0], "none")
            found = self.hear(helper)
            self.assertEqual(found[2:], [name, "application/x-baton-put-back"])
            number = found[1]

    def test_many_owners_in_a_row(self):
        helper = self.begin()
        flood = self.screen.spawn(PROGRAM, "flood", "1000", input=b"the last", stdout=subprocess.PIPE)
        while (found := self.hear(helper))[2:] != ["text/plain"]:
            self.assertEqual(found[0], "selection")
        self.say(helper, f"get 1 {found[1]} text/plain")
        self.assertEqual(self.hear(helper), ["content", "1", "8", b"the last"])
        flood.kill()

    def test_programs_that_ask_and_read_nothing_do_not_hold_up_others(self):
        helper = self.begin()
        self.say(helper, "offer 0 image/png")
        wait_until(lambda: self.screen.types() == [b"image/png", MARKER], "it is offered")
        content = os.urandom(1_000_000)

        def paste():
            pasting = self.screen.spawn(PROGRAM, "paste", "image/png", stdout=subprocess.PIPE)
            return pasting, self.hear(helper)[1]

        for _ in range(12):
            pasting, request = paste()
            pasting.send_signal(signal.SIGSTOP)
            self.say(helper, f"give {request} {len(content)}", content)
        for _ in range(3):
            pasting, request = paste()
            self.say(helper, f"give {request} {len(content)}", content)
            self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], content)

    def test_what_a_program_is_reading_arrives_whole_although_the_helper_ends(self):
        content = os.urandom(1_000_000)
        for ending in ("the screen", "the agent"):
            helper = self.begin()
            self.say(helper, "offer 0 image/png")
            pasting = self.screen.spawn(PROGRAM, "paste", "image/png", stdout=subprocess.PIPE)
            request = self.hear(helper)[1]
            pasting.send_signal(signal.SIGSTOP)
            self.say(helper, f"give {request} {len(content)}", content)
            # Until it has all of that, it does nothing else.
            self.say(helper, "get 1 0 text/plain")
            self.assertEqual(self.hear(helper), ["failed", "1"])
            if ending == "the screen":
                self.screen.set("blank", True)
                self.assertEqual(self.hear(helper), ["unavailable"])
            else:
                helper.stdin.close()
            pasting.send_signal(signal.SIGCONT)
            self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], content)
            self.assertEqual(helper.wait(PATIENCE), int(ending == "the screen"))
            self.screen.set("blank", False)

    def test_a_remote_desktop_beside_it(self):
        helper = self.begin()
        remote = self.screen.spawn(PROGRAM, "remote", "text/plain", input=b"remote", stdout=subprocess.PIPE)
        self.assertEqual(remote.stdout.readline(), b"owned\n")
        number = self.hear(helper)[1]
        self.say(helper, f"get 1 {number} text/plain")
        self.assertEqual(self.hear(helper), ["content", "1", "6", b"remote"])
        self.say(helper, f"offer {number} text/html")
        self.assertEqual(remote.stdout.readline().split()[1:], [b"text/html", MARKER])
        remote.kill()
        self.say(helper, "drop")
        self.assertEqual(self.hear(helper)[0], "none")

    def test_a_late_answer_while_the_manager_keeps_nothing_does_not_crash_mutter(self):
        helper = self.begin()
        late = self.client("text/plain", content=b"older", LATE="1")
        number = self.hear(helper)[1]
        self.assertEqual(late.stdout.readline(), b"asked\n")
        self.say(helper, f"offer {number} application/pdf")
        wait_until(lambda: self.screen.types() == [b"application/pdf", MARKER], "it is offered")
        late.send_signal(signal.SIGUSR1)
        self.assertIn(b"given", late.stdout.readline())
        end = time.monotonic() + 0.5
        wait_until(lambda: time.monotonic() > end, "the manager has it")
        self.say(helper, "drop")
        self.assertEqual(self.hear(helper)[0], "none")
        self.assertEqual(self.screen.types(), [])
        self.assertIsNone(self.screen.server.poll())

    def test_names_of_all_kinds(self):
        helper = self.begin()
        odd = ["text/plain", "a b", "new\nline", "100%", "é", "x" * 500, ""]
        self.client(*odd)
        encoded = ["text/plain", "a%20b", "new%0Aline", "100%25", "%C3%A9", "x" * 127]
        self.assertEqual(self.hear(helper)[2:], encoded)
        self.client(*(f"image/x{number}" for number in range(257)))
        self.assertEqual(len(self.hear(helper)), 2)
        # It is there, and has no types.
        self.client()
        self.assertEqual(len(self.hear(helper)), 2)

    def test_what_one_helper_offers_is_nothing_for_another(self):
        first, second = self.begin(), self.begin()
        self.say(first, "offer 1 text/plain")
        self.assertEqual(self.hear(second), ["none", "1"])
        pasting = self.screen.spawn(PROGRAM, "paste", "text/plain", stdout=subprocess.PIPE)
        request = self.hear(first)
        self.assertEqual(request[::2], ["want", "text/plain"])
        self.say(first, f"give {request[1]} 6", b"pasted")
        self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], b"pasted")
        self.say(second, "offer 1 text/plain")
        self.assertEqual(self.hear(first)[0], "none")
        # Nothing is there when the one that has it ends.
        second.kill()
        self.assertEqual(self.hear(first)[0], "none")
        self.assertEqual(self.screen.types(), [])

    def test_reads_of_several_types_wait_for_each_other(self):
        helper = self.begin()
        self.client(*TEXT, content=b"text")
        number = self.hear(helper)[1]
        for request in range(16):
            self.say(helper, f"get {request} {number} {TEXT[request % 3]}")
        self.assertEqual([self.hear(helper) for _ in range(16)], [["content", str(request), "4", b"text"] for request in range(16)])

    def test_a_program_that_waits_for_a_copy_of_another_machine_gets_the_whole_of_it(self):
        """Mutter would give up after fifteen seconds what the helper has not begun."""
        helper = self.begin()
        self.say(helper, "offer 1 image/png")
        content = os.urandom(20_000_000)
        pasting = [self.screen.spawn(PROGRAM, "paste", "image/png", stdout=subprocess.PIPE) for _ in range(3)]
        requests = [self.hear(helper)[1] for _ in pasting]
        self.say(helper, f"refuse {requests[0]}")
        for request in requests[1:]:
            self.say(helper, f"give {request} {len(content)}", content)
        found = sorted(len(process.communicate(timeout=PATIENCE)[0]) for process in pasting)
        self.assertEqual(found, [0, len(content), len(content)])


class RealGnomeTests(GnomeTests):
    # The fake one has a program of its own, which offers what X11 cannot.
    def program(self):
        """Compiled once."""
        program = self.directory / "client"
        if not program.exists():
            subprocess.run(["cc", "-o", program, ROOT / "Tests/Everyday/offer-selection.c", "-lxcb"], check=True, timeout=PATIENCE)
        return program

    def test_nothing_of_it_is_shown(self):
        handles = "global.backend.get_remote_access_controller()"
        self.near.evaluate(f"globalThis.handles = []; {handles}.connect('new-handle', (all, one) => handles.push(one)); 0")
        os.kill(self.helper(self.laptop), signal.SIGKILL)
        self.laptop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.near.copy(b"text")
        wait_until(lambda: self.far.paste() == b"text", "it is pasted")
        self.assertEqual(self.near.evaluate("[handles.length, Main.modalCount]"), [0, 0])

    def test_what_the_shell_itself_copies(self):
        self.near.evaluate("imports.gi.St.Clipboard.get_default().set_text(imports.gi.St.ClipboardType.CLIPBOARD, 'by the shell'); 0")
        wait_until(lambda: self.far.paste() == b"by the shell", "it is pasted")

    def test_programs_of_wayland(self):
        self.near.spawn("wl-copy", "--foreground", input=b"by wl-copy", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(lambda: self.far.paste() == b"by wl-copy", "it is pasted")
        self.assertEqual(self.far.read("wl-paste", "--no-newline"), b"by wl-copy")

    def test_the_primary_selection_stays_here(self):
        self.near.copy(b"copied")
        self.wait_until_mirrored(self.far)
        before = self.identities()
        self.near.spawn("xclip", "-quiet", "-selection", "primary", "-i", input=b"selected", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.assertQuiet(before)
        self.assertEqual(self.far.paste(), b"copied")


class RealLockTests:
    """With the shell's own lock."""

    wait_for_managers = GnomeTests.wait_for_managers

    def test_what_another_machine_copies_while_the_screen_is_locked_is_there_afterwards(self):
        """Without a login manager, so that the agent knows of it only from GNOME."""
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.near.lock()
        self.laptop.wait_for_log("the desktop doesn't let programs see it")
        self.wait_until_not_mirrored(self.far)
        self.copy_until_offered(self.desktop, self.far, b"meanwhile")
        self.wait_for_managers(3)
        self.assertNotIn(MARKER, self.near.types())
        self.near.unlock()
        self.wait_until_mirrored(self.near)
        self.assertEqual(self.near.paste(), b"meanwhile")
        self.near.copy(b"after")
        wait_until(lambda: self.far.paste() == b"after", "it is pasted")


class Gnome43Tests(RealGnomeTests, DesktopTest):
    screen = Gnome


class Gnome43LockTests(RealLockTests, DesktopTest):
    screen = LockingGnome


class TrixieTest(DesktopTest):
    def setUp(self):
        if not (TRIXIE / "usr/bin/gnome-shell").exists():
            self.fail("Scripts/run-integration couldn't make the root of Debian 13. It needs root, debootstrap and an archive")
        super().setUp()


class Gnome48Tests(RealGnomeTests, TrixieTest):
    screen = TrixieGnome


class Gnome48LockTests(RealLockTests, TrixieTest):
    screen = LockingTrixieGnome
