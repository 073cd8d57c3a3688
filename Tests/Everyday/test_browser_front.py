# SPDX-License-Identifier: Apache-2.0
"""Whether a browser that runs comes to the front when a person clicks on the notification of a page."""
# Labs: pair
import os
import subprocess

from desktop import FakeServer
from lab import BUILD, on, wait_until
from pages import BASE
from screens import GnomeScreen, PlasmaScreen, PlasmaX11Screen, SwayScreen, X11Screen, XfceScreen
from test_browser_focus import USER, FocusTest


class FrontTest(FocusTest):
    """The classes below say where. The agents of both machines are on one bus, as windows of both are on one screen."""

    def setUp(self):
        super().setUp()
        self.server = None if hasattr(self.screen, "click") else FakeServer(self.screen.bus)
        for daemon in (self.laptop, self.desktop):
            home = self.directory / f"agent-{daemon.name}"
            home.mkdir()
            os.chown(home, USER, USER)
            environment = {
                **self.screen.bus.environment, **self.screen.variables, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "BATON_SOCKET": str(daemon.socket),
            }
            log = self.directory / f"agent-{daemon.name}.log"
            self.logs.append(log)
            with open(log, "wb") as output:
                command = on(daemon.host, "setpriv", "--reuid", USER, "--regid", USER, "--clear-groups", BUILD / "baton", "agent", "--log-level", "debug")
                self.spawn(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def click(self, title):
        """Clicks on the notification that shows a page, once for each time that it is shown."""
        if not self.server:
            return self.screen.click(title)
        for call in self.server.calls():
            if call["summary"] == title and call["time"] not in self.clicked:
                self.clicked.add(call["time"])
                token = self.screen.token()
                self.server.obey("invoke", call["id"], *([token] if token else []))

    def open(self, browser, other, title):
        """Continues a page of the other browser, in front of which this one comes."""
        count = lambda: sum(f"/{title}" in url for url in browser.tabs().values())
        self.screen.focus(other)
        self.wait_for_focus(other, True)
        other.open(f"{BASE}/{title}")
        self.clicked = set()
        # Who clicks just after a change has not read it, and is asked again.
        wait_until(lambda: self.click(title) or count(), f"{title} is there", interval=1)
        wait_until(lambda: self.screen.has_focus(browser), f"{browser.name} has the focus")
        # The page is there once, and the one that brought the window to the front is gone.
        wait_until(lambda: not any("front.html" in url for url in browser.tabs().values()), "the tab is closed")
        self.assertEqual(count(), 1)
        # Nobody goes on before the page is there. What comes next is another one.
        self.offer(other.daemon, title)
        self.assertIn(b'"type":"front"', browser.heard())


class DesktopTest(FrontTest):
    def test_a_click_brings_the_browser_that_runs_to_the_front(self):
        self.open(self.chromium, self.firefox, "from-firefox")
        self.open(self.firefox, self.chromium, "from-chromium")
        self.open(self.chromium, self.firefox, "again")


class X11Tests(DesktopTest):
    screen_kind = X11Screen


class XfceTests(DesktopTest):
    screen_kind = XfceScreen


class PlasmaX11Tests(DesktopTest):
    screen_kind = PlasmaX11Screen


class SwayTests(DesktopTest):
    screen_kind = SwayScreen


class PlasmaTests(DesktopTest):
    screen_kind = PlasmaScreen


class GnomeTests(DesktopTest):
    screen_kind = GnomeScreen

    def tearDown(self):
        """No window says that it is ready instead of being there."""
        titles = self.screen.evaluate("Main.messageTray.getSources().flatMap(({notifications}) => notifications.map(({title}) => title))")
        self.assertEqual([title for title in titles or [] if "ready" in title], [])
        super().tearDown()


# Only its subclasses have a screen.
del DesktopTest
