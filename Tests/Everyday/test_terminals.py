# SPDX-License-Identifier: Apache-2.0
"""Terminals that are taken along: a session of tmux is shared at the laptop, and continued at the desktop.

Both ends are real: tmux, pseudoterminals, and two daemons."""
# Labs: pair
import fcntl
import json
import os
import pathlib
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import termios
import time
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
from lab import BUILD, PATIENCE, LabTest, control, freeze, wait_until  # noqa: E402

# A shell whose prompt is known, and that reads nobody's configuration.
SHELL = "env PS1='ready> ' sh"


class Screen:
    """A terminal with a program in it: what a person sees and types."""

    def __init__(self, case, command, env, columns=80, rows=24, shell=False):
        self.case = case
        self.master, slave = os.openpty()
        self.resize(columns, rows)
        self.usual = termios.tcgetattr(slave)
        self.path = os.ttyname(slave)
        self.process = subprocess.Popen(
            [str(word) for word in command], stdin=slave, stdout=slave, stderr=slave, env=env,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0), start_new_session=True,
        )
        self.slave = slave
        self.seen = ""
        self.whole = b""
        case.addCleanup(self.close)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(PATIENCE)
        if self.master is not None:
            os.close(self.master)
            os.close(self.slave)
            self.master = None

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.master, text if isinstance(text, bytes) else text.encode())

    def read(self, seconds=0.02):
        """Takes what has been shown until now, and waits that long if there is nothing."""
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        data = os.read(self.master, 65536)
        self.seen += data.decode(errors="replace")
        self.whole += data
        return bool(data)

    def expect(self, text, deadline=PATIENCE):
        """Waits until this text is shown, and forgets everything up to it."""
        end = time.monotonic() + deadline
        while text not in self.seen:
            if time.monotonic() > end:
                raise AssertionError(f"{text!r} was not shown, but\n{self.seen[-3000:]!r}")
            self.read()
        self.seen = self.seen.partition(text)[2]

    def wait(self, status=0, deadline=PATIENCE):
        """Waits for the program's end, and checks that it leaves the terminal as it was."""
        end = time.monotonic() + deadline
        while self.process.poll() is None:
            if time.monotonic() > end:
                raise AssertionError(f"It has not ended; shown:\n{self.seen[-3000:]!r}")
            self.read()
        while self.read(0):
            pass
        self.case.assertEqual(self.process.returncode, status, self.seen[-2000:])
        self.case.assertEqual(termios.tcgetattr(self.slave), self.usual, "The terminal is not as it was")
        entered, left = self.whole.count(b"\x1b[?1049h"), self.whole.count(b"\x1b[?1049l")
        self.case.assertLessEqual(entered, left, "The other screen was not left")


class TerminalTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        if not shutil.which("tmux"):
            self.fail("tmux is not installed; see Scripts/install-packages")
        self.laptop, self.desktop = self.two()
        self.environment = {
            key: value for key, value in os.environ.items() if key not in ("TMUX", "TMUX_PANE", "XDG_RUNTIME_DIR")
        }
        self.environment.update(TERM="xterm-256color", LC_ALL="C.UTF-8", HOME=str(self.directory))
        self.server = self.directory / "tmux"
        self.addCleanup(self.end_tmux)

    def end_tmux(self):
        for server in (self.server, self.directory / "tmux-desktop"):
            subprocess.run(["tmux", "-S", server, "kill-server"], capture_output=True, timeout=PATIENCE)

    def tmux(self, *command, server=None, check=True, **options):
        result = subprocess.run(
            ["tmux", "-S", str(server or self.server), *map(str, command)], env=self.environment, text=True,
            capture_output=True, timeout=PATIENCE, **options,
        )
        if check and result.returncode != 0:
            raise AssertionError(f"tmux {command}: {result.stderr}")
        return result.stdout.rstrip("\n")

    def start_session(self, name="work"):
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", name, "-x", "80", "-y", "24", SHELL)
        # tmux takes keys that follow each other within a millisecond for pasted text, and then C-b for a character.
        self.tmux("set-option", "-g", "assume-paste-time", "0")
        self.wait_for_pane("ready>")

    def pane(self):
        return self.tmux("capture-pane", "-p", "-t", "work:")

    def wait_for_pane(self, text):
        wait_until(lambda: text in self.pane(), f"{text!r} in the session")

    def share(self, *options, status=0, session="work"):
        """Runs `baton terminal share` as in the session's pane."""
        identifier = self.tmux("display-message", "-p", "-t", f"{session}:", "#{session_id},#{pid}")
        number, process = identifier.split(",")
        environment = {**self.environment, "BATON_SOCKET": str(self.laptop.socket)}
        environment["TMUX"] = f"{self.server},{process},{number[1:]}"
        environment["TMUX_PANE"] = self.tmux("display-message", "-p", "-t", f"{session}:", "#{pane_id}")
        self.inside = environment
        return self.baton_inside("share", *options, status=status)

    def baton_inside(self, *words, status=0):
        result = subprocess.run(
            [BUILD / "baton", "terminal", *words], env=self.inside, capture_output=True, text=True, timeout=PATIENCE
        )
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result.stdout + result.stderr

    def sharer(self):
        """The process that shares the session."""
        for entry in pathlib.Path("/proc").iterdir():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if words[1:3] == [b"terminal", b"host"] and str(self.directory).encode() in b" ".join(words):
                return int(entry.name)
        return None

    def wait_for_offer_of(self, title="work"):
        def offer():
            return next((o for o in self.desktop.offers() if o.get("title") == title), None)

        return wait_until(offer, "the session is offered")

    def attach(self, *options, columns=80, rows=24):
        self.wait_for_offer_of()
        environment = {**self.environment, "BATON_SOCKET": str(self.desktop.socket)}
        return Screen(self, [BUILD / "baton", "continue", "--latest", *options], environment, columns, rows)

    def clients(self):
        """The terminals in which the session is shown."""
        form = "#{client_control_mode} #{client_width}x#{client_height} #{client_termname}"
        lines = self.tmux("list-clients", "-F", form)
        return [line[2:] for line in lines.splitlines() if line.startswith("0")]

    def attached(self, *options, **size):
        self.start_session()
        self.share(*options)
        screen = self.attach(**size)
        screen.expect("ready>")
        return screen


class LiveTests(TerminalTest):
    def test_both_ends_see_what_is_typed(self):
        screen = self.attached()
        screen.type("echo from-the-desktop\r")
        self.wait_for_pane("\nfrom-the-desktop")
        self.tmux("send-keys", "-t", "work:", "echo from-the-laptop", "Enter")
        screen.expect("from-the-laptop")
        self.assertEqual([c.split()[1] for c in self.clients()], ["xterm-256color"])

    def test_the_size_of_the_window_follows(self):
        screen = self.attached(columns=100, rows=30)
        wait_until(lambda: self.clients() == ["100x30 xterm-256color"], "the size at the begin")
        screen.resize(61, 17)
        screen.process.send_signal(signal.SIGWINCH)
        wait_until(lambda: self.clients() == ["61x17 xterm-256color"], "the new size")

    def test_detach_leaves_it_running_and_offers_it_again(self):
        screen = self.attached()
        screen.type(b"\x02d")
        screen.expect("work is still running on laptop")
        screen.wait(0)
        self.assertIn("ready>", self.pane())
        again = self.attach()
        again.expect("ready>")
        again.type("\r~.")
        again.expect("work is still running on laptop")
        again.wait(0)
        self.wait_for_offer_of()
        self.assertEqual(self.clients(), [])

    def test_two_machines_see_it(self):
        one = self.attached()
        # Sharing it again offers it again, also while somebody sees it.
        self.share()
        two = self.attach(columns=70, rows=20)
        two.expect("ready>")
        wait_until(lambda: len(self.clients()) == 2, "both see it")
        one.type("echo from-one\r")
        two.expect("from-one")
        two.process.kill()
        wait_until(lambda: len(self.clients()) == 1, "the origin sees that one has gone")
        one.type("echo al''one\r")
        one.expect("alone")

    def test_the_end_of_the_session_is_said(self):
        screen = self.attached()
        screen.type("exit\r")
        screen.expect("has ended on laptop")
        screen.wait(4)
        wait_until(lambda: self.sharer() is None, "the program that shares has ended")

    def test_an_end_without_anybody_there_withdraws_the_offer(self):
        self.start_session()
        self.tmux("new-session", "-d", "-s", "other", SHELL)
        self.share()
        activity = self.wait_for_offer_of()["id"]
        self.tmux("kill-session", "-t", "work")
        self.desktop.wait_until_not_offered(activity)
        wait_until(lambda: self.sharer() is None, "the program that shares has ended")

    def test_another_session_is_never_shown(self):
        """tmux can let a client go on with another session when one ends."""
        self.start_session()
        self.tmux("set-option", "-g", "detach-on-destroy", "off")
        self.tmux("new-session", "-d", "-s", "private", "echo never-shown; cat")
        self.share()
        screen = self.attach()
        screen.expect("ready>")
        screen.type("exit\r")
        screen.expect("has ended on laptop")
        screen.wait(4)
        self.assertNotIn(b"never-shown", screen.whole)
        wait_until(lambda: self.sharer() is None, "the program that shares has ended")
        self.assertEqual(self.tmux("list-sessions", "-F", "#{session_name}"), "private")

    def test_the_settings_of_the_session_are_restored(self):
        self.start_session()
        for setting in ("", "detach-on-destroy off"):
            if setting:
                self.tmux("set-option", "-t", "work", *setting.split())
            self.share()
            self.baton_inside("unshare")
            wait_until(lambda: self.sharer() is None, "the program that shares has ended")
            self.assertEqual(self.tmux("show-options", "-t", "work", "detach-on-destroy"), setting)

    def test_unshare(self):
        screen = self.attached()
        self.assertIn("1 machine connected", self.baton_inside("list"))
        self.baton_inside("unshare")
        screen.expect("no longer shared")
        screen.wait(5)
        self.assertIn("ready>", self.pane())
        self.baton_inside("unshare", status=4)
        self.assertIn("aren't sharing any sessions", self.baton_inside("list"))

    def test_read_only(self):
        screen = self.attached("--read-only")
        screen.type("echo typed-$((40 + 2))\r")
        self.tmux("send-keys", "-t", "work:", "echo after", "Enter")
        screen.expect("after")
        self.assertNotIn("typed-", self.pane())

    def test_sharing_twice_makes_it_current_again(self):
        self.start_session()
        self.share()
        first = self.wait_for_offer_of()
        connection, other = self.laptop.publish(title="Other")
        self.desktop.wait_for_offer(other)
        self.share()
        self.assertEqual(self.wait_for_offer_of()["id"], first["id"])
        self.assertIn("different options", self.share("--resume-time", "5m", status=5))

    def test_outside_tmux(self):
        self.inside = {**self.environment, "BATON_SOCKET": str(self.laptop.socket), "TMUX_TMPDIR": str(self.directory)}
        self.assertIn("Start `tmux`", self.baton_inside("share", status=4))
        self.inside["PATH"] = str(self.directory)
        self.assertIn("Install the package tmux", self.baton_inside("share", status=1))

    def test_a_terminal_that_the_origin_does_not_know(self):
        self.start_session()
        self.share()
        self.environment["TERM"] = "unheard-of-256color"
        screen = self.attach()
        screen.expect("ready>")
        self.assertEqual([c.split()[1] for c in self.clients()], ["xterm-256color"])

    def test_the_environment_of_the_session_stays(self):
        self.start_session()
        self.tmux("set-environment", "-t", "work", "DISPLAY", ":77")
        self.share()
        screen = self.attach()
        screen.expect("ready>")
        self.assertEqual(self.tmux("show-environment", "-t", "work", "DISPLAY"), "DISPLAY=:77")


class DurableTests(TerminalTest):
    def test_a_restart_of_the_receiving_daemon(self):
        screen = self.attached()
        self.desktop.restart()
        screen.expect("Lost the connection to laptop")
        screen.type("echo dropped\r")
        screen.expect("ready>")
        screen.type("echo arrived\r")
        self.wait_for_pane("\narrived")
        self.assertNotIn("dropped", self.pane())

    def test_a_full_connection_that_breaks_leaves_the_keyboard_alive(self):
        screen = self.attached()
        screen.type("cat >/dev/null\r")
        self.wait_for_pane("cat >/dev/null")
        sharer = self.sharer()
        freeze(sharer)
        # Somebody pastes more than the connection takes.
        os.set_blocking(screen.master, False)
        taken = time.monotonic()
        while time.monotonic() < taken + 2:
            try:
                os.write(screen.master, b"x" * 79 + b"\r")
                taken = time.monotonic()
            except BlockingIOError:
                screen.read()
        os.set_blocking(screen.master, True)
        self.desktop.restart()
        screen.expect("Lost the connection to laptop")
        os.kill(sharer, signal.SIGCONT)
        screen.expect("[work]", 60)
        screen.type("\x03")
        # Until the shell reads again, what ends may still take a line.
        wait_until(lambda: self.pane().rstrip().endswith("^C\nready>"), "the shell's prompt after Ctrl-C")
        screen.type("echo arrived\r")
        self.wait_for_pane("\narrived")

    def test_a_restart_of_the_sharing_daemon(self):
        screen = self.attached()
        self.laptop.restart()
        screen.expect("Lost the connection to laptop")
        screen.expect("ready>", 60)
        screen.type("echo arrived\r")
        self.wait_for_pane("\narrived")

    def test_a_minute_without_network(self):
        screen = self.attached()
        control("link-down", self.desktop.host)
        screen.expect("Lost the connection to laptop", 90)
        self.tmux("send-keys", "-t", "work:", "echo meanwhile", "Enter")
        control("link-up", self.desktop.host)
        screen.expect("meanwhile", 60)
        screen.type("echo arrived\r")
        self.wait_for_pane("\narrived")

    def test_an_origin_that_does_not_answer(self):
        screen = self.attached()
        freeze(self.sharer())
        screen.type("echo la''te\r")
        screen.expect("laptop isn't responding")
        os.kill(self.sharer(), signal.SIGCONT)
        screen.expect("late")
        # The notice was in the place of tmux's last line.
        screen.expect("[work]")

    def test_tmux_is_killed(self):
        screen = self.attached()
        os.kill(int(self.tmux("display-message", "-p", "#{pid}")), signal.SIGKILL)
        screen.expect("has ended on laptop")
        screen.wait(4)
        wait_until(lambda: self.sharer() is None, "the program that shares has ended")

    def test_interrupting_the_attempts(self):
        screen = self.attached()
        self.desktop.kill()
        screen.expect("Lost the connection to laptop")
        # The session may have asked for other keys.
        self.assertIn(b"\x1b[>4m", screen.whole)
        screen.type(b"\x03")
        screen.wait(7)

    def test_the_resume_time_is_over(self):
        screen = self.attached("--resume-time", "1s")
        self.desktop.kill()
        screen.expect("The connection was down for too long")
        screen.wait(6)
        self.desktop.start()
        self.wait_for_offer_of()

    def test_the_origin_refuses_after_the_resume_time(self):
        screen = self.attached("--resume-time", "5s")
        # The program stands still while the time passes, as on a suspended machine.
        freeze(screen.process.pid)
        self.desktop.restart()
        wait_until(lambda: self.clients() == [], "the origin sees the break")
        activity = self.wait_for_offer_of()["id"]
        broken = time.monotonic()
        wait_until(lambda: time.monotonic() > broken + 6, "the resume time has passed")
        screen.process.send_signal(signal.SIGCONT)
        screen.expect("The connection was down for too long")
        screen.wait(5)

    def test_the_sharing_program_is_killed(self):
        screen = self.attached()
        os.kill(self.sharer(), signal.SIGKILL)
        screen.expect("Lost the connection to laptop")
        wait_until(lambda: self.clients() == [], "tmux has lost the client")
        screen.type(b"\x03")
        screen.wait(7)
        self.assertIn("Shared", self.share())
        self.attach().expect("ready>")

    def test_signals_restore_the_terminal(self):
        self.start_session()
        self.share()
        for number in (signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number):
                screen = self.attach()
                screen.expect("ready>")
                screen.process.send_signal(number)
                screen.wait(128 + number)

    def test_stop_and_continue(self):
        screen = self.attached()
        screen.process.send_signal(signal.SIGTSTP)
        wait_until(lambda: "T" == state(screen.process.pid), "it has stopped")
        wait_until(lambda: self.clients() == [], "the origin sees it")
        self.assertEqual(termios.tcgetattr(screen.slave), screen.usual)
        screen.process.send_signal(signal.SIGCONT)
        screen.expect("ready>")
        screen.type("echo arrived\r")
        self.wait_for_pane("\narrived")


def state(process):
    return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]


def frame(kind, payload=b""):
    return struct.pack(">BH", kind, len(payload)) + payload


HELLO = {"version": 1, "terminal": "xterm", "columns": 80, "rows": 24}


class HostileTests(TerminalTest):
    """A member that speaks the protocol as it likes."""

    def open(self, continues=True):
        activity = self.wait_for_offer_of()["id"] if continues else self.activity
        self.activity = activity
        if continues:
            self.desktop.call("Continue", id=activity)
        _, early, stream = self.desktop.connect().upgrade("OpenStream", activity=activity)
        self.addCleanup(stream.close)
        stream.settimeout(PATIENCE)
        self.early = early
        return stream

    def frames(self, stream):
        """The frames until the end."""
        data = self.early
        while True:
            try:
                piece = stream.recv(65536)
            except ConnectionError:
                piece = b""
            if not piece:
                break
            data += piece
        frames = []
        while len(data) >= 3:
            kind, length = struct.unpack(">BH", data[:3])
            frames.append((kind, data[3:3 + length]))
            data = data[3 + length:]
        return frames

    def begin(self):
        self.start_session()
        self.share()

    def test_frames_that_are_none(self):
        self.begin()
        for bad in (
            frame(1, b"{"), frame(1, b"[]"), frame(1, b'{"version":1}'), b"\x03\xff\xff", frame(2, b"{}"),
            frame(6, b'{"how":"ended"}'), frame(1, b"{" * 16000), frame(4, b"\0"),
            frame(1, json.dumps(HELLO).encode()) * 2,
        ):
            with self.subTest(bad[:20]):
                stream = self.open()
                stream.sendall(bad)
                self.frames(stream)
                wait_until(lambda: self.clients() == [], "nobody is connected")
        self.assertIn("ready>", self.pane())

    def test_unknown_frames_and_strange_sizes(self):
        self.begin()
        stream = self.open()
        hello = {**HELLO, "columns": 2**62, "rows": -5, "terminal": "../../etc/passwd", "unknown": {}}
        stream.sendall(frame(99, b"x" * 16384) + frame(1, json.dumps(hello).encode()))
        wait_until(lambda: self.clients() == ["1000x24 xterm"], "the size is bounded")
        stream.sendall(frame(4, struct.pack(">HH", 65535, 0)) + frame(200))
        stream.sendall(frame(3, b"echo still-here\r"))
        self.wait_for_pane("still-here")

    def test_a_stream_without_a_continuation_is_refused(self):
        self.begin()
        stream = self.open()
        stream.sendall(frame(1, json.dumps(HELLO).encode()))
        wait_until(self.clients, "one is connected")
        second = self.open(continues=False)
        second.sendall(frame(1, json.dumps(HELLO).encode()))
        self.assertEqual(json.loads(self.frames(second)[-1][1])["how"], "notContinued")
        third = self.open(continues=False)
        third.sendall(frame(1, json.dumps({**HELLO, "token": "guessed"}).encode()))
        self.assertEqual(json.loads(self.frames(third)[-1][1])["how"], "expired")
        self.assertEqual(len(self.clients()), 1)

    def test_a_receiver_that_does_not_read_costs_little(self):
        self.begin()
        stream = self.open()
        stream.sendall(frame(1, json.dumps(HELLO).encode()))
        wait_until(self.clients, "it is connected")
        self.tmux("send-keys", "-t", "work:", "head -c 8000000 /dev/zero | tr '\\0' x | fold", "Enter")
        self.tmux("send-keys", "-t", "work:", "echo do''ne", "Enter")
        # The last line that fold writes has no end, so the prompt is in the next one, and the command was typed before it.
        wait_until(lambda: "\nready> done\n" in self.pane(), "the session goes on", 60)
        stream.sendall(frame(3, b"x" * 16000) * 4)
        status = pathlib.Path(f"/proc/{self.sharer()}/status").read_text()
        self.assertLess(int(re.search(r"VmHWM:\s+(\d+)", status)[1]), 80_000)

    def test_an_origin_that_lies(self):
        """A program offers a terminal and sends what it likes; the receiver ends, and its terminal is as it was."""
        environment = {**self.environment, "BATON_SOCKET": str(self.desktop.socket)}
        welcome = frame(2, json.dumps({"version": 1, "session": "x\x1b[31m", "resumeTime": 1, "token": "t"}).encode())
        for answer, status in (
            (frame(6, b'{"how":"nonsense"}'), 7), (b"\x03\xff\xff", 7), (welcome + frame(1, b"{}"), 6),
            (welcome + frame(6, b'{"how":"detached"}'), 0), (frame(6, b'{"how":"failed","message":"\\u001b[2J"}'), 1),
        ):
            with self.subTest(answer[:30]):
                connection, activity = self.laptop.publish(
                    "io.baton.terminal", title="work", supportsContinuationStreams=True
                )
                self.desktop.wait_for_offer(activity)
                screen = Screen(self, [BUILD / "baton", "continue", activity], environment)
                requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
                _, _, near = self.laptop.connect().upgrade("AcceptStream", stream=requested["stream"])
                near.sendall(answer)
                near.shutdown(1)
                screen.wait(status)
                self.assertNotIn("\x1b[2J", screen.seen)
                connection.close()
                near.close()


class LayoutTests(TerminalTest):
    def panes(self, form, server, session):
        return self.tmux("list-panes", "-s", "-t", session, "-F", form, server=server).split("\n")

    def inside_tmux(self, server, pid):
        environment = {**self.environment, "BATON_SOCKET": str(self.desktop.socket)}
        return {**environment, "TMUX": f"{server},{pid},0", "TMUX_PANE": "%0"}

    def test_windows_and_directories_and_nothing_else(self):
        places = [self.directory / name for name in ("one", "two", "a#{pid}b", "gone", "three")]
        for place in places:
            # A clone is found by what it fetches from, wherever it is.
            subprocess.run(["git", "init", "--quiet", str(place)], check=True, env=self.environment)
            address = f"https://example.org/{len(place.name)}{place.name[0]}.git"
            subprocess.run(
                ["git", "-C", str(place), "remote", "add", "origin", address], check=True, env=self.environment
            )
        self.start_session()
        self.tmux("send-keys", "-t", "work:", f"cd {places[0]}", "Enter")
        self.tmux("split-window", "-h", "-t", "work:", "-c", str(places[1]), "cat")
        self.tmux("split-window", "-v", "-t", "work:", "-c", str(places[4]), SHELL)
        # tmux expands the argument of -c.
        self.tmux("new-window", "-t", "work:", "-n", "logs", SHELL)
        self.tmux("send-keys", "-t", "work:logs", f"cd '{places[2]}'", "Enter")
        self.tmux("split-window", "-v", "-t", "work:logs", "-c", str(places[3]), SHELL)
        # In the order of the panes on the screen.
        wanted = [str(places[number]) for number in (0, 1, 4, 2, 3)]

        def directories(server=None, session="work"):
            return self.panes("#{pane_current_path}", server, session)

        wait_until(lambda: directories() == wanted, "the panes are there")
        self.share()
        self.wait_for_offer_of()
        activity = self.wait_for_offer_of()["id"]
        shutil.rmtree(places[3])
        server = self.directory / "tmux-desktop"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "-x", "80", "-y", "24", SHELL, server=server)
        pid = self.tmux("display-message", "-p", "#{pid}", server=server)
        environment = self.inside_tmux(server, pid)
        screen = Screen(self, [BUILD / "baton", "continue", activity, "--layout"], environment)
        screen.expect("so the new one is called work-2")
        screen.expect("gone")
        screen.expect("Not started: cat")
        screen.wait(0)
        self.assertEqual(directories(server, "work-2"), [*wanted[:4], str(self.directory)])
        form = "#{window_name} #{window_panes} #{window_active}"
        windows = self.tmux("list-windows", "-t", "work-2", "-F", form, server=server)
        self.assertRegex(windows, r"^\S+ 3 0\nlogs 2 1$")
        self.assertNotIn("cat", self.panes("#{pane_current_command}", server, "work-2"))

    def test_excluded_directories_are_left_out(self):
        public, private = self.directory / "public", self.directory / "private"
        for place in (public, private):
            place.mkdir()
        (self.directory / "link").symlink_to(private)
        runtime = self.directory / "run"
        self.environment["XDG_RUNTIME_DIR"] = str(runtime)
        runtime.mkdir(mode=0o700)
        (runtime / "baton-shells").mkdir(mode=0o700)
        self.start_session()
        for place in (public, self.directory / "link"):
            self.tmux("split-window", "-t", "work:", "-c", str(place), SHELL)
        wait_until(lambda: str(private) in self.panes("#{pane_current_path}", self.server, "work"), "the panes are there")
        # The session is older than the variable, which one of the shells sets for itself, or the one that shares it.
        for variable, of_shell, expected in (
            ("", "", {"public", "private"}), (str(private), "", {"public"}), ("", "~/private", {"public"}),
            ("private", "", set()), ("", "private", set()),
        ):
            with self.subTest(variable=variable, of_shell=of_shell):
                self.environment["BATON_EXCLUDE"] = variable
                (runtime / "baton-shells" / str(os.getpid())).write_text(f"/\0{of_shell}\0HOME={self.directory}\0\0")
                self.share()
                activity = self.wait_for_offer_of()["id"]
                told = self.desktop.call("Continue", id=activity)["activity"]["userInfo"]["windows"][0]["panes"]
                self.assertEqual(len(told), 3)
                paths = {pane["document"]["path"] for pane in told if pane.get("document")}
                self.assertEqual({pathlib.Path(path).name for path in paths} & {"public", "private"}, expected)
                self.assertTrue(expected or not paths)
                self.baton_inside("unshare")
                wait_until(lambda: self.sharer() is None, "sharing has ended")

    def test_what_the_origin_says_is_not_believed(self):
        marker = self.directory / "marker"
        evil = f"#(touch {marker})"
        info = {
            "session": f"a:b.{evil}", "windows": [
                {"name": evil, "layout": f"0000,80x24,0,0;{evil}", "panes": [
                    {"document": {"path": f"/{evil}"}, "command": "\x1b[2Jvim"}, {"document": {"path": "relative"}},
                ]},
                {"name": f"\u0d4e{evil}", "panes": []}, {"name": f"#\u0301{evil}", "panes": []}, {"name": "-\u0301t", "panes": []},
                {"name": "-t", "layout": "ffff,99999999x1,0,0,1", "panes": []},
            ],
        }
        connection, activity = self.laptop.publish("io.baton.terminal", title="work", userInfo=info)
        self.desktop.wait_for_offer(activity)
        server = self.directory / "tmux-desktop"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "own", SHELL, server=server)
        pid = self.tmux("display-message", "-p", "#{pid}", server=server)
        environment = self.inside_tmux(server, pid)
        screen = Screen(self, [BUILD / "baton", "continue", activity], environment)
        screen.wait(0)
        self.assertNotIn("\x1b[2J", screen.seen)
        sessions = self.tmux("list-sessions", "-F", "#{session_name} #{session_windows}", server=server).split("\n")
        self.assertEqual(sorted(sessions), [f"ab(touch {marker}) 5".replace(".", ""), "own 1"])
        self.assertFalse(marker.exists())


    def test_only_the_terminal_of_the_person_is_switched(self):
        info = {"session": "laid-out", "windows": [{"name": "one", "panes": [{}]}]}
        connection, activity = self.laptop.publish("io.baton.terminal", title="work", userInfo=info)
        self.desktop.wait_for_offer(activity)
        server = self.directory / "tmux-desktop"
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "own", SHELL, server=server)
        first, second = (Screen(self, ["tmux", "-S", server, "attach"], self.environment) for _ in range(2))

        def clients(form):
            lines = self.tmux("list-clients", "-F", "#{client_tty} " + form, server=server).splitlines()
            return dict(line.split() for line in lines)

        def is_first_used():
            first.type("x")
            used = clients("#{client_activity}")
            return len(used) == 2 and int(used[first.path]) > int(used[second.path])

        wait_until(is_first_used, "the first one was used last")
        pid = self.tmux("display-message", "-p", "#{pid}", server=server)
        Screen(self, [BUILD / "baton", "continue", activity], self.inside_tmux(server, pid)).wait(0)
        self.assertEqual(clients("#{session_name}"), {first.path: "laid-out", second.path: "own"})


class EnduranceTests(TerminalTest):
    time_limit = 600

    def test_two_hundred_times(self):
        self.start_session()
        self.share()

        def count():
            process = self.sharer()
            return len(os.listdir(f"/proc/{process}/fd")), len(children(process))

        self.wait_for_offer_of()
        before = count()
        for _ in range(200):
            screen = self.attach()
            screen.expect("ready>")
            screen.type(b"\x02d")
            screen.wait(0)
            screen.close()
        self.wait_for_offer_of()
        wait_until(lambda: count() == before, f"the descriptors and children are {before}")
        self.assertEqual(self.clients(), [])


def children(process):
    return subprocess.run(["pgrep", "-P", str(process)], capture_output=True, text=True).stdout.split()


if __name__ == "__main__":
    unittest.main()
