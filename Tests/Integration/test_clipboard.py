# SPDX-License-Identifier: Apache-2.0
"""What is copied on one machine and pasted on others, with the agents of all."""
# Labs: lo

import contextlib
import hashlib
import json
import os
import subprocess

from lab import PATIENCE, LabTest, Varlink, VarlinkError, on, wait_until
from test_search import Index
from test_wake import FakeLogind

TYPE = "io.baton.clipboard"
LARGEST = 64 << 20


class Machine(Index):
    """The agent of one of the machines."""

    def __init__(self, case, daemon, **environment):
        super().__init__(case, daemon, case.directory / f"{daemon.name}.agent", **environment)

    @property
    def shell(self):
        return {**self.environment, "BATON_SEARCH_SOCKET": str(self.socket)}

    def run(self, *arguments, input=b"", status=0, **environment):
        """Runs `baton`, which ends with a status or one of several; returns its output (bytes)."""
        result = subprocess.run(
            self.daemon.command_line(*arguments), env={**self.shell, **environment}, input=input, capture_output=True,
            timeout=120,
        )
        self.last_error = result.stderr.decode(errors="replace")
        statuses = status if isinstance(status, tuple) else (status,)
        self.case.assertIn(result.returncode, statuses, f"{arguments}: {result.stdout[:300]!r} {self.last_error}")
        return result.stdout

    def copy(self, content=b"", *arguments, **options):
        return self.run("copy", *arguments, input=content, **options)

    def copies(self):
        return json.loads(self.run("paste", "--list", "--json"))["copies"]

    def offers(self):
        """The copies that the daemon knows of other machines."""
        return [offer for offer in self.daemon.offers() if offer["activityType"] == TYPE]

    def wait_for_copy(self, device=None, **members):
        """Waits until this is the newest that can be pasted."""
        def newest():
            copies = self.copies()
            found = copies[:1] and copies[0].get("device") == device and copies[0]
            return found and all(found.get(name) == value for name, value in members.items()) and found

        return wait_until(newest, f"a copy of {device} {members}")


class ClipboardTest(LabTest):
    labs = ("lo",)

    def machines(self, *more, **environment):
        self.daemons = list(self.two()) if not more else self.several(*more)
        bus = subprocess.run(on(self.host(0), "printenv", "DBUS_SYSTEM_BUS_ADDRESS"), capture_output=True, text=True)
        environment["DBUS_SYSTEM_BUS_ADDRESS"] = bus.stdout.strip()
        machines = [Machine(self, daemon, **environment) for daemon in self.daemons]
        for machine in machines:
            machine.start()
        return machines

    def several(self, *names):
        daemons = [self.batond(name, number).start() for number, name in enumerate(("laptop", "desktop", *names))]
        self.make_team(*daemons)
        return daemons


class PastingTests(ClipboardTest):
    def test_text_and_bytes_of_many_sizes(self):
        laptop, desktop = self.machines()
        for size in (0, 1, 4096, 1_000_003):
            content = os.urandom(size)
            laptop.copy(content, "--type", "application/x-test")
            desktop.wait_for_copy("laptop", size=size, types=["application/x-test"])
            self.assertEqual(desktop.run("paste"), content)
        laptop.copy("né\n".encode())
        desktop.wait_for_copy("laptop", size=4)
        self.assertEqual(desktop.run("paste"), "né\n".encode())
        pasted = json.loads(desktop.run("paste", "--json"))
        self.assertEqual((pasted["type"], pasted["text"], pasted["size"]), ("text/plain;charset=utf-8", "né\n", 4))
        self.assertEqual(pasted["sha256"], hashlib.sha256("né\n".encode()).hexdigest())

    def test_the_largest_and_one_byte_more(self):
        laptop, desktop = self.machines()
        content = os.urandom(1 << 20) * 64
        laptop.copy(content)
        desktop.wait_for_copy("laptop", size=LARGEST)
        self.assertEqual(hashlib.sha256(desktop.run("paste")).digest(), hashlib.sha256(content).digest())
        laptop.copy(content + b"x", status=5)
        self.assertIn("You can copy at most 64 MiB", laptop.last_error)
        # What was copied before is still there.
        self.assertEqual(desktop.copies()[0]["size"], LARGEST)

    def test_a_file_and_its_type(self):
        laptop, desktop = self.machines()
        path = self.directory / "picture"
        path.write_bytes(b"\x89PNG\r\n\x1a\n rest")
        laptop.copy(b"", str(path))
        desktop.wait_for_copy("laptop", types=["image/png"])
        self.assertEqual(desktop.run("paste", "--type", "image/png"), path.read_bytes())
        desktop.run("paste", "--type", "text/html", status=4)
        self.assertIn("only as image/png", desktop.last_error)
        # A name need not be text.
        path = self.directory / os.fsdecode(b"caf\xe9.txt")
        path.write_bytes(b"odd name")
        laptop.copy(b"", str(path))
        desktop.wait_for_copy("laptop", size=8)
        laptop.copy(b"from a pipe", "-")
        desktop.wait_for_copy("laptop", types=["text/plain;charset=utf-8"], size=11)
        laptop.copy(b"", "/nowhere", status=4)
        laptop.copy(b"x", "--type", "nonsense", status=2)

    def test_it_can_be_pasted_often_and_on_several_machines(self):
        laptop, desktop, tablet = self.machines("tablet")
        laptop.copy(b"shared")
        for machine in (desktop, tablet, desktop, tablet, laptop):
            machine.wait_for_copy(None if machine is laptop else "laptop")
            self.assertEqual(machine.run("paste"), b"shared")
        running = [
            subprocess.Popen(
                machine.daemon.command_line("paste"), env=machine.shell, stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
            for machine in (desktop, tablet) * 4
        ]
        self.assertEqual([process.communicate(timeout=60)[0] for process in running], [b"shared"] * 8)
        self.assertEqual(len(desktop.offers()), 1)

    def test_the_newest_counts(self):
        laptop, desktop = self.machines()
        desktop.copy(b"first")
        laptop.wait_for_copy("desktop")
        laptop.copy(b"second")
        desktop.wait_for_copy("laptop")
        self.assertEqual([desktop.run("paste"), laptop.run("paste")], [b"second"] * 2)
        self.assertEqual(laptop.run("paste", "--from", "desktop"), b"first")
        self.assertEqual([copy.get("device") for copy in laptop.copies()], [None, "desktop"])
        desktop.copy(b"third")
        laptop.wait_for_copy("desktop", size=5)
        self.assertEqual([desktop.run("paste"), laptop.run("paste")], [b"third"] * 2)
        # What was copied before is no longer offered.
        self.assertEqual(len(laptop.offers()), 1)
        laptop.run("paste", "--from", "nobody", status=4)
        self.assertIn("Nothing from nobody can be pasted", laptop.last_error)

    def test_other_commands_leave_it_alone(self):
        laptop, desktop = self.machines()
        laptop.copy(b"text")
        desktop.wait_for_copy("laptop")
        self.assertEqual(desktop.run("continue", status=4), b"")
        listed = json.loads(desktop.run("list", "--json"))["offers"]
        self.assertEqual([(offer["activityType"], offer["title"]) for offer in listed], [(TYPE, "Text")])
        # What the user is doing is offered beside it.
        connection, activity = self.daemons[0].publish(title="Notes")
        desktop.daemon.wait_for_offer(activity)
        self.assertIn(b"Notes", desktop.run("continue"))
        self.assertEqual(desktop.run("paste"), b"text")
        connection.close()

    def test_a_list_for_people(self):
        laptop, desktop = self.machines()
        self.assertEqual(desktop.run("paste", "--list"), b"")
        self.assertEqual(desktop.last_error, "There's nothing to paste.\n")
        desktop.run("paste", status=4)
        self.assertEqual(desktop.last_error, "baton: Nothing was copied in the last two minutes.\n")
        laptop.copy(b"12345")
        desktop.wait_for_copy("laptop")
        lines = desktop.run("paste", "--list").decode().splitlines()
        self.assertEqual(lines[0].split(), ["MACHINE", "COPIED", "SIZE", "TYPES"])
        self.assertIn("5 bytes", lines[1])
        self.assertIn("text/plain;charset=utf-8", lines[1])

    def test_without_a_daemon_it_stays_here(self):
        laptop, _ = self.machines()
        laptop.daemon.kill()
        self.assertFalse(json.loads(laptop.copy(b"here", "--json"))["offered"])
        self.assertEqual(laptop.run("paste"), b"here")
        laptop.daemon.start()
        wait_until(lambda: laptop.daemon.call("GetStatus")["sessions"], "a session")


class SecrecyTests(ClipboardTest):
    SECRET = b"correct horse battery staple 7317"

    def test_secrets_are_refused(self):
        laptop, desktop = self.machines()
        laptop.copy(self.SECRET, "--sensitive", status=5)
        laptop.copy(self.SECRET, status=5, CLIPBOARD_STATE="sensitive")
        laptop.copy(self.SECRET, "--type", "x-kde-passwordManagerHint", status=5)
        with Varlink(laptop.socket) as connection, self.assertRaises(VarlinkError) as caught:
            connection.upgrade("io.baton.Clipboard.Copy", type="text/plain", size=1, sensitive=True)
        self.assertEqual(caught.exception.reason, "notEligible")
        self.assertEqual(laptop.copies(), [])
        self.assertEqual(laptop.offers() + desktop.offers(), [])

    def test_what_watches_the_desktop_copies_no_secret_that_has_lost_its_mark(self):
        laptop, desktop = self.machines()
        laptop.copy(self.SECRET, status=5, CLIPBOARD_STATE="sensitive")
        laptop.copy(self.SECRET, status=5, CLIPBOARD_STATE="data")
        laptop.copy(b"", CLIPBOARD_STATE="nil")
        laptop.copy(self.SECRET, status=5, CLIPBOARD_STATE="data")
        self.assertEqual(laptop.copies(), [])
        # A person means what is copied.
        laptop.copy(b"after")
        desktop.wait_for_copy("laptop")

    def test_a_secret_withdraws_what_was_copied_before(self):
        laptop, desktop = self.machines()

        def by_the_interface():
            with Varlink(laptop.socket) as connection, self.assertRaises(VarlinkError):
                connection.upgrade("io.baton.Clipboard.Copy", type="text/plain", size=1, sensitive=True)

        for refuse in (lambda: laptop.copy(self.SECRET, "--sensitive", status=5), by_the_interface):
            laptop.copy(b"before")
            desktop.wait_for_copy("laptop")
            refuse()
            self.assertEqual(laptop.copies(), [])
            wait_until(lambda: not desktop.offers(), "what was copied before is withdrawn")

    def test_nothing_of_the_content_is_on_the_disk_or_in_logs(self):
        laptop, desktop = self.machines()
        laptop.copy(self.SECRET)
        desktop.wait_for_copy("laptop")
        self.assertEqual(desktop.run("paste"), self.SECRET)
        for machine in (laptop, desktop):
            self.assertNotIn(self.SECRET, machine.log.read_bytes())
            self.assertNotIn(self.SECRET, machine.daemon.log.read_bytes())
            for path in [*machine.home.rglob("*"), *machine.daemon.state.rglob("*")]:
                if path.is_file():
                    self.assertNotIn(self.SECRET, path.read_bytes(), path)

    def test_clear_withdraws_it(self):
        laptop, desktop = self.machines()
        laptop.copy(b"text")
        desktop.wait_for_copy("laptop")
        laptop.run("copy", "--clear")
        wait_until(lambda: not desktop.offers(), "it is withdrawn")
        self.assertEqual(laptop.copies() + desktop.copies(), [])
        laptop.copy(b"more")
        desktop.wait_for_copy("laptop", size=4)
        laptop.copy(b"", CLIPBOARD_STATE="nil")
        wait_until(lambda: not desktop.offers(), "it is withdrawn")

    def test_nothing_is_no_copy(self):
        laptop, desktop = self.machines()
        laptop.copy(b"text")
        desktop.wait_for_copy("laptop")
        laptop.copy(b"", status=5)
        self.assertEqual(laptop.last_error, "baton: There's nothing to copy.\n")
        self.assertEqual(desktop.run("paste"), b"text")
        # What watches the desktop's clipboard says that it is empty.
        laptop.copy(b"", status=5, CLIPBOARD_STATE="data")
        wait_until(lambda: not desktop.offers(), "it is withdrawn")

    def test_it_is_withdrawn_when_its_time_is_over(self):
        laptop, desktop = self.machines(BATON_CLIPBOARD_TIME="2")
        laptop.copy(b"text")
        wait_until(lambda: desktop.offers(), "it is offered")
        wait_until(lambda: not desktop.offers(), "its time is over")
        self.assertEqual(laptop.copies() + desktop.copies(), [])
        laptop.run("paste", status=4)

    def test_it_is_gone_when_the_agent_ends(self):
        laptop, desktop = self.machines()
        laptop.copy(b"text")
        desktop.wait_for_copy("laptop")
        laptop.process.kill()
        laptop.process.wait()
        wait_until(lambda: not desktop.offers(), "it is withdrawn")
        laptop.start()
        self.assertEqual(laptop.copies(), [])

    def test_only_the_team_that_is_named_sees_it(self):
        laptop, desktop = self.machines()
        other = self.batond("other", 1).start()
        team = self.daemons[0].json("team", "create", "Private")["team"]["id"]
        other.baton("team", "join", self.daemons[0].json("team", "invite", "--team", team)["code"])
        third = Machine(self, other)
        third.start()
        laptop.copy(b"text", "--team", "Private")
        third.wait_for_copy("laptop")
        self.assertEqual(third.run("paste"), b"text")
        self.assertEqual(desktop.offers(), [])
        laptop.copy(b"text", "--team", "nobody", status=8)


    def test_a_team_that_cannot_be_used_does_not_give_its_name_away(self):
        """A team of somebody else has the same name."""
        laptop, desktop = self.machines()
        name = self.daemons[0].call("ListTeams")["teams"][0]["name"]
        self.daemons[1].baton("team", "create", name)
        self.daemons[1].terminate()
        [own] = [path.parent for path in (self.daemons[1].state / "teams").glob("*/ca.key")]
        (own / "device.key").write_bytes(b"damaged")
        self.daemons[1].start()
        self.assertEqual([team["name"] for team in self.daemons[1].call("ListTeams")["unusable"]], [name])
        desktop.copy(b"secret", "--team", name, status=8)
        self.assertEqual(laptop.copies(), [])


class LockTests(ClipboardTest):
    def test_a_locked_screen_withdraws_it_for_good(self):
        logind = FakeLogind(self, self.host(0))
        logind.obey(f"add 1 {os.getuid()}")
        laptop, desktop = self.machines()
        laptop.copy(b"text")
        desktop.wait_for_copy("laptop")
        logind.obey("lock 1")
        wait_until(lambda: not desktop.offers(), "it is withdrawn")
        wait_until(lambda: not laptop.copies(), "the agent knows that the screen is locked")
        laptop.copy(b"more", status=5)
        logind.obey("unlock 1")
        wait_until(lambda: laptop.daemon.call("GetStatus").get("withheld") is None, "the daemon offers again")
        self.assertEqual(laptop.copies() + desktop.copies(), [])
        desktop.run("paste", status=4)
        laptop.copy(b"after")
        desktop.wait_for_copy("laptop", size=5)


class TerminalTests(ClipboardTest):
    def on_a_terminal(self, machine, *arguments):
        """What `baton paste` writes to a terminal, and its exit status."""
        control, terminal = os.openpty()
        with open(control, "rb", 0) as reading:
            process = subprocess.Popen(
                machine.daemon.command_line("paste", *arguments), env=machine.shell, stdin=subprocess.DEVNULL,
                stdout=terminal, stderr=subprocess.DEVNULL,
            )
            os.close(terminal)
            written = b""
            # At the terminal's end, reading fails.
            with contextlib.suppress(OSError):
                while part := reading.read(4096):
                    written += part
            return written, process.wait(PATIENCE)

    def test_a_terminal_is_given_only_harmless_text(self):
        laptop, _ = self.machines()
        laptop.copy("né\tx\n".encode())
        self.assertEqual(self.on_a_terminal(laptop), ("né\tx\r\n".encode(), 0))
        for content in (b"\x1b]0;title\x07", b"\x00\x01", "\u009b2J".encode(), b"a\rb",
                        "ls \u202e; rm".encode(), "\u2066x".encode(), "a\u2028b".encode(), "\U000e0041".encode()):
            laptop.copy(content)
            self.assertEqual(self.on_a_terminal(laptop), (b"", 5), content)
            self.assertEqual(laptop.run("paste"), content)
        laptop.copy(b"\x1b[m")
        self.assertEqual(self.on_a_terminal(laptop, "--force"), (b"\x1b[m", 0))


class InterruptionTests(ClipboardTest):
    def paste(self, machine):
        return subprocess.Popen(
            machine.daemon.command_line("paste"), env=machine.shell, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )

    def test_a_paste_that_is_cut_short_writes_nothing_and_fails(self):
        laptop, desktop = self.machines()
        laptop.copy(os.urandom(1 << 20) * 48)
        desktop.wait_for_copy("laptop")
        for victim in ("agent", "daemon"):
            laptop.daemon.freeze()
            process = self.paste(desktop)
            wait_until(lambda: "Continue" in desktop.daemon.log_text() or True, "it has begun")
            if victim == "agent":
                desktop.process.kill()
                desktop.process.wait()
            else:
                desktop.daemon.kill()
            output, errors = process.communicate(timeout=90)
            laptop.daemon.signal(18)
            self.assertEqual(output, b"")
            self.assertNotEqual(process.returncode, 0, errors)
            if victim == "agent":
                desktop.start()
            else:
                desktop.daemon.start()
            desktop.wait_for_copy("laptop")

    def test_an_origin_that_sends_too_little_or_something_else(self):
        laptop, desktop = self.machines()
        content = b"0123456789" * 1000
        header = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for sent in (content[:-1], content[:-1] + b"x", content + b"x", b""):
            connection, activity = self.daemons[0].publish(
                TYPE, title="Text", supportsContinuationStreams=True, userInfo={"types": ["text/plain"]},
            )
            desktop.wait_for_copy("laptop")
            process = self.paste(desktop)
            requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
            _, early, stream = self.daemons[0].connect().upgrade("AcceptStream", stream=requested["stream"])
            self.assertEqual(json.loads((early + stream.recv(4096)).decode()), {"get": "clipboard", "type": "text/plain"})
            stream.sendall(json.dumps(header).encode() + b"\n" + sent)
            stream.close()
            output, errors = process.communicate(timeout=PATIENCE)
            self.assertEqual((process.returncode, output), (7, b""), errors)
            connection.close()

    def test_what_a_program_cuts_short_is_not_copied(self):
        laptop, _ = self.machines()
        for sent in (b"", b"1234", b"123456"):
            with Varlink(laptop.socket) as connection:
                _, early, stream = connection.upgrade("io.baton.Clipboard.Copy", type="text/plain", size=5)
                stream.sendall(sent)
                stream.shutdown(1)
                self.assertEqual(early + stream.recv(100), b"")
        self.assertEqual(laptop.copies(), [])
