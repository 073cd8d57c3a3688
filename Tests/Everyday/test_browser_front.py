"""Whether a browser that runs comes to the front when a person continues a page from the desktop."""
# Labs: pair
import os
import subprocess

from lab import BUILD, on, wait_until
from pages import BASE
from screens import GnomeScreen, X11Screen
from test_browser_focus import USER, FocusTest
from users import call


class FrontTest(FocusTest):
    def open(self, browser, other, daemon, title, isClicked=False):
        """Continues a page of the other browser, in front of which this one comes."""
        count = lambda: sum(f"/{title}" in url for url in browser.tabs().values())
        self.screen.focus(other)
        self.wait_for_focus(other, True)
        other.open(f"{BASE}/{title}")
        offer = self.offer(daemon, title)
        if isClicked:
            # Who clicks just after a change has not read it, and is asked again.
            wait_until(lambda: self.screen.click(title) or count(), "the page is there", interval=2)
        else:
            call(daemon, USER, "OpenOffer", id=offer["id"], activationToken=self.screen.token())
            wait_until(count, "the page is there")
        wait_until(lambda: self.screen.has_focus(browser), f"{browser.name} has the focus")
        # The page is there once, and the one that brought the window to the front is gone.
        wait_until(lambda: not any("front.html" in url for url in browser.tabs().values()), "the tab is closed")
        self.assertEqual(count(), 1)
        self.assertIn(b'"type":"front"', browser.heard())

    def check(self):
        self.open(self.chromium, self.firefox, self.laptop, "from-firefox")
        self.open(self.firefox, self.chromium, self.desktop, "from-chromium")
        self.open(self.chromium, self.firefox, self.laptop, "again")


class X11Tests(FrontTest):
    screen_kind = X11Screen

    def test_a_browser_that_runs_comes_to_the_front(self):
        self.check()


class GnomeTests(FrontTest):
    screen_kind = GnomeScreen

    def test_a_browser_that_runs_comes_to_the_front(self):
        self.check()
        self.assert_nothing_is_ready()

    def click(self, browser, other, daemon):
        home = self.directory / "agent"
        home.mkdir()
        os.chown(home, USER, USER)
        environment = {
            **self.screen.environment, **self.screen.variables, "HOME": str(home), "XDG_RUNTIME_DIR": str(home),
            "BATON_SOCKET": str(daemon.socket),
        }
        log = self.directory / "agent.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            self.spawn(
                on(daemon.host, *self.screen.as_user(BUILD / "baton", "agent", "--log-level", "debug")), env=environment,
                stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            )
        self.open(browser, other, daemon, "clicked", isClicked=True)
        self.assert_nothing_is_ready()

    def test_a_click_on_a_notification_brings_chromium_there(self):
        self.click(self.chromium, self.firefox, self.laptop)

    def test_a_click_on_a_notification_brings_firefox_there(self):
        self.click(self.firefox, self.chromium, self.desktop)

    def assert_nothing_is_ready(self):
        """No window says that it is ready instead of being there."""
        titles = self.screen.evaluate("Main.messageTray.getSources().flatMap(({notifications}) => notifications.map(({title}) => title))")
        self.assertEqual([title for title in titles if "ready" in title], [])
