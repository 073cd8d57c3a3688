# SPDX-License-Identifier: Apache-2.0
"""The package on a fresh Debian, inside of a booted systemd; see Scripts/run-package. The tests are one story, in their order."""
import json
import os
import pathlib
import pty
import re
import select
import shutil
import subprocess
import time
import unittest

from upgrading import CONFIGURATION, STATE, Upgrading, apt, baton, here, is_active, keys, run
from waiting import PATIENCE, TestCase, wait_until


def documented(document, section):
    """The commands of a section of a document for administrators, one text for each block, as the package has them."""
    text = pathlib.Path(f"/usr/share/doc/baton/Documentation/admin/{document}.md").read_text()
    part = re.search(rf"^## {section}\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    return re.findall(r"^```sh\n(.*?)^```", part[1], re.M | re.S)


# Tells, of each process that appears as this user, whether it is in the user's slice, and which processes above it are not.
# Then it stops the process, as a debugger does.
TRACER = """
import ctypes, os, pathlib, time
libc, own, slice = ctypes.CDLL(None), set(), f"/user-{os.getuid()}.slice/"
def groups(number):
    return pathlib.Path(f"/proc/{number}/cgroup").read_text()
def parent(number):
    return pathlib.Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[1]
while True:
    time.sleep(0.001)
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if number in own or number == str(os.getpid()) or os.stat(f"/proc/{number}").st_uid != os.getuid():
                continue
            above = [parent(number)]
            while above[-1] not in ("0", "1"):
                above.append(parent(above[-1]))
            others = [each for each in above if each != "0" and slice not in groups(each)]
            names = [pathlib.Path(f"/proc/{each}/comm").read_text().strip() for each in others]
            is_own = slice in groups(number)
        except OSError:
            continue
        own.add(number)
        libc.ptrace(16, int(number), None, None)
        os.kill(int(number), 19)
        print(is_own, *names, flush=True)
"""


class PackageTest(Upgrading, TestCase):
    def test_01_it_is_installed_without_swift(self):
        libraries = list(pathlib.Path("/usr").rglob("libswiftCore*"))
        self.assertEqual(libraries, [])
        apt("install", "/packages/baton.deb")
        # What it recommends came with it.
        wait_until(lambda: is_active("avahi-daemon"), "Avahi runs")
        wait_until(is_active, "batond runs")
        # And was not started before it was configured.
        run("journalctl", "--sync")
        for unit in ("avahi-daemon", "batond"):
            self.assertEqual(run("journalctl", "-q", "-b", "-p", "warning", "_PID=1", f"UNIT={unit}.service"), "")
        self.assertFalse(pathlib.Path("/run/systemd/system/avahi-daemon.service.d").exists())
        self.assertEqual(run("systemctl", "is-enabled", "batond").strip(), "enabled")
        self.assertRegex(run("baton", "version"), r"\d+\.\d+\.\d+")
        for program in ("/usr/bin/baton", "/usr/sbin/batond"):
            self.assertNotRegex(run("ldd", program), "not found|swift")
        for path in (
            "share/man/man1/baton.1.gz", "share/man/man1/baton-activities.1.gz", "share/man/man1/baton-continue.1.gz",
            "share/man/man5/baton-desktop-entries.5.gz", "share/man/man8/baton-agent.8.gz",
            "share/man/man8/batond.8.gz", "share/man/man5/batond.conf.5.gz",
            "share/man/man5/agent.conf.5.gz", "share/dbus-1/services/io.baton.Search.service",
            "share/gnome-shell/search-providers/io.baton.Search.search-provider.ini", "share/dbus-1/system.d/io.baton.Handoff.conf",
            "share/applications/io.baton.Search.desktop", "share/krunner/dbusplugins/io.baton.Search.desktop",
            "share/icons/hicolor/scalable/apps/io.baton.Agent.svg",
            "share/bash-completion/completions/baton", "share/zsh/vendor-completions/_baton",
            "share/fish/vendor_completions.d/baton.fish", "lib/firewalld/services/baton.xml",
        ):
            self.assertIn(f"/usr/{path}\n", run("dpkg", "-L", "baton"))
        self.assertIn("Exec=/usr/bin/baton agent\n", pathlib.Path("/usr/share/dbus-1/services/io.baton.Search.service").read_text())
        for file in ("batond.conf", "agent.conf"):
            self.assertIn(f"/etc/baton/{file}", run("dpkg-query", "-f", "${Conffiles}", "-W", "baton"))

        self.assert_users_signals_do_not_reach_batond()

    def assert_users_signals_do_not_reach_batond(self):
        """The bus knows its policy. Without it, Avahi's library would log the signal."""
        def lines():
            return run("journalctl", "--unit=batond", "--output=cat").splitlines()

        wait_until(lambda: "Avahi is running" in lines(), "Avahi is used")
        before = len(lines())
        names = [row["name"] for row in json.loads(run("busctl", "list", "--unique", "--json=short")) if row["process"] == "batond"]
        self.assertGreater(len(names), 0)
        for name in names:
            run("runuser", "-u", "ada", "--", "busctl", "emit", f"--destination={name}", "/org/example", "org.example.Forged", "Forged")
        # batond hears this one, and then it has handled what was sent before.
        run("systemctl", "restart", "avahi-daemon")
        wait_until(lambda: "Avahi is running" in lines()[before:], "Avahi is used again")
        self.assertNotIn("Forged", "\n".join(lines()))

    def test_02_nothing_runs_twice(self):
        # The user's unit is there for who wants it, and nobody's by itself.
        self.assertFalse(list(pathlib.Path("/etc/systemd/user").rglob("batond.*")))
        # The agent is there for each user who logs in, and its socket.
        self.assertEqual(self.enabled(), ["enabled", "enabled"])

    def enabled(self):
        """Whether the agent and its socket are enabled for everybody."""
        return here.ask("systemctl", "--global", "is-enabled", "baton-agent.service", "baton-agent.socket")[1].split()

    def as_in_0_1_0(self, *, is_agent_enabled):
        """Makes what was installed what 0.1.0 had installed: an agent without a socket, and without an index."""
        run("systemctl", "--global", "disable", "baton-agent.socket", "baton-agent.service")
        states = pathlib.Path("/var/lib/systemd/deb-systemd-user-helper-enabled")
        for path in [*states.rglob("baton-agent.socket"), states / "baton-agent.socket.dsh-also"]:
            path.unlink()
        links = "/etc/systemd/user/default.target.wants/baton-agent.service\n"
        (states / "baton-agent.service.dsh-also").write_text(links)
        units = pathlib.Path("/usr/lib/systemd/user")
        (units / "baton-agent.socket").unlink()
        service = units / "baton-agent.service"
        lines = service.read_text().splitlines(True)
        text = "".join(line for line in lines if "baton-agent.socket" not in line or line.startswith("#"))
        # Without a place for an index, the agent makes no socket itself.
        service.write_text(text.replace("[Service]\n", "[Service]\nUnsetEnvironment=HOME XDG_DATA_HOME\n"))
        if is_agent_enabled:
            run("systemctl", "--global", "enable", "baton-agent.service")

    def test_03_a_user_makes_a_team_of_which_the_other_sees_nothing(self):
        self.make_team()
        self.assertEqual(baton("ben", "team", "list")["teams"], [])

    def test_04_a_reload_takes_the_configuration_over(self):
        (block,) = documented("SeveralUsers", "Change the configuration")
        self.assertIn("Name=study", run("bash", "-ec", block))
        wait_until(lambda: baton("ada", "status")["device"] == "study", "the name is taken over")
        text = CONFIGURATION.read_text()
        CONFIGURATION.write_text(text.replace("#Name=", "Nome=x"))
        status, _, errors = here.ask("batond", "--check-config")
        self.assertEqual(status, 78)
        self.assertRegex(errors, r"/etc/baton/batond.conf:\d+: unknown key \"Nome\"")
        CONFIGURATION.write_text(text.replace("#Level=info", "Level=debug"))

    def test_05_an_upgrade_keeps_teams_keys_settings_and_streams(self):
        self.upgrade("/packages/next.deb")
        self.assertIn("+next", run("dpkg-query", "-f", "${Version}", "-W", "baton"))

    def test_06_what_is_removed_is_there_again_when_it_is_installed_again(self):
        before = keys()
        apt("remove", "baton")
        self.assertFalse(is_active())
        self.assertFalse(pathlib.Path("/usr/sbin/batond").exists())
        self.assertEqual(keys(), before)
        self.assertIn("Level=debug", CONFIGURATION.read_text())
        apt("install", "/packages/next.deb")
        wait_until(is_active, "batond runs")
        self.assertEqual(keys(), before)
        self.assertEqual(baton("ada", "status")["device"], "study")
        here.wait_for_session("ada")

    def test_07_a_backup_brings_teams_back(self):
        before = keys()
        self.assertTrue(any(path.endswith("/ca.key") for path in before))
        backup, restore = documented("Teams", "Backup of a whole machine")
        run("env", "-C", "/tmp", "bash", "-ec", backup)
        run("systemctl", "stop", "batond")
        shutil.rmtree(STATE / "teams")
        run("systemctl", "start", "batond")
        self.assertEqual(baton("ada", "team", "list")["teams"], [])
        run("env", "-C", "/tmp", "bash", "-ec", restore)
        self.assertEqual(keys(), before)
        here.wait_for_session("ada")
        baton("ada", "team", "invite")

    def agent(self, user, unit="baton-agent.service"):
        return here.ask(*here.command_of(user, "systemctl", "--user", "is-active", unit))[1].strip()

    def test_08_an_upgrade_of_0_1_0_brings_the_socket_of_the_index(self):
        here.begin_manager("ada")
        index = pathlib.Path(here.runtime("ada"), "baton/search.sock")
        wait_until(lambda: self.agent("ada") == "active" and index.exists(), "the agent runs")
        here.as_user("ada", "systemctl", "--user", "stop", "baton-agent.socket")
        self.as_in_0_1_0(is_agent_enabled=True)
        here.as_user("ada", "systemctl", "--user", "daemon-reload")
        here.as_user("ada", "systemctl", "--user", "start", "baton-agent.service")
        self.assertFalse(index.exists())
        process = here.as_user("ada", "systemctl", "--user", "show", "-P", "MainPID", "baton-agent")
        apt("install", "--reinstall", "/packages/next.deb")
        self.assertEqual(self.enabled(), ["enabled", "enabled"])
        # For who is logged in, both work immediately.
        wait_until(index.exists, "the socket is there")
        wait_until(lambda: self.agent("ada") == "active", "the agent runs")
        self.assertEqual((self.agent("ada", "baton-agent.socket"), index.stat().st_mode & 0o777), ("active", 0o600))
        self.assertNotEqual(here.as_user("ada", "systemctl", "--user", "show", "-P", "MainPID", "baton-agent"), process)
        # And at the next login.
        here.end_manager("ada")
        wait_until(lambda: not index.exists(), "ada is logged out")
        here.begin_manager("ada")
        wait_until(lambda: self.agent("ada") == "active" and index.exists(), "the agent runs again")
        here.end_manager("ada")

    def test_09_who_has_no_agent_gets_none_by_an_upgrade(self):
        self.as_in_0_1_0(is_agent_enabled=False)
        apt("install", "--reinstall", "/packages/next.deb")
        self.assertEqual(self.enabled(), ["disabled", "disabled"])
        here.begin_manager("ben")
        self.assertEqual([self.agent("ben", f"baton-agent.{kind}") for kind in ("service", "socket")], ["inactive"] * 2)
        here.end_manager("ben")
        # Who enables the agent again has both.
        run("systemctl", "--global", "enable", "baton-agent.service")
        self.assertEqual(self.enabled(), ["enabled", "enabled"])

    def test_10_a_purge_that_nobody_answers_keeps_the_keys(self):
        before = keys()
        apt("purge", "baton")
        self.assertFalse(CONFIGURATION.exists())
        self.assertEqual(keys(), before)

    def purge_answering(self, answer):
        """Purges at a terminal; returns what was shown there."""
        apt("install", "/packages/next.deb")
        home = pathlib.Path("/home/ada/.local/state/baton/key")
        home.parent.mkdir(parents=True, exist_ok=True)
        home.write_text("ada's own")
        process, terminal = pty.fork()
        if process == 0:
            os.execvpe("dpkg", ["dpkg", "--purge", "baton"], {**os.environ, "DEBIAN_FRONTEND": "readline", "TERM": "dumb"})
        shown, is_answered = "", False
        while True:
            if not select.select([terminal], [], [], PATIENCE)[0]:
                self.fail(f"It waits: {shown}")
            try:
                data = os.read(terminal, 4096)
            except OSError:
                break
            if not data:
                break
            shown += data.decode(errors="replace")
            if not is_answered and re.search(r"\[yes/no\]|Delete the teams and keys of this machine\? *\S*$", shown):
                is_answered = True
                os.write(terminal, f"{answer}\n".encode())
        self.assertEqual(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]), 0, shown)
        self.assertIn("only key", re.sub(r"\s+", " ", shown))
        self.assertEqual(home.read_text(), "ada's own")

    def test_11_a_purge_asks_and_no_keeps_the_keys(self):
        before = keys()
        self.purge_answering("no")
        self.assertEqual(keys(), before)

    def test_12_a_purge_asks_and_yes_deletes_them(self):
        self.purge_answering("yes")
        self.assertFalse(STATE.exists())
        # What an administrator put there stays, as the policy has it.
        self.assertEqual([path.name for path in CONFIGURATION.parent.rglob("*")], ["batond.conf.d", "name.conf"])
        self.assertFalse(pathlib.Path("/run/baton").exists())
        self.assertNotIn("batond", run("systemctl", "list-unit-files"))

    def test_13_a_purge_may_be_answered_before(self):
        apt("install", "/packages/next.deb")
        wait_until(is_active, "batond runs")
        baton("ada", "team", "create", "New")
        run("debconf-set-selections", text="baton baton/delete-state boolean true\n")
        apt("purge", "baton")
        self.assertFalse(STATE.exists())

    def files(self):
        """Everything that packages install, except their documentation and dpkg's own files."""
        folders = [pathlib.Path(folder) for folder in ("/etc", "/usr/lib", "/usr/share", "/usr/bin", "/usr/sbin")]
        left_out = ("/usr/share/doc/", "/usr/share/man/", "/etc/ld.so.cache", "/etc/systemd/")
        found = {str(path) for folder in folders for path in folder.rglob("*") if not path.is_dir() or path.is_symlink()}
        return {path for path in found if not path.startswith(left_out)}

    def test_14_browsers_and_editors_have_packages_of_their_own(self):
        apt("install", "/packages/next.deb")
        before = self.files()
        apt("install", "/packages/baton-browser.deb", "/packages/baton-editors.deb")
        firefox = "/usr/share/mozilla/extensions/{ec8030f7-c20a-464f-9b0e-13a3a9e97384}"
        extensions = [path for path in self.files() if path.endswith("/manifest.json")]
        self.assertEqual(len([path for path in extensions if path.startswith(f"{firefox}/")]), 1)
        self.assertIn("/usr/share/chromium/extensions/baton/manifest.json", extensions)
        manifests = [
            *pathlib.Path("/etc/chromium/native-messaging-hosts").glob("io.baton.*.json"),
            *pathlib.Path("/usr/lib/mozilla/native-messaging-hosts").glob("io.baton.*.json"),
        ]
        self.assertEqual(len(manifests), 2)
        for manifest in manifests:
            host = json.loads(manifest.read_text())
            self.assertEqual(host["name"], manifest.stem)
            self.assertTrue(os.access(host["path"], os.X_OK), host["path"])
        # What the doctor tells a person who has these browsers.
        for program in ("chromium", "firefox-esr"):
            path = pathlib.Path("/usr/local/bin", program)
            path.write_text("#!/bin/sh\n")
            path.chmod(0o755)
            self.addCleanup(path.unlink)
        self.assertEqual(self.doctor("browser"), ["passed", "passed"])
        # Without the host, it says so.
        program = pathlib.Path(host["path"])
        away = program.rename(f"{program}.away")
        self.assertEqual(self.doctor("browser"), ["failed", "failed"])
        away.rename(program)
        # What the doctor advises brings back a file in /etc, too.
        manifests[0].unlink()
        advice = self.advice("browser")
        run("cp", "/packages/baton-browser.deb", "/tmp/baton-browser_1_all.deb")
        run("env", "-C", "/tmp", "bash", "-c", re.search("`sudo (.*)`", advice)[1])
        self.assertEqual(self.doctor("browser"), ["passed", "passed"])
        apt("purge", "baton-browser", "baton-editors")
        self.assertEqual(self.files(), before)
        self.assertEqual(self.doctor("browser"), ["skipped", "skipped"])

    def test_14a_other_browsers_have_packages_of_their_own(self):
        """Nothing of the policies stays, and nothing of an administrator's is lost."""
        own = pathlib.Path("/etc/firefox/policies/policies.json")
        own.parent.mkdir(parents=True)
        own.write_text('{"policies": {"DisableTelemetry": true}}')
        other = pathlib.Path("/etc/opt/chrome/policies/managed/all.json")
        other.parent.mkdir(parents=True)
        other.write_text("{}")
        self.addCleanup(shutil.rmtree, "/etc/opt/chrome")
        self.addCleanup(shutil.rmtree, "/etc/firefox")
        # What the package for Firefox depends on stays when it is removed.
        apt("install", "--no-install-recommends", "python3")
        before = self.files()
        packages = [f"/packages/baton-{name}.deb" for name in ("browser", "browser-chrome", "browser-firefox")]
        apt("install", *packages)
        folder = pathlib.Path("/usr/share/baton/browser")
        ids = set(json.loads((folder / "policy.json").read_text())["ExtensionSettings"])
        policies = [path for path in pathlib.Path("/etc").rglob("!baton.json")]
        self.assertGreater(len(policies), 5)
        for path in policies:
            self.assertEqual(path.resolve(), folder / "policy.json")
            # It also starts Baton for the extension that Debian's Chromium loads.
            host = json.loads((path.parents[2] / "native-messaging-hosts/io.baton.browser.json").read_text())
            self.assertEqual(len(set(host["allowed_origins"])), 2)
            self.assertLessEqual({f"chrome-extension://{each}/" for each in ids}, set(host["allowed_origins"]))
            self.assertTrue(os.access(host["path"], os.X_OK), host["path"])
        entry = json.loads(own.read_text())["policies"]["ExtensionSettings"]["handoff@baton.io"]
        self.assertTrue(os.access(entry["install_url"].removeprefix("file://"), os.R_OK))
        # A browser in a folder of its own, for the doctor.
        brave = pathlib.Path("/opt/brave.com/brave")
        brave.mkdir(parents=True)
        self.addCleanup(shutil.rmtree, brave.parent)
        for name in ("resources.pak", "icudtl.dat", "chrome_100_percent.pak", "brave"):
            (brave / name).touch(0o755)
        self.assertEqual(self.doctor("browser"), ["passed"])
        # Who takes the extension out again keeps it out.
        own.write_text('{"policies": {"DisableTelemetry": true}}')
        apt("install", "--reinstall", *packages)
        self.assertEqual(json.loads(own.read_text()), {"policies": {"DisableTelemetry": True}})
        apt("remove", "baton-browser-chrome", "baton-browser-firefox")
        self.assertEqual([path for path in pathlib.Path("/etc").rglob("!baton.json")], [])
        self.assertEqual(self.doctor("browser"), ["skipped"])
        apt("purge", "baton-browser")
        self.assertEqual(self.files(), before)

    def test_15_file_managers_have_a_package_of_their_own(self):
        before = self.files()
        # Its dependencies exist. They are not installed, because they are large.
        apt("install", "--simulate", "--no-install-recommends", "/packages/baton-desktop.deb")
        run("dpkg", "--force-depends", "-i", "/packages/baton-desktop.deb")
        program = pathlib.Path("/usr/lib/baton/send-files")
        self.assertTrue(os.access(program, os.X_OK))
        added = self.files() - before
        for path in (
            "nautilus-python/extensions/baton_menu.py", "nemo-python/extensions/baton_menu.py", "Thunar/sendto/io.baton.Send.desktop",
            "kio/servicemenus/io.baton.Send.desktop", "applications/io.baton.Send.desktop",
        ):
            self.assertIn(f"/usr/share/{path}", added)
            text = pathlib.Path("/usr/share", path).read_text()
            self.assertIn(str(program), text)
            self.assertNotIn("@prefix@", text)
        # The menus have this icon.
        self.assertIn("/usr/share/icons/hicolor/scalable/apps/baton.svg", added)
        run("dpkg", "--purge", "baton-desktop")
        self.assertEqual(self.files(), before)

    def test_16_the_doctor_sees_the_helper_of_the_clipboard(self):
        # The helper leaves no core file, like a program that may not be read. So most of its files in /proc are root's.
        helper = pathlib.Path("/usr/local/bin/clipboard-helper")
        shutil.copy("/bin/sleep", helper)
        helper.chmod(0o711)
        settings = pathlib.Path("/home/ada/.config/baton/agent.conf")
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("[Clipboard]\nShareWith=all\n")
        self.addCleanup(settings.unlink)
        self.assertEqual(self.doctor("clipboard"), ["note"])
        process = subprocess.Popen(["runuser", "-u", "ada", "--", helper, "600"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: self.doctor("clipboard") == ["passed"], "the doctor sees it")

    def test_17_a_user_who_stops_everything_neither_delays_root_nor_gets_a_process_of_root(self):
        for user in ("ada", "ben"):
            here.begin_manager(user)
            self.addCleanup(here.end_manager, user)

        def reinstall_and_remove():
            wait_until(lambda: self.agent("ben") == "active", "the agent runs")
            process = here.as_user("ben", "systemctl", "--user", "show", "-P", "MainPID", "baton-agent")
            begin = time.monotonic()
            apt("install", "--reinstall", "/packages/next.deb")
            wait_until(lambda: self.agent("ben") == "active", "the agent runs")
            self.assertNotEqual(here.as_user("ben", "systemctl", "--user", "show", "-P", "MainPID", "baton-agent"), process)
            apt("remove", "baton")
            self.assertEqual(self.agent("ben"), "inactive")
            return time.monotonic() - begin

        # How long it takes on this machine when nobody stops anything.
        usual = reinstall_and_remove()
        apt("install", "/packages/next.deb")
        seen = pathlib.Path("/tmp/seen")
        seen.touch()
        here.begin("tracer", "ada", "python3", "-c", TRACER, StandardOutput=f"file:{seen}")
        self.addCleanup(here.end, "tracer")
        wait_until(seen.read_text, "the manager of ada is stopped")
        before = len(seen.read_text().splitlines())
        # Each of the two scripts waits 31 s at most. The tracer keeps one processor busy.
        self.assertLess(reinstall_and_remove(), 2 * 31 + 3 * usual)
        found = seen.read_text().splitlines()[before:]
        self.assertGreater(len(found), 2)
        self.assertEqual(set(found), {"True systemd"})

    def test_18_after_a_purge_everything_is_as_it_was_before_the_installation(self):
        """What the packages depend on is there already."""
        packages = [f"/packages/{name}.deb" for name in ("next", "baton-browser", "baton-editors")]
        answer = "baton baton/delete-state boolean true\n"
        run("debconf-set-selections", text=answer)
        apt("purge", "baton", "baton-browser", "baton-editors")
        # An administrator's own file, of an earlier test.
        shutil.rmtree("/etc/baton", ignore_errors=True)
        before = self.everything()
        self.assertEqual([path for path in before if "baton" in path], [])
        self.assertEqual(run("find", "/", "-xdev", "-nouser", "-o", "-xdev", "-nogroup"), "")
        apt("install", *packages)
        wait_until(is_active, "batond runs")
        here.begin_manager("ada")
        self.addCleanup(here.end_manager, "ada")
        wait_until(lambda: self.agent("ada") == "active", "the agent runs")
        baton("ada", "team", "create", "Last")
        self.assertGreater(len([path for path in self.everything() if "baton" in path]), 50)
        run("debconf-set-selections", text=answer)
        apt("purge", "baton", "baton-browser", "baton-editors")
        self.assertEqual(self.everything(), before)
        # Only the user's own files stay.
        self.assertTrue(pathlib.Path("/home/ada/.local/share/baton").exists())

    def everything(self):
        """All files and folders of the system, users, groups, and answers of debconf. In /run, others come and go."""
        left_out = ["/proc", "/sys", "/dev", "/tmp", "/lab", "/home", "/packages", "/usr/local/lib/baton-tests"]
        left_out += ["/var/cache", "/var/log", "/var/tmp", "/var/lib/apt/lists", "/var/lib/systemd/linger", "/run/log",
                     "/run/user"]
        paths = " -o ".join(f"-path {path}" for path in left_out).split()
        found = run("find", "/", "(", *paths, ")", "-prune", "-o", "-print").splitlines()
        found = {path for path in found if not path.startswith("/run/") or "baton" in path}
        names = {line.split(":")[0] for table in ("passwd", "group") for line in run("getent", table).splitlines()}
        return found | names | {f"debconf: {line}" for line in here.ask("debconf-show", "baton")[1].splitlines()}

    def checks(self, name):
        words = ["runuser", "-u", "ada", "--", "env", "HOME=/home/ada", "baton", "doctor", "--json"]
        return [check for check in json.loads(here.ask(*words)[1])["checks"] if check["check"] == name]

    def doctor(self, name):
        """The outcomes of one of the doctor's checks."""
        return [check["outcome"] for check in self.checks(name)]

    def advice(self, name):
        return next(check["advice"] for check in self.checks(name) if check["outcome"] == "failed")


if __name__ == "__main__":
    unittest.main(verbosity=2)
