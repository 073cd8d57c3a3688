"""Clipboard managers of both kinds of desktops, which put back what has gone."""
# Labs: lo, pair

import os
import pathlib
import select
import shutil
import subprocess
import time

from clipboards import Compositor, DesktopTest, HINT, SECRET
from lab import PATIENCE, on, wait_until
from waiting import Deadline


class ManagerTests(DesktopTest):
    """Clipboard managers that know no marks, and put back what has gone."""

    def assertKeeps(self, program, *arguments, environment={}):
        """The manager keeps what is copied, and it is not shared if it was secret."""
        if not shutil.which(program):
            self.skipTest(f"needs {program}")
        log = open(self.directory / f"{program}.log", "wb")
        self.addCleanup(log.close)
        self.near.spawn(program, *arguments, stdout=log, stderr=log, environment=environment)
        # It is there when it puts back what is copied without a mark.
        def keeps():
            client = self.client("UTF8_STRING", "STRING", content=b"harmless")
            # Baton reads it, and so does the manager.
            for _ in range(2):
                if not select.select([client.stdout], [], [], 2)[0]:
                    break
                client.stdout.readline()
            client.kill()
            client.wait(PATIENCE)
            end = time.monotonic() + 2
            while time.monotonic() < end:
                if self.near.paste() == b"harmless":
                    return True
            return False

        wait_until(keeps, f"{program} puts it back", 60)
        self.near.copy(b"before")
        wait_until(lambda: self.far.paste() == b"before", "it is shared")
        secret = self.client("UTF8_STRING", "STRING", HINT, content=SECRET)
        self.wait_until_not_mirrored(self.far)
        # Only the manager reads it.
        self.assertIn(b"given", secret.stdout.readline())
        secret.kill()
        wait_until(lambda: self.near.paste() == SECRET, "it puts the secret back")
        self.assertNotIn(HINT.encode(), self.near.types())
        self.copy_until_mirrored(b"after")
        # The manager keeps it on this machine.
        for process in (self.laptop, self.laptop.daemon, self.desktop, self.desktop.daemon):
            self.assertFalse(self.remembers(process.process.pid, SECRET))

    def test_parcellite(self):
        self.assertKeeps("parcellite", "--no-icon")


class ManagersAtBothEndsTests(DesktopTest):
    """Clipboard managers of both desktops, and many copies in a row each way."""

    count = 100
    # After the first ten, one copy is mirrored in two seconds.
    time_limit = 300 + 6 * count

    def assertCopies(self, *command):
        for program in (*command[-1].split()[:1], command[0], "dbus-run-session"):
            if not program.startswith("-") and not shutil.which(program):
                self.skipTest(f"needs {program}")
        managers = []
        for machine, screen in zip(self.machines, self.screens):
            log = open(machine.home / "manager.log", "wb")
            self.addCleanup(log.close)
            variables = {"XDG_RUNTIME_DIR": str(machine.home), "QT_QPA_PLATFORM": "xcb"}
            managers.append(
                screen.spawn("dbus-run-session", "--", *command, stdout=log, stderr=log, environment=variables)
            )
        for here, there in ((self.near, self.far), (self.far, self.near)):
            for number in range(self.count):
                content = b"%s %d" % (here.machine.daemon.name.encode(), number)
                here.copy(content)
                wait_until(lambda: there.paste() == content, f"{content} is there", 60)
                self.assertEqual(here.paste(), content)
            end = time.monotonic() + 4
            wait_until(lambda: time.monotonic() > end, "the managers have done what they do")
            self.assertQuiet(self.identities())
            self.assertEqual((here.paste(), there.paste()), (content, content))
            self.assertEqual([manager.poll() for manager in managers], [None, None])
        # What was copied ends, and the managers put back what they have.
        self.near.copy(os.urandom(1000), "image/png")
        self.wait_until_mirrored(self.far, "image/png")
        self.laptop.run("copy", "--clear")
        end = time.monotonic() + 4
        wait_until(lambda: time.monotonic() > end, "the managers have done what they do")
        self.assertEqual(self.identities(), [[], []])

    def test_klipper(self):
        self.assertCopies("klipper")

    def test_copyq(self):
        self.assertCopies("copyq")

    def test_clipman_of_xfce(self):
        self.assertCopies("xfce4-clipman")

    def test_parcellite(self):
        self.assertCopies("parcellite", "--no-icon")


class ManagersOnWaylandTests(ManagersAtBothEndsTests):
    screen = Compositor
    test_klipper = test_copyq = test_clipman_of_xfce = test_parcellite = None

    def test_clipman(self):
        self.assertCopies("wl-paste", "-t", "text", "--watch", "sh", "-c", "clipman store")


class KDEConnectTests(DesktopTest):
    """A second mirror, which is paired between the same machines: KDE Connect on both, and copies in turn each way."""

    labs = ("pair",)
    count = 50
    time_limit = 900

    def setUp(self):
        self.program = next(pathlib.Path("/usr/lib").glob("*/libexec/kdeconnectd"), None)
        if not self.program or not shutil.which("kdeconnect-cli"):
            self.skipTest("needs kdeconnect")
        super().setUp()
        self.ids = [f"_{name}_0000_4000_8000_000000000000_" for name in ("0aaaaaaa", "0bbbbbbb")]
        for number in range(2):
            self.make_identity(number)
        self.connects = [self.connect(*place) for place in zip(range(2), self.machines, self.screens)]
        self.meet()

    def connect(self, number, machine, screen):
        """The environment of one machine's KDE Connect, which runs there."""
        runtime = machine.home / "kde"
        folder = self.folder(number)
        # Only the first looks for the other: otherwise, they replace each other's connections.
        others = "" if number else "customDevices=10.77.0.2\n"
        (folder / "config").write_text(f"[General]\nname={machine.daemon.name}\n{others}")
        # They are paired.
        other = 1 - number
        certificate = (self.folder(other) / "certificate.pem").read_text().replace("\n", "\\n")
        (folder / "trusted_devices").write_text(
            f'[{self.ids[other]}]\ncertificate="{certificate}"\nname={self.machines[other].daemon.name}\ntype=desktop\n'
        )
        # A bus that starts nothing by itself.
        bus = runtime / "bus.conf"
        bus.write_text(
            f"<busconfig><type>session</type><listen>unix:dir={runtime}</listen><policy context='default'>"
            "<allow send_destination='*' eavesdrop='true'/><allow eavesdrop='true'/><allow own='*'/></policy></busconfig>"
        )
        reading, writing = os.pipe()
        log = machine.home / "kdeconnect.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            self.spawn(["dbus-daemon", f"--config-file={bus}", "--nofork", f"--print-address={writing}"], pass_fds=[writing], stderr=output)
            os.close(writing)
            with os.fdopen(reading, "rb") as lines:
                address = lines.readline().decode().strip()
            environment = {
                **os.environ, **screen.environment, "DBUS_SESSION_BUS_ADDRESS": address, "XDG_RUNTIME_DIR": str(runtime), "QT_QPA_PLATFORM": "xcb",
                "HOME": str(runtime), "XDG_CONFIG_HOME": str(runtime / "config"),
            }
            self.spawn(on(self.host(number), self.program), env=environment, stdout=output, stderr=output)
        return environment

    def ask(self, number, *arguments):
        result = subprocess.run(
            on(self.host(number), "kdeconnect-cli", *arguments), env=self.connects[number], capture_output=True, text=True,
            timeout=PATIENCE,
        )
        return result.stdout.split("\n")

    def folder(self, number):
        return self.machines[number].home / "kde/config/kdeconnect"

    def make_identity(self, number):
        folder = self.folder(number)
        folder.mkdir(parents=True)
        (self.machines[number].home / "kde").chmod(0o700)
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "3000", "-subj",
             f"/O=KDE/OU=KDE Connect/CN={self.ids[number]}", "-keyout", folder / "privateKey.pem", "-out", folder / "certificate.pem"],
            check=True, capture_output=True, timeout=PATIENCE,
        )

    def meet(self):
        def have_met():
            return all(self.ids[1 - number] in self.ask(number, "--list-available", "--id-only") for number in range(2))

        wait_until(lambda: all(self.ids[number] in self.ask(number, "--my-id") for number in range(2)), "both run")

        def meet():
            try:
                return wait_until(have_met, "they meet by themselves", 5, interval=0.5)
            except Deadline:
                # Not sooner: a connection that takes the place of another one can end both.
                self.ask(0, "--refresh")
                return False

        wait_until(meet, "they meet", 120)

    def test_copies_end_and_all_that_is_copied_arrives(self):
        for daemon in self.daemons:
            daemon.kill()
        self.near.copy(b"by KDE Connect")
        wait_until(lambda: self.far.paste() == b"by KDE Connect", "it mirrors by itself")
        for daemon in self.daemons:
            daemon.start()
        for daemon in self.daemons:
            daemon.wait_for_sessions(1)
        for here, there in ((self.near, self.far), (self.far, self.near)):
            for number in range(self.count):
                content = b"%s %d" % (here.machine.daemon.name.encode(), number)
                here.copy(content)
                wait_until(lambda: there.paste() == content, f"{content} is there", 60)
                # At a person's pace. KDE Connect sends back what another program mirrors; what is copied in that moment
                # gives way to it.
                end = time.monotonic() + 0.7
                wait_until(lambda: time.monotonic() > end, "KDE Connect has answered")
                self.assertEqual((here.paste(), there.paste()), (content, content))
            end = time.monotonic() + 6
            wait_until(lambda: time.monotonic() > end, "all have answered", 30)
            self.assertQuiet(self.identities())
            self.assertEqual((here.paste(), there.paste()), (content, content))

    def test_a_password_can_be_pasted(self):
        self.near.copy(b"before")
        wait_until(lambda: self.far.paste() == b"before", "it is mirrored")
        self.client("UTF8_STRING", "text/plain", HINT, content=SECRET)
        end = time.monotonic() + 6
        while time.monotonic() < end:
            self.assertEqual(self.near.paste(), SECRET)
        # KDE Connect gives it to the other machine, as something that was copied there; nothing of this machine is offered.
        self.assertEqual(self.desktop.offers(), [])
