"""The units of batond: what systemd makes of them; see Tests/run-systemd."""
import errno
import json
import pathlib
import subprocess
import threading
import time
import unittest

from machine import LIBRARY, Machine, wait_until

here = Machine()


class UnitTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")

    def setUp(self):
        here.ask("systemctl", "stop", "batond.socket", "batond.service", "batond-retry.timer")
        here.ask("systemctl", "reset-failed")
        here.systemctl("start", "batond")
        self.since = here.run("date", "+%s.%N").strip()

    def journal(self, *filters):
        text = here.run("journalctl", "-q", "-o", "json", "--since", f"@{self.since}", *filters)
        return [json.loads(line) for line in text.splitlines()]

    def adjust(self, text, unit="batond.service"):
        self.addCleanup(here.restore, unit)
        here.adjust(unit, text)

    def process(self):
        return int(here.show("batond", "MainPID"))

    # MARK: Starting and stopping

    def test_a_program_starts_it_and_waits(self):
        here.systemctl("stop", "batond")
        self.assertEqual(here.show("batond.socket", "ActiveState"), "active")
        self.assertEqual(here.baton("status")["port"], 22866)
        self.assertEqual(here.show("batond", "ActiveState"), "active")

    def test_it_is_ready_when_it_is_started_and_says_how_it_is(self):
        self.assertEqual(here.show("batond", "ActiveState"), "active")
        self.assertIn("In no team yet", here.show("batond", "StatusText"))
        wait_until(lambda: "discovery runs" in here.show("batond", "StatusText"), "discovery runs")
        team = here.baton("team", "create", "Status")["team"]["id"]
        wait_until(lambda: "1 team, TCP port 22866" in here.show("batond", "StatusText"), "the team is counted")
        here.baton("team", "leave", team)
        wait_until(lambda: "In no team yet" in here.show("batond", "StatusText"), "the team is gone")

    def test_a_restart_turns_no_program_away(self):
        is_over = threading.Event()
        failures = []

        def call():
            while not is_over.is_set():
                status, _, errors = here.ask("baton", "status")
                if status != 0:
                    failures.append(errors)

        callers = [threading.Thread(target=call) for _ in range(3)]
        for caller in callers:
            caller.start()
        for _ in range(8):
            here.systemctl("reset-failed", "batond")
            here.systemctl("restart", "batond")
        is_over.set()
        for caller in callers:
            caller.join()
        self.assertEqual(failures, [])

    def test_stopping_the_socket_stops_both(self):
        here.systemctl("stop", "batond.socket")
        self.assertEqual(here.show("batond", "ActiveState"), "inactive")
        status, _, errors = here.ask("baton", "status")
        self.assertNotEqual(status, 0)
        self.assertIn("not running", errors)
        here.systemctl("start", "batond")
        self.assertEqual(here.show("batond.socket", "ActiveState"), "active")

    def test_it_is_found_in_the_registry_of_varlink(self):
        link = pathlib.Path("/run/varlink/registry/io.baton.Handoff")
        self.assertEqual(link.readlink(), pathlib.Path("/run/baton/baton.sock"))

    def test_state_of_an_earlier_version_is_taken_over(self):
        team = here.baton("team", "create", "Kept")["team"]["id"]
        here.systemctl("stop", "batond.socket")
        # Before DynamicUser= it was a plain directory.
        here.run("rm", "/var/lib/baton")
        here.run("mv", "/var/lib/private/baton", "/var/lib/baton")
        here.systemctl("start", "batond")
        self.assertIn(team, [team["id"] for team in here.baton("team", "list")["teams"]])
        self.assertEqual(pathlib.Path("/var/lib/baton").resolve(), pathlib.Path("/var/lib/private/baton"))
        here.baton("team", "leave", team)

    # MARK: Watching

    def signs(self):
        """Waits for three signs of life."""
        for _ in range(3):
            last = here.show("batond", "WatchdogTimestampMonotonic")
            wait_until(lambda: here.show("batond", "WatchdogTimestampMonotonic") != last, "a sign of life")

    def is_stopped(self, process):
        threads = pathlib.Path(f"/proc/{process}/task").glob("*/stat")
        return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)

    def test_a_blocked_loop_is_started_again(self):
        self.adjust("[Service]\nWatchdogSec=2s\nTimeoutAbortSec=1s\n")
        here.systemctl("restart", "batond")
        process = self.process()
        self.signs()
        # That Avahi hangs is not our fault.
        here.systemctl("kill", "--signal=STOP", "avahi-daemon")
        self.addCleanup(here.systemctl, "kill", "--signal=CONT", "avahi-daemon")
        self.signs()
        self.assertEqual(self.process(), process)
        here.systemctl("kill", "--signal=STOP", "batond")
        wait_until(lambda: self.is_stopped(process), "each of its threads stands still")
        # Who comes meanwhile waits.
        self.assertEqual(here.baton("status")["port"], 22866)
        self.assertNotEqual(self.process(), process)
        self.assertTrue([entry for entry in self.journal("-u", "batond") if "Watchdog timeout" in entry["MESSAGE"]])

    def test_a_crash_is_in_the_journal_and_over_in_a_second(self):
        process = self.process()
        here.systemctl("kill", "--signal=SEGV", "batond")
        self.assertEqual(here.baton("status")["port"], 22866)
        self.assertNotEqual(self.process(), process)
        self.assertTrue([entry for entry in self.journal("-u", "batond") if "status=11/SEGV" in entry["MESSAGE"]])

    def test_a_crash_loop_becomes_slow_and_recovers(self):
        self.adjust("[Service]\nExecStart=\nExecStart=/bin/false\nExecPaths=/bin/false\n")
        self.adjust("[Timer]\nOnActiveSec=\nOnActiveSec=2s\nAccuracySec=100ms\n", "batond-retry.timer")
        here.systemctl("stop", "batond.socket")
        begin = time.monotonic()
        self.assertNotEqual(here.ask("systemctl", "start", "batond")[0], 0)
        wait_until(lambda: here.show("batond", "ActiveState") == "failed", "the service gives up for now")
        self.assertGreater(time.monotonic() - begin, 5)
        self.assertEqual(here.show("batond-retry.timer", "ActiveState"), "active")
        # The reason is gone; nobody starts it.
        here.restore("batond.service")
        wait_until(lambda: here.show("batond", "ActiveState") == "active", "the service is back")
        self.assertEqual(here.baton("status")["port"], 22866)

    def test_reloading_keeps_the_process(self):
        process = self.process()
        here.systemctl("reload", "batond")
        self.assertEqual(self.process(), process)
        self.assertEqual(here.show("batond", "ActiveState"), "active")
        self.assertIn("discovery", here.show("batond", "StatusText"))
        self.assertEqual(here.baton("status")["port"], 22866)

    def test_the_journal_has_fields(self):
        here.systemctl("restart", "batond")
        entries = self.journal("-u", "batond", "BATON_PORT=22866")
        self.assertEqual([entry["BATON_SOCKET"] for entry in entries], ["/run/baton/baton.sock"] * len(entries))
        self.assertEqual(entries[-1]["PRIORITY"], "5")
        self.assertEqual(entries[-1]["SYSLOG_IDENTIFIER"], "batond")

    # MARK: The sandbox

    def test_the_process_has_no_privileges(self):
        status = pathlib.Path(f"/proc/{self.process()}/status").read_text()
        values = dict(line.split(":\t", 1) for line in status.splitlines() if ":\t" in line)
        self.assertEqual(values["NoNewPrivs"], "1")
        self.assertEqual(values["Seccomp"], "2")
        for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"):
            self.assertEqual(int(values[name], 16), 0, name)
        user = int(here.run("id", "-u", "batond"))
        self.assertEqual(set(values["Uid"].split()), {str(user)})

    def test_the_process_sees_a_system_that_it_cannot_change(self):
        root = pathlib.Path(f"/proc/{self.process()}/root")
        # Even root cannot, where the process is.
        for directory in ("etc", "usr", "var/lib", "srv"):
            with self.assertRaises(OSError, msg=directory) as caught:
                (root / directory / "probe").touch()
            self.assertEqual(caught.exception.errno, errno.EROFS, directory)
        with self.assertRaises(PermissionError):
            subprocess.run([root / "bin/true"])
        file = root / "var/lib/private/baton/probe"
        file.touch()
        file.unlink()

    def test_the_sandbox_refuses_what_the_daemon_does_not_need(self):
        state = pathlib.Path("/var/lib/private/baton")
        probe = LIBRARY / "probe.py"
        self.adjust(f"[Service]\nExecStartPre=/usr/bin/python3 {probe}\nExecPaths=/usr/bin/python3 /usr/bin/python3.11\n")
        here.systemctl("restart", "batond")
        results = json.loads((state / "probe.json").read_text())
        for file in state.glob("probe*"):
            file.unlink()
        allowed = {name for name, result in results.items() if result == "done"}
        self.assertEqual(allowed, {"unix", "inet", "inet6", "netlink", "state"}, results)
        self.assertEqual({results[name] for name in ("packet", "vsock", "alg")}, {"EAFNOSUPPORT"})
        self.assertEqual({results[name] for name in ("etc", "usr", "var")}, {"EROFS"})


class UserUnitTest(unittest.TestCase):
    """A batond of one user's."""

    def test_a_program_of_the_user_starts_it(self):
        here.run("useradd", "--create-home", "eve")
        here.run("loginctl", "enable-linger", "eve")
        user = int(here.run("id", "-u", "eve"))
        runtime = pathlib.Path(f"/run/user/{user}")
        wait_until((runtime / "systemd/private").exists, "the user's systemd runs")

        def as_eve(*command):
            return here.run("runuser", "-u", "eve", "--", "env", f"XDG_RUNTIME_DIR={runtime}", *command)

        # The machine's has the usual port.
        as_eve("mkdir", "-p", "/home/eve/.config/baton")
        here.run("tee", "/home/eve/.config/baton/batond.conf", text="[Network]\nPort=0\n")
        as_eve("systemctl", "--user", "start", "batond.socket")
        self.assertEqual((runtime / "baton/baton.sock").stat().st_mode & 0o777, 0o600)
        self.assertNotEqual(json.loads(as_eve("baton", "status", "--json"))["port"], 22866)
        self.assertEqual(as_eve("systemctl", "--user", "is-active", "batond.service").strip(), "active")
        link = runtime / "varlink/registry/io.baton.Handoff"
        self.assertEqual(link.readlink(), runtime / "baton/baton.sock")
        as_eve("systemctl", "--user", "stop", "batond.socket")
        here.run("loginctl", "terminate-user", "eve")


if __name__ == "__main__":
    unittest.main(verbosity=2)
