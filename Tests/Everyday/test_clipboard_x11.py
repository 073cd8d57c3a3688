# SPDX-License-Identifier: Apache-2.0
"""What is copied on one desktop and pasted on another: X servers."""
# Labs: lo

import shutil
import signal
import subprocess
import time

from clipboards import DesktopTest, HINT, SECRET, SharedTests
from lab import PATIENCE, wait_until


class XTests(SharedTests, DesktopTest):
    pasting = ("xclip", "-selection", "clipboard", "-o")

    def test_xsel(self):
        self.near.spawn("xsel", "--nodetach", "--clipboard", "--input", input=b"by xsel")
        self.wait_until_mirrored(self.far)
        self.assertEqual(self.far.read("xsel", "--clipboard", "--output"), b"by xsel")
        self.far.spawn("xsel", "--nodetach", "--clipboard", "--input", input=b"back")
        self.wait_until_mirrored(self.near)
        self.assertEqual(self.near.read("xsel", "--clipboard", "--output"), b"back")

    def test_what_is_cleared_is_gone_elsewhere(self):
        self.near.copy(b"not for long")
        wait_until(lambda: self.far.paste() == b"not for long", "it is pasted")
        self.near.read("xsel", "--clipboard", "--clear")
        self.wait_until_not_mirrored(self.far)
        self.assertFalse(self.far.paste())
        self.wait_for_offers(0, 0)

    def test_what_a_manager_takes_over_from_a_secret_goes_nowhere(self):
        """Programs that end ask for that (ICCCM, SAVE_TARGETS), however long the secret was there."""
        self.copy_until_mirrored(b"before")
        secret = self.client("UTF8_STRING", HINT, content=SECRET)
        self.wait_until_not_mirrored(self.far)
        # Until then, whatever is selected counts as a secret.
        end = time.monotonic() + 5.5
        wait_until(lambda: time.monotonic() > end, "the secret is old")
        manager = self.client("UTF8_STRING", "text/plain", content=SECRET, MANAGER="1")
        secret.wait(PATIENCE)
        self.copy_until_mirrored(b"after")
        manager.wait(PATIENCE)
        self.assertEqual(manager.stdout.read(), b"")
        self.assertNowhere(SECRET)

    def late(self, *names, content=b""):
        """A program that is asked for its types, and answers when it is told to."""
        client = self.client(*names, content=content, HELD="1")
        self.assertEqual(client.stdout.readline(), b"asked\n")
        return client

    def test_a_late_answer_is_not_taken_for_the_next_program(self):
        for answer in (("UTF8_STRING",), ()):
            self.copy_until_mirrored(b"before")
            earlier = self.late(*answer, content=b"harmless")
            secret = self.late("UTF8_STRING", HINT, content=SECRET)
            earlier.send_signal(signal.SIGUSR1)
            self.assertEqual(earlier.stdout.readline(), b"answered\n")
            secret.send_signal(signal.SIGUSR1)
            self.assertEqual(secret.stdout.readline(), b"answered\n")
            self.wait_until_not_mirrored(self.far)
            self.assertUnread(secret)
            earlier.kill()

    def test_nothing_is_read_of_a_program_whose_types_are_not_known(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        secret = self.late("UTF8_STRING", content=SECRET)
        # The other machine still believes in what was copied before.
        self.assertFalse(self.far.paste())
        secret.send_signal(signal.SIGUSR1)
        wait_until(lambda: self.far.paste() == SECRET, "it is offered once its types are known")
        self.assertEqual([secret.stdout.readline() for _ in range(2)], [b"answered\n", b"given UTF8_STRING\n"])

    def test_nothing_older_is_pasted_if_the_newest_cannot_be_had(self):
        self.desktop.copy(b"older")
        self.laptop.wait_for_copy("desktop")
        program = self.client("image/png", content=b"newest")
        self.desktop.wait_for_copy("laptop", types=["image/png"])
        program.send_signal(signal.SIGSTOP)
        self.assertEqual(self.desktop.run("paste", status=4), b"")
        self.assertIn("didn't provide the data", self.desktop.last_error)
        program.send_signal(signal.SIGCONT)
        self.assertEqual(self.desktop.run("paste"), b"newest")

    def test_a_selection_with_too_many_types_may_be_a_secret(self):
        self.laptop.copy(b"before")
        self.wait_until_mirrored(self.far)
        client = self.client(*(f"image/x{number}" for number in range(300)), content=SECRET)
        self.wait_until_not_mirrored(self.far)
        self.assertUnread(client)

    def test_the_primary_selection_stays_here(self):
        self.near.copy(b"clipboard")
        self.wait_until_mirrored(self.far)
        self.near.spawn("xsel", "--nodetach", "--primary", "--input", input=b"primary")
        wait_until(lambda: self.near.read("xsel", "--primary", "--output") == b"primary", "the primary selection")
        self.assertFalse(self.far.read("xsel", "--primary", "--output"))
        self.assertEqual(self.far.paste(), b"clipboard")


class PasswordManagerTests(DesktopTest):
    def setUp(self):
        missing = [tool for tool in ("keepassxc", "keepassxc-cli", "xdotool") if not shutil.which(tool)]
        if missing:
            self.skipTest(f"needs {', '.join(missing)}")
        super().setUp()

    def test_a_password_of_keepassxc_goes_nowhere(self):
        self.near.copy(b"before")
        self.wait_until_mirrored(self.far)
        database = self.directory / "passwords.kdbx"
        for arguments, lines in (
            (("db-create", "-q", "-p", database), b"master\nmaster\n"),
            (("add", "-q", "-p", "-u", "ada", database, "Bank"), b"master\n" + SECRET + b"\n"),
        ):
            subprocess.run(
                ["keepassxc-cli", *arguments], input=lines, env=self.near.environment, check=True, capture_output=True,
                timeout=PATIENCE,
            )
        settings = self.laptop.home / ".config/keepassxc/keepassxc.ini"
        settings.parent.mkdir(parents=True, exist_ok=True)
        settings.write_text("[General]\nConfigVersion=2\nUpdateCheckMessageShown=true\n[GUI]\nCheckForUpdates=false\n")
        log = open(self.directory / "keepassxc.log", "wb")
        self.addCleanup(log.close)
        self.near.spawn("keepassxc", "--pw-stdin", database, input=b"master\n", stdout=log, stderr=log)
        window = wait_until(self.unlocked, "the passwords are shown", 60)

        def copied():
            # The window takes a moment until it takes keys.
            self.near.read("xdotool", "windowfocus", "--sync", window, "key", "--clearmodifiers", "Tab", "Down", "ctrl+c")
            return HINT.encode() in self.near.types()

        wait_until(copied, "KeePassXC copies a password", 60)
        self.wait_until_not_mirrored(self.far)
        self.wait_for_offers(0, 0)
        self.assertNowhere(SECRET)
        # That was it.
        self.assertEqual(self.near.paste(), SECRET)
        self.assertEqual(self.streams(), 0)

    def unlocked(self):
        windows = (self.near.read("xdotool", "search", "--onlyvisible", "--name", "KeePassXC") or b"").split()
        for window in windows:
            name = self.near.read("xdotool", "getwindowname", window) or b""
            if b"passwords" in name.lower() and b"[Locked]" not in name:
                return window.decode()
        return None
