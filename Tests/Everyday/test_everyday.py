# SPDX-License-Identifier: Apache-2.0
"""What joins the parts for a person who has just installed the packages: offers that open by themselves, `baton continue`
in a terminal, and the doctor."""
# Labs: pair
import hashlib
import json
import os
import pty
import re
import select
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

from lab import BUILD, PATIENCE, ROOT, LabTest, on, wait_until
from test_agent import Agent

POSITION, DIRECTORY = "io.baton.text-position", "io.baton.directory"
REPOSITORY = "git.example.org/ada/notes"
# Runs a command in a terminal of its own, as x-terminal-emulator does, and keeps what is shown.
EMULATOR = f"""#!{sys.executable}
import os, pty, sys
assert sys.argv[1] == "-e"
with open({{shown!r}}, "ab", buffering=0) as shown:
    def read(descriptor):
        data = os.read(descriptor, 65536)
        shown.write(data)
        return data
    # A terminal that was already running has no variables of ours.
    for name in [name for name in os.environ if name.startswith("BATON_")]:
        del os.environ[name]
    pty.spawn(sys.argv[2:], read)
"""
REPORT = '#!/bin/sh\nprintf "%s\\n" "$(pwd)" "offer=$BATON_OFFER" "$0" "$@" >{report}.new; mv {report}.new {report}\n'


class Person:
    """Somebody who types into a program in a terminal."""

    def __init__(self, case, command, environment, cwd):
        process, self.terminal = pty.fork()
        if process == 0:
            os.chdir(cwd)
            os.execvpe(str(command[0]), [str(word) for word in command], environment)
        self.process, self.shown, self.status = process, "", None
        case.addCleanup(self.end)

    def expect(self, pattern):
        deadline = time.monotonic() + PATIENCE
        while not (match := re.search(pattern, self.shown)):
            left = deadline - time.monotonic()
            data = b""
            if left > 0 and select.select([self.terminal], [], [], left)[0]:
                try:
                    data = os.read(self.terminal, 65536)
                except OSError:
                    pass
            if not data:
                raise AssertionError(f"{pattern!r} was not shown, but\n{self.shown}")
            self.shown += data.decode(errors="replace").replace("\r", "")
        self.shown = self.shown[match.end():]
        return match

    def type(self, line):
        os.write(self.terminal, line.encode() + b"\n")

    def wait(self):
        """The exit status, when everything was shown."""
        try:
            while data := os.read(self.terminal, 65536):
                self.shown += data.decode(errors="replace").replace("\r", "")
        except OSError:
            pass
        self.status = os.waitstatus_to_exitcode(os.waitpid(self.process, 0)[1])
        return self.status

    def end(self):
        if self.status is None:
            try:
                os.kill(self.process, signal.SIGKILL)
                os.waitpid(self.process, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
        os.close(self.terminal)


class EverydayTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two()
        self.agent = Agent(self, self.desktop, SHELL=str(self.directory / "bin/own-shell"))
        self.report = self.directory / "report"
        for program in ("own-shell", "nano"):
            self.agent.program(program, REPORT.format(report=self.report))
        # `baton` itself, as it is installed.
        self.agent.program("baton", f'#!/bin/sh\nexec {BUILD}/baton "$@"\n')
        self.environment = {**self.agent.environment, "EDITOR": "nano -w", "TERM": "dumb"}

    def reported(self):
        """What a program that was started last was called with."""
        return wait_until(lambda: self.report.exists() and self.report.read_text().splitlines(), "a program reports")

    def clone(self, name, text="1\n2\n3\n"):
        folder = self.agent.home / name
        folder.mkdir(parents=True)
        (folder / "notes.txt").write_text(text)
        for command in (["init", "-q"], ["remote", "add", "origin", f"https://{REPOSITORY}.git"]):
            subprocess.run(["git", *command], cwd=folder, check=True, timeout=PATIENCE)
        return folder / "notes.txt"

    def offer(self, type=POSITION, document=None, **members):
        document = {
            "path": "/home/ada/notes/notes.txt", "repositories": [REPOSITORY], "repositoryPath": "notes.txt",
            **(document or {}),
        }
        info = {"document": document, **members.pop("info", {"line": 2, "column": 1})}
        connection, activity = self.laptop.publish(type, title="notes.txt", userInfo=info, **members)
        self.desktop.wait_for_offer(activity)
        return connection, activity

    def serve(self, connection, answers):
        """Answers the streams that are requested, as the origin of documents does."""
        def run():
            while True:
                try:
                    requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
                except (OSError, EOFError):
                    return
                with self.laptop.connect() as acceptor:
                    _, early, stream = acceptor.upgrade("AcceptStream", stream=requested["stream"])
                    with stream:
                        line = early
                        while not line.endswith(b"\n"):
                            line += stream.recv(4096)
                        data, extra = answers[json.loads(line)["get"]]
                        header = {"size": len(data), "sha256": hashlib.sha256(data).hexdigest(), **extra}
                        stream.sendall(json.dumps(header).encode() + b"\n" + data)
                        stream.shutdown(socket.SHUT_WR)
                        while stream.recv(4096):
                            pass

        threading.Thread(target=run, daemon=True).start()

    def resume(self, activity, *options):
        return Person(
            self, [BUILD / "baton", "continue", activity, *options], self.environment, self.agent.home
        )


class ContinueTests(EverydayTest):
    def test_the_editor_opens_the_same_file_at_the_line(self):
        path = self.clone("src/notes")
        _, activity = self.offer(info={"line": 3, "column": 2})
        person = self.resume(activity)
        self.assertEqual(person.wait(), 0, person.shown)
        self.assertIn("in the clone of git.example.org/ada/notes", person.shown)
        nano = str(self.agent.programs / "nano")
        self.assertEqual(self.reported()[2:], [nano, "-w", "+3,2", str(path)])

    def test_a_person_chooses_among_clones(self):
        paths = sorted(map(str, (self.clone("a"), self.clone("b"))))
        _, activity = self.offer()
        person = self.resume(activity)
        match = person.expect(r"  1  (\S+)\n  2  (\S+)\n.*\n")
        self.assertEqual(sorted(match.groups()), paths)
        person.type("2")
        self.assertEqual(person.wait(), 0, person.shown)
        self.assertEqual(self.reported()[-1], match[2])

    def test_who_chooses_none_gets_no_editor(self):
        for name in "ab":
            self.clone(name)
        _, activity = self.offer()
        person = self.resume(activity)
        person.expect("Type a number")
        person.type("")
        self.assertEqual(person.wait(), 1)
        self.assertFalse(self.report.exists())

    def test_a_file_that_is_not_here_is_fetched(self):
        connection, activity = self.offer(supportsContinuationStreams=True)
        self.serve(connection, {"document": (b"from afar\n", {})})
        (self.agent.home / "Handoff").mkdir()
        (self.agent.home / "Handoff/notes.txt").write_text("mine\n")
        person = self.resume(activity)
        self.assertEqual(person.wait(), 0, person.shown)
        path = self.agent.home / "Handoff/notes-2.txt"
        self.assertEqual(self.reported()[-1], str(path))
        self.assertEqual(path.read_text(), "from afar\n")
        self.assertEqual((self.agent.home / "Handoff/notes.txt").read_text(), "mine\n")
        self.assertIn("fetched from laptop", person.shown)

    def test_a_long_name_is_judged_as_it_arrives(self):
        """A name that is cut can be one that programs obey. To `String`, the letter and its marks are one character."""
        # Today, 143 bytes are left.
        names = [f"{name}z" + "\u0301" * 120 for name in ("html.py", "HEAD")]
        names += ["a" * (143 - len(end)) + end + "z" * 60 for end in ("|", ".tf", "~")]
        for name in names:
            document = {"path": f"/home/ada/{name}", "repositoryPath": None, "repositories": []}
            connection, activity = self.offer(document=document, supportsContinuationStreams=True)
            self.serve(connection, {"document": (b"from afar\n", {})})
            person = self.resume(activity)
            self.assertEqual(person.wait(), 0, person.shown)
            connection.close()
        there = os.listdir(self.agent.home / "Handoff")
        self.assertEqual([name for name in there if name.endswith(("|", "~", ".tf"))], [])
        self.assertEqual(set(there) & {"html.py", "HEAD"}, set())

    def test_unsaved_text_is_shown_and_overwrites_nothing(self):
        path = self.clone("src/notes")
        for answer, is_text in (("n", False), ("y", True)):
            connection, activity = self.offer(supportsContinuationStreams=True, info={"line": 2, "isModified": True})
            self.serve(connection, {"unsavedText": (b"1\n2 \x1b]0;owned\x07\n3\n", {})})
            person = self.resume(activity)
            shown = person.expect(r"(?s)The differences:(.*)Edit this text\?")[1]
            self.assertIn("\n-2\n+2 \\u{1b}]0;owned\\u{7}\n", shown)
            self.assertNotIn("\x1b", shown)
            person.type(answer)
            self.assertEqual(person.wait(), 0, person.shown)
            opened = self.reported()[-1]
            self.report.unlink()
            self.assertEqual(path.read_text(), "1\n2\n3\n")
            self.assertEqual(opened.startswith(str(self.agent.home / "Handoff/notes")), is_text)
            self.assertEqual(opened == str(path), not is_text)
            connection.close()

    def test_what_is_nowhere_is_said(self):
        _, activity = self.offer()
        person = self.resume(activity)
        self.assertEqual(person.wait(), 4)
        self.assertIn("Can't open notes.txt", person.shown)
        self.assertFalse(self.report.exists())

    def test_an_editor_that_is_missing_is_said_before_anything_is_fetched(self):
        self.clone("src/notes")
        self.environment["EDITOR"] = "nowhere -x"
        _, activity = self.offer()
        person = self.resume(activity)
        self.assertEqual(person.wait(), 4)
        self.assertIn("Can't find the program nowhere from $EDITOR", person.shown)

    def test_the_shell_stays_after_an_error(self):
        _, activity = self.offer()
        person = self.resume(activity, "--shell")
        self.assertEqual(person.wait(), 0)
        self.assertIn("Can't open notes.txt", person.shown)
        self.assertEqual(self.reported()[2:], [str(self.agent.programs / "own-shell")])

    def test_a_page_is_its_url(self):
        _, activity = self.laptop.publish(
            "NSUserActivityTypeBrowsingWeb", title="Whales", webpageURL="https://example.org/whales"
        )
        self.desktop.wait_for_offer(activity)
        person = self.resume(activity)
        self.assertEqual(person.wait(), 0)
        self.assertIn("https://example.org/whales", person.shown)


class OpeningTests(EverydayTest):
    """`baton open`, and a click on a notification: nothing that takes the type runs."""

    def setUp(self):
        super().setUp()
        self.shown = self.directory / "shown"
        self.shown.touch()
        self.agent.program("x-terminal-emulator", EMULATOR.format(shown=str(self.shown)))
        for entry in ("Terminal", "TextEditor"):
            shutil.copy(ROOT / f"Config/io.baton.{entry}.desktop", self.agent.system / "applications")
        self.agent.environment["EDITOR"] = "nano"
        self.agent.start()

    def open(self, activity):
        self.desktop.baton("open", activity)

    def test_a_position_opens_in_the_editor(self):
        path = self.clone("src/notes")
        _, activity = self.offer()
        self.open(activity)
        self.assertEqual(self.reported()[1:], ["offer=", str(self.agent.programs / "nano"), "+2,1", str(path)])

    def test_a_directory_opens_a_shell(self):
        folder = self.clone("src/notes").parent
        _, activity = self.offer(DIRECTORY, {"repositoryPath": "", "path": "/home/ada/notes"}, info={})
        self.open(activity)
        shell = str(self.agent.programs / "own-shell")
        self.assertEqual(self.reported(), [str(folder), "offer=", shell])

    def test_an_app_of_the_person_comes_first(self):
        self.clone("src/notes")
        report = self.agent.install("z", f"X-Baton-ActivityTypes={POSITION}", exec="z")
        self.agent.program("z", f'#!/bin/sh\n{BUILD}/baton continue "$BATON_OFFER" --json >{report}\n')
        self.agent.entries(3)
        _, activity = self.offer()
        self.open(activity)
        wait_until(lambda: report.exists() and '"line":2' in report.read_text(), "the other app has it")
        self.assertFalse(self.report.exists())


class DoctorTests(EverydayTest):
    def checks(self, name, environment=None):
        """The doctor's findings of a person with this environment."""
        output = subprocess.run(
            [BUILD / "baton", "doctor", "--json"], capture_output=True, timeout=60,
            env={**self.environment, "PATH": str(self.agent.programs), **(environment or {})},
        ).stdout
        return [check for check in json.loads(output)["checks"] if check["check"] == name]

    def test_what_is_not_installed_is_not_mentioned(self):
        # Browsers are found wherever they are on the machine of the tests: see test_installed_browsers.
        for name in ("shell", "editor"):
            self.assertEqual(self.checks(name), [])

    def test_a_browser_without_the_extension(self):
        self.agent.program("firefox-esr", "#!/bin/sh\n")
        (self.agent.home / ".mozilla").mkdir()
        (check,) = [check for check in self.checks("browser") if "Firefox" in check["detail"]]
        # The machine of the tests may have the extension.
        self.assertIn(check["outcome"], ("skipped", "passed"))

    def test_the_calling_shell(self):
        bash = ["bash", "--norc", "-c", f"{BUILD}/baton doctor --json; true"]
        result = subprocess.run(bash, env=self.environment, capture_output=True, timeout=60)
        (check,) = [check for check in json.loads(result.stdout)["checks"] if check["check"] == "shell"]
        self.assertEqual(check["outcome"], "skipped")
        self.assertIn("~/.bashrc", check["advice"])
        (self.agent.home / ".bashrc").write_text('eval "$(baton shell-init bash)"\n')
        result = subprocess.run(bash, env=self.environment, capture_output=True, timeout=60)
        (check,) = [check for check in json.loads(result.stdout)["checks"] if check["check"] == "shell"]
        self.assertEqual(check["outcome"], "note")
        (self.agent.home / ".bashrc").unlink()
        # With the hook, also in a pipeline, which is a copy of the shell.
        self.environment["PATH"] = f"{self.agent.programs}:/usr/bin:/bin"
        hook = 'eval "$(baton shell-init bash)"; PS1="<prompt>"; stty -echo'
        person = Person(self, ["bash", "--norc", "-i"], self.environment, self.agent.home)
        person.type(hook)
        person.expect("<prompt>")
        deadline = time.monotonic() + PATIENCE
        shown = ""
        while "This bash is connected to Baton" not in shown:
            self.assertLess(time.monotonic(), deadline, shown)
            person.type("baton doctor | grep -a 'shell  '; echo done")
            shown = person.expect(r"(?s)(.*)done\n")[1]
        (self.agent.home / ".bashrc").write_text('eval "$(baton shell-init bash)"\n')
        # From another program than a shell, only the files are known.
        self.assertEqual([check["detail"] for check in self.checks("shell")], ["The shell hook is in ~/.bashrc."])
