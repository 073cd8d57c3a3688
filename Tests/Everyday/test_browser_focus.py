# SPDX-License-Identifier: Apache-2.0
"""Which page is offered while windows of several programs have and lose the focus, as on a person's screen."""
# Labs: pair
import contextlib
import json
import os
import re
import shutil
import signal

import pages
from browsers import Chromium, Firefox
from lab import HOSTS, LabTest, wait_until
from pages import BASE
from screens import GnomeScreen, PlasmaScreen, PlasmaX11Screen, SwayScreen, X11Screen, XfceScreen
from users import call, connect

USER = 61001


class FocusTest(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        missing = [tool for tool in self.screen_kind.tools if not shutil.which(tool)]
        if missing:
            self.skipTest(f"{', '.join(missing)} is not installed")
        self.directory.chmod(0o755)
        for server in pages.serve():
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
        self.laptop, self.desktop = self.batond("laptop").start(), self.batond("desktop", 1).start()
        call(self.laptop, USER, "CreateTeam", name="Home")
        call(self.desktop, USER, "JoinTeam", code=call(self.laptop, USER, "InviteDevice")["code"])
        for daemon in (self.laptop, self.desktop):
            daemon.wait_for_sessions()
        self.screen = self.screen_kind(self, self.directory, USER)
        start = f"{BASE}/start"
        self.chromium = Chromium(self, HOSTS[0], self.laptop, USER, screen=self.screen.variables).start(start)
        self.firefox = Firefox(self, HOSTS[1], self.desktop, USER, screen=self.screen.variables).start(start)
        for browser in (self.chromium, self.firefox):
            browser.wait_for_host()

    def offer(self, daemon, title):
        def found():
            return next((offer for offer in call(daemon, USER, "ListOffers")["offers"] if offer.get("title") == title), None)

        return wait_until(found, f"{daemon.name} sees {title}")

    def wait_for_focus(self, browser, has_focus):
        said = lambda: re.findall(rb'"type":"focus","isOn":(true|false)', browser.heard())[-1:]
        wait_until(lambda: said() == [b"true" if has_focus else b"false"], f"{browser.name} has {'' if has_focus else 'lost '}the focus")
        # For the shells of the user.
        links = lambda: [(browser.directory / f"baton-browser-focus-{host}").is_symlink() for host in browser.hosts()]
        wait_until(lambda: links() == [has_focus], "the host has noted it")

    def assert_stays(self, browser, tab, there, title):
        """The page is still offered: what becomes of it is, too."""
        browser.evaluate(tab, f"document.title = {json.dumps(title)}")
        self.offer(there, title)

    def displace(self, daemon, there, browser):
        """Another program's activity takes the page's place, and the browser knows."""
        count = browser.heard().count(b'"type":"hello"')
        connection = connect(daemon, USER)
        connection.more("BecomeCurrent", activity={"activityType": "org.example.notes", "title": f"notes-{browser.name}"})
        self.offer(there, f"notes-{browser.name}")
        api = "(globalThis.browser ?? chrome)"
        wait_until(lambda: browser.in_extension(f"{api}.storage.session.get('isTaken').then(({{isTaken}}) => !!isTaken)"), "the browser knows")
        self.assertEqual(browser.heard().count(b'"type":"hello"'), count)
        return connection

    @contextlib.contextmanager
    def menu(self, browser):
        """Presses Baton's own button, and closes its menu."""
        watch = b'"type":"watch","isOn":'
        count = browser.heard().count(watch + b"true")
        browser.in_extension("(globalThis.browser ?? chrome).action.openPopup().then(() => 1)")
        wait_until(lambda: browser.heard().count(watch + b"true") > count, "the menu is open")
        yield
        if browser is self.chromium:
            browser.close(browser.context_of("popup.html"))
        else:
            browser.in_extension("browser.extension.getViews({type: 'popup'}).map((view) => view.close()).length")
        wait_until(lambda: browser.heard().count(watch + b"false") > count, "the menu is closed")

    def check(self, browser, other, daemon, there):
        name = browser.name
        self.screen.focus(browser)
        self.wait_for_focus(browser, True)
        tab = browser.open(f"{BASE}/page-{name}")
        self.offer(there, f"page-{name}")
        # Another program is used, and another workspace.
        self.screen.focus(other)
        self.wait_for_focus(browser, False)
        self.assert_stays(browser, tab, there, f"elsewhere-{name}")
        self.screen.leave()
        self.assert_stays(browser, tab, there, f"away-{name}")
        self.screen.back()
        self.screen.focus(browser)
        self.wait_for_focus(browser, True)
        if toggle := getattr(self.screen, "toggle_overview", None):
            # In GNOME 43, browsers hear nothing of it.
            toggle()
            self.assert_stays(browser, tab, there, f"overview-{name}")
            toggle()
            self.assert_stays(browser, tab, there, f"no-overview-{name}")
        # Baton's own button.
        with self.menu(browser):
            self.assert_stays(browser, tab, there, f"menu-{name}")
        self.assert_stays(browser, tab, there, f"no-menu-{name}")
        # A page of Baton's own.
        options = browser.open(f"{browser.base}/options.html")
        self.assert_stays(browser, tab, there, f"options-{name}")
        browser.close(options)
        browser.show(tab)
        self.assert_stays(browser, tab, there, f"no-options-{name}")
        # Another program's activity.
        ways = {
            "program": (lambda: self.screen.focus(other), lambda: None), "workspace": (self.screen.leave, self.screen.back),
            "minimized": (lambda: self.screen.minimize(browser), lambda: None),
        }
        for way, (leave, back) in ways.items():
            leave()
            self.wait_for_focus(browser, False)
            browser.evaluate(tab, f"document.title = '{way}-{name}'")
            self.offer(there, f"{way}-{name}")
            with self.displace(daemon, there, browser):
                # What the page does by itself is no use of it.
                browser.evaluate(tab, f"document.title = 'again-{way}-{name}'")
                wait_until(lambda: self.title(browser, f"again-{way}-{name}"), "the browser knows the title")
                self.assertEqual([o["title"] for o in call(there, USER, "ListOffers")["offers"]], [f"notes-{name}"])
                back()
                self.screen.focus(browser)
                self.offer(there, f"again-{way}-{name}")
        # In front all the time, with a look into Baton's menu.
        self.wait_for_focus(browser, True)
        with self.displace(daemon, there, browser):
            with self.menu(browser):
                pass
            browser.evaluate(tab, f"document.title = 'in-front-{name}'")
            wait_until(lambda: f'"in-front-{name}"'.encode() in browser.heard(), "the host has heard of the title")
            self.assertEqual([o["title"] for o in call(there, USER, "ListOffers")["offers"]], [f"notes-{name}"])
            self.screen.focus(other)
            self.wait_for_focus(browser, False)
            self.screen.focus(browser)
            self.offer(there, f"in-front-{name}")

    def check_new_host(self, browser, other, daemon, there):
        """A page that nobody has turned to takes no place, also if the browser's host is started anew."""
        name = browser.name
        api = "(globalThis.browser ?? chrome)"
        self.screen.focus(browser)
        self.wait_for_focus(browser, True)
        self.offer(there, "start")
        browser.open("about:about" if browser is self.firefox else "chrome://version")
        wait_until(lambda: call(there, USER, "ListOffers")["offers"] == [], "the page is withdrawn")
        notes = connect(daemon, USER)
        notes.more("BecomeCurrent", activity={"activityType": "org.example.notes", "title": f"notes-{name}"})
        self.offer(there, f"notes-{name}")
        self.screen.focus(other)
        self.wait_for_focus(browser, False)
        update = f"{api}.tabs.query({{active: true}}).then(([tab]) => {api}.tabs.update(tab.id, {{url: '{BASE}/itself-{name}'}})).then(() => 1)"
        browser.in_extension(update)
        wait_until(lambda: self.title(browser, f"itself-{name}"), "the page is there")
        hello = b'"type":"hello"'
        count = browser.heard().count(hello)
        for host in browser.hosts():
            os.kill(host, signal.SIGKILL)
        isOff, isOn = (b'"type":"focus","isOn":' + state for state in (b"false", b"true"))
        wait_until(lambda: browser.heard().count(hello) > count and isOff in browser.heard().rpartition(hello)[2], "another host")
        self.assertEqual([o["title"] for o in call(there, USER, "ListOffers")["offers"]], [f"notes-{name}"])
        self.screen.focus(browser)
        self.offer(there, f"itself-{name}")
        told, _, _ = browser.heard().rpartition(hello)[2].partition(isOn)
        self.assertNotIn(b'"type":"page"', told)
        notes.close()

    def title(self, browser, title):
        api = "(globalThis.browser ?? chrome)"
        return browser.in_extension(f"{api}.tabs.query({{title: {json.dumps(title)}}}).then((tabs) => tabs.length)")


class DesktopTest(FocusTest):
    """The classes below say where."""

    def test_the_page_used_last_stays_and_comes_back(self):
        self.check(self.firefox, self.chromium, self.desktop, self.laptop)
        self.check(self.chromium, self.firefox, self.laptop, self.desktop)


class X11Tests(DesktopTest):
    screen_kind = X11Screen

    def test_a_new_host_takes_no_place(self):
        self.check_new_host(self.firefox, self.chromium, self.desktop, self.laptop)
        self.check_new_host(self.chromium, self.firefox, self.laptop, self.desktop)


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


# Only its subclasses have a screen.
del DesktopTest
