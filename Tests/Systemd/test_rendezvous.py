# SPDX-License-Identifier: Apache-2.0
"""The servers where machines meet, as baton-rendezvous runs them; see Scripts/run-systemd. The tests are one story."""
import json
import os
import pathlib
import re
import unittest

from machine import Machine, OtherMachine
from waiting import TestCase, wait_until

here = Machine()
other = OtherMachine(os.environ.get("BATON_OTHER_MACHINE", ""))
STATE = pathlib.Path("/var/lib/baton-rendezvous")
SERVER, RELAY = UNITS = ("baton-rendezvous", "baton-relay")
# This machine's address on the wire.
ADDRESS = "10.71.0.1"
DIRECTORY, CHANGED = "/tmp/servers", "/tmp/changed"
USAGE, NO_INPUT, IN_USE, NOT_ROOT, WRONG = 64, 66, 69, 77, 78
NOT_RUNNING = 3


def servers(*arguments, **options):
    return here.ask("baton-rendezvous", *arguments, **options)


def processes():
    return [here.show(unit, "MainPID") for unit in UNITS]


def states():
    return [(here.show(unit, "ActiveState"), here.show(unit, "UnitFileState")) for unit in UNITS]


def is_listening(port):
    return here.run("ss", "-Hltn", f"sport = :{port}") != ""


class RendezvousTest(TestCase):
    @classmethod
    def setUpClass(cls):
        wait_until(lambda: os.path.exists(other.path), "the other machine is there")
        for machine in (here, other):
            machine.run("systemd-sysusers")
        other.ask("systemctl", "reset-failed")
        other.systemctl("restart", "batond.socket", "batond.service")
        cls.team = other.baton("team", "create", "Far")["team"]["id"]
        # The other machine makes the servers of this one, and the keys are copied.
        other.baton("rendezvous", "create", DIRECTORY, "--server", ADDRESS)
        archive = other.run("sh", "-c", f"tar -C {DIRECTORY} -c . | base64")
        here.run("mkdir", "-m", "700", DIRECTORY)
        here.run("sh", "-c", f"base64 -d | tar -C {DIRECTORY} -x", text=archive)

    @classmethod
    def tearDownClass(cls):
        servers("remove", "--yes")
        other.baton("team", "leave", "--yes", cls.team)
        other.systemctl("stop", "batond.socket")

    def succeed(self, *arguments, **options):
        status, output, errors = servers(*arguments, **options)
        self.assertEqual(status, 0, output + errors)
        return output

    def refuse(self, expected, *arguments):
        """Returns what a command says that does nothing."""
        status, output, errors = servers(*arguments)
        self.assertEqual((status, output), (expected, ""), errors)
        return errors

    def change(self, file, text):
        """Makes a directory that differs in one file."""
        here.run("rm", "-rf", CHANGED)
        here.run("cp", "-a", DIRECTORY, CHANGED)
        here.run("tee", f"{CHANGED}/{file}", text=text)

    def status(self):
        return json.loads(servers("status", "--json")[1])

    def state_elsewhere(self):
        (team,) = other.baton("rendezvous", "show")["teams"]
        return team["state"]

    def wait_until_ready(self):
        """The other machine is connected. It does not wait as long as after several failures, because it starts."""
        other.ask("systemctl", "reset-failed", "batond")
        other.systemctl("restart", "batond")
        wait_until(lambda: self.state_elsewhere() == "ready", "the other machine is connected")

    def test_01_nothing_runs_by_itself(self):
        self.assertEqual(servers("status", "--json")[:2], (NOT_RUNNING, '{"server":null,"relay":null}\n'))
        self.assertEqual(states(), [("inactive", "disabled")] * 2)
        # Nor without a configuration.
        here.systemctl("start", *UNITS)
        self.assertEqual(states(), [("inactive", "disabled")] * 2)

    def test_02_mistakes_are_named(self):
        self.assertIn("No directory given", self.refuse(USAGE, "start"))
        self.assertIn("Unknown option: --now", self.refuse(USAGE, "stop", "--now"))
        self.assertIn("Invalid combination", self.refuse(USAGE, "stop", "--json"))
        self.assertIn("without a terminal", self.refuse(USAGE, "remove"))
        self.assertIn("not a directory", self.refuse(NO_INPUT, "start", "/nowhere"))
        self.assertIn("has no nats.conf", self.refuse(NO_INPUT, "start", "/etc"))
        self.assertIn("Usage:", self.succeed("--help"))
        status, _, errors = here.ask("runuser", "-u", "nobody", "--", "baton-rendezvous", "status")
        self.assertEqual(status, NOT_ROOT, errors)

    def test_03_a_wrong_configuration_changes_nothing(self):
        for file, text in (
            ("nats.conf", "listen {"), ("server.key", "no key\n"), ("relay.env", "RELAY_LISTEN=:1\nLD_PRELOAD=x\n"),
            ("relay.env", "RELAY_LISTEN=:1\nLD_PRELOAD=x"),
        ):
            self.change(file, text)
            self.assertIn(f"{CHANGED}/", self.refuse(WRONG, "start", CHANGED))
            self.assertEqual(states(), [("inactive", "disabled")] * 2)
            self.assertLessEqual({path.name for path in STATE.glob("*")}, {"accounts"})

    def test_04_who_has_a_port_is_named(self):
        for unit, port, words in (
            ("nats-server", 4222, "mask --now nats-server.service"),
            ("syncthing-relaysrv", 22067, "Syncthing's public pool"),
            ("somebody", 4222, "somebody.service"),
        ):
            if unit == "somebody":
                here.begin(unit, "root", "socat", f"TCP-LISTEN:{port},reuseaddr,fork", "-")
            else:
                here.systemctl("start", unit)
            self.addCleanup(here.end, unit)
            wait_until(lambda port=port: is_listening(port), f"{unit} has the port")
            errors = self.refuse(IN_USE, "start", DIRECTORY)
            self.assertIn(f"Port {port} is in use", errors)
            self.assertIn(words, errors)
            self.assertEqual(states(), [("inactive", "disabled")] * 2)
            here.end(unit)

    def test_05_one_command_starts_both(self):
        output = self.succeed("start", DIRECTORY)
        for port in ("4222/tcp", "22067/tcp"):
            self.assertIn(port, output)
        self.assertNotIn("6222", output)
        self.assertEqual(states(), [("active", "enabled")] * 2)
        self.wait_until_ready()
        status = self.status()
        found = [(status[name]["state"], status[name]["port"]) for name in ("server", "relay")]
        self.assertEqual(found, [("active", 4222), ("active", 22067)])
        self.assertGreaterEqual(status["server"]["connections"], 1)
        self.assertRegex(self.succeed("status"), r"(?m)^server +active since .*, port 4222, \d+ connections")
        for unit in UNITS:
            messages = [entry["MESSAGE"] for entry in here.journal("-u", unit, "-p", "warning")]
            self.assertEqual(messages, [])

    def test_05_who_took_a_port_meanwhile_is_named_until_the_server_has_it_again(self):
        here.systemctl("stop", SERVER)
        here.begin("thief", "nobody", "socat", "TCP-LISTEN:4222,reuseaddr,fork", "-")
        self.addCleanup(here.end, "thief")
        wait_until(lambda: is_listening(4222), "another program has the port")
        here.ask("systemctl", "start", SERVER)
        status = self.status()
        taken = status["server"]["portTakenBy"]
        self.assertEqual((taken["unit"], taken["user"]), ("thief.service", "nobody"))
        self.assertIsNone(status["relay"]["portTakenBy"])
        # At each attempt, it is active for a moment.
        said = re.compile(r"^server .*: port 4222 is in use by process \d+ of thief\.service \(user nobody\)$", re.MULTILINE)
        wait_until(lambda: said.search(servers("status")[1]), "the other program is named")
        here.end("thief")
        wait_until(lambda: self.status()["server"]["state"] == "active" and is_listening(4222), "it has its port again")
        self.assertIsNone(self.status()["server"]["portTakenBy"])
        self.wait_until_ready()

    def test_06_keys_are_kept_from_others(self):
        for pattern, owner in (("server/*", "baton-rendezvous"), ("relay/*", "baton-relay")):
            paths = [path for path in STATE.glob(pattern) if path.name != "accounts"]
            self.assertEqual(len(paths), 3)
            for path in paths:
                self.assertEqual(here.run("stat", "-c", "%U %G %a", path), f"root {owner} 640\n")
                # The other server cannot read it, and its own cannot change it.
                (stranger,) = {"baton-rendezvous", "baton-relay"} - {owner}
                self.assertNotEqual(here.ask("runuser", "-u", stranger, "--", "cat", path)[0], 0)
            self.assertEqual(here.run("stat", "-c", "%U %G %a", paths[0].resolve().parent), f"root {owner} 750\n")
        self.assertEqual(here.run("stat", "-c", "%U %G %a", STATE / "accounts"), "baton-rendezvous baton-rendezvous 700\n")
        self.assertEqual(here.run("stat", "-c", "%U %G %a", STATE), "root root 755\n")

    def test_07_the_servers_can_do_little(self):
        for unit, process in zip(UNITS, processes()):
            self.assertEqual(here.run("stat", "-c", "%U", f"/proc/{process}").strip(), unit)
            here.run("systemd-analyze", "security", "--threshold=25", f"{unit}.service")
            # This machine may allow less.
            self.assertGreater(int(here.show(unit, "LimitNOFILE")), 65536)
        command = pathlib.Path(f"/proc/{processes()[1]}/cmdline").read_bytes().split(b"\0")
        for word in (b"-pools=", b"-status-srv=", b"-nat=false", b"-listen=:22067", b"-global-rate=0"):
            self.assertIn(word, command)

    def test_07_what_a_server_brings_along_does_not_run(self):
        for unit, own in ((SERVER, {"unix", "netlink", "write state"}), (RELAY, set())):
            results = here.probe(unit)["results"]
            allowed = {name for name, result in results.items() if result == "done"}
            # Unlike batond, they do not forbid themselves the programs in /usr/lib.
            self.assertEqual(allowed - {"run the loader"}, {"inet", "inet6", *own}, results)
        self.assertEqual(states(), [("active", "enabled")] * 2)

    def test_08_the_same_directory_restarts_nothing(self):
        before = processes()
        self.succeed("start", DIRECTORY)
        self.assertEqual(processes(), before)
        self.assertEqual(len(list(STATE.glob(".*"))), 2)

    def test_09_only_what_changed_is_restarted(self):
        before = processes()
        self.change("relay.env", "RELAY_LISTEN=:22068\n")
        self.assertIn("22068/tcp", self.succeed("start", CHANGED))
        after = processes()
        self.assertEqual(after[0], before[0])
        self.assertNotEqual(after[1], before[1])
        # Without a relay, it ends.
        here.run("rm", f"{CHANGED}/relay.env")
        self.assertNotIn("relay", self.succeed("start", CHANGED))
        self.assertEqual(states(), [("active", "enabled"), ("inactive", "disabled")])
        self.assertIsNone(self.status()["relay"])
        self.assertEqual(processes()[0], before[0])
        # Any port is possible.
        text = here.run("cat", f"{DIRECTORY}/nats.conf")
        self.assertIn(":4222", text)
        self.change("nats.conf", text.replace(":4222", ":443"))
        self.assertIn("443/tcp", self.succeed("start", CHANGED))
        self.assertTrue(is_listening(443))
        self.succeed("start", DIRECTORY)
        self.assertEqual(len(list(STATE.glob(".*"))), 2)
        self.wait_until_ready()

    def test_10_what_was_interrupted_is_done_by_the_next_start(self):
        before = processes()
        # As if it had ended before it could restart the server.
        used = here.run("readlink", "-f", STATE / "server").strip()
        here.run("cp", "-a", used, STATE / ".server-interrupted")
        here.run("ln", "-sfn", ".server-interrupted", STATE / "server")
        self.succeed("start", DIRECTORY)
        after = processes()
        self.assertNotEqual(after[0], before[0])
        self.assertEqual(after[1], before[1])
        self.assertEqual(len(list(STATE.glob(".*"))), 2)

    def test_11_a_crash_is_repaired(self):
        before = processes()
        self.assertNotIn("0", before)
        here.run("kill", "-KILL", *before)
        wait_until(lambda: not {"0", *before} & set(processes()), "both run again")
        self.wait_until_ready()

    def test_12_stopped_and_started_again(self):
        accounts = here.run("ls", STATE / "accounts")
        self.assertRegex(accounts, r"(?m)^A[A-Z0-9]{55}\.jwt$")
        self.succeed("stop")
        self.assertEqual(states(), [("inactive", "disabled")] * 2)
        status, output, _ = servers("status")
        self.assertEqual((status, output), (NOT_RUNNING, "server  inactive\nrelay   inactive\n"))
        wait_until(lambda: self.state_elsewhere() != "ready", "the other machine is not connected")
        self.succeed("start", DIRECTORY)
        self.assertEqual(here.run("ls", STATE / "accounts"), accounts)
        self.assertEqual(states(), [("active", "enabled")] * 2)
        self.wait_until_ready()

    def test_13_keys_are_deleted_only_on_demand(self):
        self.refuse(USAGE, "remove")
        self.assertTrue(STATE.exists())
        self.succeed("remove", "--yes")
        self.assertFalse(STATE.exists())
        self.assertEqual(states(), [("inactive", "disabled")] * 2)
        self.assertFalse(is_listening(4222) or is_listening(22067))

    def test_14_a_server_that_hangs_neither_delays_root_nor_gets_a_process_of_root(self):
        program = pathlib.Path("/usr/sbin/nats-server")
        away = program.rename(f"{program}.away")
        self.addCleanup(away.rename, program)
        self.addCleanup(servers, "remove", "--yes")
        program.write_text(
            "#!/bin/sh\necho parent=$PPID user=$(id -u)\ngrep NoNewPrivs /proc/self/status\nprintf '\\033[31m'\nexec sleep infinity\n"
        )
        program.chmod(0o755)
        errors = self.refuse(WRONG, "start", DIRECTORY)
        self.assertIn("doesn't accept", errors)
        self.assertIn("parent=1 ", errors)
        # A server that was taken over could change what runs as its own user, and would be out of its sandbox.
        self.assertNotIn(f" user={here.run('id', '-u', SERVER).strip()}\n", errors)
        self.assertIn("NoNewPrivs:\t1\n", errors)
        self.assertNotIn("\033", errors)


if __name__ == "__main__":
    unittest.main(verbosity=2)
