# SPDX-License-Identifier: Apache-2.0
"""Desktops with a clipboard: X servers, and Wayland compositors with data control. And the tests of both."""

import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import time

import test_clipboard
from lab import PATIENCE, ROOT, wait_until
from waiting import Deadline

MARKER = b"application/x-baton-mirrored"
HINT = "x-kde-passwordManagerHint"
SECRET = b"correct horse battery staple 7317"


class Screen:
    """An X server of one machine."""

    tools = ("Xvfb", "xclip", "xsel", "cc")
    client = ("Tests/Everyday/offer-selection.c",)
    libraries = ("-lxcb",)

    def __init__(self, case, machine):
        self.case, self.machine = case, machine
        reading, writing = os.pipe()
        log = machine.home / "xvfb.log"
        case.logs.append(log)
        with open(log, "wb") as output:
            self.server = case.spawn(
                ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1000x700x24", "-nolisten", "tcp", "-noreset"],
                pass_fds=[writing], stdin=subprocess.DEVNULL, stderr=output,
            )
        os.close(writing)
        with os.fdopen(reading, "rb") as lines:
            self.display = ":" + lines.readline().decode().strip()
        self.variables = {"DISPLAY": self.display}

    def signal(self, number):
        """To whatever has the clipboard."""
        self.server.send_signal(number)

    @property
    def environment(self):
        return {**self.machine.environment, **self.variables}

    def spawn(self, *command, input=b"", environment={}, **options):
        process = self.case.spawn(command, env={**self.environment, **environment}, stdin=subprocess.PIPE, **options)
        process.stdin.write(input)
        process.stdin.close()
        process.stdin = None
        return process

    def read(self, *command):
        """The output; nil if there is no such selection."""
        result = subprocess.run(
            command, env=self.environment, capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL
        )
        return result.stdout if result.returncode == 0 else None

    def copy(self, content, type=None):
        """Owns the selection until something else does."""
        return self.spawn("xclip", "-quiet", "-selection", "clipboard", "-i", *(["-t", type] if type else []), input=content,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def copy_once(self, content):
        return self.spawn("xclip", "-quiet", "-loops", "1", "-selection", "clipboard", "-i", input=content,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def paste(self, type=None):
        return self.read("xclip", "-selection", "clipboard", "-o", *(["-t", type] if type else []))

    def types(self):
        return (self.paste("TARGETS") or b"").split()


class Compositor(Screen):
    """sway without a screen."""

    tools = ("sway", "wl-copy", "wl-paste", "cc")
    client = ("Tests/Everyday/offer-wayland.c", "Sources/Agent/ClipboardHelper/data-control.c")
    libraries = ("-lwayland-client",)

    def __init__(self, case, machine):
        self.case, self.machine = case, machine
        configuration = machine.home / "sway.conf"
        configuration.write_text("xwayland disable\n")
        log = machine.home / "sway.log"
        case.logs.append(log)
        self.variables = {
            "WLR_BACKENDS": "headless", "WLR_RENDERER": "pixman", "WLR_LIBINPUT_NO_DEVICES": "1", "XDG_SESSION_TYPE": "wayland",
        }
        machine.home.chmod(0o700)
        with open(log, "wb") as output:
            self.server = case.spawn(
                # sway refuses to be root's.
                ["unshare", "--user", "--map-user=1000", "--map-group=1000", "sway", "--config", configuration], env=self.environment, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output,
            )
        display = wait_until(
            lambda: [path.name for path in machine.home.glob("wayland-*") if path.is_socket()], "the compositor's socket"
        )[0]
        self.variables = {"WAYLAND_DISPLAY": display}

    def copy(self, content, type=None):
        return self.spawn("wl-copy", "--foreground", *(["--type", type] if type else []), input=content,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def copy_once(self, content):
        return self.spawn("wl-copy", "--foreground", "--paste-once", input=content, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL)

    def paste(self, type=None):
        return self.read("wl-paste", "--no-newline", *(["--type", type] if type else []))

    def types(self):
        return (self.read("wl-paste", "--list-types") or b"").split(b"\n")


class DesktopTest(test_clipboard.ClipboardTest):
    screen = Screen

    def setUp(self):
        super().setUp()
        missing = [tool for tool in self.screen.tools if not shutil.which(tool)]
        if missing:
            self.skipTest(f"needs {', '.join(missing)}")
        self.daemons = list(self.two())
        self.machines, self.screens = [], []
        for daemon in self.daemons:
            machine = test_clipboard.Machine(self, daemon, **self.buses())
            screen = self.screen(self, machine)
            machine.environment.update(screen.variables)
            self.share(machine, "all")
            machine.start()
            machine.wait_for_log("Sharing the desktop's clipboard")
            self.machines.append(machine)
            self.screens.append(screen)
        (self.laptop, self.desktop), (self.near, self.far) = self.machines, self.screens

    def buses(self):
        """The variables that name the agents' buses. Without, they have none."""
        return {}

    @staticmethod
    def share(machine, teams):
        path = machine.home / ".config/baton/agent.conf"
        path.parent.mkdir(parents=True, exist_ok=True)
        new = path.with_suffix(".new")
        new.write_text(f"[Clipboard]\nShareWith={teams}\n")
        new.rename(path)

    def streams(self):
        """How many streams were opened."""
        return sum(daemon.log_text().count("A stream began") for daemon in self.daemons)

    def wait_until_mirrored(self, screen, *types):
        wait_until(
            lambda: {MARKER, *map(str.encode, types)} <= set(screen.types()), f"{types} on the other desktop"
        )

    def wait_until_not_mirrored(self, screen):
        wait_until(lambda: MARKER not in screen.types(), "it is dropped")

    def client(self, *names, content=b"", screen=None, first="owned", **environment):
        """A program that owns the selection in these types, and says whenever it is read."""
        program = self.directory / "client"
        if not program.exists():
            sources = [ROOT / source for source in self.screen.client]
            subprocess.run(["cc", "-o", program, *sources, *self.screen.libraries], check=True, timeout=PATIENCE)
        screen = screen or self.near
        process = screen.spawn(program, *names, input=content, stdout=subprocess.PIPE, environment=environment)
        self.assertEqual(process.stdout.readline(), first.encode() + b"\n")
        return process

    def identities(self):
        """What each machine is offered."""
        return [sorted(offer["id"] for offer in machine.offers()) for machine in self.machines]

    def assertQuiet(self, expected):
        """Nothing else is offered for a while."""
        end = time.monotonic() + 3
        while time.monotonic() < end:
            self.assertEqual(self.identities(), expected)

    def copy_until_mirrored(self, content):
        """Copies as a person does after a secret: what is copied too soon may be the secret, so once more."""
        def copied():
            if MARKER in self.far.types():
                return True
            self.near.copy(content)
            return False

        wait_until(copied, f"{content} on the other desktop", interval=1)
        # If the first copy was on its way, the next one takes its place.
        wait_until(lambda: self.far.paste() == content, f"{content} is pasted")

    def copy_until_offered(self, machine, screen, content):
        """The same after something that was there too briefly for clipboard managers, such as a copy of another machine."""
        def offered():
            copies = machine.copies()
            # If the daemon has just been killed, the agent may hear of that between the two commands.
            if copies and "device" not in copies[0] and machine.run("paste", status=(0, 4)) == content:
                return True
            screen.copy(content)
            return False

        wait_until(offered, f"{content} is offered", interval=1)

    def assertUnread(self, client):
        # What is looked for in memory is found where it is.
        self.assertTrue(self.remembers(client.pid, SECRET))
        client.kill()
        self.assertEqual(client.stdout.read(), b"")

    def wait_for_offers(self, *counts):
        """How many copies each machine is offered: what was mirrored is not offered back."""
        wait_until(lambda: [len(machine.offers()) for machine in self.machines] == list(counts), f"{counts} offers")

    def helper(self, machine):
        """The process of the agent's helper."""
        return wait_until(lambda: self.helpers(machine), "the helper runs")[0]

    @staticmethod
    def helpers(machine):
        """That process, if there is one."""
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                if os.readlink(path / "exe").endswith("/baton-clipboard"):
                    status = (path / "status").read_text()
                    if re.search(rf"^PPid:\t{machine.process.pid}$", status, re.MULTILINE):
                        found.append(int(path.name))
            except OSError:
                continue
        return found

    @staticmethod
    def heard(process):
        """How many bytes a process has read from files and pipes."""
        return int(pathlib.Path(f"/proc/{process}/io").read_text().split()[1])

    @staticmethod
    def sleeps(process):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    def assertNowhere(self, secret):
        """The secret is neither in a log, nor on the disk, nor in the memory of any of our programs."""
        for machine in self.machines:
            for path in [machine.log, machine.daemon.log, *machine.home.rglob("*"), *machine.daemon.state.rglob("*")]:
                if path.is_file():
                    self.assertNotIn(secret, path.read_bytes(), path)
            for process in (machine.process.pid, machine.daemon.process.pid, self.helper(machine)):
                self.assertFalse(self.remembers(process, secret), f"{process} has it in memory")

    @staticmethod
    def remembers(process, secret):
        with open(f"/proc/{process}/maps") as maps, open(f"/proc/{process}/mem", "rb", 0) as memory:
            for line in maps:
                if " rw" not in line:
                    continue
                begin, end = (int(number, 16) for number in line.split()[0].split("-"))
                try:
                    memory.seek(begin)
                    if secret in memory.read(end - begin):
                        return True
                except (OSError, OverflowError, ValueError):
                    continue
        return False


class SharedTests:
    """For each kind of desktop."""

    def test_text_in_both_directions(self):
        for here, there, content in ((self.near, self.far, b"one"), (self.far, self.near, "zwei é".encode())):
            here.copy(content)
            self.wait_until_mirrored(there, "text/plain;charset=utf-8")
            self.assertEqual(there.paste(), content)
        self.wait_for_offers(1, 0)

    def test_nothing_moves_before_it_is_pasted_and_then_once(self):
        self.near.copy(b"lazy")
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.streams(), 0)
        for _ in range(3):
            self.assertEqual(self.far.paste(), b"lazy")
        # Both daemons say that it began.
        self.assertEqual(self.streams(), 2)

    def test_a_large_picture(self):
        content = os.urandom(3_000_000)
        self.near.copy(content, "image/png")
        self.wait_until_mirrored(self.far, "image/png")
        self.assertEqual(self.desktop.offers()[0]["title"], "Picture")
        self.assertEqual(self.far.paste("image/png"), content)
        self.assertEqual(self.desktop.run("paste", "--type", "image/png"), content)

    def test_long_text(self):
        content = b"0123456789abcdef" * 100_000
        self.near.copy(content)
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.paste(), content)
        self.assertEqual(len(self.desktop.run("paste")), len(content))

    def test_nothing_is_read_before_another_machine_asks_for_it(self):
        client = self.client("UTF8_STRING", "text/plain", content=b"lazy")
        self.wait_until_mirrored(self.far)
        client.send_signal(signal.SIGSTOP)
        self.assertFalse(select.select([client.stdout], [], [], 0)[0])
        client.send_signal(signal.SIGCONT)
        self.assertEqual(self.far.paste(), b"lazy")
        self.assertIn(b"given", client.stdout.readline())

    def test_what_can_be_pasted_once_is_there_when_a_person_pastes_it(self):
        for screen, number in ((self.near, 1), (self.far, 2), (self.near, 3), (self.near, 4), (self.far, 5)):
            content, before = b"once %d" % number, set(self.identities()[1])

            def offered():
                # What comes soon after something that was there too briefly for managers is not offered. Each copy gets
                # its time, so that none takes the place of one that is just offered.
                self.near.copy_once(content)
                try:
                    return wait_until(lambda: set(self.identities()[1]) - before, "a copy", 3)
                except Deadline:
                    return False

            wait_until(offered, "it is offered")
            self.wait_until_mirrored(self.far)
            self.assertEqual(screen.paste(), content)

    def test_what_is_copied_just_before_the_other_copy_comes_leaves_one_to_paste(self):
        for number in range(3):
            program = self.client("UTF8_STRING", "text/plain;charset=utf-8", content=b"own %d" % number, screen=self.far, first="ready", READY="1")
            helper = self.helper(self.desktop)
            before = self.heard(helper)
            self.far.signal(signal.SIGSTOP)
            try:
                program.send_signal(signal.SIGUSR1)
                self.assertEqual(program.stdout.readline(), b"sent\n")
                # The server hears of it before it hears of the other machine's copy, and tells of it later.
                self.near.copy(b"other %d" % number)
                wait_until(lambda: self.heard(helper) > before and self.sleeps(helper), "the helper has heard of it")
            finally:
                self.far.signal(signal.SIGCONT)
            # Which of the two is newer depends on when the machines hear of them; both have the same one.
            both = {b"own %d" % number, b"other %d" % number}
            wait_until(lambda: self.near.paste() == self.far.paste() and self.far.paste() in both, f"one of {both} is pasted")

    def test_a_picture_of_a_browser_is_a_picture(self):
        """Firefox, "Copy Image"."""
        self.client("text/html", "text/_moz_htmlcontext", "text/_moz_htmlinfo", "image/jpeg", "image/png", content=b"picture")
        self.wait_until_mirrored(self.far, "image/png", "text/html")
        self.assertEqual(self.desktop.offers()[0]["title"], "Picture")
        self.assertEqual(self.desktop.copies()[0]["types"], ["image/png", "image/jpeg", "text/html"])
        self.assertEqual(self.desktop.run("paste"), b"picture")

    def test_a_link_is_no_file(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.client("text/uri-list", "UTF8_STRING", content=b"https://example.org/\r\n")
        wait_until(lambda: self.far.paste() == b"https://example.org/\r\n", "the link is pasted")

    def test_the_other_clipboard_is_never_empty_between_copies(self):
        self.near.copy(b"0")
        self.wait_until_mirrored(self.far)
        for number in range(1, 8):
            self.near.copy(b"%d" % number)
            def arrived():
                pasted = self.far.paste()
                self.assertTrue(pasted, f"empty before {number}")
                return pasted == b"%d" % number
            wait_until(arrived, f"copy {number}", 30)

    def test_what_a_manager_puts_back_is_no_new_copy(self):
        for mark in ("application/x-kde-onlyReplaceEmpty", None):
            # What was copied on the other machine is gone, and a manager fills the empty clipboard with something older.
            self.near.copy(b"newer")
            self.wait_until_mirrored(self.far)
            self.laptop.run("copy", "--clear")
            self.wait_until_not_mirrored(self.far)
            manager = self.client(*filter(None, ("UTF8_STRING", "text/plain", mark)), content=b"older", screen=self.far)
            self.assertQuiet([[], []])
            manager.kill()
            manager.wait(PATIENCE)

    def test_what_a_manager_sets_late_does_not_replace_the_next_copy(self):
        self.near.copy(b"first")
        wait_until(lambda: self.far.paste() == b"first", "it is pasted")
        before = self.identities()
        self.near.copy(b"next")
        wait_until(lambda: self.identities() != before and MARKER in self.far.types(), "the next is mirrored")
        # As clipman does on a busy machine.
        self.client("UTF8_STRING", "text/plain;charset=utf-8", content=b"first", screen=self.far)
        wait_until(lambda: self.far.paste() == b"next", "the next is pasted")
        self.assertEqual(self.near.paste(), b"next")

    def test_a_copy_is_the_same_in_the_hands_of_a_manager(self):
        client = self.client("UTF8_STRING", content=b"kept")
        self.wait_until_mirrored(self.far)
        # Until then, a manager might put back something older.
        end = time.monotonic() + 2.5
        wait_until(lambda: time.monotonic() > end, "managers have it")
        identity = self.desktop.offers()[0]["id"]
        client.kill()
        client.wait(PATIENCE)
        self.client("UTF8_STRING", "application/x-kde-onlyReplaceEmpty", content=b"kept")
        wait_until(lambda: self.far.paste() == b"kept", "it is pasted")
        self.assertEqual([offer["id"] for offer in self.desktop.offers()], [identity])

    def test_another_mirror_between_the_same_machines_ends(self):
        """As KDE Connect does: what is copied here is set there, before or after Baton mirrors it."""
        for number, (here, there, waits) in enumerate(
            ((self.near, self.far, False), (self.far, self.near, True), (self.near, self.far, True), (self.far, self.near, False))
        ):
            content = b"text %d" % number
            here.copy(content)
            wait_until(lambda: here.paste() == content, "it is copied")
            if waits:
                self.wait_until_mirrored(there)
            there.copy(content)
            end = time.monotonic() + 6
            wait_until(lambda: time.monotonic() > end, "all have answered", 30)
            self.assertQuiet(self.identities())
            self.assertEqual((here.paste(), there.paste()), (content, content))

    def test_what_a_command_copies_is_on_the_other_desktop(self):
        self.laptop.copy(b"from a command")
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.paste(), b"from a command")
        self.laptop.run("copy", "--clear")
        self.wait_until_not_mirrored(self.far)
        self.assertFalse(self.far.paste())

    def test_a_local_copy_replaces_what_was_mirrored(self):
        self.near.copy(b"first")
        self.wait_until_mirrored(self.far)
        self.far.copy(b"second")
        self.wait_until_mirrored(self.near)
        self.assertEqual((self.near.paste(), self.far.paste()), (b"second", b"second"))
        self.wait_for_offers(1, 0)

    def test_a_picture_that_a_clipboard_manager_takes_over_is_not_offered_back(self):
        picture = os.urandom(50_000)
        self.far.copy(picture, "image/png")
        self.wait_until_mirrored(self.near)
        self.assertEqual(self.near.paste("image/png"), picture)
        self.client("image/png", content=picture)
        self.assertEqual([copy.get("device") for copy in self.laptop.copies()], ["desktop"])
        # What is copied next is the first that this machine offers.
        self.near.copy(b"text")
        self.wait_until_mirrored(self.far, "text/plain;charset=utf-8")
        self.assertEqual(self.desktop.daemon.log_text().count("Continued an activity"), 1)

    def test_what_watches_the_desktop_does_not_send_it_back(self):
        self.far.copy(b"text")
        self.wait_until_mirrored(self.near)
        content = self.near.paste()
        self.laptop.copy(content)
        self.assertEqual([copy.get("device") for copy in self.laptop.copies()], ["desktop"])
        self.assertEqual(self.desktop.offers(), [])
        # Whoever copies the same later means it.
        self.desktop.run("copy", "--clear")
        self.wait_until_not_mirrored(self.near)
        self.laptop.copy(content)
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.paste(), b"text")

    def test_of_two_copies_one_stays_when_the_machines_meet(self):
        for number in range(4):
            for daemon in self.daemons:
                daemon.kill()
            for machine, screen in zip(self.machines, self.screens):
                self.copy_until_offered(machine, screen, b"%s %d" % (machine.daemon.name.encode(), number))
            for daemon in self.daemons:
                daemon.start()
            wait_until(lambda: [MARKER in screen.types() for screen in self.screens].count(True) == 1, "one of them wins")
            self.assertEqual(len({screen.paste() for screen in self.screens}), 1)
            self.near.copy(b"later %d" % number)
            self.wait_until_mirrored(self.far)

    def test_a_secret_goes_nowhere(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        secret = self.client("UTF8_STRING", "text/plain", HINT, content=SECRET)
        self.wait_until_not_mirrored(self.far)
        wait_until(lambda: not self.desktop.offers(), "what was copied before is withdrawn")
        self.assertEqual(self.laptop.copies(), [])
        self.assertNowhere(SECRET)
        self.assertEqual(self.streams(), 0)
        self.assertUnread(secret)
        self.copy_until_mirrored(b"after")
        self.assertNowhere(SECRET)

    def test_a_secret_that_is_put_back_without_its_mark_goes_nowhere(self):
        """As clipboard managers do: when its program ends, or at once."""
        for is_ended in (True, False):
            self.copy_until_mirrored(b"before")
            secret = self.client("UTF8_STRING", "text/plain", HINT, content=SECRET)
            self.wait_until_not_mirrored(self.far)
            if is_ended:
                secret.kill()
                wait_until(lambda: self.near.paste() is None, "nothing is copied any more")
            manager = self.client("UTF8_STRING", "text/plain", content=SECRET)
            # Another one takes it from that, with fewer types.
            another = self.client("text/plain;charset=utf-8", content=SECRET)
            self.copy_until_mirrored(b"after")
            for client in (secret, manager, another):
                client.kill()
                self.assertEqual(client.stdout.read(), b"")
            self.assertNowhere(SECRET)
            self.far.copy(b"reset")
            self.wait_until_mirrored(self.near)

    def test_each_mark_of_a_secret(self):
        for mark in (HINT, HINT.upper(), "application/x-nspasteboard-concealed-type", "Clipboard Viewer Ignore"):
            self.copy_until_mirrored(b"before")
            client = self.client("UTF8_STRING", mark, content=SECRET)
            self.wait_until_not_mirrored(self.far)
            self.assertUnread(client)

    def test_a_selection_with_many_types_offers_sixteen(self):
        client = self.client(*(f"image/x{number}" for number in range(98)), content=SECRET)
        wait_until(lambda: [len(copy["types"]) for copy in self.desktop.copies()] == [16], "16 types")
        self.assertUnread(client)

    def test_lists_of_files_stay_here(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.near.copy(b"file:///etc/hostname\r\n", "text/uri-list")
        self.wait_until_not_mirrored(self.far)
        self.assertEqual(self.desktop.offers() + self.laptop.copies(), [])

    def test_the_setting_counts_immediately(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        self.share(self.desktop, "none")
        self.wait_until_not_mirrored(self.far)
        self.share(self.laptop, "none")
        wait_until(lambda: not self.desktop.offers(), "it is withdrawn")
        self.share(self.desktop, "all")
        self.desktop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.near.copy(b"private")
        self.far.copy(b"shared")
        wait_until(lambda: self.laptop.offers(), "the other machine shares")
        self.assertEqual(self.laptop.run("paste"), b"shared")
        self.assertEqual(self.near.paste(), b"private")

    def test_a_helper_that_ends_is_started_again(self):
        self.near.copy(b"text")
        self.wait_until_mirrored(self.far)
        os.kill(self.helper(self.desktop), signal.SIGKILL)
        self.desktop.wait_for_log("Sharing the desktop's clipboard", 2)
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.paste(), b"text")

    def test_a_paste_fails_if_the_other_machine_goes(self):
        self.near.copy(b"text")
        self.wait_until_mirrored(self.far)
        self.laptop.daemon.freeze()
        pasting = self.far.spawn(*self.pasting, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.laptop.daemon.kill()
        self.assertEqual(pasting.communicate(timeout=PATIENCE)[0], b"")
        self.wait_until_not_mirrored(self.far)
