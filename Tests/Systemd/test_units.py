# SPDX-License-Identifier: Apache-2.0
"""The units of batond: what systemd makes of them; see Scripts/run-systemd."""
import errno
import json
import pathlib
import subprocess
import threading
import time
import unittest

from machine import LIBRARY, Failed, Machine
from waiting import PATIENCE, TestCase, wait_until

here = Machine()


class UnitTest(TestCase):
    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")

    def setUp(self):
        here.ask("systemctl", "stop", "batond.socket", "batond.service", "batond-retry.timer")
        here.ask("systemctl", "reset-failed")
        here.systemctl("start", "batond")
        self.since = here.run("date", "+%s.%N").strip()

    def journal(self, *filters):
        return here.journal("--since", f"@{self.since}", *filters)

    def messages(self, *filters):
        return [entry["MESSAGE"] for entry in self.journal(*filters)]

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
        line = "TCP port 22866; discovery is running"
        wait_until(lambda: here.show("batond", "StatusText") == line, "discovery runs")

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
            caller.join(PATIENCE)
        self.assertEqual(failures, [])

    def test_stopping_the_socket_stops_both(self):
        here.systemctl("stop", "batond.socket")
        self.assertEqual(here.show("batond", "ActiveState"), "inactive")
        status, _, errors = here.ask("baton", "status")
        self.assertNotEqual(status, 0)
        self.assertIn("isn't running", errors)
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
        here.baton("team", "leave", "--yes", team)

    # MARK: Watching

    def signs(self):
        """Waits for two signs of life."""
        for _ in range(2):
            last = here.show("batond", "WatchdogTimestampMonotonic")
            wait_until(lambda: here.show("batond", "WatchdogTimestampMonotonic") != last, "a sign of life")

    def is_stopped(self, process):
        threads = pathlib.Path(f"/proc/{process}/task").glob("*/stat")
        return all(thread.read_text().rpartition(")")[2].split()[0] == "T" for thread in threads)

    def test_a_blocked_loop_is_started_again(self):
        # Every signal but this one wakes what stands still: it may take a program's connection before it dies.
        self.adjust("[Service]\nWatchdogSec=10s\nWatchdogSignal=SIGKILL\n")
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
        self.assertIn("Watchdog timeout", "\n".join(self.messages("-u", "batond")))

    def test_a_crash_is_in_the_journal_and_over_in_a_second(self):
        process = self.process()
        here.systemctl("kill", "--signal=SEGV", "batond")
        wait_until(lambda: self.process() not in (0, process), "it is started again")
        self.assertEqual(here.baton("status")["port"], 22866)
        self.assertIn("status=11/SEGV", "\n".join(self.messages("-u", "batond")))

    def test_a_crash_loop_becomes_slow_and_recovers(self):
        self.adjust("[Service]\nExecStart=\nExecStart=/bin/false\nExecPaths=/bin/false\n")
        here.systemctl("stop", "batond.socket")
        begin = time.monotonic()
        self.assertNotEqual(here.ask("systemctl", "start", "batond")[0], 0)
        wait_until(lambda: here.show("batond", "ActiveState") == "failed", "the service gives up for now")
        self.assertGreater(time.monotonic() - begin, 5)
        wait_until(lambda: here.show("batond-retry.timer", "ActiveState") == "active", "another attempt is due")
        # The reason is gone; nobody starts it. Five minutes are too long for a test.
        here.restore("batond.service")
        self.assertEqual(here.show("batond", "ActiveState"), "inactive")
        self.adjust("[Timer]\nOnActiveSec=\nOnActiveSec=1s\nAccuracySec=100ms\n", "batond-retry.timer")
        here.systemctl("restart", "batond-retry.timer")
        wait_until(lambda: here.show("batond", "ActiveState") == "active", "the service is back")
        self.assertEqual(here.baton("status")["port"], 22866)

    def test_reloading_keeps_the_process(self):
        process = self.process()
        here.systemctl("reload", "batond")
        self.assertEqual(self.process(), process)
        # systemd waits for the signal to be sent, not for what batond does then.
        wait_until(lambda: here.show("batond", "ActiveState") == "active", "it has read its configuration again")
        self.assertIn("discovery", here.show("batond", "StatusText"))
        self.assertEqual(here.baton("status")["port"], 22866)

    def configure(self, text):
        """Another drop-in of batond's configuration."""
        file = pathlib.Path("/etc/baton/batond.conf.d/test.conf")
        file.parent.mkdir(exist_ok=True)
        self.addCleanup(file.unlink, missing_ok=True)
        file.write_text(text)

    def test_a_reload_of_what_is_wrong_fails_and_changes_nothing(self):
        process = self.process()
        # What is not known is left out.
        self.configure("[Device]\nName=study\nColour=red\n")
        here.systemctl("reload", "batond")
        wait_until(lambda: here.baton("status")["device"] == "study", "the name is taken over")
        self.configure("[Device]\nName=kitchen\n[Network]\nPort=many\n")
        status, _, errors = here.ask("systemctl", "reload", "batond")
        self.assertEqual(status, 1, errors)
        self.assertEqual((self.process(), here.show("batond", "ActiveState")), (process, "active"))
        self.assertEqual(here.baton("status")["device"], "study")
        self.assertIn("(code=exited, status=78", here.ask("systemctl", "status", "batond")[1])
        # What the check found is in the unit's journal.
        faults = self.messages("-u", "batond", "PRIORITY=3", "SYSLOG_IDENTIFIER=batond")
        self.assertEqual(len(faults), 1, faults)
        self.assertRegex(faults[0], "^Invalid configuration place=/etc/baton/batond.conf.d/test.conf:4 fault=.*many")
        # And once it is right.
        self.configure("[Device]\nName=kitchen\n")
        here.systemctl("reload", "batond")
        wait_until(lambda: here.baton("status")["device"] == "kitchen", "the name is taken over")

    def test_last_words_are_in_the_journal_of_the_unit(self):
        here.systemctl("restart", "batond")
        self.configure("[Network]\nPort=many\n")
        # It reads what batond said when batond has long ended.
        here.systemctl("kill", "--signal=STOP", "systemd-journald")
        self.addCleanup(here.systemctl, "kill", "--signal=CONT", "systemd-journald")
        status, _, _ = here.ask("systemctl", "restart", "batond")
        self.assertNotEqual(status, 0)
        here.systemctl("kill", "--signal=CONT", "systemd-journald")
        said = self.messages("-u", "batond", "SYSLOG_IDENTIFIER=batond")
        self.assertIn("Stopped", said)
        # In any order, because the journal reads last words from another socket than fields.
        fault = "Invalid configuration place=/etc/baton/batond.conf.d/test.conf:2 fault="
        self.assertTrue([text for text in said if text.startswith(fault) and "many" in text], said)

    def test_a_socket_that_does_not_count_is_told(self):
        self.adjust("[Service]\nExecStart=\nExecStart=/usr/local/sbin/batond --socket /run/baton/other.sock\n")
        here.systemctl("restart", "batond")
        self.assertEqual(here.baton("status")["port"], 22866)
        entries = self.journal("-u", "batond", "PRIORITY=4", "BATON_SOCKET=/run/baton/baton.sock")
        self.assertEqual(len(entries), 1, entries)
        self.assertIn("--socket", entries[0]["MESSAGE"])

    def test_the_journal_has_fields(self):
        here.systemctl("restart", "batond")
        entries = self.journal("-u", "batond", "BATON_PORT=22866")
        self.assertEqual({entry["BATON_SOCKET"] for entry in entries}, {"/run/baton/baton.sock"})
        self.assertEqual(entries[-1]["PRIORITY"], "5")
        self.assertEqual(entries[-1]["SYSLOG_IDENTIFIER"], "batond")

    def test_the_journal_has_nothing_that_is_not_batonds(self):
        here.systemctl("restart", "batond")
        # The loop has gone round, with all its threads.
        self.assertEqual(here.baton("status")["port"], 22866)
        process = f"_PID={self.process()}"
        said = {entry["MESSAGE"] for entry in self.journal(process)}
        own = {entry["MESSAGE"] for entry in self.journal(process, "SYSLOG_IDENTIFIER=batond", "_TRANSPORT=journal")}
        self.assertTrue(own)
        self.assertEqual(said, own)

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
            subprocess.run([root / "bin/true"], timeout=PATIENCE)
        file = root / "var/lib/private/baton/probe"
        file.touch()
        file.unlink()

    def test_the_sandbox_refuses_what_the_daemon_does_not_need(self):
        probe = here.probe("batond")
        results = probe["results"]
        allowed = {name for name, result in results.items() if result == "done"}
        # What memory and libraries allow before batond forbids itself all programs with a filter of its own.
        programs = {"run from memory", "run from memory by the loader", "run the loader"}
        self.assertEqual(allowed - programs, {"unix", "inet", "inet6", "netlink", "write state"}, results)
        status = pathlib.Path(f"/proc/{self.process()}/status").read_text()
        self.assertIn(f"Seccomp_filters:\t{probe['filters'] + 1}\n", status)
        self.assertEqual({results[name] for name in ("packet", "vsock", "alg")}, {"EAFNOSUPPORT"})
        folders = ("/etc", "/usr", "/var/lib", "/run", "/run/lock", "/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue")
        self.assertEqual({results[f"write {name}"] for name in folders}, {"EROFS"})

    def test_what_a_reload_runs_is_out_of_reach(self):
        """A batond that somebody has taken over could change what runs as its user, which may run programs."""
        commands = [line for line in here.systemctl("show", "-P", "ExecReloadEx", "batond").splitlines() if line]
        self.assertEqual(len(commands), 1)
        for command in commands:
            self.assertIn("flags=privileged", command)


class UserUnitTest(TestCase):
    """A batond of one user's."""

    @classmethod
    def setUpClass(cls):
        here.run("useradd", "--create-home", "eve")
        here.begin_manager("eve")

    @classmethod
    def tearDownClass(cls):
        here.end_manager("eve")

    def eve(self, *command, **options):
        return here.as_user("eve", *command, **options).strip()

    def test_a_program_of_the_user_starts_it(self):
        runtime = pathlib.Path(here.runtime("eve"))
        # The machine's has the usual port.
        self.eve("mkdir", "-p", "/home/eve/.config/baton")
        self.eve("tee", "/home/eve/.config/baton/batond.conf", text="[Network]\nPort=0\n")
        self.eve("systemctl", "--user", "start", "batond.socket")
        self.addCleanup(self.eve, "systemctl", "--user", "stop", "batond.socket")
        self.assertEqual((runtime / "baton/baton.sock").stat().st_mode & 0o777, 0o600)
        self.assertNotEqual(json.loads(self.eve("baton", "status", "--json"))["port"], 22866)
        self.assertEqual(self.eve("systemctl", "--user", "is-active", "batond.service"), "active")
        link = runtime / "varlink/registry/io.baton.Handoff"
        self.assertEqual(link.readlink(), runtime / "baton/baton.sock")
        # A reload is told what is wrong.
        self.eve("systemctl", "--user", "reload", "batond")
        self.eve("tee", "/home/eve/.config/baton/batond.conf", text="[Network]\nPort=many\n")
        with self.assertRaises(Failed):
            self.eve("systemctl", "--user", "reload", "batond")
        self.assertEqual(self.eve("systemctl", "--user", "is-active", "batond.service"), "active")

    def test_what_is_preset(self):
        """Also where the distribution enables nothing by itself."""
        preset = pathlib.Path("/etc/systemd/user-preset/99-default.preset")
        preset.parent.mkdir(parents=True, exist_ok=True)
        self.addCleanup(preset.unlink)
        preset.write_text("disable *\n")
        units = ["baton-agent.service", "baton-agent.socket", "batond.service", "batond.socket"]
        self.eve("systemctl", "--user", "preset", *units)
        self.addCleanup(self.eve, "systemctl", "--user", "disable", *units[:2])
        status = ["env", f"XDG_RUNTIME_DIR={here.runtime('eve')}", "systemctl", "--user", "is-enabled", *units]
        output = here.ask("runuser", "-u", "eve", "--", *status)[1]
        self.assertEqual(output.split(), ["enabled", "enabled", "disabled", "disabled"])

    def test_enabling_the_agent_enables_its_socket(self):
        self.eve("systemctl", "--user", "enable", "baton-agent.service")
        self.assertEqual(self.eve("systemctl", "--user", "is-enabled", "baton-agent.socket"), "enabled")
        self.eve("systemctl", "--user", "disable", "baton-agent.service")
        status = here.ask(*here.command_of("eve", "systemctl", "--user", "is-enabled", "baton-agent.socket"))[0]
        self.assertNotEqual(status, 0)

    def test_the_agent_has_the_socket_of_the_index_to_itself(self):
        runtime = pathlib.Path(here.runtime("eve"))
        index, link = runtime / "baton/search.sock", runtime / "varlink/registry/io.baton.Search"
        self.addCleanup(self.eve, "systemctl", "--user", "stop", "baton-agent.socket")
        self.eve("systemctl", "--user", "start", "baton-agent.service")
        self.assertEqual((index.stat().st_mode & 0o777, index.parent.stat().st_mode & 0o777), (0o600, 0o700))
        self.assertEqual(index.owner(), "eve")
        self.assertEqual(link.readlink(), index)
        # Another user does not get to it.
        self.assertNotEqual(here.ask("runuser", "-u", "nobody", "--", "test", "-S", index)[0], 0)
        # A restart keeps it, so nobody is turned away.
        inode = index.stat().st_ino
        self.eve("systemctl", "--user", "restart", "baton-agent.service")
        self.assertEqual(index.stat().st_ino, inode)
        # Without the agent, there is none.
        self.eve("systemctl", "--user", "stop", "baton-agent.socket")
        state = here.ask(*here.command_of("eve", "systemctl", "--user", "is-active", "baton-agent.service"))[1]
        self.assertEqual(state.strip(), "inactive")
        self.assertFalse(index.exists() or link.is_symlink())
        status, _, errors = here.ask(*here.command_of("eve", "baton", "search"))
        self.assertEqual((status, "baton-agent.socket" in errors), (3, True), errors)

    def test_a_program_or_a_desktop_that_searches_starts_the_agent(self):
        """Without an agent that runs: over the socket, and over D-Bus."""
        self.addCleanup(self.eve, "systemctl", "--user", "stop", "baton-agent.socket")
        self.eve("systemctl", "--user", "start", "baton-agent.socket")
        self.assertNotEqual(self.agent_state(), "active")
        self.assertEqual(json.loads(self.eve("baton", "search", "--json"))["results"], [])
        # It answers before it knows whether there is a batond.
        wait_until(lambda: self.agent_state() == "active", "the agent is ready")
        self.eve("systemctl", "--user", "stop", "baton-agent.socket")
        bus = f"unix:path={here.runtime('eve')}/bus"
        for method, arguments, reply in (
            ("org.gnome.Shell.SearchProvider2.GetInitialResultSet", ["array:string:whale"], r"array \[\s*\]"),
            ("org.kde.krunner1.Match", ["string:whale"], r"array \[\s*\]"),
        ):
            output = self.eve(
                "env", f"DBUS_SESSION_BUS_ADDRESS={bus}", "dbus-send", "--session", "--print-reply",
                "--dest=io.baton.Search", "/io/baton/Search", method, *arguments,
            )
            self.assertRegex(output, reply)
        wait_until(lambda: self.agent_state() == "active", "the agent is ready")
        # systemd has started it, and not the bus itself.
        agent = self.eve("systemctl", "--user", "show", "-P", "MainPID", "baton-agent")
        self.assertEqual(here.run("pgrep", "-u", "eve", "-f", "baton agent").split(), [agent])

    def agent_state(self):
        return here.ask(*here.command_of("eve", "systemctl", "--user", "is-active", "baton-agent.service"))[1].strip()

    def test_the_journal_of_the_agent_has_nothing_but_its_own(self):
        self.addCleanup(self.eve, "systemctl", "--user", "stop", "baton-agent")
        self.eve("systemctl", "--user", "start", "baton-agent")
        process = "_PID=" + self.eve("systemctl", "--user", "show", "-P", "MainPID", "baton-agent")
        said = {entry["MESSAGE"] for entry in here.journal(process)}
        own = {entry["MESSAGE"] for entry in here.journal(process, "_TRANSPORT=journal")}
        self.assertTrue(own)
        self.assertEqual(said, own)

    def test_the_sandbox_refuses_other_sockets(self):
        self.eve("mkdir", "-p", "/home/eve/.config/baton")
        self.eve("tee", "/home/eve/.config/baton/batond.conf", text="[Network]\nPort=0\n")
        self.addCleanup(self.eve, "systemctl", "--user", "stop", "batond.socket")
        results = here.probe_of("eve", "batond")["results"]
        allowed = {name for name in ("unix", "inet", "inet6", "netlink", "packet", "vsock", "alg") if results[name] == "done"}
        self.assertEqual(allowed, {"unix", "inet", "inet6", "netlink"}, results)
        # It would open sockets of any kind.
        self.assertEqual(results["io_uring"], "EPERM", results)
        for name in ("write and execute", "user namespace", "real time", "set-user-ID"):
            self.assertNotEqual(results[name], "done", name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
