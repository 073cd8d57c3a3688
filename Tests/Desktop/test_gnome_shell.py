# SPDX-License-Identifier: Apache-2.0
"""Searching in Debian's GNOME Shell, which draws without a screen; see Scripts/run-desktop."""
import json
import os
import signal
import unittest

from session import PICTURES, TYPE, SessionTest
from waiting import wait_until

# Presses keys as a keyboard does.
KEYBOARD = """
const {Clutter, GLib} = imports.gi;
globalThis.keyboard ??= Clutter.get_default_backend().get_default_seat()
  .create_virtual_device(Clutter.InputDeviceType.KEYBOARD_DEVICE);
for (const key of %s)
  for (const state of [Clutter.KeyState.PRESSED, Clutter.KeyState.RELEASED])
    keyboard.notify_keyval(GLib.get_monotonic_time(), key, state);
"""
# What the overview shows of Baton's results: the texts of each, and how many there are besides.
RESULTS = """
Main.overview._overview.controls._searchController._searchResults._providers
  .filter(provider => provider.id == 'io.baton.Search.desktop' && provider.display.mapped)
  .map(({display}) => [
    display._content.get_children().map(result => [result.label_actor.text, result._descriptionLabel?.text ?? '']),
    display.providerInfo._moreLabel.visible ? display.providerInfo._moreLabel.text : '',
  ])
"""
# Whether the shell has noticed a change of the installed apps since this was evaluated first.
NOTICED = """
globalThis.appSystem ??= Object.assign(imports.gi.Shell.AppSystem.get_default(), {isNoticed: false});
globalThis.connection ??= appSystem.connect('installed-changed', () => appSystem.isNoticed = true);
appSystem.isNoticed
"""
RETURN, BACKSPACE = 0xFF0D, 0xFF08
# Of the screen.
WIDTH, HEIGHT = 860, 720


class GnomeShellTest(SessionTest):
    name = "ada"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stop = cls.begin(
            "shell", "gnome-shell", "--headless", "--virtual-monitor", f"{WIDTH}x{HEIGHT}", "--wayland", "--no-x11",
            "--unsafe-mode",
            XDG_CURRENT_DESKTOP="GNOME", XDG_SESSION_TYPE="wayland", LIBGL_ALWAYS_SOFTWARE=1,
        )
        cls.addClassCleanup(stop)
        # The shell clears its results when it notices new apps. It does so some seconds after it has started.
        wait_until(lambda: cls.evaluate(f"{NOTICED} && !Main.layoutManager._startingUp", check=False), "the shell is there", 60)

    def setUp(self):
        super().setUp()
        self.show_overview()
        self.addCleanup(self.hide_overview)

    def show_overview(self):
        self.evaluate("Main.overview.show()")
        wait_until(lambda: self.evaluate("Main.overview.visible && !Main.overview.animationInProgress"), "the overview")

    def open_first(self):
        """Opens the first result, which closes the overview."""
        self.press(RETURN)
        wait_until(lambda: self.evaluate("!Main.overview.visible"), "the overview closes")

    def hide_overview(self):
        """Also forgets what was typed."""
        self.evaluate("Main.overview.hide()")
        wait_until(lambda: self.evaluate("!Main.overview.visible"), "the overview closes")

    @classmethod
    def evaluate(cls, code, check=True):
        """Evaluates JavaScript in the shell."""
        service = ["org.gnome.Shell", "/org/gnome/Shell", "org.gnome.Shell", "Eval"]
        try:
            reply = json.loads(cls.as_user("busctl", "--user", "--json=short", "call", *service, "s", code))["data"]
        except AssertionError:
            if check:
                raise
            return None
        if check and not reply[0]:
            raise AssertionError(f"{code}: {reply[1]}")
        return json.loads(reply[1] or "null") if reply[0] else None

    def press(self, *keys):
        self.evaluate(KEYBOARD % json.dumps(keys) + "0")

    def type(self, text):
        self.press(*map(ord, text))

    def wait_for_results(self, *results, more=""):
        expected = [[[list(result) for result in results], more]] if results else []
        try:
            wait_until(lambda: self.evaluate(RESULTS) == expected, "the results")
        except AssertionError as error:
            typed = self.evaluate("Main.overview.searchEntry.text")
            raise AssertionError(f"{typed!r} finds {self.evaluate(RESULTS)} instead of {expected}") from error

    def picture(self, name):
        """Saves what the shell shows, except that this test may evaluate code in it."""
        self.evaluate("Main.panel.statusArea.quickSettings._unsafeMode.hide()")
        file = self.home / "picture.png"
        service = ["org.gnome.Shell", "/org/gnome/Shell/Screenshot", "org.gnome.Shell.Screenshot", "Screenshot"]
        reply = json.loads(self.as_user("busctl", "--user", "--json=short", "call", *service, "bbs", "false", "false", file))
        self.assertEqual(reply["data"], [True, str(file)])
        self.save_picture(file, name, (WIDTH, 290, 0), f"{WIDTH + 80}x370", "-gravity", "center", radius=12)

    def test_what_is_typed_finds_what_was_done_here_and_elsewhere(self):
        self.donate_a_library()
        # Searching starts the agent.
        self.systemctl("stop", "baton-agent")
        self.type("novel")
        self.wait_for_results(["Essay on Moby-Dick", "Notes · novel"])
        self.press(*[BACKSPACE] * len("novel"))
        self.wait_for_results()
        self.type("mob")
        self.wait_for_results(
            ["Moby-Dick", "Reader"], ["Moby-Dick, chapter 42", "Reader · on laptop"], ["Essay on Moby-Dick", "Notes"]
        )
        self.picture("search-gnome")
        self.type("y essay")
        self.wait_for_results(["Essay on Moby-Dick", "Notes"])
        self.assertEqual(self.events(self.reader, "started"), [])

    def test_a_result_starts_or_calls_its_app(self):
        self.donate_a_library()
        self.type("chapter")
        self.wait_for_results(["Moby-Dick, chapter 42", "Reader · on laptop"])
        self.open_first()
        self.wait_for_continuation(self.reader, "Moby-Dick, chapter 42")
        self.show_overview()
        self.type("whiteness")
        self.wait_for_results(["Moby-Dick", "Reader · It was the whiteness of the whale"])
        self.open_first()
        activity = self.wait_for_continuation(self.reader, "Moby-Dick", 2)
        self.assertEqual(activity["userInfo"], {"title": "Moby-Dick"})
        self.show_overview()
        self.type("essay")
        self.wait_for_results(["Essay on Moby-Dick", "Notes"])
        self.open_first()
        self.wait_for_continuation(self.notes, "Essay on Moby-Dick")

    def test_more_results_than_fit_are_counted(self):
        for number in range(10, 35):
            self.donate("org.example.Nobody", TYPE, f"Whale {number}")
        self.type("whale")
        wait_until(lambda: self.evaluate(RESULTS), "there are results")
        [[results, more]] = self.evaluate(RESULTS)
        self.assertEqual((len(results), more), (5, "15 more"))

    def test_titles_that_nobody_can_see_do_not_hide_the_others(self):
        for title in ("", "odd \ufffe whale"):
            self.donate("org.example.Nobody", TYPE, title, contentDescription="of a whale")
        self.type("whale")
        wait_until(lambda: self.evaluate(RESULTS), "there are results")
        [[results, _]] = self.evaluate(RESULTS)
        titles = [title for title, _ in results]
        self.assertIn("odd \ufffd whale", titles)
        self.assertTrue(all(title.strip() for title in titles), titles)

    def test_the_shell_does_not_wait_for_an_agent_that_hangs(self):
        self.donate("org.example.Nobody", TYPE, "Slow whale")
        agent = int(self.systemctl("show", "-P", "MainPID", "baton-agent"))
        os.kill(agent, signal.SIGSTOP)
        self.addCleanup(os.kill, agent, signal.SIGCONT)
        self.type("slow")
        searching = "Main.overview._overview.controls._searchController._searchResults._statusText.text"
        wait_until(lambda: self.evaluate(searching) == "Searching…", "the shell waits for the agent")
        self.type(" whale")
        wait_until(lambda: self.evaluate("Main.overview.searchEntry.text") == "slow whale", "the shell goes on")
        self.wait_for_results()
        os.kill(agent, signal.SIGCONT)
        wait_until(lambda: self.evaluate(RESULTS), "there are results")
        self.wait_for_results(["Slow whale", ""])


if __name__ == "__main__":
    unittest.main(verbosity=2)
