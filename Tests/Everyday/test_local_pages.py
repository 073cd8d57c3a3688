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
from desktop import FakeServer, SessionBus
from lab import BUILD, HOSTS, PATIENCE, ROOT, LabTest, on, wait_until
from users import call

USER = 61001
SERVER = ROOT / "Tests/Lab/dev_server.py"
PYTHON = "/usr/bin/python3"
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
        cls.bus = SessionBus(shared, user=USER).start()
        cls.notifications = FakeServer(cls.bus)
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
        if daemon is cls.laptop:
            environment["DBUS_SESSION_BUS_ADDRESS"] = cls.bus.address
        log = cls.shared.directory / f"agent-{daemon.name}.log"
        cls.shared.logs.append(log)
        with open(log, "wb") as output:
            silent = [] if daemon is cls.laptop else ["--no-notifications"]
            command = on(daemon.host, *AS_USER, BUILD / "baton", "agent", *silent, "--log-level", "debug")
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

    def allow_with_command(self, ports):
        wait_until(lambda: ports == {question["port"] for question in self.list(self.laptop)["questions"]}, f"{ports} are asked about")
        # The page loads with the last one.
        self.baton(self.laptop, "ports", *[word for port in sorted(ports, reverse=True) for word in ("--allow", str(port))])

    def allow_with_click(self, ports):
        name = "port {}?".format(*ports) if len(ports) == 1 else "ports {} and {}?".format(*sorted(ports))
        question = wait_until(lambda: [call for call in self.notifications.calls() if call["summary"].endswith(f" use {name}")], f"{name} is asked")[0]
        self.notifications.obey("invoke", question["id"], "token_1", "allow")

    def forwarded(self):
        """The ports that the desktop has for the page of this test."""
        ports = {port["port"] for page in self.list(self.desktop)["pages"] for port in page["ports"]}
        return {port for port in ports if self.port <= port < self.port + 20}

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
    def check(self, browser, updates, allow=LocalPageTest.allow_with_command):
        self.serve(updates=updates)
        tab = browser.open(f"http://localhost:{self.port}/")
        browser.wait_for(tab, "document.querySelector('h1').textContent === 'first' && document.body.dataset.updates === 'connected'")
        address = self.resume("Development")
        self.assertEqual(address, f"http://laptop.localhost:{self.port}/")
        self.assertEqual(self.forwarded(), {self.port, updates})
        there = self.there.open(address)
        allow(self, {self.port, updates})
        self.there.wait_for(there, "document.querySelector('h1')?.textContent === 'first' && document.body.dataset.updates === 'connected'", "the page loads by itself")
        self.assertEqual(self.list(self.laptop)["questions"], [])
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
        self.check(self.browser(Chromium), self.port + 1, LocalPageTest.allow_with_click)


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

    def test_what_a_service_worker_asks_for_in_firefox(self):
        self.check(self.browser(Firefox), "/service", [0], "Service, done")
        # Service workers work on the other machine, too: browsers trust all names below localhost.
        for port in (self.port, self.port + 1):
            self.baton(self.laptop, "ports", "--allow", str(port))
        there = self.there.open(f"http://laptop.localhost:{self.port}/service")
        self.there.wait_for(there, "document.title === 'Service, done'")

    def test_what_a_service_worker_asks_for_in_chromium(self):
        self.check(self.browser(Chromium), "/service", [0], "Service, done")

    def test_what_is_asked_for_later(self):
        """The page is continued again, as a person does who comes back to it."""
        self.serve(self.port + 1)
        browser = self.browser(Firefox)
        tab = browser.open(f"http://localhost:{self.port}/")
        address = self.resume("Development")
        self.assertEqual(self.forwarded(), {self.port})
        browser.evaluate(tab, f"fetch('http://localhost:{self.port + 1}/api').then(() => 1)")
        other = browser.open("about:blank")
        browser.close(other)
        browser.show(tab)
        self.assertEqual(self.resume("Development"), address)
        self.assertEqual(self.forwarded(), {self.port, self.port + 1})
        self.assertEqual(address, f"http://laptop.localhost:{self.port}/")
        # Each is at the same port on the desktop.
        here = {port["address"] for page in self.list(self.desktop)["pages"] for port in page["ports"]}
        self.assertLessEqual({f"http://laptop.localhost:{port}" for port in (self.port, self.port + 1)}, here)


class AddressTests(LocalPageTest):
    def check(self, browser):
        """Each way to write the address of a server of this machine. Its WebSocket is at the same host."""
        for host in ("127.0.0.1", "[::1]", "app.localhost"):
            with self.subTest(host=host):
                self.port = next(self.ports)
                self.serve(updates=self.port + 1)
                tab = browser.open(f"http://{host}:{self.port}/")
                browser.wait_for(tab, "document.body.dataset.updates === 'connected'")
                address = self.resume("Development")
                self.assertRegex(address, rf"^http://(app\.)?laptop\.localhost:{self.port}/$")
                self.assertEqual(self.forwarded(), {self.port, self.port + 1})
                for port in (self.port, self.port + 1):
                    self.baton(self.laptop, "ports", "--allow", str(port))
                there = self.there.open(address)
                self.there.wait_for(there, "document.body?.dataset.updates === 'connected'")
                self.there.close(there)
                browser.close(tab)
                wait_until(lambda: not call(self.desktop, USER, "ListOffers")["offers"], "the page is no longer offered")

    def test_each_way_to_write_it_in_firefox(self):
        self.check(self.browser(Firefox))

    def test_each_way_to_write_it_in_chromium(self):
        self.check(self.browser(Chromium))


SITE = """
import sys
from django.conf import settings
settings.configure(
    DEBUG=True, SECRET_KEY="x", ROOT_URLCONF="__main__", SESSION_ENGINE="django.contrib.sessions.backends.signed_cookies",
    MIDDLEWARE=["django.contrib.sessions.middleware.SessionMiddleware", "django.middleware.csrf.CsrfViewMiddleware"],
)
from django.http import HttpResponse, HttpResponseRedirect
from django.middleware.csrf import get_token
from django.urls import path

def form(request):
    if request.method == "POST":
        request.session["name"] = request.POST["name"]
        return HttpResponseRedirect(request.build_absolute_uri("/"))
    return HttpResponse(f'''<title>Django</title><h1>Hello {request.session.get("name", "nobody")}</h1><form method=post>
        <input type=hidden name=csrfmiddlewaretoken value={get_token(request)}><input name=name value=Ada><button>Go</button></form>''')

urlpatterns = [path("", form)]
if __name__ == "__main__":
    from django.core.management import execute_from_command_line
    execute_from_command_line(sys.argv)
"""
NOTEBOOK = {
    "nbformat": 4, "nbformat_minor": 5, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}},
    "cells": [{"id": "a", "cell_type": "code", "metadata": {}, "source": "print(6 * 7)", "outputs": [], "execution_count": None}],
}


class ServerTests(LocalPageTest):
    """Servers that developers use."""

    def start_server(self, *command):
        os.chown(self.directory, USER, USER)
        log = self.shared.directory / f"server-{self.port}.log"
        self.logs.append(log)
        with open(log, "wb") as output:
            environment = {**os.environ, "HOME": str(self.directory), "PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": str(self.directory)}
            self.spawn(on(HOSTS[0], *AS_USER, *command), env=environment, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=output, stderr=output)
        wait_until(lambda: subprocess.run(on(HOSTS[0], "curl", "-sf", "-o", "/dev/null", f"http://localhost:{self.port}/")).returncode in (0, 22), "it listens")

    def test_a_form_of_django(self):
        (self.directory / "site.py").write_text(SITE)
        self.start_server(PYTHON, self.directory / "site.py", "runserver", f"localhost:{self.port}")
        self.baton(self.laptop, "ports", "--allow", str(self.port))
        self.browser(Firefox).open(f"http://localhost:{self.port}/")
        there = self.there.open(self.resume("Django"))
        self.there.wait_for(there, "document.querySelector('h1').textContent === 'Hello nobody'")
        self.there.evaluate(there, "void document.querySelector('button').click()")
        self.there.wait_for(there, "document.querySelector('h1')?.textContent === 'Hello Ada'")
        self.assertEqual(self.there.tabs()[there], f"http://laptop.localhost:{self.port}/")
        # Its server starts again, as it does whenever a file changes.
        path = self.directory / "site.py"
        path.write_text(path.read_text().replace("Hello", "Welcome"))
        self.there.wait_for(there, "location.reload() ?? document.querySelector('h1')?.textContent === 'Welcome Ada'")

    def test_a_notebook_of_jupyter(self):
        path = self.directory / "whales.ipynb"
        path.write_text(json.dumps(NOTEBOOK))
        os.chown(path, USER, USER)
        self.start_server("jupyter-notebook", "--no-browser", f"--port={self.port}", "--NotebookApp.token=secret", f"--notebook-dir={self.directory}")
        self.baton(self.laptop, "ports", "--allow", str(self.port))
        browser = self.browser(Firefox)
        tab = browser.open(f"http://localhost:{self.port}/notebooks/whales.ipynb?token=secret")
        browser.wait_for(tab, "document.title.includes('whales')")
        there = self.there.open(self.resume(browser.evaluate(tab, "document.title")))
        # Jupyter takes the token out of its address, and cookies stay where they are. So the person logs in again.
        self.there.wait_for(there, "!!document.getElementById('password_input')")
        self.there.evaluate(there, "void (Object.assign(document.getElementById('password_input'), {value: 'secret'}).form.submit())")
        self.there.wait_for(there, "globalThis.Jupyter?.notebook?.kernel?.is_connected()")
        self.there.evaluate(there, "void Jupyter.notebook.execute_all_cells()")
        self.there.wait_for(there, "document.querySelector('.output_text')?.textContent.trim() === '42'")
