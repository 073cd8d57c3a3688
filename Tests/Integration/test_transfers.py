# SPDX-License-Identifier: Apache-2.0
"""Files that one machine sends to another one, with the agents of both."""
# Labs: lo

import hashlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import urllib.parse

from lab import PATIENCE, LabTest, Varlink, wait_until
from test_search import Index


# Where files are until all of them are there.
STAGING = ".baton-incoming"


class Machine(Index):
    """The agent of one of the machines, with its files."""

    def __init__(self, case, daemon, **environment):
        super().__init__(case, daemon, case.directory / f"{daemon.name}.agent", **environment)

    @property
    def arrived(self):
        return self.home / "Handoff"

    def ask(self, method, **parameters):
        with Varlink(self.socket, timeout=60) as connection:
            return connection.call(f"io.baton.Transfers.{method}", **parameters)

    def write_settings(self, *lines):
        """Writes the user's agent.conf. They must differ from the settings before."""
        folder = self.home / ".config/baton"
        folder.mkdir(parents=True, exist_ok=True)
        changes = self.log.read_text().count("The settings changed")
        (folder / "new").write_text("\n".join([*lines, ""]))
        (folder / "new").rename(folder / "agent.conf")
        self.wait_for_log("The settings changed", changes + 1)

    def popen(self, *arguments, socket=None, folder=None):
        return subprocess.Popen(
            self.daemon.command_line(*arguments), env={**self.environment, "BATON_SEARCH_SOCKET": str(socket or self.socket)},
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
        )

    def transfers(self):
        return [state["transfer"] for state in self.ask("List")["transfers"]]

    def state(self):
        return [transfer["state"] for transfer in self.transfers()]

    def wait_for(self, *states):
        wait_until(lambda: self.state() == list(states), lambda: f"{states}, not {self.state()}")

    def accept(self):
        """Accepts the one transfer that waits for it."""
        asking = wait_until(
            lambda: [transfer for transfer in self.transfers() if transfer["state"] == "asking"], "a transfer asks",
        )
        self.ask("Accept", id=asking[0]["id"], title=asking[0]["title"])
        return asking[0]

    def names(self):
        """What has got its final name."""
        return sorted(set(os.listdir(self.arrived)) - {STAGING}) if self.arrived.exists() else []


def tree(path):
    """What is below a path: names, and what they have."""
    found = {}
    for folder, folders, files in os.walk(os.fsencode(path)):
        for name in folders + files:
            full = os.path.join(folder, name)
            relative = os.path.relpath(full, os.fsencode(path))
            if os.path.islink(full):
                found[relative] = os.readlink(full)
            elif os.path.isdir(full):
                found[relative] = None
            else:
                with open(full, "rb") as file:
                    found[relative] = hashlib.sha256(file.read()).hexdigest(), os.stat(full).st_mtime_ns
    return found


def receive_message(connection):
    """A whole message of Varlink."""
    message = b""
    while not message.endswith(b"\0"):
        received = connection.recv(64 * 1024)
        assert received, "The other side hung up."
        message += received
    return message


def is_stopped(process):
    return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "T"


class TransferTest(LabTest):
    def setUp(self):
        super().setUp()
        self.daemons = self.two()
        self.laptop, self.desktop = (Machine(self, daemon) for daemon in self.daemons)
        for machine in (self.laptop, self.desktop):
            machine.start()

    def make(self, name, size=0, content=None):
        path = self.laptop.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(os.urandom(size) if content is None else content)
        return path

    def send(self, *paths):
        device = next(peer for peer in self.daemons[0].call("ListPeers")["peers"] if peer["device"] == "desktop")
        files = ["file://" + urllib.parse.quote(os.fsencode(path)) for path in paths]
        return self.laptop.ask(
            "Send", files=files, deviceID=device["deviceID"], device="desktop", team=device["team"],
        )["transfer"]["transfer"]


class SendingTests(TransferTest):
    def test_a_file_arrives_when_it_is_accepted(self):
        path = self.make("notes.txt", 3_000_000)
        sent = self.send(path)
        self.assertEqual((sent["state"], sent["size"], sent["title"]), ("waiting", 3_000_000, "notes.txt (3.0 MB)"))
        self.assertEqual(self.desktop.names(), [])
        asked = self.desktop.accept()
        self.assertEqual((asked["title"], asked["device"]), (sent["title"], "laptop"))
        self.laptop.wait_for("done")
        self.desktop.wait_for("done")
        wait_until(lambda: self.desktop.names() == ["notes.txt"], f"{self.desktop.names()}")
        self.assertEqual((self.desktop.arrived / "notes.txt").read_bytes(), path.read_bytes())

    def test_a_folder_with_odd_names(self):
        names = ["a b", "new\nline", "-rf", "\u202egpj.exe", "'\"$(x)`", "deep/er/est", "n" * 255, ".hidden", "\x1b[31m"]
        for name in names:
            self.make(f"top/{name}", 1000)
        self.make("top/empty")
        (self.laptop.home / "top/link").symlink_to("deep/er")
        with open(os.fsencode(self.laptop.home) + b"/top/\xff\xfe", "wb") as file:
            file.write(b"bytes")
        self.send(self.laptop.home / "top")
        self.desktop.accept()
        self.laptop.wait_for("done")
        self.assertEqual(tree(self.desktop.arrived / "top"), tree(self.laptop.home / "top"))

    def test_everything_that_arrives_is_marked(self):
        """A folder in it is another machine's, too, when somebody takes it out."""
        self.make("top/inner/.git/config", 10)
        self.make("top/text", 10)
        self.make("file", 10)
        self.send(self.laptop.home / "top", self.laptop.home / "file")
        self.desktop.accept()
        self.desktop.wait_for("done")
        for path in ("file", "top", "top/text", "top/inner", "top/inner/.git", "top/inner/.git/config"):
            self.assertEqual(os.getxattr(self.desktop.arrived / path, "user.baton.arrived"), b"1", path)

    def test_both_sides_know_that_it_was_declined(self):
        self.send(self.make("notes.txt", 10))
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        self.desktop.ask("Cancel", id=self.desktop.transfers()[0]["id"])
        self.laptop.wait_for("failed")
        self.assertEqual(self.laptop.transfers()[0]["reason"], "declined")
        self.assertEqual(self.desktop.transfers()[0]["reason"], "declined")
        self.assertEqual(self.desktop.names(), [])

    def test_what_was_withdrawn_does_not_ask(self):
        self.send(self.make("notes.txt", 10))
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        self.laptop.ask("Cancel", id=self.laptop.transfers()[0]["id"])
        self.desktop.wait_for()


class InterruptionTests(TransferTest):
    def test_an_interrupt_ends_what_runs_on_both_sides(self):
        path = self.make("big", 400_000_000)
        process = self.laptop.popen("send", str(path), "desktop")
        self.desktop.accept()
        staged = self.desktop.arrived / STAGING
        wait_until(lambda: any(staged.glob("*/files/big")), "it arrives")
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, "You canceled it." in errors), (5, True), errors)
        self.desktop.wait_for("failed")
        self.assertEqual(self.desktop.transfers()[0]["reason"], "withdrawn")
        # It can be sent again, and the receiver's user is asked again.
        wait_until(lambda: "error" not in self.retry(), "it is tried again")
        self.desktop.accept()
        self.laptop.wait_for("done")
        self.desktop.wait_for("done")
        self.assertEqual((self.desktop.arrived / "big").read_bytes(), path.read_bytes())

    def retry(self):
        result = self.laptop.baton("transfers", "--retry", self.laptop.transfers()[0]["id"], "--json", check=False)
        return json.loads(result.stdout or result.stderr)

    def test_agents_and_daemons_that_end_and_come_back(self):
        path = self.make("big", 300_000_000)
        self.send(path)
        self.desktop.accept()
        for part in (self.laptop, self.desktop, *self.daemons, self.desktop, self.laptop):
            wait_until(lambda: self.desktop.state() in (["running"], ["done"]), "it goes on")
            if self.desktop.state() == ["done"]:
                break
            if part in self.daemons:
                part.kill()
                part.start()
            else:
                part.process.kill()
                part.process.wait()
                part.start()
        wait_until(lambda: self.laptop.state() == ["done"], f"{self.laptop.state()}", 90)
        self.desktop.wait_for("done")
        wait_until(lambda: self.desktop.names() == ["big"], f"{self.desktop.names()}")
        self.assertEqual((self.desktop.arrived / "big").read_bytes(), path.read_bytes())


class OutboxTests(TransferTest):
    def later(self, sender, receiver):
        """The other machine is away, and the sender restarts meanwhile."""
        name = receiver.daemon.name
        receiver.stop()
        receiver.daemon.kill()
        path = sender.home / "notes.txt"
        path.write_bytes(b"notes")
        sender.baton("send", path, name, "--later")
        sender.stop()
        sender.daemon.kill()
        sender.daemon.start()
        sender.start()
        sender.wait_for("waiting")
        receiver.daemon.start()
        receiver.start()
        receiver.accept()
        sender.wait_for("done")
        self.assertEqual((receiver.arrived / "notes.txt").read_bytes(), b"notes")

    def test_the_administrator_sends_later(self):
        self.later(self.laptop, self.desktop)

    def test_another_member_sends_later(self):
        self.later(self.desktop, self.laptop)


    def test_what_waits_goes_to_the_machine_that_was_named(self):
        """The machine is off when it gets files, and another one takes its name meanwhile."""
        laptop, desktop = self.daemons
        tablet = self.batond("tablet", 1).start()
        tablet.baton("team", "join", laptop.json("team", "invite")["code"])
        other = wait_until(
            lambda: [peer for peer in laptop.call("ListPeers")["peers"] if peer["device"] == "tablet"], "it is there",
        )[0]["deviceID"]
        self.desktop.stop()
        desktop.kill()
        path = self.make("notes.txt", content=b"notes")
        self.laptop.baton("send", "--later", path, "desktop")
        tablet.terminate()
        tablet.name = "desktop"
        tablet.start()

        def impostor():
            found = [peer for peer in laptop.call("ListPeers")["peers"] if peer["deviceID"] == other]
            return found and found[0]["state"] == "connected" and found[0]["device"] == f"desktop ({other[:8]})"

        wait_until(impostor, "it has digits", 60)
        # Nothing goes there by the name alone.
        for words in (["--later"], []):
            result = self.laptop.baton("send", *words, path, "desktop", check=False)
            self.assertEqual((result.returncode, "baton machine accept" in result.stderr), (8, True), result.stderr)
        self.assertEqual(len(self.laptop.transfers()), 1)
        desktop.start()
        self.desktop.start()
        self.desktop.accept()
        self.laptop.wait_for("done")
        self.assertEqual((self.desktop.arrived / "notes.txt").read_bytes(), b"notes")


class CommandTests(TransferTest):
    def test_send_shows_what_becomes_of_it(self):
        path = self.make("notes.txt", 1_000_000)
        process = self.laptop.popen("send", str(path), "desktop")
        self.desktop.accept()
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (0, "Sent to desktop: notes.txt (1.0 MB)\n"), errors)
        self.assertEqual((self.desktop.arrived / "notes.txt").read_bytes(), path.read_bytes())
        listed = json.loads(self.desktop.baton("transfers", "--json").stdout)["transfers"]
        self.assertEqual(listed[0]["transfer"]["state"], "done")

    def test_urls_stand_for_names_that_are_not_text(self):
        name = b"-\xff\n %41"
        with open(os.path.join(os.fsencode(self.laptop.home), name), "wb") as file:
            file.write(b"bytes")
        url = f"file://{self.laptop.home}/{urllib.parse.quote(name)}"
        # The last URL is not taken for the name of a machine.
        self.make("notes.txt", 10)
        sent = self.laptop.baton("send", "--later", "--json", f"file://{self.laptop.home}/notes.txt", url)
        self.assertEqual(json.loads(sent.stdout)["transfer"]["count"], 2)
        self.desktop.accept()
        self.desktop.wait_for("done")
        wait_until(lambda: len(self.desktop.names()) == 2, "both are there")
        names = set(os.listdir(os.fsencode(self.desktop.arrived))) - {os.fsencode(STAGING)}
        # The end of a line is none in a name that arrives.
        self.assertEqual(names, {b"\xff_ %41", b"notes.txt"})
        missing = self.laptop.baton("send", "file:///no/%ff", "desktop", check=False)
        self.assertEqual((missing.returncode, missing.stderr), (4, "baton: /no/\ufffd: No such file or directory.\n"))

    def test_one_name_that_is_not_there_does_not_stop_the_others(self):
        os.symlink("gone", f"{self.laptop.home}/dangling")
        self.make("first.txt", 10)
        self.make("second.txt", 10)
        names = [f"{self.laptop.home}/{name}" for name in ("dangling", "first.txt", "missing", "second.txt")]
        sending = self.laptop.popen("send", *names, "desktop")
        self.desktop.accept()
        _, errors = sending.communicate(timeout=PATIENCE)
        self.assertEqual(sending.returncode, 1, errors)
        for name in (names[0], names[2]):
            self.assertEqual(errors.count(f"{name}: No such file or directory."), 2, errors)
        self.assertEqual(sorted(self.desktop.names()), ["first.txt", "second.txt"])
        # Nothing is sent if nothing is there.
        outcome = self.laptop.baton("send", names[0], names[2], "desktop", check=False)
        self.assertEqual(outcome.returncode, 4, outcome.stderr)

    def test_what_lies_in_the_directory_decides_nothing(self):
        self.make("notes.txt", 10)
        for name in ("desktop", "tablet"):
            self.make(f"{name}/secret", 10)
        home = self.laptop.home
        process = self.laptop.popen("send", "--later", "notes.txt", "desktop", folder=home)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.desktop.accept()
        self.desktop.wait_for("done")
        wait_until(self.desktop.names, "it is there")
        self.assertEqual(self.desktop.names(), ["notes.txt"])
        # Nobody named the machine that is there.
        process = self.laptop.popen("send", "notes.txt", "tablet", folder=home)
        output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (4, ""), errors)
        self.assertIn("The last argument is the machine", errors)
        self.assertEqual(len(self.laptop.transfers()), 1)
        # A slash makes it a file.
        process = self.laptop.popen("send", "--later", "notes.txt", "./tablet", folder=home)
        output, errors = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, errors)
        self.desktop.accept()
        wait_until(lambda: "tablet" in self.desktop.names(), "the folder is there")

    def test_an_interrupt_withdraws_it(self):
        process = self.laptop.popen("send", str(self.make("notes.txt", 10)), "--to", "desktop")
        wait_until(lambda: self.desktop.state() == ["asking"], "it asks")
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("You canceled it.", errors)
        self.desktop.wait_for()

    def test_an_interrupt_before_the_answer_is_read_withdraws_it(self):
        """The agent has answered, and the command is interrupted before it can read the answer."""
        path, agent = self.make("notes.txt", 10), self.laptop.socket
        with socket.socket(socket.AF_UNIX) as listener:
            between = self.directory / "between.sock"
            listener.bind(str(between))
            listener.listen()
            process = self.laptop.popen("send", str(path), "--to", "desktop", socket=between)
            client = listener.accept()[0]
            between.unlink()
            between.symlink_to(agent)
        with client, socket.socket(socket.AF_UNIX) as server:
            server.connect(str(agent))
            server.sendall(receive_message(client))
            reply = receive_message(server)
            process.send_signal(signal.SIGSTOP)
            wait_until(lambda: is_stopped(process.pid), "it stands still")
            client.sendall(reply)
            process.send_signal(signal.SIGINT)
            process.send_signal(signal.SIGCONT)
            output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output), (5, ""), errors)
        self.assertIn("You canceled it.", errors)
        self.desktop.wait_for()

    def test_an_interrupt_while_the_agent_looks_at_the_files_hangs_up(self):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(self.directory / "silent.sock"))
            listener.listen()
            process = self.laptop.popen(
                "send", str(self.make("notes.txt", 10)), "--to", "desktop", socket=self.directory / "silent.sock",
            )
            with listener.accept()[0] as client:
                receive_message(client)
                process.send_signal(signal.SIGINT)
                self.assertEqual(client.recv(1), b"")
                output, errors = process.communicate(timeout=60)
        self.assertEqual((process.returncode, output, errors), (128 + signal.SIGINT, "", ""))

    def test_a_name_that_became_a_link_leads_nowhere(self):
        path, secret = self.make("notes.txt", 10), self.make("secret", content=b"secret")
        link = self.laptop.home / "link"
        link.symlink_to(secret)
        self.send(path, self.make("other", 10), link)
        path.unlink()
        path.symlink_to(secret)
        self.desktop.accept()
        self.laptop.wait_for("done")
        # A link that somebody sent is followed.
        self.assertEqual(self.desktop.names(), ["link", "other"])
        self.assertEqual((self.desktop.arrived / "link").read_bytes(), b"secret")
        omissions = self.laptop.transfers()[0]["omissions"]
        self.assertEqual(omissions, [{"path": "notes.txt", "reason": "special"}])

    def test_the_root_folder_has_no_name(self):
        result = self.laptop.baton("send", "/", "--to", "desktop", check=False)
        self.assertEqual((result.returncode, "can't send / itself" in result.stderr), (2, True), result.stderr)

    def test_what_is_not_there(self):
        result = self.laptop.baton("send", "/nowhere", "desktop", check=False)
        self.assertEqual((result.returncode, result.stderr), (4, "baton: /nowhere: No such file or directory.\n"))
        result = self.laptop.baton("send", "/etc/hostname", "--to", "nobody", check=False)
        self.assertEqual(result.returncode, 4)
