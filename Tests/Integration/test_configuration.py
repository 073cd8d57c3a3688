# SPDX-License-Identifier: Apache-2.0
# Labs: pair
"""The configuration is changed under a daemon that has a session and a stream: SIGHUP, as `systemctl reload` sends it."""
import signal
import subprocess

from lab import BUILD, PATIENCE, Batond, LabTest, on, receive_whole, wait_until


class ConfiguredBatond(Batond):
    """A daemon that a configuration file rules, and no flag but where it keeps its things."""

    def configure(self, text, name="batond.conf"):
        file = self.state.parent / f"{self.name}.{name}"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def command(self, *more):
        command = [BUILD / "batond", "--config", self.state.parent / f"{self.name}.batond.conf"]
        return on(self.host, *command, "--socket", self.socket, "--state-directory", self.state, *more)

    def reload(self, text, name="batond.conf", answer="Reloaded the configuration"):
        count = self.log_text().count(answer)
        self.configure(text, name)
        self.signal(signal.SIGHUP)
        self.wait_for_log(answer, count + 1)


class ConfigurationTest(LabTest):
    labs = ("pair",)

    def configured(self, name, number, text):
        daemon = ConfiguredBatond(self, self.host(number), name, self.directory)
        daemon.configure(f"[Device]\nName={name}\n[Network]\nPort=0\n{text}")
        return daemon.start()

    def wait_for_instances(self, count, what):
        return wait_until(lambda: len(names := self.instances(1)) == count and names, what, interval=0.2)

    def test_a_reload_keeps_sessions_and_streams(self):
        self.wait_until_none_is_announced(1)
        laptop = self.configured("laptop", 0, "")
        desktop = self.configured("desktop", 1, "")
        self.make_team(laptop, desktop)
        self.wait_for_instances(2, "both are announced")
        activity = {"userInfo": {"file": {"$url": "file:///srv/notes/a"}}, "supportsContinuationStreams": True}
        origin, activity_id = laptop.publish(**activity)
        desktop.wait_for_offer(activity_id)
        desktop.call("Continue", id=activity_id)
        receiver = desktop.connect()
        receiver.send("OpenStream", {"activity": activity_id}, upgrade=True)
        stream = origin.receive_until(lambda reply: reply["event"] == "streamRequested")["stream"]
        _, _, accepted = laptop.connect().upgrade("AcceptStream", stream=stream)
        receiver.receive()
        begun = laptop.call("GetStatus")["counters"]["sessionsBegun"]
        head = "[Device]\nName=laptop\n[Network]\nPort=0\n"

        def check_stream(text):
            accepted.sendall(text)
            self.assertEqual(receive_whole(receiver.socket, len(text)), text)
            status = laptop.call("GetStatus")
            self.assertEqual((status["sessions"], status["streams"]), (1, 1))
            self.assertEqual(status["counters"]["sessionsBegun"], begun)

        check_stream(b"before")

        # The log level.
        self.assertNotIn(" debug ", laptop.log_text())
        laptop.reload(head + "[Log]\nLevel=debug\n")
        self.assertIn("key=Log.Level", laptop.log_text())
        check_stream(b"level")

        # Interfaces: none is left, and none is left out any more.
        names = self.instances(1)
        laptop.reload(head + "ExcludeInterfaces=*\n")
        self.wait_for_instances(1, "the laptop is not announced")
        check_stream(b"no interface")
        laptop.reload(head)
        self.wait_for_instances(2, "the laptop is announced again")
        check_stream(b"all interfaces")

        # Discovery, off and on, under names that are new again.
        laptop.reload(head + "Discovery=no\n")
        self.assertEqual(laptop.call("GetStatus")["discovery"], "disabled")
        self.wait_for_instances(1, "the laptop is not announced")
        laptop.reload(head)
        self.assertEqual(len(self.wait_for_instances(2, "the laptop is announced again") & names), 1)
        wait_until(lambda: laptop.call("GetStatus")["discovery"] == "running", "discovery runs")
        check_stream(b"discovery")

        # A shared folder, in a drop-in.
        laptop.reload("[shared-folders]\nNotes=/srv/notes\n", "batond.conf.d/folder.conf")
        desktop.reload("[shared-folders]\nNotes=/mnt/notes\n", "batond.conf.d/folder.conf")
        check_stream(b"folder")
        _, other = laptop.publish(**activity)
        desktop.wait_for_offer(other)
        self.assertEqual(
            desktop.call("Continue", id=other)["activity"]["userInfo"], {"file": {"$url": "file:///mnt/notes/a"}}
        )
        # It is its own activity's stream that goes on.
        check_stream(b"other activity")

        # The name, which the advert tells at once.
        laptop.reload(head.replace("laptop", "workstation"))
        self.assertEqual(laptop.call("GetStatus")["device"], "workstation")
        wait_until(lambda: [peer["device"] for peer in desktop.call("ListPeers")["peers"]] == ["workstation"], "the name")
        check_stream(b"name")

        # What takes a restart is said, and once more by the next reload.
        for _ in range(2):
            laptop.reload(head.replace("Port=0", "Port=22999"), answer="A setting requires a restart")
        self.assertIn("key=Network.Port", laptop.log_text())

        # A file that is wrong changes nothing; what is not known is left out.
        laptop.reload("[Device]\nName=other\n[Log]\nLevel=loud\n", answer="nothing was changed")
        self.assertIn("laptop.batond.conf:4", laptop.log_text())
        self.assertEqual(laptop.call("GetStatus")["device"], "laptop")
        laptop.reload(head + "[Other]\nKey=1\n")
        self.assertIn("Unknown configuration", laptop.log_text())
        check_stream(b"after")
        self.assertTrue(laptop.is_running and desktop.is_running)

    def test_a_wrong_file_keeps_the_daemon_from_starting_and_an_unknown_key_does_not(self):
        daemon = ConfiguredBatond(self, self.host(0), "laptop", self.directory)
        daemon.configure("[Network]\nPort=x\n[Other]\n")
        self.assertEqual(daemon.spawn().process.wait(PATIENCE), 78)
        self.assertIn("laptop.batond.conf:2: a port", daemon.log_text())
        self.assertIn("laptop.batond.conf:3: unknown section", daemon.log_text())
        daemon.configure("[Network]\nPort=0\n[Other]\n")
        daemon.start()
        self.assertIn("laptop.batond.conf:3", daemon.log_text())

    def test_check_config_prints_what_is_in_effect_or_what_is_wrong(self):
        daemon = ConfiguredBatond(self, self.host(0), "laptop", self.directory)
        check = lambda: subprocess.run(daemon.command("--check-config"), capture_output=True, text=True, timeout=60)
        daemon.configure("[Network]\nPort=1\n")
        daemon.configure("[Network]\nPort=2\n[Log]\n", "batond.conf.d/a.conf")
        result = check()
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        # The one that prevails, with where it is from; and a file that says the same.
        self.assertRegex(result.stdout, r"# .*/laptop.batond.conf.d/a.conf:2\nPort=2\n#Discovery=yes\n")
        daemon.configure(result.stdout)
        daemon.configure("", "batond.conf.d/a.conf")
        self.assertRegex(check().stdout, r"\nPort=2\n")
        # Neither a socket nor a state is needed for it, so a user may have no place for them.
        command = [BUILD / "batond", "--user", "--config", daemon.state.parent / "laptop.batond.conf", "--check-config"]
        result = subprocess.run(on(self.host(0), "env", "-i", *command), capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        result = subprocess.run([*map(str, command), "--no-discovery=no"], capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 64)
        self.assertIn("'--no-discovery' doesn't accept a value", result.stderr)
        daemon.configure("[Logs]\n", "batond.conf.d/a.conf")
        result = check()
        self.assertEqual((result.returncode, result.stdout), (78, ""))
        self.assertRegex(result.stderr, r"laptop.batond.conf.d/a.conf:1: unknown section")
