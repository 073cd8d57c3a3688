# SPDX-License-Identifier: Apache-2.0
"""install.sh of the archive, on a booted Debian that has nothing of Baton; see Scripts/run-distribution.

The tests are one story, in their order. /archive/old is the archive, and /archive/next is the next version.
"""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from system import ARCHIVE, ask, changes, files, here, is_active, log_in, program, run
from waiting import TestCase, wait_until

OLD, NEXT = ARCHIVE / "old/install.sh", ARCHIVE / "next/install.sh"
PREFIX = pathlib.Path("/opt/baton")
STATE, CONFIGURATION = "/var/lib/private/baton", "/etc/baton"
WITH_AVAHI = pathlib.Path("/usr/sbin/avahi-daemon").exists()


def kept(path):
    """What an uninstallation leaves: state and configuration."""
    return path.startswith((STATE, CONFIGURATION)) or path in ("/var/lib/baton", "/var/lib/private")


class ArchiveTest(TestCase):
    @classmethod
    def setUpClass(cls):
        cls.before = files()
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        run("useradd", "--create-home", "--shell", "/bin/bash", "ada")
        log_in("ada")
        cls.before = files()

    def refused(self, *expected, script=OLD, arguments=(), status=69, **options):
        """install.sh names the problem, and changes nothing."""
        before = files()
        result, output = ask("sh", script, *arguments, **options)
        self.assertEqual(result, status, output)
        for text in expected:
            self.assertIn(text, output)
        self.assertEqual(changes(before, files()), [])
        return output

    def fake(self, name, text):
        return program(tempfile.mkdtemp(dir=self.folder), name, text)

    def test_01_it_says_what_is_missing(self):
        self.refused("is for x86_64, but this machine is riscv64", path=self.fake("uname", "echo riscv64"))
        self.refused("glibc 2.31 is too old", path=self.fake("getconf", "echo glibc 2.31"))
        musl = self.fake("getconf", "exit 1")
        program(musl, "ldd", "echo 'musl libc (x86_64)' >&2; exit 1")
        self.refused("no glibc", path=musl)
        self.refused("systemd 245 is too old", path=self.fake("systemctl", "echo 'systemd 245 (245.4-4ubuntu3)'"))
        self.refused("doesn't use systemd", path=self.fake("systemctl", "exit 127"))
        full = "echo 'Filesystem 1024-blocks Used Available Capacity Mounted on'; echo 'disk 100 90 1024 99% /'"
        self.refused("only 1 MiB left", path=self.fake("df", full))
        # All problems are shown at once.
        several = self.fake("systemctl", "echo 'systemd 200'")
        program(several, "getconf", "echo glibc 2.17")
        self.refused("glibc 2.17", "systemd 200", path=several)

    def test_02_it_says_which_library_is_missing(self):
        (library,) = pathlib.Path("/usr/lib").rglob("libssl.so.3")
        hidden = library.rename(f"{library}.hidden")
        try:
            self.refused("OpenSSL 3 is missing")
        finally:
            hidden.rename(library)

    def test_03_only_root_installs(self):
        status, output = ask("runuser", "-u", "ada", "--", "sh", OLD)
        self.assertEqual(status, 69, output)
        self.assertIn("You aren't root", output)
        # Everybody may look.
        status, output = ask("runuser", "-u", "ada", "--", "sh", OLD, "--dry-run")
        self.assertEqual(status, 0, output)

    def test_04_wrong_arguments_are_named(self):
        for arguments, text in (
            (["--prefix"], "--prefix needs a directory"), (["--prefix="], "--prefix needs a directory"), (["--frefix"], "'--frefix'"),
            (["--prefix", "relative"], "'relative'"), (["--prefix", "/opt/a b"], "'/opt/a b'"), (["--prefix", "/opt/../etc"], "/opt/../etc"),
            (["--prefix", "/"], "'/'"), (["--prefix", "/tmp/baton"], "can't run programs in '/tmp/baton'"), (["--prefix", "/home/ada"], "/home/ada"),
            (["install", "uninstall"], "install and uninstall"), (["--prefix", "/opt/$(id)"], "absolute path"),
        ):
            self.refused(text, arguments=arguments, status=64)
        status, output = ask("sh", OLD, "--help")
        self.assertEqual(status, 0)
        self.assertIn("Usage: install.sh", output)
        self.refused("no installation in /opt/baton", arguments=["uninstall"], status=1)

    def test_05_foreign_files_and_masked_units_are_left_alone(self):
        foreign = pathlib.Path("/usr/local/bin/baton")
        foreign.write_text("mine")
        self.refused(f"{foreign} is already there")
        foreign.unlink()
        run("systemctl", "mask", "batond.service")
        self.refused("batond.service is masked", "systemctl unmask batond.service")
        run("systemctl", "unmask", "batond.service")
        package = pathlib.Path("/usr/bin/baton")
        package.write_text("a package's")
        self.refused("Another installation of Baton is here (/usr/bin/baton)")
        package.unlink()

    def test_06_dry_run_only_lists(self):
        before = files()
        status, output = ask("sh", OLD, "--dry-run")
        self.assertEqual((status, changes(before, files())), (0, []), output)
        self.assertIn("install /opt/baton/sbin/batond\n", output)
        self.assertIn("Nothing was changed.", output)

    def interrupted(self, script, at, *arguments):
        """Kills install.sh when it runs mv the given time."""
        count = pathlib.Path(self.folder, "count")
        count.write_text("")
        folder = self.fake("mv", f'echo >>{count}; if [ $(wc -l <{count}) = {at} ]; then kill -9 $PPID; exit; fi; exec /bin/mv "$@"')
        status, output = ask("sh", script, *arguments, path=folder)
        self.assertEqual(status, -9, output)

    def test_07_an_interrupted_installation_can_be_removed(self):
        for at in (1, 2, 40, 90):
            self.interrupted(OLD, at)
            status, output = ask("sh", OLD, "uninstall")
            self.assertEqual(status, 0, output)
            self.assertEqual([path for path in changes(self.before, files()) if not kept(path)], [], at)

    def test_08_an_interrupted_installation_can_be_repeated(self):
        for at in (1, 30, 80):
            self.interrupted(OLD, at)
        status, output = ask("sh", OLD)
        self.assertEqual(status, 0, output)
        self.assertEqual("Avahi is missing" in output, not WITH_AVAHI, output)
        wait_until(is_active, "batond runs")
        self.assertIn("Baton 0", output)
        self.assertEqual(run("systemctl", "is-enabled", "batond.service", "batond.socket").split(), ["enabled", "enabled"])
        self.assertEqual(list(PREFIX.rglob("*.part")), [])
        self.assertEqual(sorted(path.name for path in (PREFIX / "lib/baton").glob("manifest*")), ["manifest"])

    def test_09_everything_runs_from_the_prefix(self):
        process = here.show("batond", "MainPID")
        maps = pathlib.Path(f"/proc/{process}/maps").read_text()
        for name in ("libavahi-client", "libdbus-1"):
            self.assertRegex(maps, rf"{PREFIX}/lib/baton/{name}")
        self.assertRegex(maps, r" /usr/lib/\S*/libssl\.so")
        self.assertEqual(os.readlink(f"/proc/{process}/exe"), f"{PREFIX}/sbin/batond")
        wait_until(lambda: here.ask(*here.command_of("ada", "systemctl", "--user", "is-active", "baton-agent"))[0] == 0, "the agent runs")
        self.assertRegex(here.as_user("ada", "baton", "version"), r"\d+\.\d+\.\d+")
        here.as_user("ada", "baton", "team", "create", "Home")
        # What is text names the prefix, and the prefix only.
        self.assertIn(f"ExecStart={PREFIX}/bin/baton agent", pathlib.Path("/usr/local/lib/systemd/user/baton-agent.service").read_text())
        self.assertTrue((PREFIX / "share/locale/de/LC_MESSAGES/baton.mo").exists())

    def test_10_a_second_installation_elsewhere_is_refused(self):
        self.refused("already installed in /opt/baton", arguments=["--prefix", "/usr/local"], status=1)

    def test_11_a_wrong_configuration_is_named_before_an_upgrade(self):
        drop_in = pathlib.Path("/etc/baton/batond.conf.d/wrong.conf")
        drop_in.parent.mkdir(exist_ok=True)
        drop_in.write_text("[Daemon]\nNome=x\n")
        self.refused("configuration must be corrected", "wrong.conf", script=NEXT)
        drop_in.unlink()
        drop_in.parent.rmdir()

    def test_12_an_upgrade_keeps_the_state(self):
        teams = here.as_user("ada", "baton", "team", "list")
        pathlib.Path("/etc/baton/batond.conf").write_text("# mine\n")
        process = here.show("batond", "MainPID")
        self.interrupted(NEXT, 50)
        status, output = ask("sh", NEXT)
        self.assertEqual(status, 0, output)
        wait_until(lambda: here.show("batond", "MainPID") not in ("0", process), "batond is the new one")
        wait_until(is_active, "batond runs")
        self.assertEqual(here.as_user("ada", "baton", "team", "list"), teams)
        self.assertEqual(pathlib.Path("/etc/baton/batond.conf").read_text(), "# mine\n")
        # What the new version has no more is gone, and what it has is there.
        self.assertFalse(pathlib.Path("/usr/local/share/man/man1/baton-version.1").exists())
        self.assertTrue(pathlib.Path("/usr/local/share/doc/baton/new").exists())

    def test_13_an_upgrade_leaves_a_disabled_service_alone(self):
        run("systemctl", "disable", "--now", "batond.service", "batond.socket")
        status, output = ask("sh", NEXT)
        self.assertEqual(status, 0, output)
        self.assertFalse(is_active())
        self.assertEqual(here.ask("systemctl", "is-enabled", "batond.service")[1].strip(), "disabled")

    def test_14_an_older_version_needs_a_yes(self):
        self.refused("which is newer", "--downgrade")
        status, output = ask("sh", OLD, "--downgrade")
        self.assertEqual(status, 0, output)
        self.assertFalse(pathlib.Path("/usr/local/share/doc/baton/new").exists())
        self.assertTrue(pathlib.Path("/usr/local/share/man/man1/baton-version.1").exists())

    def test_15_the_installed_copy_uninstalls(self):
        run("systemctl", "enable", "--now", "batond.service")
        copy = PREFIX / "lib/baton/install.sh"
        status, output = ask("sh", copy)
        self.assertEqual(status, 1, output)
        self.assertIn("can only uninstall", output)
        status, output = ask("sh", copy, "uninstall", "--dry-run")
        self.assertEqual(status, 0, output)
        self.assertTrue(is_active())
        status, output = ask("sh", copy, "uninstall")
        self.assertEqual(status, 0, output)
        self.assertEqual([path for path in changes(self.before, files()) if not kept(path)], [])
        self.assertTrue(pathlib.Path(STATE, "teams").exists())
        for text in ("/var/lib/baton", "/etc/baton", "user batond"):
            self.assertIn(text, output)
        self.assertFalse(pathlib.Path("/run/baton").exists())
        self.assertEqual([name for name in self.programs() if re.search(r"/batond?( |$)", name)], [])

    def programs(self):
        for number in filter(str.isdigit, os.listdir("/proc")):
            try:
                yield os.readlink(f"/proc/{number}/exe")
            except OSError:
                continue

    def test_16_it_does_not_matter_how_it_was_unpacked(self):
        """By a user who keeps others out, into a folder whose name has a space; through a link."""
        folder = pathlib.Path("/home/ada/my files")
        shutil.copytree(ARCHIVE / "old", folder / "archive", symlinks=True)
        run("chown", "-R", "ada:ada", folder)
        run("chmod", "-R", "go=", folder)
        (folder / "link").symlink_to("archive/install.sh")
        status, output = ask("sh", folder / "link")
        self.assertEqual(status, 0, output)
        wait_until(is_active, "batond runs")
        self.assertRegex(run("runuser", "-u", "nobody", "--", "baton", "version"), r"\d+\.\d+\.\d+")
        for path in [PREFIX, *PREFIX.rglob("*"), pathlib.Path("/usr/local/lib/systemd/system/batond.service"), pathlib.Path(CONFIGURATION, "agent.conf")]:
            status = path.lstat()
            self.assertEqual((status.st_uid, status.st_gid), (0, 0), path)
            if not path.is_symlink():
                self.assertEqual(status.st_mode & 0o044, 0o044, path)
        status, output = ask("sh", PREFIX / "lib/baton/install.sh", "uninstall")
        self.assertEqual(status, 0, output)
        shutil.rmtree(folder)

    def test_17_what_stayed_is_used_again(self):
        for prefix in ("/usr/local", "/srv/software/baton-1", "/usr"):
            status, output = ask("sh", OLD, "--prefix", prefix)
            self.assertEqual(status, 0, output)
            wait_until(is_active, "batond runs")
            self.assertEqual(os.readlink(f"/proc/{here.show('batond', 'MainPID')}/exe"), f"{prefix}/sbin/batond")
            self.assertIn("Home", here.as_user("ada", "baton", "team", "list"))
            status, output = ask("sh", NEXT)
            self.assertEqual(status, 0, output)
            self.assertIn(prefix, output)
            status, output = ask("sh", f"{prefix}/lib/baton/install.sh", "uninstall")
            self.assertEqual(status, 0, output)
            self.assertEqual([path for path in changes(self.before, files()) if not kept(path)], [], prefix)

    def test_18_two_at_once_do_not_meet(self):
        process = subprocess.Popen(["flock", "/run/baton-install.lock", "sleep", "60"])
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        wait_until(lambda: here.ask("flock", "-n", "/run/baton-install.lock", "true")[0] != 0, "it's locked")
        self.refused("Another install.sh is running", status=1)


if __name__ == "__main__":
    unittest.main(verbosity=2)
