# SPDX-License-Identifier: Apache-2.0
"""A machine that says one thing about the files that it sends, and sends another."""
# Labs: lo
import socket
import struct
import threading
import time

from lab import VarlinkError, wait_until
from test_transfers import STAGING, TransferTest


class HostileSender:
    """Offers files over the control socket, and sends what it likes."""

    def __init__(self, case, origin, receiver):
        self.case, self.origin = case, origin
        self.device = receiver.call("GetStatus")["teams"][0]["deviceID"]

    def activity(self, title, info):
        return {
            "activityType": "io.baton.files", "title": title, "userInfo": info, "supportsContinuationStreams": True,
        }

    def offer(self, title, info):
        """Returns the ID of the offer."""
        self.connection = self.origin.connect(60)
        self.connection.more("SendActivity", activity=self.activity(title, info), deviceID=self.device)
        return self.connection.receive()["id"]

    def change(self, offer, title, info):
        self.origin.call("UpdateActivity", activity={**self.activity(title, info), "id": offer})

    def serve(self, names, content=b"x"):
        """Serves the next stream: folders end with a slash, and everything else is a file."""
        thread = threading.Thread(target=self._serve, args=(names, content), daemon=True)
        thread.start()
        self.case.addCleanup(thread.join, 60)

    def _serve(self, names, content):
        requested = self.connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        _, _, stream = self.origin.connect(60).upgrade("AcceptStream", stream=requested["stream"])
        entries = [(2, b"") if name.endswith("/") else (0, content) for name in names]
        described = b"".join(
            struct.pack(">BQqIHH", kind, len(data), 0, 0, len(name.rstrip("/").encode()), 0) + name.rstrip("/").encode()
            for name, (kind, data) in zip(names, entries)
        )
        size = sum(len(data) for _, data in entries)
        try:
            self.frame(stream, 2, described)
            self.frame(stream, 3, struct.pack(">IQQI", len(names), size, size, 0))
            for number, (kind, data) in enumerate(entries):
                if kind == 0:
                    self.frame(stream, 6, struct.pack(">IQ", number, 0) + data)
                    self.frame(stream, 7, struct.pack(">IQqI", number, len(data), 0, 0))
            self.frame(stream, 9, b"")
            while stream.recv(65536):
                pass
            self.frame(stream, 11, b"{}")
        except OSError:
            pass
        stream.close()

    def frame(self, stream, kind, payload):
        stream.sendall(bytes([kind]) + len(payload).to_bytes(3, "big") + payload)


def info(*names, more=None, count=None, size=1):
    value = {"files": [{"name": name, "size": 1} for name in names], "count": count or len(names), "size": size}
    return value if more is None else {**value, "more": more}


class LieTests(TransferTest):
    def setUp(self):
        super().setUp()
        self.sender = HostileSender(self, *self.daemons)

    def asked(self, title):
        """The transfer with this title that asks."""
        return wait_until(
            lambda: next((transfer for transfer in self.desktop.transfers() if transfer["title"] == title), None),
            f"{title} in {self.desktop.transfers()}",
        )

    def accept(self, transfer):
        self.desktop.ask("Accept", id=transfer["id"], title=transfer["title"])

    def ended(self):
        wait_until(lambda: self.desktop.state() in (["done"], ["failed"]), f"{self.desktop.transfers()}")
        return self.desktop.transfers()[0]

    def test_a_number_that_overflows(self):
        names = ["a.txt", "b.txt", "c.txt"]
        title = "a.txt, b.txt (3 files, 3 bytes)"
        self.sender.offer(title, info(*names, more=(1 << 63) - 1, size=3))
        self.sender.serve([*names, ".bash_profile", ".ssh/", ".ssh/authorized_keys", "hidden1", "hidden2"])
        self.accept(self.asked(title))
        self.assertEqual(self.ended()["reason"], "notAsOffered")
        self.assertEqual(self.desktop.names(), [])

    def test_hidden_names_that_nobody_was_asked_about(self):
        title = ".profile, a.txt and 3 more (5 files, 5 bytes)"
        self.sender.offer(title, info(".profile", "a.txt", more=3, count=5, size=5))
        self.sender.serve([".profile", "a.txt", ".bash_profile", ".git/", ".git/config", "HEAD"])
        self.accept(self.asked(title))
        self.assertEqual(self.ended()["state"], "done")
        self.assertEqual(self.desktop.names(), [".profile", "_HEAD", "a.txt", "bash_profile", "git"])

    def test_a_file_does_not_arrive_as_a_folder(self):
        """Whoever opens it with a program that asks git runs what its `config` names."""
        title = "holiday.jpg (1 byte)"
        self.sender.offer(title, info("holiday.jpg"))
        self.sender.serve(["holiday.jpg/", "holiday.jpg/.git/", "holiday.jpg/.git/HEAD", "holiday.jpg/.git/config"])
        self.accept(self.asked(title))
        self.assertEqual(self.ended().get("reason"), "notAsOffered")
        self.assertEqual(self.desktop.names(), [])

    def test_a_title_that_changes_after_the_question(self):
        first, second = "run-me.desktop (1 byte)", "holiday.jpg (1 byte)"
        offer = self.sender.offer(first, info("run-me.desktop"))
        asked = self.asked(first)
        self.sender.change(offer, second, info("run-me.desktop"))
        self.asked(second)
        with self.assertRaises(VarlinkError):
            self.accept(asked)
        # What a person typed after the first list is about the first question, too.
        refused = self.desktop.baton("transfers", "--accept", offer, check=False)
        self.assertEqual((refused.returncode, "has changed" in refused.stderr), (5, True), refused.stderr)
        self.assertEqual(self.desktop.state(), ["asking"])
        listed = self.desktop.baton("transfers").stdout
        self.assertIn(f"{offer[:8]}.2 ", listed)
        self.sender.serve(["run-me.desktop"])
        self.desktop.baton("transfers", "--accept", f"{offer[:8]}.2")
        self.assertEqual(self.ended()["reason"], "notAsOffered")
        self.assertEqual(self.desktop.names(), [])

    def test_a_question_of_another_machine_with_the_same_digits(self):
        """What was typed for the first machine's files accepts none of the second one's."""
        tablet = self.batond("tablet").start()
        tablet.baton("team", "join", self.daemons[0].json("team", "invite")["code"])
        for daemon in (*self.daemons, tablet):
            daemon.wait_for_sessions(2)
        for number, (origin, name) in enumerate(((self.daemons[0], "holiday.jpg"), (tablet, "run-me.desktop"))):
            sender = HostileSender(self, origin, self.daemons[1])
            sender.connection = origin.connect(60)
            activity = {**sender.activity(f"{name} (1 byte)", info(name)), "id": f"1f0c77ab-0000-4000-8000-00000000000{number}"}
            sender.connection.more("SendActivity", activity=activity, deviceID=sender.device)
            self.asked(f"{name} (1 byte)")
            if number == 0:
                sender.connection.close()
                wait_until(lambda: self.desktop.transfers() == [], "it is withdrawn")
        refused = self.desktop.baton("transfers", "--accept", "1f0c77ab", check=False)
        self.assertEqual((refused.returncode, "has changed" in refused.stderr), (5, True), refused.stdout + refused.stderr)
        self.assertEqual(self.desktop.state(), ["asking"])

    def test_a_rule_lets_nobody_choose_the_words(self):
        self.desktop.write_settings("[Files]", "Accept=always")
        self.sender.offer("holiday.jpg (1 byte)", info("holiday.jpg"))
        self.sender.serve(["run-me.desktop", ".bashrc"])
        arrived = self.ended()
        self.assertEqual((arrived["state"], arrived["title"]), ("done", "bashrc, run-me.desktop (2 files, 2 bytes)"))
        self.assertEqual(self.desktop.names(), ["bashrc", "run-me.desktop"])

    def test_names_that_programs_take_for_more_than_names(self):
        """`vim *`, `perl -ne 1 *`, `gcc *.c`, `python3 -m http.server` and `make` in the folder run nothing."""
        self.desktop.write_settings("[Files]", "Accept=always")
        self.sender.offer("holiday.jpg (1 byte)", info("holiday.jpg"))
        self.sender.serve(["+!touch pwned", "touch pwned|", " |touch pwned-2", "@x.c", "html.py", "gems.rb", "HEAD.", "Makefile"])
        self.assertEqual(self.ended()["state"], "done")
        self.assertEqual(
            self.desktop.names(),
            ["!touch pwned", "_HEAD.", "_Makefile", "_gems.rb", "_html.py", "touch pwned", "touch pwned-2", "x.c"],
        )

    def test_a_folder_whose_files_are_obeyed(self):
        configuration = self.desktop.home / ".config"
        (self.desktop.home / "link").symlink_to(configuration)
        for name in ("~", configuration / "autostart", self.desktop.home / "link"):
            self.desktop.write_settings("[Files]", "Accept=always", f"Folder={name}")
            folder = self.desktop.home if name == "~" else name
            self.desktop.wait_for_log(f"Can't receive files in {folder}: ")
            before = sorted(folder.iterdir()) if folder.exists() else None
            self.send(self.make("notes.txt", 1))
            wait_until(lambda: self.desktop.state()[:1] == ["failed"], f"{self.desktop.transfers()}")
            self.assertEqual(self.desktop.transfers()[0]["reason"], "folderUnavailable")
            self.assertEqual(sorted(folder.iterdir()) if folder.exists() else None, before)
            status = self.desktop.ask("GetStatus")
            self.assertIn("programs read their configuration", status["trouble"])
            self.desktop.ask("Forget", id=self.desktop.transfers()[0]["id"])

    def test_questions_that_come_and_go_write_nothing(self):
        for number in range(100):
            self.sender.offer(f"{number} (1 byte)", info(str(number)))
            self.sender.connection.close()
        last = "the last (1 byte)"
        self.sender.offer(last, info("the last"))
        self.asked(last)
        wait_until(lambda: len(self.desktop.transfers()) == 1, f"{self.desktop.transfers()}")
        kept = self.desktop.data / "baton"
        self.assertEqual([path.name for path in kept.glob("**/*.json")], [])

    def test_a_receiver_that_breaks_streams_lets_the_sender_look_rarely(self):
        self.desktop.stop()
        for number in range(1000):
            self.make(f"top/{number}", content=b"")
        self.send(self.laptop.home / "top")
        desktop, looks, asked = self.daemons[1], "Resumed a transfer", 0
        end = time.monotonic() + 8
        while time.monotonic() < end:
            for offer in desktop.offers():
                asked += 1
                try:
                    desktop.call("Continue", id=offer["id"])
                    connection = desktop.connect(1)
                    _, _, stream = connection.upgrade("OpenStream", activity=offer["id"])
                    stream.sendall(b"\x01\x00\x00\x0d" + b'{"version":1}')
                    stream.recv(1)
                except (VarlinkError, OSError, EOFError):
                    pass
                connection.close()
            time.sleep(0.01)
        self.assertGreater(asked, 4)
        self.assertIn(self.laptop.log.read_text().count(looks), range(2, 6))


class AccountTests(TransferTest):
    """A machine that takes out of the account what it has sent, and leaves it on the disk."""

    QUOTA, SIZE = 1_000_000, 900_000

    def begin(self, sender, name, size, sent, stored):
        """Serves the next stream up to the middle of a file."""
        requested = sender.connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        _, _, stream = sender.origin.connect(60).upgrade("AcceptStream", stream=requested["stream"])
        try:
            sender.frame(stream, 2, struct.pack(">BQqIHH", 0, size, 0, 0, len(name), 0) + name.encode())
            sender.frame(stream, 3, struct.pack(">IQQI", 1, size, stored, 0))
            for offset in range(0, sent, 100_000):
                sender.frame(stream, 6, struct.pack(">IQ", 0, offset) + b"x" * min(100_000, sent - offset))
            stream.shutdown(socket.SHUT_WR)
            while stream.recv(65536):
                pass
        except OSError:
            pass
        stream.close()

    def states(self):
        return [transfer["state"] for transfer in self.desktop.transfers()]

    def test_what_is_left_on_the_disk_counts(self):
        self.desktop.write_settings("[Files]", "Accept=always", f"Quota={self.QUOTA}")
        for number in range(3):
            sender = HostileSender(self, *self.daemons)
            offer = sender.offer(str(number), info(str(number), size=self.SIZE))
            if number == 0:
                self.begin(sender, "large", self.SIZE, self.SIZE, self.SIZE)
                wait_until(lambda: "waiting" in self.states(), "it broke off")
                sender.connection.close()
                # The same once more: small, and with room for more than there is.
                sender.connection = sender.origin.connect(60)
                activity = {**sender.activity("0", info("0", size=self.SIZE)), "id": offer}
                sender.connection.more("SendActivity", activity=activity, deviceID=sender.device)
                sender.connection.receive()
                self.begin(sender, "small", 1, 0, 1 << 60)
            else:
                self.begin(sender, "large", self.SIZE, self.SIZE, self.SIZE)
            wait_until(lambda number=number: self.states().count("failed") == number + 1, "it fails")
            sender.connection.close()
        reasons = sorted(transfer["reason"] for transfer in self.desktop.transfers())
        self.assertEqual(reasons, ["diskFull", "quotaExceeded", "quotaExceeded"])
        files = [path for path in (self.desktop.arrived / STAGING).rglob("*") if path.is_file()]
        self.assertLessEqual(sum(path.stat().st_size for path in files), self.QUOTA)

    def test_a_machine_that_is_refused_goes_on_with_nothing(self):
        """A rule let it begin. It broke off, and sends something else after it was refused."""
        device = self.daemons[0].call("GetStatus")["teams"][0]["deviceID"]
        self.desktop.write_settings("[Files]", "Accept=always")
        sender = HostileSender(self, *self.daemons)
        offer = sender.offer("0", info("0", size=self.SIZE))
        self.begin(sender, "large", self.SIZE, self.SIZE // 2, self.SIZE)
        wait_until(lambda: self.states() == ["waiting"], "it broke off")
        sender.connection.close()
        self.desktop.write_settings("[Files]", f"RefuseFrom={device}")
        sender.connection = sender.origin.connect(60)
        activity = {**sender.activity("1", info("1", "2", size=2)), "id": offer}
        sender.connection.more("SendActivity", activity=activity, deviceID=sender.device)
        sender.connection.receive()
        sender.serve(["run-me.desktop", "evil.sh"])
        wait_until(lambda: self.states() in (["done"], ["failed"]), f"{self.desktop.transfers()}")
        self.assertEqual((self.desktop.transfers()[0].get("reason"), self.desktop.names()), ("notAllowed", []))
