"""Clipboard managers of both kinds of desktops, which put back what has gone."""
# Labs: lo

import os
import select
import shutil
import time

from clipboards import Compositor, DesktopTest, HINT, SECRET
from lab import PATIENCE, wait_until


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
