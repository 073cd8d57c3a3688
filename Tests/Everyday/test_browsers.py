# SPDX-License-Identifier: Apache-2.0
"""Pages that go from one machine's Chromium to another's Firefox and back, and what must never go.

The browsers are started once for all tests. Each test has tabs of its own.
"""
# Labs: pair
import contextlib
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import urllib.parse

import hard_pages
import pages
import reported_pages
from browsers import Chromium, Firefox, content, memory
from extension_tables import cases, table
from lab import HOSTS, PATIENCE, LabTest, on, wait_until
from pages import BASE, HOST
from users import call, connect, silent

USER = 61001
SCRIPTS = ["/words.js", "/secrets.js"]
WEB = "NSUserActivityTypeBrowsingWeb"
# In each browser another number, code and text, so that one's memory is not taken for the other's.
CARDS = {"chromium": "4111 1111 1111 1111", "firefox": "5555 5555 5555 4444"}
CODES = {"chromium": "739164", "firefox": "284617"}


class BrowserTest(LabTest):
    labs = ("pair",)

    # What all tests share. It is made, and ended, as a test would do it.
    shared = LabTest()

    def popup(self, browser):
        """The toolbar button's page, in a window of its own."""
        api = "(globalThis.browser ?? chrome)"
        browser.in_extension(f"{api}.windows.create({{type: 'popup', url: '/popup.html', width: 380, height: 560}}).then(() => 1)")
        popup = browser.context_of("popup.html")
        # It has its address before its elements, and the empty page before it is complete, too.
        browser.wait_for(popup, "document.readyState === 'complete' && document.getElementById('status') !== null")
        return popup

    @classmethod
    def start(cls):
        cls.shared.directory = pathlib.Path(tempfile.mkdtemp(prefix="baton-test."))
        cls.shared.directory.chmod(0o755)
        cls.shared.logs = []
        cls.shared.addCleanup(shutil.rmtree, cls.shared.directory, True)
        for server in pages.serve():
            cls.shared.addCleanup(server.server_close)
            cls.shared.addCleanup(server.shutdown)
        cls.laptop = cls.shared.batond("laptop").start()
        cls.desktop = cls.shared.batond("desktop", 1).start()
        cls.team = call(cls.laptop, USER, "CreateTeam", name="Home")["team"]["id"]
        call(cls.desktop, USER, "JoinTeam", code=call(cls.laptop, USER, "InviteDevice")["code"])
        for daemon in (cls.laptop, cls.desktop):
            daemon.wait_for_sessions()
        chromium = Chromium(cls.shared, HOSTS[0], cls.laptop, USER, (1200, 800), ["--renderer-process-limit=4"])
        cls.chromium = chromium.start(f"{BASE}/home")
        cls.firefox = Firefox(cls.shared, HOSTS[1], cls.desktop, USER, (700, 600)).start()
        cls.chromium.wait_for_host()
        cls.firefox.wait_for_host()

    def setUp(self):
        super().setUp()
        self.logs = self.shared.logs
        for browser in (self.chromium, self.firefox):
            browser.set_options(rules=[], textSites=[BASE])

    def tearDown(self):
        # The first tab stays, so that the window does.
        for browser in (self.chromium, self.firefox):
            for tab in list(browser.tabs())[1:]:
                with contextlib.suppress(Exception):
                    browser.close(tab)

    def offers(self, daemon):
        return call(daemon, USER, "ListOffers")["offers"]

    def offer(self, daemon, title):
        """The offer with this title, when it is there."""
        def found():
            return next((offer for offer in self.offers(daemon) if offer.get("title") == title), None)

        try:
            return wait_until(found, f"{daemon.name} sees {title}")
        except AssertionError as failure:
            browser = self.firefox if daemon is self.laptop else self.chromium
            raise AssertionError(f"{failure}\n{browser.tabs()}\n{browser.heard()[-3000:]!r}") from None

    def wait_until_gone(self, daemon, title):
        wait_until(
            lambda: all(offer.get("title") != title for offer in self.offers(daemon)), f"{daemon.name} no longer sees {title}"
        )

    def take(self, daemon, title):
        """Continues the page as another program would: the activity, and what its stream has."""
        offer = self.offer(daemon, title)
        activity = call(daemon, USER, "Continue", id=offer["id"])["activity"]
        state = dict(activity.get("userInfo") or {})
        if state.get("isStateInStream"):
            opener = connect(daemon, USER)
            _, early, stream = opener.upgrade("OpenStream", activity=offer["id"])
            stream.sendall(b'{"get":"pageState"}\n')
            stream.shutdown(1)
            data = early
            while more := stream.recv(1 << 16):
                data += more
            head, body = data.split(b"\n", 1)
            if json.loads(head) != {"reason": "notAvailable"}:
                self.assertEqual(json.loads(head)["size"], len(body))
                state |= json.loads(body)
        return activity, state

    @contextlib.contextmanager
    def published(self, daemon, **activity):
        connection = connect(daemon, USER)
        connection.more("BecomeCurrent", activity=activity)
        self.assertEqual(connection.receive()["event"], "current")
        yield connection

    def settle(self):
        """Chromium has told which page it shows, and another program's activity is current instead."""
        name = f"settled-{self._testMethodName}"
        self.chromium.open(f"{BASE}/{name}")
        self.offer(self.desktop, name)
        self.displace(activityType="org.example.other", title="other")

    def displace(self, **activity):
        """Another program's activity takes the place of Chromium's page, which is offered, and Chromium knows."""
        wait_until(lambda: not self.is_taken(), "Chromium has heard that its page is offered")
        for _ in range(2):
            connection = connect(self.laptop, USER)
            connection.more("BecomeCurrent", activity=activity)
            self.assertEqual(connection.receive()["event"], "current")
            wait_until(lambda: self.is_taken() or not silent(connection), "Chromium has heard of the other activity")
            if self.is_taken():
                return
        # The page comes back only if the person had just turned to it, which is once.
        self.fail("Chromium's page came back twice")

    def is_taken(self):
        return self.chromium.in_extension("chrome.storage.session.get('isTaken').then(({isTaken}) => (isTaken ?? false) !== false)")

    def told_again(self, browser):
        """What the extension tells a new host of what is in front (bytes)."""
        hello = b'"type":"hello"'
        count = browser.heard().count(hello)
        for host in browser.hosts():
            os.kill(host, signal.SIGKILL)

        def told():
            before, _, after = browser.heard().rpartition(hello)
            # While another program has the focus, it may hear of none.
            isTold = b'"type":"page"' in after or b'"type":"focus","isOn":false' in after
            return after if before.count(hello) == count and isTold else None

        return wait_until(told, "another host hears of the page")

    def show_here(self, browser, tab):
        """Brings the element to the top of the window that the page is about."""
        if not browser.evaluate(tab, f"!!{hard_pages.HERE}"):
            browser.evaluate(tab, "void scrollTo(0, document.documentElement.scrollHeight)")
            return False
        browser.evaluate(tab, f"void {hard_pages.HERE}.scrollIntoView({{block: 'start', behavior: 'instant'}})")
        return abs(self.top(browser, tab)) < 2

    def top(self, browser, tab):
        """Where the element is that the page is about, from the top of the window."""
        return browser.evaluate(tab, f"{hard_pages.HERE}?.getBoundingClientRect().top ?? 1e9")

    def in_chrome(self, script):
        """Does what Firefox itself can do."""
        tree = self.firefox.control.command("browsingContext.getTree", {"moz:scope": "chrome", "maxDepth": 0})
        target = {"context": tree["contexts"][0]["context"]}
        self.firefox.control.command("script.evaluate", {"expression": script, "target": target, "awaitPromise": False})

    def type(self, browser, tab, **texts):
        for name, text in texts.items():
            browser.evaluate(tab, f"document.querySelector('[name={name}]').value = {json.dumps(text)}")

    def end_sending(self, browser):
        """What was sent ends with the browser's host."""
        old = browser.hosts()
        for number in old:
            os.kill(number, signal.SIGKILL)
        wait_until(lambda: set(browser.hosts()) - set(old), "another host")


def setUpModule():
    try:
        BrowserTest.start()
    except BaseException:
        BrowserTest.shared.show_logs()
        tearDownModule()
        raise


def tearDownModule():
    BrowserTest.shared.doCleanups()


class HandOverTests(BrowserTest):
    def scroll(self, browser, tab, number):
        """Brings a paragraph to the top of the window, half of it above, as a person does with the wheel."""
        browser.evaluate(tab, "dispatchEvent(new WheelEvent('wheel')), 1")
        browser.evaluate(tab, f"(p => scrollTo(0, p.offsetTop + p.offsetHeight / 2))(document.querySelectorAll('p')[{number}])")

    def assert_at(self, browser, tab, number):
        """The paragraph is at the top of the window."""
        box = "document.querySelectorAll('p')[%d].getBoundingClientRect()" % number
        browser.wait_for(tab, f"{box}.top <= 1 && {box}.bottom >= -1", f"paragraph {number} at the top")

    def test_a_page_goes_from_chromium_to_firefox_and_back_with_its_place_and_text(self):
        tab = self.chromium.open(f"{BASE}/book?1")
        self.type(self.chromium, tab, note="Call me Ishmael", letter="Dear\nAhab", other="")
        self.chromium.evaluate(tab, "document.getElementById('draft').textContent = 'a draft'")
        self.scroll(self.chromium, tab, 200)
        self.chromium.picture("browser-1-chromium", tab)
        offer = self.offer(self.desktop, "book")
        call(self.desktop, USER, "OpenOffer", id=offer["id"])
        there = self.firefox.context_of("book?1")
        self.firefox.wait_for(there, "document.querySelector('[name=letter]')?.value == 'Dear\\nAhab'")
        self.assertEqual(self.firefox.evaluate(there, "document.getElementById('note').value"), "Call me Ishmael")
        self.assertEqual(self.firefox.evaluate(there, "document.getElementById('draft').textContent"), "a draft")
        self.assertLess(self.firefox.evaluate(there, "innerWidth"), self.chromium.evaluate(tab, "innerWidth"))
        self.assert_at(self.firefox, there, 200)
        self.firefox.picture("browser-2-firefox", there)
        # And back, from another place and with another text.
        self.chromium.close(tab)
        self.type(self.firefox, there, note="Call me Queequeg")
        self.scroll(self.firefox, there, 77)
        call(self.laptop, USER, "OpenOffer", id=self.offer(self.laptop, "book")["id"])
        again = self.chromium.context_of("book?1")
        self.chromium.wait_for(again, "document.getElementById('note')?.value == 'Call me Queequeg'")
        self.assert_at(self.chromium, again, 77)
        self.chromium.picture("browser-3-chromium", again)

    def test_long_text_goes_through_the_stream(self):
        tab = self.chromium.open(f"{BASE}/book?2")
        text = "€" * 200_000
        self.type(self.chromium, tab, letter=text)
        call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "book")["id"])
        there = self.firefox.context_of("book?2")
        self.firefox.wait_for(there, f"document.querySelector('[name=letter]')?.value.length == {len(text)}")

    def test_text_that_a_person_typed_here_stays(self):
        activity, state = {"activityType": WEB, "title": "mine", "webpageURL": f"{BASE}/book?3"}, {}
        state["form"] = [{"kind": "text", "id": "note", "name": "note", "index": 0, "text": "theirs"}]
        tab = self.firefox.open(f"{BASE}/book?3")
        self.type(self.firefox, tab, note="mine")
        self.settle()
        with self.published(self.laptop, **activity, userInfo=state):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "mine")["id"])
            wait_until(lambda: len([u for u in self.firefox.tabs().values() if "book?3" in u]) == 2, "the page is open")
        self.assertEqual(self.firefox.evaluate(tab, "document.getElementById('note').value"), "mine")

    def test_what_is_superseded_comes_back_when_the_person_switches_tabs(self):
        tab = self.chromium.open(f"{BASE}/superseded")
        self.offer(self.desktop, "superseded")
        self.displace(activityType="org.example.notes", title="notes")
        self.offer(self.desktop, "notes")
        self.chromium.evaluate(tab, "document.title = 'still superseded'")
        # Chromium has told the change when it answers this.
        wait_until(lambda: b"still superseded" in self.chromium.heard(), "the host heard of the new title")
        self.assertEqual([o["title"] for o in self.offers(self.desktop)], ["notes"])
        # The tab is there before its page.
        self.chromium.open(f"{BASE}/late")
        self.offer(self.desktop, "late")

    def test_tabs_of_a_window_are_opened_but_nothing_else(self):
        urls = [f"{BASE}/one", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", f"{BASE}/two", "about:config",
                "http://localhost:8080/local", "http://127.1:8080/local", "http://[::ffff:7f00:1]:8080/local"]
        tabs = [{"url": url, "title": "t"} for url in urls]
        self.settle()
        with self.published(
            self.laptop, activityType=WEB, title="window", webpageURL="http://ada:pw@10.77.0.1:8080/zero", userInfo={"tabs": tabs}
        ):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "window")["id"])
            for name in ("one", "two", "zero"):
                self.firefox.context_of(f"{BASE}/{name}")
        opened = self.firefox.tabs().values()
        self.assertFalse([url for url in opened if "passwd" in url or "alert" in url or "data:" in url or "config" in url])
        self.assertFalse([url for url in opened if "pw@" in url or "local" in url])

    def test_tabs_of_other_sites_wait_for_a_click(self):
        """The person has seen one site."""
        urls = [f"{BASE}/one-site", "http://10.77.0.2:8080/another-site", "http://127.0.0.1:8080/local"]
        self.settle()
        with self.published(
            self.laptop, activityType=WEB, title="sites", webpageURL=f"{BASE}/first-site", userInfo={"tabs": [{"url": url} for url in urls]}
        ):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "sites")["id"])
            arrived = self.firefox.context_of("arrived.html")
            self.firefox.context_of(urls[0])
        links = "[...document.querySelectorAll('a')].map(link => link.href)"
        self.firefox.wait_for(arrived, f"{links}.length > 0")
        self.assertEqual(self.firefox.evaluate(arrived, links), [urls[1]])
        self.assertFalse([url for url in self.firefox.tabs().values() if "another-site" in url or "local" in url])
        self.firefox.evaluate(arrived, "document.getElementById('open').click()")
        self.firefox.context_of("another-site")


class PlaceTests(BrowserTest):
    """Pages in which a place is hard to find again, in windows of different sizes."""

    def hand_over(self, name, browser, other, daemon):
        address = f"{BASE}/{hard_pages.ADDRESSES.get(name, name)}"
        mark = f"{name}-from-{browser.name}"
        url = address.replace("#", f"?{mark}#") if "#" in address else f"{address}?{mark}"
        tab = browser.open(url)
        browser.show(tab)
        if name in hard_pages.BEFORE:
            browser.wait_for(tab, f"!!{hard_pages.HERE}")
            browser.evaluate(tab, f"void {hard_pages.BEFORE[name]}")
        wait_until(lambda: self.show_here(browser, tab), f"{browser.name} shows the place in {name}")
        offer = self.offer(daemon, hard_pages.TITLES.get(name, name))
        call(daemon, USER, "OpenOffer", id=offer["id"])
        there = other.context_of(mark)
        tolerance = hard_pages.TOLERANCES.get(name, 10)
        wait_until(lambda: abs(self.top(other, there)) < tolerance, f"{other.name} shows the place in {name}")
        for one, its in ((browser, tab), (other, there)):
            one.close(its)

    def test_places_are_found_by_firefox(self):
        for name in hard_pages.PLACES:
            with self.subTest(name):
                self.hand_over(name, self.chromium, self.firefox, self.desktop)

    def test_places_are_found_by_chromium(self):
        for name in ("application", "mail", "endless", "shadow-scrolls", "slow", "drawings"):
            with self.subTest(name):
                self.hand_over(name, self.firefox, self.chromium, self.laptop)

    def test_places_are_found_without_words(self):
        self.chromium.set_options(rules=[], textSites=[])
        for name in ("lazy", "shadow", "sticky", "table", "drawings"):
            with self.subTest(name):
                self.hand_over(name, self.chromium, self.firefox, self.desktop)

    def test_a_page_that_is_there_before_its_state_is_restored(self):
        """It never finishes loading either, so the browser has no more news of it."""
        self.chromium.in_extension("""(() => {
          globalThis.set = chrome.storage.session.set;
          chrome.storage.session.set = async (...values) => {
            await new Promise((done) => setTimeout(done, 2000));
            return globalThis.set.apply(chrome.storage.session, values);
          };
        })()""")
        try:
            self.hand_over("slow", self.firefox, self.chromium, self.laptop)
        finally:
            self.chromium.in_extension("void (chrome.storage.session.set = globalThis.set)")

    def test_documents_that_are_no_html_are_handed_over(self):
        for name in pages.DOCUMENTS:
            with self.subTest(name):
                # What follows is in the title that Chromium shows, and for the machine that continues the page only.
                tab = self.chromium.open(f"{BASE}/{name}?document=KEEP-{name}")
                offer = wait_until(
                    lambda: next((o for o in self.offers(self.desktop) if name in o.get("title", "")), None), f"{name} is offered")
                call(self.desktop, USER, "OpenOffer", id=offer["id"])
                self.firefox.context_of(f"{name}?document=KEEP-{name}")
                self.chromium.close(tab)
        titles = re.findall(rb'"title":"[^"]*"', self.chromium.heard() + self.firefox.heard())
        self.assertEqual([title for title in titles if b"KEEP" in title], [])

    def test_fields_of_frameworks_are_filled(self):
        tab = self.chromium.open(f"{BASE}/forms")
        self.chromium.wait_for(tab, "!document.querySelector('[name=late]').disabled")
        texts = [["controlled", "one"], ["mirrored", "two\nlines"], ["rich", "three"], ["late", "four"], ["early", "five"]]
        self.chromium.evaluate(tab, json.dumps(texts) + """.forEach(([name, text]) => {
          (document.getElementsByName(name)[0] ?? document.getElementById(name)).focus();
          document.execCommand("insertText", false, text);
        })""")
        call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "forms")["id"])
        there = self.firefox.context_of("forms")
        # What the page's own scripts know.
        self.firefox.wait_for(there, "state === 'one' && mirror.textContent === 'two\\nlines' && model.textContent === 'three'")
        self.assertEqual(self.firefox.evaluate(there, "[controlled.value, rich.textContent]"), ["one", "three"])
        self.firefox.wait_for(there, "document.querySelector('[name=late]').value === 'four'")
        self.firefox.wait_for(there, "document.querySelector('[name=early]').value === 'five'")

    def test_text_of_the_site_is_replaced_as_long_as_nobody_does_anything(self):
        state = {"form": [{"kind": "text", "name": name, "index": 0, "text": "theirs"} for name in ("prefilled", "empty")]}
        self.settle()
        with self.published(self.laptop, activityType=WEB, title="prefilled", webpageURL=f"{BASE}/prefilled", userInfo=state):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "prefilled")["id"])
            there = self.firefox.context_of("prefilled")
            fields = "[...document.querySelectorAll('input')].map(field => field.value)"
            wait_until(lambda: self.firefox.evaluate(there, fields, isActive=False) == ["theirs", "theirs"], "it is filled")

    def test_fields_that_are_named_anew_are_filled(self):
        texts = [f"text {number}" for number in range(7)]
        for browser, other, daemon in ((self.chromium, self.firefox, self.desktop), (self.firefox, self.chromium, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/renewed?{browser.name}")
                browser.evaluate(tab, f"""void [...document.querySelectorAll("input, textarea, [contenteditable]")].forEach((field, index) => {{
                  field["value" in field ? "value" : "textContent"] = {json.dumps(texts)}[index];
                }})""")
                call(daemon, USER, "OpenOffer", id=self.offer(daemon, "renewed")["id"])
                there = other.context_of(f"renewed?{browser.name}")
                other.wait_for(there, f"globalThis.all?.().join() === {json.dumps(','.join(texts))}")
                browser.close(tab)

    def test_text_waits_for_its_page(self):
        """The site asks the person to log in first."""
        state = {"form": [{"kind": "text", "index": 0, "text": "a private note"}]}
        self.settle()
        with self.published(self.laptop, activityType=WEB, title="edit", webpageURL=f"{BASE}/edit?7", userInfo=state):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "edit")["id"])
            there = self.firefox.context_of("log-in?7")
            self.firefox.wait_for(there, "document.readyState == 'complete'")
            # What the person types here is theirs.
            self.assertEqual(self.firefox.evaluate(there, "document.querySelector('input').value"), "")
            self.firefox.evaluate(there, "addEventListener('pagehide', () => { sessionStorage.typed = document.querySelector('input').value })")
            self.firefox.evaluate(there, "sessionStorage.isIn = 1")
            self.firefox.evaluate(there, "location.replace('/edit?7')")
            there = self.firefox.context_of("edit?7")
            self.firefox.wait_for(there, "document.querySelector('input')?.value === 'a private note'")
            self.assertEqual(self.firefox.evaluate(there, "sessionStorage.typed"), "")

    def test_only_the_site_that_was_offered_is_opened(self):
        self.settle()
        connection = connect(self.laptop, USER)
        page = {"activityType": WEB, "title": "bank", "webpageURL": "http://10.77.0.2:8080/bank", "needsSave": True}
        connection.more("BecomeCurrent", activity=page)
        reply = connection.receive()
        call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "bank")["id"])
        connection.receive_until(lambda reply: reply["event"] == "willSave")
        evil = {**page, "id": reply["id"], "webpageURL": f"{BASE}/evil", "needsSave": False}
        call(self.laptop, USER, "UpdateActivity", activity=evil)
        connection.receive_until(lambda reply: reply["event"] == "continued")
        with self.published(self.laptop, activityType=WEB, title="next", webpageURL=f"{BASE}/next"):
            call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "next")["id"])
            self.firefox.context_of(f"{BASE}/next")
        self.assertFalse([url for url in self.firefox.tabs().values() if "evil" in url])


class ReportTests(BrowserTest):
    """What users of other programs that hand over tabs, or save what is typed, have reported, replayed."""

    def test_rows_that_are_there_only_while_they_are_seen(self):
        for way, hasWords in [*((way, False) for way in reported_pages.WAYS), ("room", True)]:
            with self.subTest(way, hasWords=hasWords):
                for browser in (self.chromium, self.firefox):
                    browser.set_options(rules=[], textSites=[BASE] if hasWords else [])
                mark = f"rows-{way}?{hasWords}"
                tab = self.chromium.open(f"{BASE}/{mark}")
                self.chromium.evaluate(tab, "void go()")
                self.chromium.wait_for(tab, f"Math.abs({hard_pages.HERE}?.getBoundingClientRect().top ?? 1e9) < 2")
                call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, f"rows-{way}")["id"])
                there = self.firefox.context_of(mark)
                # Without words, it is the same part of the list, in a window of another height.
                tolerance = 10 if hasWords else 200
                wait_until(lambda: abs(self.top(self.firefox, there)) < tolerance, "the row is shown")
                self.chromium.close(tab)
                self.firefox.close(there)

    def test_a_page_that_is_opened_behind_another_tab(self):
        """Browsers let it do little, and do not tell it what is in the window, until somebody sees it."""
        tab = self.firefox.open(f"{BASE}/endless?behind")
        wait_until(lambda: self.show_here(self.firefox, tab), "the place")
        call(self.laptop, USER, "OpenOffer", id=self.offer(self.laptop, "endless")["id"])
        there = self.chromium.context_of("endless?behind")
        self.chromium.show(self.chromium.open(f"{BASE}/in-front"))
        self.chromium.wait_for(there, "document.hidden && performance.now() > 40000", deadline=60)
        self.chromium.show(there)
        wait_until(lambda: abs(self.top(self.chromium, there)) < 10, "the place is shown")

    def what_was_typed_arrives_or_is_named(self, browser, other, daemon):
        tab = browser.open(f"{BASE}/typed?{browser.name}")
        values = json.dumps(reported_pages.VALUES)
        browser.evaluate(tab, f"""void (() => {{
          const values = {values};
          document.querySelectorAll("form input").forEach((field, index) => {{ field.value = values[index] }});
          type(document.querySelector("[name=step0]"), values[4]);
          step(1);
          type(document.querySelector("[name=step1]"), "in between");
          step(0);
          type(document.querySelector("[name=address]"), "unseen");
          other.style.display = "none";
          inner().forEach((field, index) => {{ type(field, values[5 + index]) }});
          lines = ["first", "", "last"];
          draw();
        }})()""")
        call(daemon, USER, "OpenOffer", id=self.offer(daemon, "typed")["id"])
        there = other.context_of(f"typed?{browser.name}")
        other.wait_for(there, f"globalThis.all?.().join() === {values}.join()")
        # Chromium gives the editor its text. In Firefox, the browser draws it in its own way.
        text = "lines.join('|') === 'first||last'" if other is self.chromium else "/^first\\n+last$/.test(rich.innerText.trim())"
        other.wait_for(there, text)
        popup = self.popup(browser)
        browser.wait_for(popup, "document.getElementById('device').value !== ''")
        browser.evaluate(popup, "document.getElementById('send-tab').click()")
        said = "document.getElementById('message').textContent"
        browser.wait_for(popup, f"{said} === 'Sent. Your text in “Address” stayed here because the page doesn’t show the field.'")
        browser.close(popup)
        self.end_sending(browser)

    def test_what_was_typed_arrives_or_is_named_in_chromium(self):
        self.what_was_typed_arrives_or_is_named(self.chromium, self.firefox, self.desktop)

    def test_what_was_typed_arrives_or_is_named_in_firefox(self):
        self.what_was_typed_arrives_or_is_named(self.firefox, self.chromium, self.laptop)

    def secrets_in_components_stay(self, browser, daemon):
        tab = browser.open(f"{BASE}/secret-components")
        browser.evaluate(tab, """void (() => {
          inner().forEach((field, index) => { field.value = field.getRootNode().host.className ? "7" : `text ${index}` });
          [...document.forms[0].elements].forEach((field, index) => { field.value = ["739164", "2027-08", "2024-05-17"][index] });
        })()""")
        _, state = self.take(daemon, "secret-components")
        self.assertEqual([field["text"] for field in state["form"]], ["text 0"])
        # What has been a password is one, whatever shows it later.
        browser.close(tab)
        tab = browser.open(f"{BASE}/secret-components?shown")
        browser.evaluate(tab, """void (() => {
          const line = inner()[2];
          roots.forEach((root) => root.host.remove());
          document.body.append(roots[0].host, roots[2].host, roots[5].host);
          roots[2].host.removeAttribute("name");
          Object.assign(line, {type: "password", value: ""});
          line.focus();
          document.execCommand("insertText", false, "KEEP-shown");
          line.type = "text";
          inner()[5].value = line.value;
          inner()[0].value = "fine";
          // A component that shows another field, in which it writes in its own way.
          setTimeout(() => {
            line.remove();
            roots[2].append(Object.assign(document.createElement("input"), {id: "inner", value: "KE-EP sho"}));
            document.title = "shown-in-component";
          });
        })()""")
        _, state = self.take(daemon, "shown-in-component")
        self.assertEqual([field["text"] for field in state["form"]], ["fine"])

    def test_secrets_in_components_stay_in_chromium(self):
        self.secrets_in_components_stay(self.chromium, self.desktop)

    def test_secrets_in_components_stay_in_firefox(self):
        self.secrets_in_components_stay(self.firefox, self.laptop)


class PrivacyTests(BrowserTest):
    def fill_secrets(self, browser, tab):
        browser.evaluate(tab, f"""(() => {{
          let number = 0;
          for (const field of document.querySelectorAll("input, textarea")) {{
            if (field.type === "file") continue;
            const secret = "KEEP" + "-{browser.name}-" + (number += 1);
            const others = {{ fine: "may-leave-{browser.name}", luhn: "{CARDS[browser.name]}",
              luhn2: "Paid with {CARDS[browser.name]} 12/27 123", part: "{CARDS[browser.name][:4]}", x15: "{CODES[browser.name]}" }};
            field.value = others[field.name] ?? (field.closest(".boxes") || field.maxLength === 1 ? "7" : secret);
          }}
          document.getElementById("shown").type = "text";
          // The page also shows the password as text, and the person has scrolled to it.
          document.getElementById("echo").textContent = `Is ${{document.getElementById("shown").value}} right?`;
          document.body.insertAdjacentHTML("beforeend", "<div style='height: 300vh'></div>");
          document.getElementById("echo").scrollIntoView({{ behavior: "instant" }});
        }})()""")

    def check_secrets(self, browser, daemon, other):
        fine = f"may-leave-{browser.name}"
        secrets = [f"KEEP-{browser.name}", CARDS[browser.name], CODES[browser.name]]
        tab = browser.open(f"{BASE}/secrets")
        self.fill_secrets(browser, tab)
        activity, state = self.take(daemon, "secrets")
        everything = json.dumps([activity, state])
        self.assertIn(fine, everything)
        self.assertEqual([field.get("name") for field in state["form"]], ["fine"])
        heard = browser.heard()
        self.assertIn(fine.encode(), heard)
        for secret in [*secrets, "KEEP-frame", "passwd"]:
            self.assertNotIn(secret, everything)
            self.assertNotIn(secret.encode(), heard)
        # And in the other machine's browser.
        browser.close(tab)
        again = browser.open(f"{BASE}/secrets?again-{browser.name}")
        self.fill_secrets(browser, again)
        call(daemon, USER, "OpenOffer", id=self.offer(daemon, "secrets")["id"])
        there = other.context_of(f"secrets?again-{browser.name}")
        other.wait_for(there, f"document.querySelector('[name=fine]')?.value === '{fine}'")
        found = self.found([fine, *secrets], other, daemon)
        self.assertIn(fine, found, "what may leave is found")
        self.assertEqual([text for text in found if text != fine], [])

    def found(self, texts, browser, daemon):
        """Those of the texts that are on the machine of the browser and the daemon: in the memory and the files of both."""
        processes = [daemon.process.pid, *browser.hosts(), *browser.processes()]
        directories = (browser.directory, daemon.state)
        files = [path for directory in directories for path in directory.rglob("*") if path.is_file()]
        found = set()
        for part in itertools.chain(map(memory, processes), map(content, files)):
            found |= {text for text in texts if text.encode() in part or text.encode("utf-16-le") in part}
        return found

    def test_chromium_keeps_passwords_codes_cards_and_frames(self):
        self.check_secrets(self.chromium, self.desktop, self.firefox)

    def test_firefox_keeps_passwords_codes_cards_and_frames(self):
        self.check_secrets(self.firefox, self.laptop, self.chromium)

    def what_a_person_wrote_is_no_place(self, browser, daemon):
        browser.set_options(rules=[], textSites=[])
        for name in hard_pages.WRITTEN:
            with self.subTest(f"{name} in {browser.name}"):
                tab = browser.open(f"{BASE}/{name}")
                wait_until(lambda: self.show_here(browser, tab), "the text is at the top")
                activity, state = self.take(daemon, name)
                self.assertNotIn("WRITTEN", json.dumps([activity, state]))
                self.assertGreater(state["place"]["fraction"], 0)
                browser.close(tab)

    def test_what_a_person_wrote_is_no_place_in_chromium(self):
        self.what_a_person_wrote_is_no_place(self.chromium, self.desktop)

    def test_what_a_person_wrote_is_no_place_in_firefox(self):
        self.what_a_person_wrote_is_no_place(self.firefox, self.laptop)

    def test_the_title_of_a_private_page_is_not_that_of_the_next(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            browser.set_options(rules=[{"pattern": f"{HOST}/secret", "team": "never"}], textSites=[])
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/secret")
                browser.evaluate(tab, "document.title = 'Diagnosis'")
                browser.evaluate(tab, "location.href = '/late-title'")
                self.offer(daemon, "late-title")
                self.assertNotIn(b"Diagnosis", browser.heard())

    def test_the_address_of_a_page_without_a_title_stays(self):
        """Browsers show it in place of the title, also while the page loads. Every machine sees titles."""
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/before-{browser.name}")
                browser.evaluate(tab, "location.href = '/?token=SECRET'")
                wait_until(lambda: b'/?token=SECRET"' in browser.heard(), "the page without a path is told")
                browser.evaluate(tab, "location.href = '/late-title?token=SECRET'")
                self.offer(daemon, "late-title")
                browser.evaluate(tab, "location.href = '/untitled/SECRET?token=SECRET#SECRET'")
                self.offer(daemon, HOST)
                titles = re.findall(rb'"title":"[^"]*"', browser.heard())
                self.assertEqual([title for title in titles if b"SECRET" in title], [])

    def test_an_earlier_address_of_a_page_without_a_title_stays(self):
        """Browsers go on showing the address of which they made a title when the page changes it."""
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                code = f"KEEP-code-{browser.name}"
                tab = browser.open(f"{BASE}/untitled/callback?code={code}#code={code}")
                wait_until(lambda: b'/untitled/home"' in browser.heard(), "the other address is told")
                browser.show(browser.open(f"{BASE}/between-callback"))
                self.offer(daemon, "between-callback")
                browser.show(tab)
                self.offer(daemon, HOST)
                titles = re.findall(rb'"title":"[^"]*"', browser.heard())
                self.assertEqual([title for title in titles if code.encode() in title], [])
                browser.close(tab)

    def test_names_that_a_page_makes_up_are_no_place(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            browser.set_options(rules=[], textSites=[])
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/own-name")
                wait_until(lambda: self.show_here(browser, tab), "the element is at the top")
                _, state = self.take(daemon, "own-name")
                self.assertNotIn("written", json.dumps(state))
                self.assertGreater(state["place"]["fraction"], 0)
                browser.close(tab)

    def what_a_person_typed_elsewhere_is_no_place(self, browser, daemon):
        for name in hard_pages.ECHOES:
            with self.subTest(f"{name} in {browser.name}"):
                tab = browser.open(f"{BASE}/{name}")
                wait_until(lambda: self.show_here(browser, tab), "the text is at the top")
                _, state = self.take(daemon, name)
                self.assertNotIn("text", state["place"]["anchor"])
                browser.close(tab)

    def test_what_a_person_typed_elsewhere_is_no_place_in_chromium(self):
        self.what_a_person_typed_elsewhere_is_no_place(self.chromium, self.desktop)

    def test_what_a_person_typed_elsewhere_is_no_place_in_firefox(self):
        self.what_a_person_typed_elsewhere_is_no_place(self.firefox, self.laptop)

    def test_a_page_that_has_loaded_may_add_a_frame(self):
        """Browsers report that a page has loaded, but not that a frame it adds later has."""
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/untitled/frame.html")
                self.offer(daemon, f"frame.html ({HOST})")
                browser.wait_for(tab, "document.querySelector('iframe') !== null")
                # The extension looks at the tab again.
                browser.set_options(rules=[{"pattern": HOST, "team": "again"}])
                wait_until(lambda: b'"team":"again"' in browser.heard(), "the page is told again")
                titles = re.findall(rb'"title":"([^"]*)","team":"again"', browser.heard())
                self.assertEqual(set(titles), {f"frame.html ({HOST})".encode()})

    def test_a_code_that_a_page_shows_is_no_place(self):
        tab = self.chromium.open(f"{BASE}/book?code")
        # The page of another test, which has just been closed, may still be offered under the title that it had.
        self.chromium.evaluate(tab, """(shown => {
          document.title = "code";
          shown.textContent = "Your verification code is 482 913";
          document.body.prepend(shown);
          document.body.prepend(Object.assign(document.createElement("div"), {style: "height: 300vh"}));
          shown.scrollIntoView({behavior: "instant"});
        })(document.createElement("p"))""")
        _, state = self.take(self.desktop, "code")
        self.assertEqual(state["place"]["anchor"]["tag"], "p")
        self.assertNotIn(b"482 913", self.chromium.heard())

    def test_half_a_character_does_no_harm(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/half")
                self.offer(daemon, "half")
                hosts = browser.hosts()
                browser.evaluate(tab, "document.title = 'half \\ud83d'.replace('x', '')")
                self.offer(daemon, "half \ufffd")
                self.assertEqual(browser.hosts(), hosts)

    def test_without_consent_the_place_leaves_but_no_text(self):
        self.chromium.set_options(rules=[], textSites=[])
        tab = self.chromium.open(f"{BASE}/book?4")
        self.type(self.chromium, tab, note="unasked")
        # What is at the top of the window is what the person has typed.
        script = "(d => { d.textContent = 'unasked '.repeat(9000); scrollTo(0, d.offsetTop + 300) })(document.getElementById('draft'))"
        self.chromium.evaluate(tab, script)
        activity, state = self.take(self.desktop, "book")
        self.assertEqual(activity["webpageURL"], f"{BASE}/book?4")
        self.assertNotIn("unasked", json.dumps([activity, state]))
        self.assertGreater(state["place"]["fraction"], 0)
        # A copy of it that the page shows.
        self.chromium.close(tab)
        tab = self.chromium.open(f"{BASE}/book?copy")
        self.chromium.evaluate(tab, """(copy => {
          document.querySelector("[name=letter]").value = "unasked letter ".repeat(50);
          copy.textContent = "unasked letter ".repeat(50);
          document.body.prepend(copy);
          scrollTo(0, copy.offsetTop + 5);
        })(document.createElement("p"))""")
        _, state = self.take(self.desktop, "book")
        self.assertEqual(state["place"]["anchor"]["tag"], "p")
        self.assertNotIn(b"unasked", self.chromium.heard())

    def test_user_and_password_of_an_address_stay(self):
        self.chromium.open("http://ada:hunter2@10.77.0.1:8080/credentials")
        activity, _ = self.take(self.desktop, "credentials")
        self.assertEqual(activity["webpageURL"], f"{BASE}/credentials")
        self.assertNotIn(b"hunter2", self.chromium.heard())

    def test_pages_of_the_browser_are_withdrawn(self):
        self.chromium.open(f"{BASE}/before")
        self.offer(self.desktop, "before")
        self.chromium.open("chrome://version")
        self.wait_until_gone(self.desktop, "before")
        self.assertNotIn(b"chrome://version", self.chromium.heard())

    def test_private_windows_are_not_told(self):
        context = self.chromium.control.command("Target.createBrowserContext")["browserContextId"]
        try:
            parameters = {"url": f"{BASE}/private-chromium", "browserContextId": context, "newWindow": True}
            target = self.chromium.control.command("Target.createTarget", parameters)["targetId"]
            self.chromium.wait_for(target, "document.title == 'private-chromium'")
            self.assertFalse(b"private-chromium" in self.told_again(self.chromium))
            # A page that is told afterwards comes after everything else.
            tab = self.chromium.open(f"{BASE}/public")
            self.chromium.show(tab)
            self.offer(self.desktop, "public")
            self.assertFalse(b"private-chromium" in self.chromium.heard())
        finally:
            self.chromium.control.command("Target.disposeBrowserContext", {"browserContextId": context})

    def test_private_windows_of_firefox_are_not_told(self):
        self.in_chrome(f"openTrustedLinkIn('{BASE}/private-firefox', 'window', {{private: true}}); 1")
        private = self.firefox.context_of("private-firefox")
        self.firefox.wait_for(private, "document.title == 'private-firefox'")
        self.assertFalse(b"private-firefox" in self.told_again(self.firefox))
        self.firefox.close(private)
        public = self.firefox.open(f"{BASE}/public-firefox")
        self.firefox.show(public)
        self.offer(self.laptop, "public-firefox")
        self.assertFalse(b"private-firefox" in self.firefox.heard())

    def test_sites_go_to_their_team_or_nowhere(self):
        work = call(self.laptop, USER, "CreateTeam", name="Work")["team"]["id"]
        rules = [
            {"pattern": f"{HOST}/work", "team": work}, {"pattern": f"{HOST}/secret", "team": "never"},
            {"pattern": f"{HOST}/gone", "team": "0000000000"},
        ]
        try:
            self.chromium.set_options(rules=rules, textSites=[BASE])
            for title in ("work", "secret", "gone"):
                self.chromium.open(f"{BASE}/{title}")
                told = self.told_again(self.chromium)
                self.assertEqual(f'{BASE}/{title}"'.encode() in told, title != "secret")
                # The page after it is seen, and it was not.
                self.chromium.open(f"{BASE}/after-{title}")
                self.offer(self.desktop, f"after-{title}")
                self.assertNotIn(title, [offer.get("title") for offer in self.offers(self.desktop)])
            self.assertFalse(f'{BASE}/secret"'.encode() in self.chromium.heard())
        finally:
            call(self.laptop, USER, "LeaveTeam", team=work)


class OrdinaryTests(BrowserTest):
    """What is not secret, and what must be said."""

    def test_fields_of_usual_sites_are_handed_over(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/ordinary")
                names = browser.evaluate(tab, "[...document.querySelectorAll('input, textarea')].map((field) => (field.value = '94032', field.name))")
                _, state = self.take(daemon, "ordinary")
                self.assertEqual([field["name"] for field in state["form"]], names)
                browser.close(tab)

    def test_what_stays_here_is_named(self):
        for browser, daemon in ((self.firefox, self.laptop), (self.chromium, self.desktop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/secrets")
                browser.evaluate(tab, """void (() => {
                  for (const field of document.querySelectorAll("input, textarea")) if (field.type !== "file") field.value = "";
                  document.getElementsByName("fine")[0].value = "2023 2024 2025 2026, 490154203237518, 1732838400000, order 12345678901234567890";
                  document.getElementsByName("luhn")[0].value = "6011 1111 1111 1117";
                  document.getElementsByName("x1")[0].value = "1234";
                })()""")
                browser.show(tab)
                popup = self.popup(browser)
                browser.wait_for(popup, "document.getElementById('device').value !== ''")
                browser.evaluate(popup, "document.getElementById('send-tab').click()")
                said = "document.getElementById('message').textContent"
                browser.wait_for(popup, f"{said}.startsWith('Sent.')")
                self.assertEqual(browser.evaluate(popup, said), "Sent. Your text in “luhn” stayed here because it contains a card number."
                                 " Your text in “Card number” stayed here because the field may be for a secret.")
                browser.close(popup)
                _, state = self.take(daemon, "secrets")
                self.assertEqual([field["name"] for field in state["form"]], ["fine"])
                browser.close(tab)
                self.end_sending(browser)

    def test_addresses_that_are_unusual_are_offered(self):
        long = "x" * 2100
        for browser, other, daemon in ((self.chromium, self.firefox, self.desktop), (self.firefox, self.chromium, self.laptop)):
            addresses = {
                f"{BASE}/backslash?a=1\\2|{{3}}#4\\5": f"{BASE}/backslash?a=1%5C2%7C%7B3%7D#4%5C5",
                f"view-source:{BASE}/source?token=KEEP": f"{BASE}/source?token=KEEP", f"{BASE}/fragment-{browser.name}#{long}": f"{BASE}/fragment-{browser.name}",
            }
            if browser is self.firefox:
                # Extensions cannot open it.
                addresses[f"about:reader?url={urllib.parse.quote(f'{BASE}/article', safe='')}"] = f"{BASE}/article"
            for address, expected in addresses.items():
                with self.subTest(f"{address[:80]} in {browser.name}"):
                    api = "(globalThis.browser ?? chrome)"
                    tab = browser.open(f"{BASE}/before-unusual")
                    browser.show(tab)
                    self.offer(daemon, "before-unusual")
                    if address.startswith("about:"):
                        self.in_chrome(f"openTrustedLinkIn({json.dumps(address)}, 'tab'); 1")
                    else:
                        browser.in_extension(f"{api}.tabs.create({{url: {json.dumps(address)}}}).then(() => 1)")
                    known = {"before-unusual", "unanswered"}
                    offer = wait_until(lambda: next((o for o in self.offers(daemon) if o.get("title") not in known), None), "it is offered")
                    self.assertNotIn("KEEP", offer["title"])
                    self.assertEqual(call(daemon, USER, "Continue", id=offer["id"])["activity"]["webpageURL"], expected)

    def test_titles_that_are_ugly_are_repaired(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            for title, shown in {"\u202b\u05e9\u05dc\u05d5\u05dd\u202c \u200f\u0639": "\u05e9\u05dc\u05d5\u05dd \u0639", "é" * 400: "é" * 254 + "…"}.items():
                with self.subTest(f"{title[:20]} in {browser.name}"):
                    tab = browser.open(f"{BASE}/ugly-{browser.name}")
                    browser.evaluate(tab, f"document.title = {json.dumps(title)}")
                    self.offer(daemon, shown)
                    browser.close(tab)

    def test_an_address_that_is_too_long_is_said(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/long?{'x' * 2100}")
                browser.show(tab)
                popup = self.popup(browser)
                browser.wait_for(popup, "document.getElementById('status').textContent === 'This page isn’t offered because its address is too long.'")
                browser.wait_for(popup, "document.getElementById('device').value !== ''")
                browser.evaluate(popup, "document.getElementById('send-tab').click()")
                browser.wait_for(popup, "document.getElementById('message').textContent === 'Can’t send this page because its address is too long.'")
                browser.close(popup)
                browser.close(tab)

    def test_a_request_that_nobody_answers_ends(self):
        """The program may be an older one, or hang."""
        browser = self.firefox
        browser.show(browser.open(f"{BASE}/unanswered"))
        self.offer(self.laptop, "unanswered")
        hosts = browser.hosts()
        popup = self.popup(browser)
        browser.wait_for(popup, "document.getElementById('device').value !== ''")
        for host in hosts:
            os.kill(host, signal.SIGSTOP)
        try:
            browser.evaluate(popup, "document.getElementById('send-tab').click()")
            browser.wait_for(popup, "document.getElementById('message').textContent === 'Baton isn’t responding.'", deadline=90)
        finally:
            for host in hosts:
                os.kill(host, signal.SIGCONT)
        browser.close(popup)
        self.end_sending(browser)


class ConsentTests(BrowserTest):
    def test_what_arrives_fills_and_saves_nothing_without_consent(self):
        form = [{"kind": kind, "name": name, "index": 0, "text": "theirs"} for kind, name in (("text", "prefilled"), ("text", "empty"), ("textarea", "signature"))]
        state = {"place": {"fraction": 10000}, "form": [*form, {"kind": "editable", "id": "profile", "index": 0, "text": "theirs"}]}
        for browser, other, daemon, there in (
            (self.firefox, self.chromium, self.laptop, self.desktop), (self.chromium, self.firefox, self.desktop, self.laptop)
        ):
            with self.subTest(browser.name):
                # Consent for another port is none for this one.
                browser.set_options(rules=[], textSites=["http://10.77.0.1:8081", "https://10.77.0.1", HOST])
                title = f"settings-{browser.name}"
                # What is sent to one machine is not displaced by what the browser there shows.
                device = wait_until(lambda: call(daemon, USER, "ListPeers")["peers"], "the other machine")[0]["deviceID"]
                with contextlib.closing(connect(daemon, USER)) as sender:
                    activity = {"activityType": WEB, "title": title, "webpageURL": f"{BASE}/settings?{browser.name}", "userInfo": state}
                    sender.more("SendActivity", activity=activity, deviceID=device)
                    call(there, USER, "OpenOffer", id=self.offer(there, title)["id"])
                    tab = browser.context_of(f"settings?{browser.name}")
                    # The state has been looked at. What is wanted of it goes on for two seconds.
                    browser.wait_for(tab, "scrollY > 0")
                    api = "(globalThis.browser ?? chrome)"
                    waits = f"{api}.storage.session.get('restores').then(({{restores}}) => Object.values(restores ?? {{}}).some(({{state}}) => !state.place))"
                    wait_until(lambda: browser.in_extension(waits), "only the text waits")
                    self.assertEqual(browser.evaluate(tab, "[events.length, values().join()]"), [0, "of the site,,,"])
                browser.show(tab)
                popup = self.popup(browser)
                browser.wait_for(popup, "!document.getElementById('waiting').hidden")
                device = "laptop" if browser is self.firefox else "desktop"
                self.assertIn(f"{device} sent text for 4 fields on this page.", browser.evaluate(popup, "document.getElementById('waiting').textContent"))
                browser.evaluate(popup, "document.getElementById('text').click()")
                browser.wait_for(tab, "values().join().endsWith('theirs,theirs,theirs')")
                # Nothing tells the page to save it.
                self.assertEqual(browser.evaluate(tab, "events.filter(type => type !== 'input')"), [])
                browser.close(popup)

    def test_consent_is_for_one_origin(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open("http://10.77.0.1:8081/book?port")
                self.type(browser, tab, note=f"KEEP-port-{browser.name}")
                _, state = self.take(daemon, "book")
                self.assertEqual(state.get("form", []), [])
                self.assertNotIn(f"KEEP-port-{browser.name}".encode(), browser.heard())
                browser.close(tab)

    def a_password_that_is_shown_in_another_field_stays(self, browser, daemon):
        for way in hard_pages.SWAPS:
            with self.subTest(f"{way} in {browser.name}"):
                title = f"swap-{way}"
                tab = browser.open(f"{BASE}/{title}")
                browser.evaluate(tab, "document.getElementsByName('fine')[0].focus(), document.execCommand('insertText', false, 'harmless')")
                browser.evaluate(tab, "(field => (field.focus(), document.execCommand('insertText', false, 'KEEP-swapped')))(password())")
                browser.evaluate(tab, f"void ({hard_pages.SWAPS[way]})")
                # And the person goes on typing in the middle.
                browser.evaluate(tab, "(field => (field.focus(), field.setSelectionRange(4, 4), document.execCommand('insertText', false, 'XYZ')))(shown())")
                self.assertEqual(browser.evaluate(tab, "shown().value"), "KEEPXYZ-swapped")
                _, state = self.take(daemon, title)
                self.assertEqual([field["text"] for field in state["form"]], ["harmless"])
                self.assertNotIn(b"KEEP-swapped", browser.heard())
                self.assertNotIn(b"KEEPXYZ", browser.heard())
                browser.close(tab)

    def test_a_password_that_is_shown_in_another_field_stays_in_chromium(self):
        self.a_password_that_is_shown_in_another_field_stays(self.chromium, self.desktop)

    def test_a_password_that_is_shown_in_another_field_stays_in_firefox(self):
        self.a_password_that_is_shown_in_another_field_stays(self.firefox, self.laptop)

    def test_a_page_at_a_port_that_browsers_block_is_withdrawn(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/before-blocked")
                self.offer(daemon, "before-blocked")
                browser.evaluate(tab, "void setTimeout(() => { location.href = 'http://10.77.0.1:22/blocked' })")
                wait_until(lambda: any("/blocked" in url for url in browser.tabs().values()), "the address is shown")
                popup = self.popup(browser)
                browser.wait_for(popup, "document.getElementById('status').textContent.includes('couldn’t be loaded')")
                browser.close(popup)
                wait_until(lambda: self.offers(daemon) == [], "nothing is offered")
                browser.close(tab)

    def a_password_that_is_shown_in_another_way_stays(self, browser, daemon):
        for way, (_, field, change) in hard_pages.SHOWN.items():
            with self.subTest(f"{way} in {browser.name}"):
                tab = browser.open(f"{BASE}/shown-{way}")
                typing = "(field => (field.focus(), field.ownerDocument.execCommand('insertText', false, '{}')))({})"
                browser.wait_for(tab, f"!!({field})")
                browser.evaluate(tab, typing.format("harmless", "document.getElementsByName('fine')[0]"))
                browser.evaluate(tab, "void " + typing.format("KEEP-shown", field))
                if way == "bullets":
                    # Whether the browser says so before it inserts anything is its own affair.
                    browser.evaluate(tab, "void (real ||= 'KEEP-shown', twin.value = '\u2022'.repeat(10))")
                browser.evaluate(tab, "void document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true}))")
                browser.evaluate(tab, f"void ({change})")
                # And the person goes on typing.
                browser.evaluate(tab, """void (() => {
                  twin.focus();
                  if (twin.setSelectionRange) twin.setSelectionRange(4, 4);
                  else { getSelection().selectAllChildren(twin); getSelection().collapseToEnd(); getSelection().modify("move", "backward", "character"); }
                  document.execCommand("insertText", false, "XYZ");
                })()""")
                _, state = self.take(daemon, f"shown-{way}")
                self.assertEqual([field["text"] for field in state["form"]], ["harmless"])
                browser.close(tab)

    def test_a_password_that_is_shown_in_another_way_stays_in_chromium(self):
        self.a_password_that_is_shown_in_another_way_stays(self.chromium, self.desktop)

    def test_a_password_that_is_shown_in_another_way_stays_in_firefox(self):
        self.a_password_that_is_shown_in_another_way_stays(self.firefox, self.laptop)

    def test_signs_that_people_type_are_no_password(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/book?signs")
                text = "**bold** text"
                browser.evaluate(tab, f"void (document.querySelector('[name=letter]').focus(), [...'{text}'].forEach((sign) => document.execCommand('insertText', false, sign)))")
                _, state = self.take(daemon, "book")
                self.assertEqual([field["text"] for field in state["form"]], [text])
                browser.close(tab)

    def test_words_for_secrets_in_many_languages(self):
        browser = self.firefox
        tab = browser.open(f"{BASE}/labels")
        browser.evaluate(tab, "void document.querySelectorAll('input').forEach((field, index) => { field.value = `word ${index}` })")
        _, state = self.take(self.laptop, "labels")
        self.assertEqual([field["name"] for field in state["form"]], ["fine"])
        browser.close(tab)

    def the_title_of_a_page_that_a_rule_keeps_stays_when_the_address_changes(self, browser, daemon):
        """Browsers say that a page loads when it only changes its address."""
        changes = {
            "push": "history.pushState({}, '', '/public')", "replace": "history.replaceState({}, '', '/public')",
            "twice": "history.pushState({}, '', '/public'), addEventListener('popstate', () => setTimeout(() => history.forward()), {once: true}), history.back()",
            "counter": "history.pushState({}, '', '/public'), setTimeout(() => document.title = `(1) ${document.title}`, 500)",
            "frame": "history.pushState({}, '', '/public'), document.body.append(Object.assign(document.createElement('iframe'), {src: '/frame'}))",
        }
        browser.set_options(rules=[{"pattern": f"{HOST}/secret", "team": "never"}], textSites=[])
        for way, change in changes.items():
            with self.subTest(f"{way} in {browser.name}"):
                title = f"Diagnosis-{browser.name}-{way}"
                tab = browser.open(f"{BASE}/secret")
                browser.evaluate(tab, f"document.title = '{title}'")
                api = "(globalThis.browser ?? chrome)"
                wait_until(lambda: browser.in_extension(f"{api}.tabs.query({{title: '{title}'}}).then(tabs => tabs.length)"), "the title is there")
                browser.evaluate(tab, f"void ({change})")
                browser.wait_for(tab, "location.pathname === '/public'")
                self.offer(daemon, HOST)
                # The extension looks again, with all that it remembers.
                browser.show(browser.open(f"{BASE}/between-{way}"))
                self.offer(daemon, f"between-{way}")
                browser.show(tab)
                self.offer(daemon, HOST)
                self.assertNotIn(title.encode(), browser.heard())
                browser.close(tab)

    def test_the_title_of_a_page_that_a_rule_keeps_stays_when_the_address_changes_in_chromium(self):
        self.the_title_of_a_page_that_a_rule_keeps_stays_when_the_address_changes(self.chromium, self.desktop)

    def test_the_title_of_a_page_that_a_rule_keeps_stays_when_the_address_changes_in_firefox(self):
        self.the_title_of_a_page_that_a_rule_keeps_stays_when_the_address_changes(self.firefox, self.laptop)

    def a_title_that_is_like_that_of_a_page_that_a_rule_keeps_stays(self, browser, daemon):
        def title(browser, tab, text):
            browser.evaluate(tab, f"document.title = '{text}'")
            api = "(globalThis.browser ?? chrome)"
            found = f"{api}.tabs.query({{}}).then(tabs => tabs.some(({{title}}) => title === '{text}'))"
            wait_until(lambda: browser.in_extension(found), "the title is there")

        def go(browser, tab, path):
            browser.evaluate(tab, f"void history.pushState({{}}, '', '{path}')")
            wait_until(lambda: any(path in url for url in browser.tabs().values()), "the address is there")

        def counter(browser, tab, word):
            title(browser, tab, f"(1) {word}")
            go(browser, tab, "/public-counter")
            title(browser, tab, f"(2) {word}")

        def shorter(browser, tab, word):
            title(browser, tab, f"{word} - unsaved")
            go(browser, tab, "/public-shorter")
            title(browser, tab, word)

        def site(browser, tab, word):
            go(browser, tab, "/public-before")
            title(browser, tab, "Clinic")
            go(browser, tab, "/secret")
            title(browser, tab, f"{word} - Clinic")
            go(browser, tab, "/public-site")

        def back(browser, tab, word):
            title(browser, tab, word)
            go(browser, tab, "/public-back")
            browser.evaluate(tab, "void setTimeout(() => { location.href = '/elsewhere' })")
            browser.wait_for(tab, "location.pathname === '/elsewhere' && document.readyState === 'complete'")
            browser.evaluate(tab, "void setTimeout(() => history.back())")
            browser.wait_for(tab, "location.pathname === '/public-back'")

        def copy(browser, tab, word):
            title(browser, tab, word)
            # The server takes a while.
            go(browser, tab, "/late")
            api = "(globalThis.browser ?? chrome)"
            browser.in_extension(f"{api}.tabs.query({{active: true}}).then(([tab]) => {api}.tabs.duplicate(tab.id)).then(() => 1)")

        browser.set_options(rules=[{"pattern": f"{HOST}/secret", "team": "never"}], textSites=[])
        for way in (counter, shorter, site, back, copy):
            with self.subTest(f"{way.__name__} in {browser.name}"):
                word = f"Diagnosis{way.__name__}{browser.name}"
                tab = browser.open(f"{BASE}/secret")
                way(browser, tab, word)
                # The extension looks again, with all that it remembers.
                browser.show(browser.open(f"{BASE}/between-{word[9:]}"))
                self.offer(daemon, f"between-{word[9:]}")
                browser.show(tab)
                self.offer(daemon, HOST)
                self.assertNotIn(word.encode(), browser.heard())
                browser.close(tab)
                if way is copy:
                    # It is shown now, and still loads.
                    self.offer(daemon, "late")
                    self.assertNotIn(word.encode(), browser.heard())

    def test_a_title_that_is_like_that_of_a_page_that_a_rule_keeps_stays_in_chromium(self):
        self.a_title_that_is_like_that_of_a_page_that_a_rule_keeps_stays(self.chromium, self.desktop)

    def test_a_title_that_is_like_that_of_a_page_that_a_rule_keeps_stays_in_firefox(self):
        self.a_title_that_is_like_that_of_a_page_that_a_rule_keeps_stays(self.firefox, self.laptop)

    def pages_of_this_machine_and_those_that_failed_are_not_offered(self, browser, daemon, port):
        why = {"local": "Only this machine can open this page’s address", "failed": "couldn’t be loaded"}
        addresses = [
            ("local", f"http://[::ffff:127.0.0.1]:{port}/KEEP-local"), ("local", f"http://localhost.:{port}/KEEP-local"), ("failed", "http://10.77.0.1:8099/KEEP-failed"),
        ]
        for number, (kind, address) in enumerate(addresses):
            with self.subTest(f"{address} in {browser.name}"):
                tab = browser.open(f"{BASE}/before-{number}-{browser.name}")
                browser.show(tab)
                self.offer(daemon, f"before-{number}-{browser.name}")
                browser.evaluate(tab, f"void setTimeout(() => {{ location.href = '{address}' }})")
                self.wait_until_gone(daemon, f"before-{number}-{browser.name}")
                wait_until(lambda: any(f"KEEP-{kind}" in url for url in browser.tabs().values()), "the address is shown")
                popup = self.popup(browser)
                browser.wait_for(popup, f"document.getElementById('status').textContent.includes('{why[kind]}')")
                browser.close(popup)
                self.assertEqual(self.offers(daemon), [])
                # For the doctor.
                note = {"local": "ofThisMachineOnly", "failed": "failed"}[kind]
                notes = [browser.directory / f"baton-browser-{host}" for host in browser.hosts()]
                wait_until(lambda: [path.read_text() for path in notes if path.exists()] == [note], "the host has noted why")
                self.assertNotIn(b"KEEP-local", browser.heard())
                self.assertNotIn(b"KEEP-failed", browser.heard())
                # The next page in the tab is one again.
                browser.navigate(tab, f"{BASE}/after-{number}-{browser.name}")
                self.offer(daemon, f"after-{number}-{browser.name}")
                browser.close(tab)

    def a_page_of_a_server_on_localhost_is_offered_without_an_address_for_browsers(self, browser, daemon, host):
        folder = self.shared.directory / f"served-{browser.name}"
        folder.mkdir()
        folder.chmod(0o755)
        for port in (8000, 3001):
            server = self.shared.spawn(
                on(host, sys.executable, "-u", "-m", "http.server", port, "--bind", "127.0.0.1", "--directory", folder),
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            )
            server.stdout.readline()
        for number, name in enumerate(("localhost", "127.0.0.1", "app.localhost")):
            with self.subTest(f"{name} in {browser.name}"):
                title = f"local-{number}-{browser.name}"
                (folder / f"{title}.html").write_text(f"<!DOCTYPE html><title>{title}</title><p>{title}")
                tab = browser.open(f"{BASE}/before-{title}")
                browser.show(tab)
                self.offer(daemon, f"before-{title}")
                # An activity does not become one of another type.
                browser.navigate(tab, f"http://{name}:8000/{title}.html")
                self.offer(daemon, title)
                self.wait_until_gone(daemon, f"before-{title}")
                script = "fetch('http://localhost:3001/', {mode: 'no-cors'}).then(() => 'loaded')"
                self.assertEqual(browser.evaluate(tab, script), "loaded")
                activity, _ = self.take(daemon, title)
                self.assertEqual(activity["activityType"], "io.baton.local-page")
                self.assertNotIn("webpageURL", activity)
                self.assertEqual(activity["userInfo"]["url"], f"http://{name}:8000/{title}.html")
                self.assertEqual(activity["userInfo"]["ports"], [3001])
                self.assertTrue(activity["supportsContinuationStreams"])
                browser.close(tab)

    def test_a_page_of_a_server_on_localhost_is_offered_without_an_address_for_browsers_in_chromium(self):
        self.a_page_of_a_server_on_localhost_is_offered_without_an_address_for_browsers(self.chromium, self.desktop, HOSTS[0])

    def test_a_page_of_a_server_on_localhost_is_offered_without_an_address_for_browsers_in_firefox(self):
        self.a_page_of_a_server_on_localhost_is_offered_without_an_address_for_browsers(self.firefox, self.laptop, HOSTS[1])

    def test_pages_of_this_machine_and_those_that_failed_are_not_offered_in_chromium(self):
        self.pages_of_this_machine_and_those_that_failed_are_not_offered(self.chromium, self.desktop, 8080)

    def test_pages_of_this_machine_and_those_that_failed_are_not_offered_in_firefox(self):
        self.pages_of_this_machine_and_those_that_failed_are_not_offered(self.firefox, self.laptop, 8099)


class HostileTests(BrowserTest):
    def test_a_page_cannot_change_what_is_taken(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                tab = browser.open(f"{BASE}/hostile")
                browser.evaluate(tab, "void document.getElementsByName('fine')[0].setRangeText('typed')", isApart=True)
                _, state = self.take(daemon, "hostile")
                self.assertEqual([field["text"] for field in state["form"]], ["typed"])
                self.assertNotIn(b'"hostile"]', browser.heard())

    def test_a_huge_page_is_handed_over_in_time(self):
        tab = self.chromium.open(f"{BASE}/huge")
        self.type(self.chromium, tab, fine="small")
        self.offer(self.desktop, "huge")
        begin = time.monotonic()
        activity, state = self.take(self.desktop, "huge")
        self.assertLess(time.monotonic() - begin, 4.5)
        self.assertEqual(activity["webpageURL"], f"{BASE}/huge")
        self.assertNotIn("xxxxxxxx", json.dumps(state))

    def test_a_page_that_hangs_is_handed_over_without_its_state(self):
        tab = self.chromium.open(f"{BASE}/hangs")
        self.offer(self.desktop, "hangs")
        self.chromium.evaluate(tab, "void setTimeout(() => { const end = Date.now() + 8000; while (Date.now() < end); }, 0)")
        activity, state = self.take(self.desktop, "hangs")
        self.assertEqual(activity["webpageURL"], f"{BASE}/hangs")
        self.assertNotIn("place", state)

    def test_the_state_of_a_page_that_hangs_for_a_while_comes_later(self):
        tab = self.chromium.open(f"{BASE}/book?slow")
        self.type(self.chromium, tab, note="Call me Ishmael")
        offer = self.offer(self.desktop, "book")
        self.chromium.evaluate(tab, "void setTimeout(() => { const end = Date.now() + 3000; while (Date.now() < end); }, 0)")
        call(self.desktop, USER, "OpenOffer", id=offer["id"])
        there = self.firefox.context_of("book?slow")
        self.firefox.wait_for(there, "document.getElementById('note')?.value == 'Call me Ishmael'")

    def test_state_from_a_hostile_machine_does_no_harm(self):
        kinds = ("text", "password", "file", "hidden", "submit", "editable")
        state = {
            "place": {"fraction": 99, "anchor": {"id": "\"]><img src=x onerror=alert(1)>", "path": [9, 9, 9], "tag": "script", "text": "x", "fraction": 5}},
            "form": [{"kind": kind, "name": "a", "index": 0, "text": "planted"} for kind in kinds]
            + [{"kind": "text", "id": "shown", "index": -1, "text": "planted"}, {"kind": "text", "name": ["x"]}, 7]
            + [{"kind": "text", "name": "cardNumber", "index": 0, "text": "planted"}]
            + [{"kind": "text", "name": "fine", "index": 0, "text": "harmless"}],
            "tabs": "none", "icon": "javascript:alert(1)",
        }
        self.settle()
        connection = connect(self.laptop, USER)
        connection.more("BecomeCurrent", activity={
            "activityType": WEB, "title": "hostile state", "webpageURL": f"{BASE}/secrets?7", "userInfo": state})
        connection.receive()
        call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "hostile state")["id"])
        tab = self.firefox.context_of("secrets?7")
        # The last field shows that the restoring is over.
        self.firefox.wait_for(tab, "document.querySelector('[name=fine]')?.value === 'harmless'")
        self.assertFalse(self.firefox.evaluate(tab, "[...document.querySelectorAll('input')].some(f => f.type !== 'file' && f.value === 'planted')"))
        self.assertTrue(self.firefox.hosts())

    def test_a_state_that_is_too_long_is_left_out(self):
        self.settle()
        connection = connect(self.laptop, USER)
        connection.more("BecomeCurrent", activity={
            "activityType": WEB, "title": "flood", "webpageURL": f"{BASE}/flood", "userInfo": {"isStateInStream": True},
            "supportsContinuationStreams": True})
        connection.receive()
        hosts = self.firefox.hosts()
        call(self.desktop, USER, "OpenOffer", id=self.offer(self.desktop, "flood")["id"])
        requested = connection.receive_until(lambda reply: reply["event"] == "streamRequested")
        _, _, stream = connect(self.laptop, USER).upgrade("AcceptStream", stream=requested["stream"])
        stream.settimeout(PATIENCE)
        body = b'{"form":[' + b'{"kind":"text","name":"q","index":0,"text":"x"},' * 60_000 + b"{}]}"
        with contextlib.suppress(OSError):
            head = {"size": len(body), "sha256": hashlib.sha256(body).hexdigest()}
            stream.sendall(json.dumps(head).encode() + b"\n" + body)
            stream.shutdown(1)
        self.firefox.context_of(f"{BASE}/flood")
        self.assertEqual(self.firefox.hosts(), hosts)

    def test_addresses_that_are_not_pages_are_not_opened(self):
        for url in (
            "javascript:alert(1)", "file:///etc/passwd", "about:config", "data:text/html,x", "chrome://settings",
            "http://localhost:8080/", "http://127.1/", "http://[::1]:3000/",
        ):
            with self.subTest(url):
                connection = connect(self.laptop, USER)
                self.assertFails("urlInvalid", self.become, connection, url)

    def become(self, connection, url):
        connection.more("BecomeCurrent", activity={"activityType": WEB, "title": "bad", "webpageURL": url})
        connection.receive()


class Endurance(BrowserTest):
    def test_two_hundred_tabs_in_ten_seconds(self):
        script = """(async () => {
          const tabs = [];
          for (let i = 0; i < 200; i += 1) tabs.push(await chrome.tabs.create({url: "%s/tab" + i, active: false}));
          const isLoaded = async () => (await chrome.tabs.query({status: "loading"})).length === 0;
          while (!(await isLoaded())) await new Promise((done) => setTimeout(done, 100));
          globalThis.manyTabs = tabs.map(({id}) => id);
          return tabs.length;
        })()""" % BASE
        self.chromium.control.socket.settimeout(120)
        self.assertEqual(self.chromium.in_extension(script), 200)
        watcher = connect(self.desktop, USER)
        watcher.more("ListOffers")
        before = self.counter("offersSent")
        begin = time.monotonic()
        self.chromium.in_extension("""(async () => {
          const begin = performance.now();
          for (const [index, id] of globalThis.manyTabs.entries()) {
            await chrome.tabs.update(id, {active: true});
            const wait = begin + 50 * (index + 1) - performance.now();
            if (wait > 0) await new Promise((done) => setTimeout(done, wait));
          }
        })()""")
        duration = time.monotonic() - begin
        self.offer(self.desktop, "tab199")
        self.assertLess(self.counter("offersSent") - before, 6 * duration + 10)
        self.assertEqual([offer["title"] for offer in self.offers(self.desktop)], ["tab199"])
        self.chromium.in_extension("chrome.tabs.remove(globalThis.manyTabs)")

    def counter(self, name):
        return call(self.laptop, 0, "GetStatus")["counters"][name]

    def test_a_killed_host_is_started_again(self):
        for browser, daemon in ((self.chromium, self.desktop), (self.firefox, self.laptop)):
            with self.subTest(browser.name):
                browser.show(browser.open(f"{BASE}/survivor"))
                self.offer(daemon, "survivor")
                old = browser.hosts()
                for number in old:
                    os.kill(number, signal.SIGKILL)
                wait_until(lambda: set(browser.hosts()) - set(old), "another host")
                self.offer(daemon, "survivor")

    def test_a_killed_worker_is_started_again(self):
        self.chromium.open(f"{BASE}/worker-1")
        self.offer(self.desktop, "worker-1")
        old = self.chromium.hosts()
        self.chromium.kill_worker()
        self.wait_until_gone(self.desktop, "worker-1")
        self.chromium.open(f"{BASE}/worker-2")
        self.offer(self.desktop, "worker-2")
        self.assertFalse(set(self.chromium.hosts()) & set(old))

    def test_a_restarted_daemon_is_told_again(self):
        self.chromium.open(f"{BASE}/restart")
        self.offer(self.desktop, "restart")
        self.laptop.restart()
        # The desktop still lists what was offered before.
        activity = wait_until(lambda: call(self.laptop, USER, "GetStatus").get("current"), "the page is current again")["id"]
        wait_until(lambda: activity in [offer["id"] for offer in self.offers(self.desktop)], "the page is offered again")
        call(self.desktop, USER, "OpenOffer", id=activity)
        self.firefox.context_of(f"{BASE}/restart")


class PopupTests(BrowserTest):
    def test_offers_are_listed_and_continued(self):
        self.chromium.open(f"{BASE}/Moby-Dick")
        self.offer(self.desktop, "Moby-Dick")
        self.firefox.show(self.firefox.open(f"{BASE}/harpoons"))
        popup = self.popup(self.firefox)
        self.firefox.wait_for(popup, "document.querySelector('button.offer')?.textContent.includes('Moby-Dick')")
        self.firefox.wait_for(popup, f"document.getElementById('site').textContent === '{BASE}'")
        self.firefox.picture("browser-4-popup", popup)
        self.firefox.evaluate(popup, "document.querySelector('button.offer').click()")
        self.firefox.context_of(f"{BASE}/Moby-Dick")
        self.firefox.close(popup)

    def test_a_click_is_for_what_a_person_has_read(self):
        connection = connect(self.desktop, USER)
        connection.more("BecomeCurrent", activity={
            "activityType": WEB, "title": "Login", "webpageURL": "https://xn--80ak6aa92e.com/", "userInfo": {},
        })
        activity = connection.receive()["id"]
        popup = self.popup(self.chromium)
        shown = "document.querySelector('button.offer')?.textContent"
        self.chromium.wait_for(popup, f"{shown}?.includes('Login')")
        before = self.chromium.evaluate(popup, shown)
        # No host looks like another one.
        self.assertIn("xn--80ak6aa92e.com", before)
        # A click that comes with a change means what was there before.
        self.chromium.evaluate(popup, """new MutationObserver(() => document.querySelector('button.offer')?.click())
            .observe(document.getElementById('offers'), { childList: true })""")
        call(self.desktop, USER, "UpdateActivity", activity={
            "id": activity, "activityType": WEB, "title": "Other", "webpageURL": "https://xn--80ak6aa92e.com/x", "userInfo": {},
        })
        self.chromium.wait_for(popup, f"{shown}?.includes('Other')")
        self.chromium.wait_for(popup, "document.getElementById('message').textContent.includes('has just changed')")
        self.assertEqual([url for url in self.chromium.tabs().values() if "80ak6aa92e" in url], [])
        self.chromium.close(popup)
        connection.close()

    def test_a_tab_and_a_window_are_sent_to_one_machine(self):
        self.firefox.open(f"{BASE}/first")
        tab = self.firefox.open(f"{BASE}/book?sent")
        self.firefox.show(tab)
        self.type(self.firefox, tab, note="sent text")
        self.offer(self.laptop, "book")
        popup = self.popup(self.firefox)
        self.firefox.wait_for(popup, "document.getElementById('device').value !== ''")
        for kind, message in (("tab", 1), ("window", 2)):
            self.firefox.evaluate(popup, f"document.getElementById('send-{kind}').click()")
            self.assertEqual(self.answer(popup), "Sent.")
            sent = wait_until(
                lambda: [offer for offer in self.offers(self.laptop) if offer.get("isSent")][message - 1:], f"the {kind} is offered"
            )[0]
            titles = [offer["title"] for offer in self.offers(self.laptop) if offer.get("isSent")]
            self.assertEqual([bool(re.search(r", and \d more tabs?$", title)) for title in titles].count(True), message - 1, titles)
            self.firefox.evaluate(popup, "document.getElementById('message').textContent = ''")
        self.firefox.picture("browser-7-sent", popup)
        for offer in [offer for offer in self.offers(self.laptop) if offer.get("isSent")]:
            call(self.laptop, USER, "OpenOffer", id=offer["id"])
        self.assertTrue(sent)
        self.chromium.context_of(f"{BASE}/first")
        here = self.chromium.context_of("book?sent")
        self.chromium.wait_for(here, "document.getElementById('note')?.value === 'sent text'")
        self.firefox.close(popup)

    def test_the_list_of_machines_stays_while_popups_come(self):
        """A list that was empty for a moment made clicks go nowhere."""
        for browser, api in ((self.firefox, "browser"), (self.chromium, "chrome")):
            tab = browser.open(f"{browser.base}/options.html")
            browser.wait_for(tab, "document.getElementById('team').options.length == 2")
            counts = browser.evaluate(tab, f"""(async () => {{
              const counts = [];
              for (let number = 0; number < 20; number += 1) {{
                const port = {api}.runtime.connect({{ name: "popup" }});
                await new Promise((resolve) => {{
                  port.onMessage.addListener(({{ type, lists }}) => {{
                    if (type !== "lists" || !lists) return;
                    counts.push(lists.devices.length);
                    if (lists.devices.length > 0) resolve();
                  }});
                }});
              }}
              return counts;
            }})()""")
            self.assertEqual(set(counts), {1}, counts)
            browser.close(tab)

    def test_a_window_that_is_sent_says_what_it_leaves_out(self):
        self.firefox.set_options(rules=[{"pattern": f"{HOST}/secret", "team": "never"}], textSites=[])
        for name in ("secret", "kept"):
            self.firefox.show(self.firefox.open(f"{BASE}/{name}"))
        popup = self.popup(self.firefox)
        self.firefox.wait_for(popup, "document.getElementById('device').value !== ''")
        self.firefox.evaluate(popup, "document.getElementById('send-window').click()")
        self.firefox.wait_for(popup, "document.getElementById('message').textContent.startsWith('Sent 1 of 2 tabs.')")
        self.end_sending(popup)

    def test_pages_that_wait_for_their_machine_are_not_dropped(self):
        self.firefox.show(self.firefox.open(f"{BASE}/waiting"))
        popup = self.popup(self.firefox)
        self.firefox.wait_for(popup, "document.getElementById('device').value !== ''")
        self.laptop.kill()
        self.addCleanup(lambda: self.laptop.is_running or self.laptop.start())
        self.firefox.wait_for(popup, "document.getElementById('device').selectedOptions[0].text === 'laptop (offline)'")
        self.firefox.evaluate(popup, "void (document.getElementById('message').textContent = '')")
        waits = "laptop is offline and will receive this when it’s back online. Keep the tabs open until then."
        for message in [*[waits] * 8, "Too many pages are waiting to be delivered. Try again later."]:
            self.firefox.evaluate(popup, "document.getElementById('send-tab').click()")
            self.firefox.wait_for(popup, f"document.getElementById('message').textContent === {json.dumps(message)}")
            self.firefox.evaluate(popup, "void (document.getElementById('message').textContent = '')")
        self.laptop.start()
        wait_until(lambda: len([offer for offer in self.offers(self.laptop) if offer.get("isSent")]) == 8, "all eight arrive")
        self.end_sending(popup)

    def answer(self, popup):
        """What the popup says once it knows how sending went."""
        is_known = "(text => ['', 'Sending…'].includes(text) ? null : text)(document.getElementById('message').textContent)"
        return self.firefox.wait_for(popup, is_known, "the popup says how it went")

    def end_sending(self, popup):
        """What was sent ends with the browser's host."""
        self.firefox.close(popup)
        old = self.firefox.hosts()
        for number in old:
            os.kill(number, signal.SIGKILL)
        wait_until(lambda: set(self.firefox.hosts()) - set(old), "another host")
        wait_until(lambda: not [offer for offer in self.offers(self.laptop) if offer.get("isSent")], "nothing is sent")

    def test_a_new_rule_comes_before_those_that_would_decide(self):
        tab = self.chromium.open(f"{self.chromium.base}/options.html")
        self.chromium.wait_for(tab, "document.getElementById('team').options.length == 2")
        for pattern in ("*", "example.org", "example.org/a", "other.example", "*"):
            self.chromium.evaluate(tab, f"""(() => {{
              document.getElementById("pattern").value = {json.dumps(pattern)};
              document.getElementById("add").requestSubmit();
            }})()""")
            self.chromium.wait_for(tab, f"document.getElementById('message').textContent === 'Added {pattern}.'")
            self.chromium.evaluate(tab, "void (document.getElementById('message').textContent = '')")
        self.chromium.evaluate(tab, """(() => {
          document.getElementById("pattern").value = "exa mple.org";
          document.getElementById("add").requestSubmit();
        })()""")
        self.chromium.wait_for(tab, "document.getElementById('message').textContent === '“exa mple.org” isn’t a valid site.'")
        patterns = self.chromium.evaluate(tab, "chrome.storage.local.get().then(({rules}) => rules.map(({pattern}) => pattern))")
        self.assertEqual(patterns, ["example.org/a", "example.org", "other.example", "*", "*"])

    def test_the_site_is_opted_in_with_the_switch(self):
        self.chromium.set_options(textSites=[])
        self.chromium.open(f"{BASE}/switch")
        popup = self.popup(self.chromium)
        self.chromium.wait_for(popup, f"document.getElementById('site')?.textContent === '{BASE}'")
        self.assertFalse(self.chromium.evaluate(popup, "document.getElementById('text').checked"))
        self.chromium.picture("browser-5-popup", popup)
        self.chromium.evaluate(popup, "document.getElementById('text').click()")
        self.chromium.wait_for(popup, f"chrome.storage.local.get().then(o => o.textSites.includes('{BASE}'))")
        self.chromium.close(popup)

    def test_the_site_of_a_page_that_is_still_awaited_is_shown_when_it_comes(self):
        self.chromium.set_options(textSites=[])
        tab = self.chromium.control.command("Target.createTarget", {"url": f"{BASE}/late"})["targetId"]
        popup = self.popup(self.chromium)
        self.chromium.wait_for(popup, f"document.getElementById('site')?.textContent === '{BASE}'")
        # A page that goes elsewhere meanwhile does not get what was meant for this one.
        self.chromium.navigate(tab, f"http://{HOST}:8081/elsewhere")
        self.chromium.evaluate(popup, "document.getElementById('text').click()")
        self.chromium.wait_for(popup, "chrome.storage.local.get().then(o => o.textSites.length === 1)")
        self.assertEqual(self.chromium.evaluate(popup, "chrome.storage.local.get().then(o => o.textSites)"), [BASE])
        self.chromium.close(popup)

    def test_what_is_no_web_page_is_not_said_to_be_offered(self):
        for browser, there, address in ((self.chromium, self.desktop, "chrome://version"), (self.firefox, self.laptop, "about:blank")):
            browser.open(f"{BASE}/before-{browser.name}")
            self.offer(there, f"before-{browser.name}")
            browser.show(browser.open(address))
            popup = self.popup(browser)
            browser.wait_for(popup, "document.getElementById('device').value !== ''")
            browser.wait_for(popup, "document.getElementById('status').textContent === 'This isn’t a web page, so it isn’t offered.'")
            browser.close(popup)

    def test_every_control_has_a_name(self):
        """What a screen reader says, as Chromium computes it."""
        for page in ("popup.html", "options.html"):
            tab = self.chromium.open(f"{self.chromium.base}/{page}")
            tree = self.chromium.command(tab, "Accessibility.getFullAXTree")["nodes"]
            roles = {"button", "checkbox", "combobox", "textbox", "link", "MenuListPopup"}
            nameless = [
                node["role"]["value"] for node in tree
                if node.get("role", {}).get("value") in roles - {"MenuListPopup"} and not node.get("name", {}).get("value")
            ]
            self.assertEqual(nameless, [], page)
            if page == "options.html":
                self.chromium.wait_for(tab, "document.getElementById('team').options.length == 2")
                self.chromium.picture("browser-6-options", tab)


class RuleTests(BrowserTest):
    """What the modules decide in the engine of each browser. Their unit tests have the same tables."""

    def test_hosts_of_this_machine(self):
        for browser in (self.chromium, self.firefox):
            tab = browser.open(f"{browser.base}/options.html")
            for case in cases("hosts"):
                script = f"import('/api.js').then(api => api.isOfThisMachineOnly('http://' + {json.dumps(case['text'])} + ':8080/localhost'))"
                self.assertEqual(browser.evaluate(tab, script), case["expect"], (browser.name, case["text"]))

    def test_numbers_of_cards(self):
        for browser in (self.chromium, self.firefox):
            tab = browser.open(f"{browser.base}/options.html")
            browser.evaluate(tab, "SCRIPTS.reduce((before, name) => before.then(() => import(name)), Promise.resolve()).then(() => 1)".replace("SCRIPTS", json.dumps(SCRIPTS)))
            texts = cases("numbers")
            found = browser.evaluate(tab, f"{json.dumps([case['text'] for case in texts])}.map((text) => batonSecrets.hasCardNumber(text))")
            self.assertEqual(found, [case["expect"] for case in texts], browser.name)

    def test_patterns(self):
        for browser in (self.chromium, self.firefox):
            tab = browser.open(f"{browser.base}/options.html")
            for pattern, url, expected in table("rules"):
                script = f"import('/rules.js').then(rules => rules.matches({json.dumps(pattern)}, {json.dumps(url)}))"
                self.assertEqual(browser.evaluate(tab, script), expected, (browser.name, pattern, url))
