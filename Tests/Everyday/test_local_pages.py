# SPDX-License-Identifier: Apache-2.0
"""Pages of one machine's development server, shown by the browser of another machine.

Each browser is started once for all tests.
"""
# Labs: pair
import contextlib
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from browsers import Chromium, Firefox
from lab import BUILD, HOSTS, PATIENCE, ROOT, LabTest, on, wait_until
from users import call

USER = 61001
SERVER = ROOT / "Tests/Lab/dev_server.py"
AS_USER = ["setpriv", "--reuid", USER, "--regid", USER, "--clear-groups"]


class LocalPageTest(LabTest):
    labs = ("pair",)
    shared = LabTest()

    @classmethod
    def start(cls):
        shared = cls.shared
        shared.directory = pathlib.Path(tempfile.mkdtemp(prefix="baton-test."))
        shared.directory.chmod(0o755)
        shared.logs = []
        shared.addCleanup(shutil.rmtree, shared.directory, True)
        cls.laptop = shared.batond("laptop").start()
        cls.desktop = shared.batond("desktop", 1).start()
        call(cls.laptop, USER, "CreateTeam", name="Home")
        call(cls.desktop, USER, "JoinTeam", code=call(cls.laptop, USER, "InviteDevice")["code"])
        for daemon in (cls.laptop, cls.desktop):
            daemon.wait_for_sessions()
        cls.homes = [cls.agent(daemon) for daemon in (cls.laptop, cls.desktop)]
        cls.browsers = {}
        cls.there = cls.browser(Firefox, 1)

    @classmethod
    def browser(cls, kind, number=0):
        """The browser of one of the machines, started when it's needed first."""
        if (kind, number) not in cls.browsers:
            browser = kind(cls.shared, HOSTS[number], (cls.laptop, cls.desktop)[number], USER)
            browser.variables = {"BATON_SEARCH_SOCKET": str(cls.homes[number] / "baton/search.sock")}
            cls.browsers[kind, number] = browser.start()
            browser.wait_for_host()
        return cls.browsers[kind, number]

    @classmethod
    def agent(cls, daemon):
        """An agent whose browser is what the test opens: it notes the address."""
        home = cls.shared.directory / f"agent-{daemon.name}"
        (home / "bin").mkdir(parents=True)
        program = home / "bin/xdg-open"
        program.write_text(f'#!/bin/sh\necho "$1" >>{home}/shown\n')
        program.chmod(0o755)
        (home / "shown").touch()
        for path in (home, *home.iterdir()):
            os.chown(path, USER, USER)
        environment = {
            **os.environ, "HOME": str(home), "XDG_RUNTIME_DIR": str(home), "BATON_SOCKET": str(daemon.socket),
            "PATH": f"{home}/bin:{os.environ['PATH']}",
        }
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME"):
            environment.pop(name, None)
        log = cls.shared.directory / f"agent-{daemon.name}.log"
        cls.shared.logs.append(log)
        with open(log, "wb") as output:
            command = on(daemon.host, *AS_USER, BUILD / "baton", "agent", "--no-notifications", "--log-level", "debug")
            cls.shared.spawn(command, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until((home / "baton/search.sock").exists, "the agent listens")
        return home

    ports = itertools.count(8000, 20)

    def setUp(self):
        super().setUp()
        self.logs = self.shared.logs
        self.directory = pathlib.Path(tempfile.mkdtemp(prefix="baton-test."))
        self.addCleanup(shutil.rmtree, self.directory, True)
        self.directory.chmod(0o755)
        # Another port for each test, so that none sees what another one has allowed.
        self.port = next(self.ports)

    def tearDown(self):
        for browser in self.browsers.values():
            for tab in list(browser.tabs())[1:]:
                with contextlib.suppress(Exception):
                    browser.close(tab)

    def baton(self, daemon, *arguments):
        home = self.homes[daemon is self.desktop]
        environment = {**os.environ, "HOME": str(home), "BATON_SOCKET": str(daemon.socket), "BATON_SEARCH_SOCKET": f"{home}/baton/search.sock"}
        command = on(daemon.host, *AS_USER, BUILD / "baton", *arguments)
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=PATIENCE, stdin=subprocess.DEVNULL)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def write(self, text):
        path = self.directory / "message.js"
        path.with_suffix(".new").write_text(f"export default {json.dumps(text)}")
        path.with_suffix(".new").rename(path)

    def serve(self, *others, host=0, updates=None, port=None):
        """A development server whose page shows "first"."""
        self.write("first")
        port = port or self.port
        command = [sys.executable, SERVER, port, updates or port, self.directory, *others]
        server = self.spawn(on(HOSTS[host], *AS_USER, *command), stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True)
        self.assertEqual(server.stdout.readline(), "ready\n")

    def offer(self, title):
        return wait_until(
            lambda: next((offer for offer in call(self.desktop, USER, "ListOffers")["offers"] if offer.get("title") == title), None),
            f"{title} is offered",
        )

    def shown(self):
        return (self.homes[1] / "shown").read_text().split()

    def list(self, daemon):
        return json.loads(self.baton(daemon, "ports", "--json"))

    def allow_when_asked(self, port):
        wait_until(lambda: port in {question["port"] for question in self.list(self.laptop)["questions"]}, f"port {port} is asked about")
        self.baton(self.laptop, "ports", "--allow", str(port))

    def forwarded(self):
        """The ports that the desktop has for the page of this test."""
        pages = [{port["port"] for port in page["ports"]} for page in self.list(self.desktop)["pages"]]
        return next((ports for ports in pages if self.port in ports), None)

    def resume(self, title):
        """Continues the page with one command, and returns the address to show."""
        before = len(self.shown())
        self.baton(self.desktop, "open", self.offer(title)["id"])
        return wait_until(lambda: self.shown()[before:], "the address is shown")[0]


def setUpModule():
    try:
        LocalPageTest.start()
    except BaseException:
        LocalPageTest.shared.show_logs()
        tearDownModule()
        raise


def tearDownModule():
    LocalPageTest.shared.doCleanups()


class HotReloadTests(LocalPageTest):
    def check(self, browser, updates):
        self.serve(updates=updates)
        tab = browser.open(f"http://localhost:{self.port}/")
        browser.wait_for(tab, "document.querySelector('h1').textContent === 'first' && document.body.dataset.updates === 'connected'")
        address = self.resume("Development")
        self.assertEqual(address, f"http://laptop.localhost:{self.port}/")
        self.assertEqual(self.forwarded(), {self.port, updates})
        there = self.there.open(address)
        self.allow_when_asked(self.port)
        self.there.wait_for(there, "document.querySelector('h1')?.textContent === 'first'", "the page loads by itself")
        if updates != self.port:
            self.allow_when_asked(updates)
            self.there.navigate(there, address)
        self.there.wait_for(there, "document.querySelector('h1')?.textContent === 'first' && document.body.dataset.updates === 'connected'")
        self.write("second")
        self.there.wait_for(there, "document.querySelector('h1').textContent === 'second'")
        # The page is the same one, as on the first machine.
        self.assertEqual(self.there.evaluate(there, "window.loads"), 1)
        browser.wait_for(tab, "document.querySelector('h1').textContent === 'second'")
        self.there.navigate(there, address)
        self.there.wait_for(there, "document.querySelector('h1').textContent === 'second' && document.body.dataset.updates === 'connected'")
        self.there.evaluate(there, "void document.querySelector('button').click()")
        self.there.wait_for(there, "document.title === 'Sent' && document.querySelector('p').textContent === 'text=hello'")
        self.there.navigate(there, f"{address}cookies")
        self.assertEqual(self.there.evaluate(there, "document.body.textContent"), f"from={self.port}")
        # Cookies of the page are not those of this machine's own pages.
        own = self.port + 9
        self.serve(host=1, port=own)
        mine = self.there.open(f"http://localhost:{own}/cookies")
        self.assertEqual(self.there.evaluate(mine, "document.body.textContent"), "none")
        self.there.close(mine)

    def test_on_the_pages_own_port(self):
        self.check(self.browser(Firefox), self.port)

    def test_on_another_port(self):
        self.check(self.browser(Firefox), self.port + 1)

    def test_on_another_port_in_chromium(self):
        self.check(self.browser(Chromium), self.port + 1)


class NeededPortsTests(LocalPageTest):
    def check(self, browser, path, numbers, title):
        """The page needs the ports of these numbers among the others, and no further one."""
        others = [self.port + number for number in (1, 2, 3)]
        wanted = {self.port, *(others[number] for number in numbers)}
        self.serve(*others)
        tab = browser.open(f"http://localhost:{self.port}{path}")
        browser.wait_for(tab, f"document.title === {json.dumps(title)}")
        self.resume(title)
        self.assertEqual(self.forwarded(), wanted)

    def test_what_frames_and_workers_ask_for_in_firefox(self):
        self.check(self.browser(Firefox), "/all", [1, 2], "All, done")

    def test_what_frames_and_workers_ask_for_in_chromium(self):
        self.check(self.browser(Chromium), "/all", [1, 2], "All, done")

    def test_what_is_asked_for_after_hundreds_of_requests_in_firefox(self):
        self.check(self.browser(Firefox), "/many", [0], "Many, done")

    def test_what_is_asked_for_after_hundreds_of_requests_in_chromium(self):
        self.check(self.browser(Chromium), "/many", [0], "Many, done")
