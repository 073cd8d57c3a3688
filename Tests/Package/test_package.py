"""The package on a fresh Debian, inside of a booted systemd; see Tests/run-package. The tests are one story, in their order."""
import gzip
import hashlib
import json
import os
import pathlib
import pty
import re
import shutil
import subprocess
import time
import unittest

PATIENCE = 30
MEBIBYTE = 1 << 20
SYSTEM = "/run/baton/baton.sock"
STATE = pathlib.Path("/var/lib/baton")
CONFIGURATION = pathlib.Path("/etc/baton/batond.conf")
OTHER = pathlib.Path("/tmp/other")


def run(*command, **options):
    options = {"stdin": subprocess.DEVNULL, **options}
    result = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=120, **options)
    if result.returncode:
        raise AssertionError(f"{command}: {result.returncode}\n{result.stdout[-2000:]}\n{result.stderr[-2000:]}")
    return result.stdout


def apt(*arguments, **environment):
    return run("apt-get", "-y", *arguments, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive", **environment})


def wait_until(condition, what, deadline=PATIENCE):
    end = time.monotonic() + deadline
    while not (value := condition()):
        if time.monotonic() > end:
            raise AssertionError(f"{what}: not within {deadline} s")
        time.sleep(0.05)
    return value


def baton(user, *arguments, socket=None):
    """What an ordinary user's command says."""
    words = ["env", f"BATON_SOCKET={socket}"] if socket else []
    return json.loads(run("runuser", "-u", user, "--", *words, "baton", *arguments, "--json"))


def is_active(unit="batond"):
    return subprocess.run(["systemctl", "is-active", "--quiet", unit]).returncode == 0


def keys():
    """Of all files of the state: name and content."""
    return {str(path): path.read_bytes() for path in STATE.rglob("*") if path.is_file() and "key" in path.name}


def documented(section):
    """The commands of a section of Operations.md, one text for each block, as the package has them."""
    text = gzip.open("/usr/share/doc/baton/Operations.md.gz", "rt").read()
    part = re.search(rf"^## {section}\n(.*?)(?=^## )", text, re.M | re.S)
    return re.findall(r"^```sh\n(.*?)^```", part[1], re.M | re.S)


class PackageTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run("ip", "link", "set", "lo", "multicast", "on")
        for user in ("ada", "ben"):
            run("useradd", "--create-home", "--shell", "/bin/bash", user)

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
            "share/man/man1/baton.1.gz", "share/man/man8/batond.8.gz", "share/man/man5/batond.conf.5.gz",
            "share/bash-completion/completions/baton", "share/zsh/vendor-completions/_baton",
            "share/fish/vendor_completions.d/baton.fish", "lib/firewalld/services/baton.xml",
        ):
            self.assertIn(f"/usr/{path}\n", run("dpkg", "-L", "baton"))
        self.assertIn("/etc/baton/batond.conf", run("dpkg-query", "-f", "${Conffiles}", "-W", "baton"))

    def test_02_nothing_runs_twice(self):
        # The user's unit is there for who wants it, and nobody's by itself.
        self.assertFalse(list(pathlib.Path("/etc/systemd/user").rglob("batond.*")))
        # The agent is there for each user who logs in.
        self.assertEqual(run("systemctl", "--global", "is-enabled", "baton-agent.service").strip(), "enabled")

    def test_03_a_user_makes_a_team_of_which_the_other_sees_nothing(self):
        team = baton("ada", "team", "create", "Home")["team"]["id"]
        self.assertEqual([each["id"] for each in baton("ada", "team", "list")["teams"]], [team])
        self.assertEqual(baton("ben", "team", "list")["teams"], [])
        OTHER.mkdir()
        run("chown", "ben:ben", OTHER)
        run(
            "systemd-run", "--unit=other", "--uid=ben", "/usr/sbin/batond", "--name", "other", "--port", "0",
            "--socket", OTHER / "sock", "--state-directory", OTHER / "state", "--log-level", "debug",
        )
        wait_until((OTHER / "sock").exists, "the second machine serves")
        code = baton("ada", "team", "invite")["code"]
        baton("ben", "team", "join", code, "--address", "127.0.0.1:22866", socket=OTHER / "sock")
        self.wait_for_session()

    def wait_for_session(self):
        def is_connected():
            try:
                return baton("ada", "status")["sessions"] == 1
            except AssertionError:
                return False

        wait_until(is_connected, "the two are connected")

    def spawn(self, user, *arguments, socket=SYSTEM, **options):
        words = ["runuser", "-u", user, "--", "env", f"BATON_SOCKET={socket}", "baton", *arguments]
        process = subprocess.Popen(words, **options)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def test_04_a_reload_takes_the_configuration_over(self):
        (block,) = documented("Change the configuration")
        self.assertIn("Name=study", run("bash", "-ec", block))
        wait_until(lambda: baton("ada", "status")["device"] == "study", "the name is taken over")
        text = CONFIGURATION.read_text()
        CONFIGURATION.write_text(text.replace("#Name=", "Nome=x"))
        result = subprocess.run(["batond", "--check-config"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 78)
        self.assertRegex(result.stderr, r"/etc/baton/batond.conf:\d+: there is no key \"Nome\"")
        CONFIGURATION.write_text(text.replace("#Level=info", "Level=debug"))

    def test_05_an_upgrade_keeps_teams_keys_settings_and_streams(self):
        before, configuration = keys(), CONFIGURATION.read_text()
        self.assertTrue(before)
        process = run("systemctl", "show", "--property=MainPID", "batond")
        source, pipe = os.pipe()
        advertiser = self.spawn("ada", "advertise", "--type", "org.example.files", "--stream", stdin=source)
        os.close(source)
        received = pathlib.Path("/tmp/received")
        with open(received, "wb") as file:
            continuer = self.spawn(
                "ben", "continue", "--latest", "--stream", "--wait", "30", socket=OTHER / "sock",
                stdin=subprocess.DEVNULL, stdout=file,
            )
        digest = hashlib.sha256()
        for part in range(12):
            block = os.urandom(MEBIBYTE)
            digest.update(block)
            with open(pipe, "wb", closefd=False) as file:
                file.write(block)
            if part == 4:
                wait_until(lambda: received.stat().st_size > 0, "the stream runs")
                apt("install", "/packages/next.deb")
        os.close(pipe)
        self.assertEqual((advertiser.wait(60), continuer.wait(60)), (0, 0))
        self.assertEqual(hashlib.sha256(received.read_bytes()).digest(), digest.digest())
        self.assertIn("+next", run("dpkg-query", "-f", "${Version}", "-W", "baton"))
        self.assertNotEqual(run("systemctl", "show", "--property=MainPID", "batond"), process)
        self.assertEqual(keys(), before)
        self.assertEqual(CONFIGURATION.read_text(), configuration)
        self.assertTrue(is_active())
        self.wait_for_session()

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
        self.wait_for_session()

    def test_07_a_backup_brings_teams_back(self):
        before = keys()
        self.assertTrue(any(path.endswith("/ca.key") for path in before))
        backup, restore = documented("Backup")
        run("bash", "-ec", backup, cwd="/tmp")
        run("systemctl", "stop", "batond")
        shutil.rmtree(STATE / "teams")
        run("systemctl", "start", "batond")
        self.assertEqual(baton("ada", "team", "list")["teams"], [])
        run("bash", "-ec", restore, cwd="/tmp")
        self.assertEqual(keys(), before)
        self.wait_for_session()
        baton("ada", "team", "invite")

    def test_08_a_purge_that_nobody_answers_keeps_the_keys(self):
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

    def test_09_a_purge_asks_and_no_keeps_the_keys(self):
        before = keys()
        self.purge_answering("no")
        self.assertEqual(keys(), before)

    def test_10_a_purge_asks_and_yes_deletes_them(self):
        self.purge_answering("yes")
        self.assertFalse(STATE.exists())
        # What an administrator put there stays, as the policy has it.
        self.assertEqual([path.name for path in CONFIGURATION.parent.rglob("*")], ["batond.conf.d", "name.conf"])
        self.assertFalse(pathlib.Path("/run/baton").exists())
        self.assertNotIn("batond", run("systemctl", "list-unit-files"))

    def test_11_a_purge_may_be_answered_before(self):
        apt("install", "/packages/next.deb")
        wait_until(is_active, "batond runs")
        baton("ada", "team", "create", "New")
        run("debconf-set-selections", input="baton baton/delete-state boolean true\n", stdin=None)
        apt("purge", "baton")
        self.assertFalse(STATE.exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
