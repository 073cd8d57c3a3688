# SPDX-License-Identifier: Apache-2.0
"""The units of a release that has a folder of its own, on a system with little else; see Scripts/run-systemd."""
import json
import pathlib
import shutil

from machine import Machine
from waiting import TestCase, wait_until

PREFIX = pathlib.Path("/opt/baton")
INSTALLED = "/usr/local"
here = Machine()


class PrefixTest(TestCase):
    """batond and a library below /opt, on a system without kill(1)."""

    @classmethod
    def setUpClass(cls):
        here.run("systemd-sysusers")
        here.ask("systemctl", "stop", "batond.socket", "batond.service", "batond-retry.timer")
        cls.addClassCleanup(shutil.rmtree, PREFIX, ignore_errors=True)
        for folder in ("sbin", "lib/baton"):
            (PREFIX / folder).mkdir(parents=True)
        shutil.copy(f"{INSTALLED}/sbin/batond", PREFIX / "sbin")
        [library] = {line.split()[-1] for line in here.run("ldconfig", "-p").splitlines() if "libavahi-client.so.3 " in line}
        cls.library = PREFIX / "lib/baton/libavahi-client.so.3"
        shutil.copy(library, cls.library)
        kill = pathlib.Path(shutil.which("kill"))
        kill.rename(kill.with_name("no-kill"))
        cls.addClassCleanup(kill.with_name("no-kill").rename, kill)
        text = pathlib.Path(f"{INSTALLED}/lib/systemd/system/batond.service").read_text()
        unit = pathlib.Path("/etc/systemd/system/batond.service")
        unit.write_text(text.replace(INSTALLED, str(PREFIX)))
        cls.addClassCleanup(here.systemctl, "daemon-reload")
        cls.addClassCleanup(unit.unlink)
        here.systemctl("daemon-reload")
        here.ask("systemctl", "reset-failed")
        here.systemctl("start", "batond")
        cls.addClassCleanup(here.ask, "systemctl", "stop", "batond.socket", "batond.service")

    def test_it_runs_from_there_with_its_own_libraries(self):
        process = here.show("batond", "MainPID")
        mapped = pathlib.Path(f"/proc/{process}/maps").read_text()
        self.assertIn(f" {PREFIX}/sbin/batond\n", mapped)
        self.assertIn(f" {self.library}\n", mapped)
        self.assertEqual(here.baton("status")["port"], 22866)

    def test_a_reload_needs_no_other_program(self):
        process = here.show("batond", "MainPID")
        file = pathlib.Path("/etc/baton/batond.conf.d/prefix.conf")
        file.parent.mkdir(exist_ok=True)
        self.addCleanup(file.unlink)
        file.write_text("[Device]\nName=study\n")
        here.systemctl("reload", "batond")
        wait_until(lambda: here.baton("status")["device"] == "study", "the name is taken over")
        file.write_text("[Device]\nName=kitchen\n[Network]\nPort=many\n")
        self.assertNotEqual(here.ask("systemctl", "reload", "batond")[0], 0)
        self.assertEqual((here.baton("status")["device"], here.show("batond", "MainPID")), ("study", process))

    def test_only_a_process_can_be_reloaded(self):
        for process, status in (("1", 64), ("0", 64), ("-1", 64), ("$MAINPID", 64), ("4194303", 1)):
            self.assertEqual(here.ask(PREFIX / "sbin/batond", f"--reload={process}")[0], status, process)
        self.assertIn("No such process", here.ask(PREFIX / "sbin/batond", "--reload", "4194303")[2])


class UserReloadTest(TestCase):
    """A user's own batond reloads from inside of its sandbox."""

    def test_it_reloads(self):
        here.run("useradd", "--create-home", "ivy")
        here.begin_manager("ivy")
        self.addCleanup(here.end_manager, "ivy")
        folder = pathlib.Path("/home/ivy/.config/baton")
        here.as_user("ivy", "mkdir", "-p", folder)
        here.as_user("ivy", "tee", folder / "batond.conf", text="[Network]\nPort=0\n")
        here.as_user("ivy", "systemctl", "--user", "start", "batond")
        process = here.as_user("ivy", "systemctl", "--user", "show", "-P", "MainPID", "batond")
        here.as_user("ivy", "tee", folder / "batond.conf", text="[Network]\nPort=0\n[Device]\nName=attic\n")
        here.as_user("ivy", "systemctl", "--user", "reload", "batond")
        socket = f"{here.runtime('ivy')}/baton/baton.sock"
        status = ["baton", "status", "--socket", socket, "--json"]
        wait_until(lambda: json.loads(here.as_user("ivy", *status))["device"] == "attic", "the name is taken over")
        self.assertEqual(here.as_user("ivy", "systemctl", "--user", "show", "-P", "MainPID", "batond"), process)
