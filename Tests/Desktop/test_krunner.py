# SPDX-License-Identifier: Apache-2.0
"""Searching in Debian's KRunner, on a screen in memory; see Scripts/run-desktop."""
import json
import unittest

from machine import LIBRARY
from session import PICTURES, TYPE, SessionTest
from waiting import wait_until

SCREEN = ":7"


class KRunnerTest(SessionTest):
    name = "grace"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        stop = cls.begin("screen", "Xvfb", SCREEN, "-screen", "0", "1280x720x24")
        cls.addClassCleanup(stop)
        wait_until(lambda: cls.ask_screen("xdotool", "getdisplaygeometry"), "the screen is there")
        # As Plasma does it. The bus starts KRunner.
        cls.systemctl(
            "set-environment", f"DISPLAY={SCREEN}", "QT_QPA_PLATFORM=xcb", "QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1",
            "XDG_CURRENT_DESKTOP=KDE", "KDE_FULL_SESSION=true", "KDE_SESSION_VERSION=5",
        )
        cls.addClassCleanup(cls.systemctl, "stop", "plasma-krunner")

    @classmethod
    def on_screen(cls, *command):
        return cls.as_user("env", f"DISPLAY={SCREEN}", *command)

    @classmethod
    def ask_screen(cls, *command):
        try:
            return cls.on_screen(*command)
        except AssertionError:
            return None

    def setUp(self):
        super().setUp()
        self.show()

    def show(self):
        """Shows KRunner with nothing typed."""
        self.on_screen("busctl", "--user", "call", "org.kde.krunner", "/App", "org.kde.krunner.App", "display")
        wait_until(lambda: self.shown("text"), "KRunner is shown")
        # What a test before this one typed.
        self.press("ctrl+a", "BackSpace")
        wait_until(lambda: not self.shown("list item"), "nothing is found")

    def shown(self, role):
        return json.loads(self.on_screen("python3", LIBRARY / "accessible.py", role))

    def press(self, *keys):
        self.on_screen("xdotool", "key", *keys)

    def type(self, text):
        self.on_screen("xdotool", "type", text)

    def results(self):
        return [item for item in self.shown("list item") if item[1].endswith("in category Handoff")]

    def wait_for_results(self, subtext, *titles):
        """KRunner shows the subtext of the result that is selected."""
        expected = [[title, "in category Handoff"] for title in titles]
        expected[0][1] = f"{subtext}, {expected[0][1]}"
        try:
            wait_until(lambda: self.results() == expected, "the results")
        except AssertionError as error:
            raise AssertionError(f"{self.shown('list item')} instead of {expected}") from error

    def picture(self, name):
        """Saves what the screen shows."""
        file = self.home / "picture.png"
        self.on_screen("import", "-window", "root", file)
        # It hangs from the top of the screen.
        self.save_picture(file, name, (564, 147, 358), "620x220", "-gravity", "north", "-geometry", "+0-12", radius=4)

    def test_what_is_typed_finds_what_was_done_here_and_elsewhere(self):
        self.donate_a_library()
        # Searching starts the agent.
        self.systemctl("stop", "baton-agent")
        self.type("mob")
        self.wait_for_results("Reader", "Moby-Dick", "Moby-Dick, chapter 42", "Essay on Moby-Dick")
        self.picture("search-krunner")
        self.type("y essay")
        self.wait_for_results("Notes", "Essay on Moby-Dick")
        self.assertEqual(self.events(self.reader, "started"), [])

    def test_a_result_starts_or_calls_its_app(self):
        self.donate_a_library()
        self.type("chapter")
        self.wait_for_results("Reader · on laptop", "Moby-Dick, chapter 42")
        self.press("Return")
        self.wait_for_continuation(self.reader, "Moby-Dick, chapter 42")
        wait_until(lambda: not self.shown("text"), "KRunner closes")
        self.show()
        self.type("whiteness")
        self.wait_for_results("Reader · It was the whiteness of the whale", "Moby-Dick")
        self.press("Return")
        activity = self.wait_for_continuation(self.reader, "Moby-Dick", 2)
        self.assertEqual(activity["userInfo"], {"title": "Moby-Dick"})

    def test_titles_that_nobody_can_see_do_not_hide_the_others(self):
        for title in ("", "odd \ufffe whale"):
            self.donate("org.example.Nobody", TYPE, title, contentDescription="of a whale")
        self.type("whale")
        wait_until(self.results, "there are results")
        titles = [title for title, _ in self.results()]
        self.assertIn("odd \ufffd whale", titles)
        self.assertTrue(all(title.strip() for title in titles), titles)


if __name__ == "__main__":
    unittest.main(verbosity=2)
