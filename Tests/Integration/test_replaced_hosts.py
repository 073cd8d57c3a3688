# SPDX-License-Identifier: Apache-2.0
"""Hosts, which live as long as a browser, a shell, an editor or a session of tmux, after an upgrade of Baton: another file is
renamed to the place of their program, and batond starts again. Nothing is lost, and the new program goes on."""
# Labs: lo
import json
import os
import pathlib
import pty
import shutil
import struct
import subprocess

from lab import BUILD, PATIENCE, LabTest, wait_until


def file_of(process):
    """The file that the process runs from: its device and number. None for a moment while another thread than the first calls
    execve(2), because that thread takes the place of the first one, which ends."""
    try:
        status = os.stat(f"/proc/{process}/exe")
    except FileNotFoundError:
        return None
    return status.st_dev, status.st_ino


class ReplacedHostTest(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.program = self.directory / "bin" / "baton"
        self.program.parent.mkdir()
        shutil.copy2(BUILD / "baton", self.program)
        self.runtime = self.directory / "run"
        self.runtime.mkdir(mode=0o700)
        self.daemon = self.batond("laptop").start()
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("TMUX", "BATON_"))},
            "XDG_RUNTIME_DIR": str(self.runtime), "HOME": str(self.directory), "BATON_SOCKET": str(self.daemon.socket),
            "PATH": f"{self.program.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8",
        }

    def start(self, *words, **options):
        options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, **options}
        return self.spawn([str(self.program), *words], env=self.environment, **options)

    def replace(self):
        """As package managers do it."""
        new = self.program.with_name("baton.new")
        shutil.copy2(BUILD / "baton", new)
        os.replace(new, self.program)

    def upgrade(self):
        self.replace()
        self.daemon.terminate()
        self.daemon.start()

    def wait_until_new(self, process):
        status = self.program.stat()
        wait_until(lambda: file_of(process) == (status.st_dev, status.st_ino), "the new program runs")


class EditorHostTests(ReplacedHostTest):
    def say(self, host, **message):
        host.stdin.write(json.dumps(message).encode() + b"\n")
        host.stdin.flush()

    def hear(self, host):
        return json.loads(host.stdout.readline())

    def begin(self):
        host = self.start("editor-host")
        plan = self.directory / "plan.txt"
        plan.write_text("one\ntwo\n")
        self.place = {"type": "current", "path": str(plan), "line": 1, "buffer": "1"}
        self.say(host, **self.place)
        self.daemon.wait_for_current("plan.txt")
        return host

    def test_it_becomes_the_new_program_and_asks_the_editor_where_the_person_is(self):
        host = self.begin()
        for _ in range(2):
            self.upgrade()
            self.wait_until_new(host.pid)
            self.assertEqual(self.hear(host)["type"], "locate")
            self.say(host, **self.place)
            self.daemon.wait_for_current("plan.txt")
        # It answers as before.
        self.say(host, type="list", request="7")
        self.assertEqual(self.hear(host), {"type": "offers", "request": "7", "offers": []})
        # Its signals are as at the beginning.
        host.terminate()
        self.wait_for_exit(host)

    def test_one_whose_place_is_not_current_takes_no_place(self):
        host = self.begin()
        self.daemon.publish(title="Other")
        self.daemon.wait_for_current("Other")
        self.upgrade()
        self.wait_until_new(host.pid)
        self.say(host, type="list", request="7")
        self.assertEqual(self.hear(host)["type"], "offers")

    def test_the_same_program_stays(self):
        host = self.begin()
        self.daemon.terminate()
        self.daemon.start()
        self.daemon.wait_for_current("plan.txt")
        self.say(host, type="list", request="7")
        # It hasn't asked for a place.
        self.assertEqual(self.hear(host)["type"], "offers")

    def test_a_program_that_is_removed_or_half_installed_changes_nothing(self):
        host = self.begin()
        for change in (lambda: self.program.unlink(), lambda: self.program.write_bytes(b"")):
            change()
            self.daemon.terminate()
            self.daemon.start()
            self.daemon.wait_for_current("plan.txt")
        self.program.unlink()
        # A file that can't be run: the host goes on as it is.
        self.program.write_bytes(b"\x7fELF")
        self.program.chmod(0o755)
        self.daemon.terminate()
        self.daemon.start()
        self.daemon.wait_for_current("plan.txt")
        self.say(host, type="list", request="7")
        self.assertEqual(self.hear(host)["type"], "offers")


class BrowserHostTests(ReplacedHostTest):
    def say(self, host, **message):
        data = json.dumps(message).encode()
        host.stdin.write(struct.pack("=I", len(data)) + data)
        host.stdin.flush()

    def hear(self, host, kind):
        while head := host.stdout.read(4):
            message = json.loads(host.stdout.read(*struct.unpack("=I", head)))
            if message["type"] == kind:
                return message
        raise AssertionError(f"the host ended before it said {kind}")

    def begin(self):
        host = self.start("browser-host")
        self.say(host, type="hello", isTaken=False)
        self.hear(host, "hello")
        self.say(host, type="page", page={"url": "https://example.org/", "title": "A page"}, isChosen=True)
        self.daemon.wait_for_current("A page")
        return host

    def test_it_ends_so_that_the_extension_starts_the_new_program(self):
        host = self.begin()
        self.upgrade()
        self.wait_for_exit(host)
        host = self.begin()
        status = self.program.stat()
        self.assertEqual(file_of(host.pid), (status.st_dev, status.st_ino))

    def test_the_same_program_stays(self):
        host = self.begin()
        self.daemon.terminate()
        self.daemon.start()
        self.daemon.wait_for_current("A page")
        self.assertIsNone(host.poll())


class ShellHostTests(ReplacedHostTest):
    def start_shell(self, directory):
        """A process at a terminal that has prompted there, as its hook writes it."""
        process, terminal = pty.fork()
        if process == 0:
            os.execvp("cat", ["cat"])
        self.addCleanup(os.close, terminal)
        self.addCleanup(lambda: (os.kill(process, 9), os.waitpid(process, 0)))
        wait_until(lambda: pathlib.Path(f"/proc/{process}/comm").read_text() == "cat\n", "it runs at its terminal")
        directory.mkdir()
        self.prompt(process, directory)
        return process

    def prompt(self, process, directory):
        folder = self.runtime / "baton-shells"
        folder.mkdir(mode=0o700, exist_ok=True)
        (folder / str(process)).write_bytes(b"\0".join([str(directory).encode(), b"", f"HOME={self.directory}".encode(), b"", b""]))

    def host_process(self):
        try:
            return int(os.readlink(self.runtime / "baton-shells" / "host").rsplit("/", 1)[1])
        except FileNotFoundError:
            return None

    def test_it_becomes_the_new_program_and_offers_the_same_directory(self):
        notes, other = self.directory / "notes", self.directory / "other"
        first = self.start_shell(notes)
        process = self.start("shell-host", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.daemon.wait_for_current("notes")
        self.start_shell(other)
        self.daemon.wait_for_current("other")
        # Somebody looks at the first terminal again.
        (self.runtime / "baton-shells" / f"focus-{first}").touch()
        self.daemon.wait_for_current("notes")
        for _ in range(2):
            self.upgrade()
            self.wait_until_new(process.pid)
            self.daemon.wait_for_current("notes")
        wait_until(lambda: self.host_process() == process.pid, "it is the host")

    def test_one_that_offers_nothing_becomes_it_with_the_next_prompt(self):
        notes = self.directory / "notes"
        shell = self.start_shell(notes)
        process = self.start("shell-host", stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.daemon.wait_for_current("notes")
        self.daemon.publish(title="Other")
        self.daemon.wait_for_current("Other")
        self.replace()
        self.prompt(shell, notes)
        self.wait_until_new(process.pid)
        self.daemon.wait_for_current("notes")


class TerminalHostTests(ReplacedHostTest):
    def tmux(self, *words):
        return subprocess.run(
            ["tmux", "-S", str(self.directory / "tmux"), *words], env=self.environment, text=True, capture_output=True,
            timeout=PATIENCE, check=True,
        ).stdout.rstrip("\n")

    def hosts(self):
        found = []
        for path in pathlib.Path("/proc").glob("[0-9]*"):
            try:
                words = (path / "cmdline").read_bytes().split(b"\0")
                if str(self.directory / "tmux").encode() in words and words[1:3] == [b"terminal", b"host"]:
                    found.append(int(path.name))
            except OSError:
                continue
        return found

    def test_a_session_stays_shared_by_the_new_program(self):
        self.tmux("-f", "/dev/null", "new-session", "-d", "-s", "work", "cat")
        self.addCleanup(self.tmux, "kill-server")
        number, process = self.tmux("display-message", "-p", "#{session_id},#{pid}").split(",")
        inside = {**self.environment, "TMUX": f"{self.directory}/tmux,{process},{number[1:]}"}
        self.tmux("set-option", "-t", number, "detach-on-destroy", "off")

        def baton(*words):
            return subprocess.run(
                [str(self.program), "terminal", *words], env=inside, capture_output=True, text=True, timeout=PATIENCE, check=True
            ).stdout

        baton("share")
        [host] = wait_until(self.hosts, "the host runs")
        title = self.daemon.call("GetStatus")["current"]["title"]
        self.upgrade()
        self.wait_until_new(host)
        self.daemon.wait_for_current(title)
        self.assertEqual(self.hosts(), [host])
        self.assertIn("work", baton("list"))
        baton("unshare")
        wait_until(lambda: not self.hosts(), "the host has ended")
        # The session's own setting is back.
        self.assertEqual(self.tmux("show-options", "-v", "-t", number, "detach-on-destroy"), "off")
