"""Whether a browser that runs comes to the front when a person continues a page from the desktop."""
# Labs: pair
from lab import wait_until
from pages import BASE
from screens import GnomeScreen, X11Screen
from test_browser_focus import USER, FocusTest
from users import call


class FrontTest(FocusTest):
    def open(self, browser, other, daemon, there, title):
        """Continues a page of the other browser, in front of which this one comes."""
        self.screen.focus(other)
        self.wait_for_focus(other, True)
        other.open(f"{BASE}/{title}")
        offer = self.offer(daemon, title)
        call(daemon, USER, "OpenOffer", id=offer["id"], activationToken=self.screen.token())
        browser.context_of(f"/{title}")
        wait_until(lambda: self.screen.has_focus(browser), f"{browser.name} has the focus")
        # The page is there once, and the one that brought the window to the front is gone.
        wait_until(lambda: not any("front.html" in url for url in browser.tabs().values()), "the tab is closed")
        self.assertEqual(sum(f"/{title}" in url for url in browser.tabs().values()), 1)
        self.assertIn(b'"type":"front"', browser.heard())

    def check(self):
        self.open(self.chromium, self.firefox, self.laptop, self.desktop, "from-firefox")
        self.open(self.firefox, self.chromium, self.desktop, self.laptop, "from-chromium")
        self.open(self.chromium, self.firefox, self.laptop, self.desktop, "again")


class X11Tests(FrontTest):
    screen_kind = X11Screen

    def test_a_browser_that_runs_comes_to_the_front(self):
        self.check()


class GnomeTests(FrontTest):
    screen_kind = GnomeScreen

    def test_a_browser_that_runs_comes_to_the_front(self):
        self.check()
        # That a window is ready.
        self.assertEqual(self.screen.evaluate("Main.messageTray.getSources().map(({title}) => title)"), [])
