# SPDX-License-Identifier: Apache-2.0
"""The agent: apps that are started for activities, web pages, and the domains that confirm apps."""
# Labs: lo
import http.server
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time

from desktop import FakeServer, SessionBus
from lab import BUILD, PATIENCE, ROOT, LabTest, Varlink, VarlinkError, wait_until

APP = ROOT / "Tests/Lab/desktop_app.py"
TYPE = "org.example.notes"
# Seconds: Limits.browserTime.
BROWSER_TIME = 3


class Agent:
    """`baton agent` of a user with a home of its own, on the machine of a daemon."""

    def __init__(self, case, daemon, folder=None, **environment):
        self.case, self.daemon = case, daemon
        folder = folder or case.directory
        self.home = folder / "home"
        self.data, self.system = self.home / "share", folder / "system"
        self.programs = folder / "bin"
        for directory in (self.home, self.programs, self.system / "applications"):
            directory.mkdir(parents=True, exist_ok=True)
        self.log = folder / "agent.log"
        case.logs.append(self.log)
        self.environment = {
            "HOME": str(self.home), "XDG_DATA_HOME": str(self.data), "XDG_DATA_DIRS": str(self.system),
            "XDG_CACHE_HOME": str(self.home / "cache"), "XDG_RUNTIME_DIR": str(self.home),
            "PATH": f"{self.programs}:/usr/bin:/bin", "BATON_SOCKET": str(daemon.socket), "LANG": "C.UTF-8",
            # What apps must not get.
            "NOTIFY_SOCKET": str(self.home / "notify"), "LISTEN_FDS": "1", "XDG_ACTIVATION_TOKEN": "old", **environment,
        }
        self.environment = {name: value for name, value in self.environment.items() if value is not None}
        self.process = None
        # No names are known in the lab.
        self.program("getent", '#!/bin/sh\necho "93.184.215.14   STREAM $2"\n')

    def start(self, *arguments, prefix=()):
        before = self.log.read_text().count("Registered with batond") if self.log.exists() else 0
        with open(self.log, "ab") as log:
            self.process = self.case.spawn(
                [*prefix, *self.daemon.command_line("agent", "--log-level", "debug", *arguments)],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )
        if self.daemon.is_running:
            self.wait_for_log("Registered with batond", before + 1)
        return self

    def wait_for_log(self, text, count=1):
        wait_until(lambda: self.log.read_text().count(text) >= count, f"{text!r} in the agent's log")

    def stop(self):
        self.process.terminate()
        self.case.assertEqual(self.process.wait(PATIENCE), 0)

    def program(self, name, script):
        path = self.programs / name
        path.write_text(script)
        path.chmod(0o755)
        return path

    def install(self, name, *keys, exec=None, place=None):
        """Writes a desktop entry of an app that reports to the path that is returned."""
        report = self.case.directory / f"{name}.report"
        if exec is None:
            exec = f'{sys.executable} {APP} {report} {TYPE} %u'
        folder = (place or self.data) / "applications"
        folder.mkdir(parents=True, exist_ok=True)
        new = folder / f".{name}.new"
        new.write_text("\n".join(["[Desktop Entry]", "Type=Application", f"Name={name}", f"Exec={exec}", *keys]) + "\n")
        # At once whole, as packages do it.
        new.rename(folder / f"{name}.desktop")
        return report

    def events(self, report, event):
        if not report.exists():
            return []
        lines = [json.loads(line) for line in report.read_text().splitlines(True) if line.endswith("\n")]
        return [line for line in lines if line["event"] == event]

    def wait_for(self, report, event):
        line = wait_until(lambda: self.events(report, event), f"{event} in {report.name}")[-1]
        if event == "started":
            self.case.addCleanup(self.kill, line["pid"])
        return line

    @staticmethod
    def kill(process):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def entries(self, count):
        """Waits until the agent knows so many apps."""
        def known():
            lines = [line for line in self.log.read_text().splitlines() if "Read the desktop entries" in line]
            return lines and lines[-1].endswith(f"apps={count}")

        wait_until(known, f"{count} apps")


class AgentTest(LabTest):
    labs = ("lo",)

    def machines(self, **environment):
        self.laptop, self.desktop = self.two()
        return Agent(self, self.desktop, **environment)

    def publish(self, **members):
        connection, activity = self.laptop.publish(**members)
        self.desktop.wait_for_offer(activity)
        return connection, activity

    def open(self, activity, **parameters):
        with Varlink(self.desktop.socket, timeout=60) as connection:
            return connection.call("OpenOffer", id=activity, **parameters)

    def verdict(self):
        """The doctor's on apps."""
        doctor = self.desktop.connect(timeout=60).more("Diagnose")
        while (check := doctor.receive())["check"] != "application":
            pass
        return check

    def is_offered(self, activity):
        return any(offer["id"] == activity for offer in self.desktop.offers())


class LaunchTests(AgentTest):
    def test_an_app_is_started_and_gets_the_activity(self):
        agent = self.machines()
        (self.directory / "work").mkdir()
        report = agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE};", f"Path={self.directory / 'work'}")
        agent.start()
        origin, activity = self.publish(title="Draft", userInfo={"text": "hello"})
        token = {**self.desktop.environment, "XDG_ACTIVATION_TOKEN": "token_TIME42"}
        output = subprocess.run(
            self.desktop.command_line("open", activity), env=token, capture_output=True, timeout=60, check=True
        )
        self.assertIn(b"Draft", output.stdout)
        started = agent.wait_for(report, "started")
        self.assertEqual(agent.wait_for(report, "continued")["activity"]["userInfo"], {"text": "hello"})
        self.assertEqual(origin.receive()["event"], "continued")
        environment = started["environment"]
        self.assertEqual(environment["XDG_ACTIVATION_TOKEN"], "token_TIME42")
        self.assertEqual(environment["BATON_OFFER"].lower(), activity.lower())
        self.assertEqual(environment["HOME"], str(agent.home))
        for name in ("NOTIFY_SOCKET", "LISTEN_FDS"):
            self.assertNotIn(name, environment)
        self.assertEqual(started["directory"], str(self.directory / "work"))
        self.assertEqual((started["input"], started["descriptors"]), ("/dev/null", [0, 1, 2]))
        self.assertEqual(started["session"], started["pid"])
        self.assertEqual(started["arguments"], [TYPE])
        # It runs on when the agent has gone; and a second offer goes to it.
        agent.stop()
        _, second = self.publish(title="Second")
        self.open(second)
        wait_until(lambda: len(agent.events(report, "continued")) == 2, "the second activity")
        self.assertEqual(len(agent.events(report, "started")), 1)

    def test_entries_are_noticed_and_the_users_hides_the_systems(self):
        agent = self.machines().start()
        agent.entries(0)
        _, activity = self.publish()
        self.assertFails("applicationNotFound", self.open, activity)
        system = agent.install("app", f"X-Baton-ActivityTypes={TYPE}", place=agent.system)
        agent.entries(1)
        # Neither ~/.local/share nor its folder was there before.
        agent.install("app", "Hidden=true", f"X-Baton-ActivityTypes={TYPE}")
        agent.entries(0)
        self.assertFails("applicationNotFound", self.open, activity)
        own = agent.install("sub", f"X-Baton-ActivityTypes={TYPE}", place=agent.data / "applications" / "deep")
        deep = agent.data / "applications" / "deep" / "applications"
        self.assertTrue((deep / "sub.desktop").exists())
        agent.entries(1)
        self.open(activity)
        agent.wait_for(own, "started")
        agent.wait_for(own, "continued")
        self.assertFalse(system.exists())

    def test_bad_entries_are_named_once(self):
        agent = self.machines()
        agent.install("bad", f"X-Baton-ActivityTypes={TYPE}", exec="'quoted'")
        agent.start().entries(0)
        agent.install("good", f"X-Baton-ActivityTypes={TYPE}")
        agent.entries(1)
        self.assertEqual(agent.log.read_text().count("bad.desktop: Exec has an unquoted"), 1)

    def test_an_app_that_cannot_run_is_a_named_failure_and_the_offer_stays(self):
        agent = self.machines()
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}", exec="no-such-program")
        agent.start()
        _, activity = self.publish()
        self.assertFails("launchFailed", self.open, activity)
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}", "TryExec=no-such-program")
        agent.wait_for_log("Read the desktop entries", 2)
        self.assertFails("applicationNotFound", self.open, activity)
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}", exec="false")
        agent.wait_for_log("Read the desktop entries", 3)
        self.assertFails("launchFailed", self.open, activity)
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}", "Terminal=true", exec="true")
        agent.wait_for_log("Read the desktop entries", 4)
        self.assertFails("launchFailed", self.open, activity)
        self.assertTrue(self.is_offered(activity))

    def test_an_app_that_cannot_run_does_not_stand_in_anothers_way(self):
        agent = self.machines()
        agent.install("a", f"X-Baton-ActivityTypes={TYPE}", exec="no-such-program")
        agent.install("b", f"X-Baton-ActivityTypes={TYPE}", "Path=/nonexistent")
        agent.install("c", f"X-Baton-ActivityTypes={TYPE}", "TryExec=no-such-program")
        report = agent.install("d", f"X-Baton-ActivityTypes={TYPE}")
        agent.start().entries(4)
        _, activity = self.publish()
        self.open(activity)
        agent.wait_for(report, "started")
        agent.wait_for(report, "continued")
        for app in ("a", "b"):
            self.assertRegex(agent.log.read_text(), f"An app couldn't be started: .* app={app}\n")

    def test_a_terminal_app_gets_a_terminal(self):
        agent = self.machines()
        agent.program("x-terminal-emulator", '#!/bin/sh\n[ "$1" = -e ] && shift && IN_TERMINAL=1 exec "$@"\n')
        report = agent.install("app", f"X-Baton-ActivityTypes={TYPE}", "Terminal=true")
        agent.start()
        _, activity = self.publish()
        self.open(activity)
        self.assertEqual(agent.wait_for(report, "started")["environment"]["IN_TERMINAL"], "1")

    def test_an_app_that_never_registers_times_out_and_the_offer_stays(self):
        agent = self.machines()
        report = agent.install("app", f"X-Baton-ActivityTypes={TYPE}", exec=f"{sys.executable} {APP} {self.directory}/app.report -")
        agent.start()
        _, activity = self.publish()
        began = time.monotonic()
        self.assertFails("launchTimedOut", self.open, activity)
        self.assertGreater(time.monotonic() - began, 19)
        agent.wait_for(report, "started")
        self.assertTrue(self.is_offered(activity))

    def test_a_script_that_continues_the_offer_is_enough(self):
        agent = self.machines()
        result = self.directory / "result"
        script = agent.program(
            "handler", f'#!/bin/sh\nexec {self.desktop.command_line()[0]} continue "$BATON_OFFER" --json >{result}.new\n'
        )
        agent.install("script", f"X-Baton-ActivityTypes={TYPE}", exec=script.name)
        agent.start()
        origin, activity = self.publish(title="For a script")
        self.open(activity)
        self.assertEqual(origin.receive()["event"], "continued")
        wait_until(lambda: "For a script" in pathlib.Path(f"{result}.new").read_text(), "what the script got")

    def test_an_app_of_the_library_is_started_by_its_entry(self):
        agent = self.machines()
        output = self.directory / "library.out"
        # The app of the tests ends with its input.
        agent.program("handoff", f"#!/bin/sh\n(echo '{{\"do\":\"receive\"}}'; exec sleep 600) | exec {BUILD}/handoff-app >{output}\n")
        # Of this entry the library takes the types, too: it has the program's name.
        agent.install("handoff-app", f"X-Baton-ActivityTypes={TYPE}", exec="handoff")
        agent.start()
        origin, activity = self.publish(title="For an app", userInfo={"page": 7})
        self.open(activity)
        self.assertEqual(origin.receive()["event"], "continued")
        wait_until(lambda: '"continue"' in output.read_text() and "For an app" in output.read_text(), "the app has it")
        started = wait_until(lambda: re.search(r"Started an app.* pid=(\d+)", agent.log.read_text()), "the log tells of it")
        os.killpg(int(started[1]), signal.SIGKILL)

    def test_an_app_of_another_team_is_not_started(self):
        agent = self.machines()
        team = self.desktop.call("ListTeams")["teams"][0]["id"]
        other = agent.install("other", f"X-Baton-ActivityTypes={TYPE}", "X-Baton-TeamID=ZZZZZZZZZZ")
        agent.start().entries(1)
        _, activity = self.publish()
        self.assertFails("applicationNotFound", self.open, activity)
        own = agent.install("own", f"X-Baton-ActivityTypes={TYPE}", f"X-Baton-TeamID={team}")
        agent.entries(2)
        self.open(activity)
        agent.wait_for(own, "started")
        self.assertFalse(other.exists())

    def test_the_agent_outlives_daemons_and_comes_before_them(self):
        agent = self.machines()
        report = agent.install("app", f"X-Baton-ActivityTypes={TYPE}")
        self.desktop.terminate()
        agent.start()
        agent.wait_for_log("Not registered with batond")
        for count in (1, 2):
            self.desktop.start()
            agent.wait_for_log("Registered with batond", count)
            if count == 1:
                self.desktop.kill()
        _, activity = self.publish()
        self.open(activity)
        agent.wait_for(report, "started")

    def test_an_agent_that_dies_in_a_launch_fails_it(self):
        agent = self.machines()
        agent.start()
        # One that registers later counts, and says nothing.
        other = self.desktop.connect()
        other.more("RegisterLauncher", activityTypes=[])
        self.assertEqual(other.receive()["event"], "registered")
        _, activity = self.publish()
        opener = self.desktop.connect()
        opener.send("OpenOffer", {"id": activity})
        request = other.receive()
        self.assertEqual((request["event"], request["activityType"]), ("launchRequested", TYPE))
        # The agent is asked in its place, and has no app.
        other.close()
        with self.assertRaises(VarlinkError) as caught:
            opener.receive()
        self.assertEqual(caught.exception.reason, "applicationNotFound")

    def test_types_of_installed_apps_are_known_to_the_doctor(self):
        agent = self.machines()
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}")
        agent.start()
        self.publish()
        self.assertEqual(self.verdict()["outcome"], "passed")


class ServiceTests(AgentTest):
    def test_a_second_agent_says_so_and_leaves(self):
        agent = self.machines().start()
        second = subprocess.run(
            self.desktop.command_line("agent"), env=agent.environment, capture_output=True, timeout=PATIENCE
        )
        self.assertEqual(second.returncode, 1)
        self.assertRegex(second.stderr.decode(), r"An agent is already running for this user, as process \d+\.")
        # The next one is not turned away.
        agent.process.kill()
        agent.process.wait(PATIENCE)
        agent.start()

    def test_without_inotify_apps_are_found_later_and_the_log_says_so_once(self):
        agent = self.machines()
        gate = self.directory / "gate"
        # A user namespace has limits of its own.
        script = (
            "echo 0 >/proc/sys/user/max_inotify_instances || exit 9\n"
            f"(while ! [ -e {gate} ]; do sleep 0.1; done; echo 9 >/proc/sys/user/max_inotify_instances) &\n"
            'exec "$@"'
        )
        agent.start(prefix=["unshare", "--user", "--map-root-user", "sh", "-c", script, "sh"])
        agent.install("app", f"X-Baton-ActivityTypes={TYPE}")
        agent.entries(1)
        agent.install("second", "X-Baton-ActivityTypes=org.example.second")
        agent.entries(2)
        self.assertEqual(agent.log.read_text().count("Changes to desktop entries will be noticed late"), 1)
        self.assertIn("inotify_init1: Too many open files", agent.log.read_text())
        gate.touch()
        agent.wait_for_log("Changes to desktop entries are noticed immediately again")
        agent.install("third", "X-Baton-ActivityTypes=org.example.third")
        agent.entries(3)

    def test_more_types_than_there_is_room_for_are_known_to_log_and_doctor(self):
        agent = self.machines()
        for app in range(8):
            agent.install(f"a{app}", "X-Baton-ActivityTypes=" + ";".join(f"org.example.a{app}.t{n}" for n in range(64)))
        agent.install("z", f"X-Baton-ActivityTypes={TYPE}")
        agent.start()
        self.assertRegex(agent.log.read_text(), r"/a\d\.desktop or part of it, and perhaps others, are ignored, because there are more than 480 activity types")
        # That of the app with the last name and one type has its place.
        self.publish()
        self.assertEqual(self.verdict()["outcome"], "passed")
        self.publish(activityType="org.example.a7.t63")
        verdict = self.verdict()
        self.assertEqual((verdict["outcome"], verdict["reason"]), ("note", "limitReached"))
        self.assertIn("org.example.a7.t63", verdict["detail"])

    def test_the_loop_feeds_the_watchdog(self):
        agent = self.machines(WATCHDOG_USEC="200000")
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
            manager.bind(agent.environment["NOTIFY_SOCKET"])
            manager.settimeout(PATIENCE)
            agent.start()
            signs = 0
            while signs < 3:
                signs += manager.recv(4096) == b"WATCHDOG=1"


class PageTests(AgentTest):
    PAGE = "https://www.example.org/a?b=c&d=%20#e"

    def browser(self, agent, status=0):
        pages = self.directory / "pages"
        agent.program("xdg-open", f'#!/bin/sh\necho "$@" >>{pages}\nexit {status}\n')
        return pages

    def wait_for_pages(self, pages, *urls):
        """Waits until the browser was given these; none more than once."""
        text = "".join(f"{url}\n" for url in urls)
        wait_until(lambda: pages.exists() and len(pages.read_text()) >= len(text), f"{urls} in the browser")
        self.assertEqual(pages.read_text(), text)

    def test_a_page_is_shown_where_no_app_takes_the_type(self):
        agent = self.machines()
        pages = self.browser(agent)
        agent.start()
        origin, activity = self.publish(webpageURL=self.PAGE)
        self.assertTrue(self.desktop.wait_for_offer(activity)["hasWebPage"])
        self.open(activity)
        self.wait_for_pages(pages, self.PAGE)
        self.assertEqual(origin.receive()["event"], "continued")
        self.desktop.wait_until_not_offered(activity)

    def test_an_offer_alone_starts_nothing(self):
        bus = SessionBus(self).start()
        server = FakeServer(bus)
        agent = self.machines(DBUS_SESSION_BUS_ADDRESS=bus.address)
        pages = self.browser(agent)
        types = [f"{TYPE}{number}" for number in range(4)]
        report = agent.install("a", f"X-Baton-ActivityTypes={';'.join(types)};")
        agent.start()
        # One after the other, and what it says changes, too; the last has a page and no app.
        for number, activity_type in enumerate([*types, "org.example.page"], 1):
            self.publish(activity_type=activity_type, title=f"Offer {number}", webpageURL=self.PAGE)
            wait_until(lambda: any(call["summary"] == f"Offer {number}" for call in server.calls()), "the notification")
        # What it would have begun by itself comes before what it is asked for now.
        self.open(self.publish(activity_type="org.example.last", webpageURL="https://www.example.org/asked")[1])
        self.wait_for_pages(pages, "https://www.example.org/asked")
        self.assertFalse(report.exists())
        self.assertEqual(self.desktop.call("GetStatus")["counters"]["activitiesContinued"], 1)

    def test_without_page_or_browser_the_offer_stays(self):
        agent = self.machines(PATH=str(self.directory / "bin"))
        agent.start()
        agent.wait_for_log("xdg-open isn't installed")
        _, activity = self.publish(webpageURL=self.PAGE)
        self.assertFails("browserNotFound", self.open, activity)
        command = subprocess.run(
            self.desktop.command_line("open", activity), env=self.desktop.environment, capture_output=True, timeout=60
        )
        self.assertEqual(command.returncode, 4)
        self.assertIn(b"Install xdg-utils", command.stderr)
        self.assertTrue(self.is_offered(activity))
        self.browser(agent)
        _, other = self.publish(title="No page")
        self.assertFails("applicationNotFound", self.open, other)
        self.assertTrue(self.is_offered(other))

    def test_a_browser_that_fails_is_a_named_failure(self):
        agent = self.machines()
        self.browser(agent, status=3)
        agent.start()
        _, activity = self.publish(webpageURL=self.PAGE)
        began = time.monotonic()
        try:
            self.open(activity)
        except VarlinkError as error:
            self.assertEqual(error.reason, "launchFailed")
        else:
            # A machine so slow that it has not failed yet.
            self.assertGreaterEqual(time.monotonic() - began, BROWSER_TIME)
        agent.wait_for_log("An app exited with an error")

    def test_a_browser_that_stays_counts_as_started(self):
        agent = self.machines()
        pages = self.directory / "pages"
        agent.program("xdg-open", f'#!/bin/sh\necho "$@" >>{pages}\nexec sleep 60\n')
        agent.start()
        _, activity = self.publish(webpageURL=self.PAGE)
        began = time.monotonic()
        self.open(activity)
        self.assertGreaterEqual(time.monotonic() - began, BROWSER_TIME)
        self.wait_for_pages(pages, self.PAGE)
        agent.kill(int(re.search(r"Started an app.* pid=(\d+)", agent.log.read_text())[1]))

    def test_a_browser_that_was_started_for_a_page_is_not_asked_for_it(self):
        agent, web = self.machines(), "NSUserActivityTypeBrowsingWeb"
        pages = self.directory / "pages"
        agent.program("xdg-open", f'#!/bin/sh\necho "$@" >>{pages}\nexec sleep 60\n')
        agent.start()
        _, activity = self.publish(activity_type=web, webpageURL=self.PAGE)
        opener = self.desktop.connect(timeout=60)
        opener.send("OpenOffer", {"id": activity})
        self.wait_for_pages(pages, self.PAGE)
        # Its extension connects while the launch is pending.
        browser = self.desktop.connect(timeout=60)
        browser.more("RegisterApplication", activityTypes=[web])
        self.assertEqual(browser.receive()["event"], "registered")
        opener.receive()
        # What it hears first is the next page.
        _, other = self.publish(activity_type=web, webpageURL=self.PAGE)
        self.open(other)
        self.assertEqual(browser.receive()["id"], other)
        agent.kill(int(re.search(r"Started an app.* pid=(\d+)", agent.log.read_text())[1]))

    def test_a_page_is_shown_once_when_apps_are_installed_meanwhile(self):
        agent = self.machines()
        pages = self.browser(agent)
        gate = self.directory / "gate"
        agent.program("curl", f"#!/bin/sh\nwhile ! [ -e {gate} ]; do sleep 0.05; done\nexit 22\n")
        agent.install("org.example.App", "X-Baton-Domains=www.example.org")
        agent.start()
        origin, activity = self.publish(webpageURL=self.PAGE)
        opener = self.desktop.connect(timeout=60)
        opener.send("OpenOffer", {"id": activity})
        self.assertEqual(origin.receive()["event"], "continued")
        # The agent has the page and waits for the domain. With other types it registers anew, and is asked again.
        agent.install("other", "X-Baton-ActivityTypes=org.example.other")
        agent.wait_for_log("Registered with batond", 2)
        gate.touch()
        opener.receive()
        _, second = self.publish(webpageURL="https://www.example.org/second")
        self.open(second)
        self.wait_for_pages(pages, self.PAGE, "https://www.example.org/second")

    def test_domains_that_do_not_answer_delay_a_page_together(self):
        agent = self.machines()
        pages = self.browser(agent)
        agent.program("curl", "#!/bin/sh\nexec sleep 60\n")
        # One after the other they would take more than the 20 s of a launch.
        names = ["a.b.c.d.e.example.org", "b.c.d.e.example.org", "c.d.e.example.org", "d.e.example.org", "e.example.org"]
        domains = ";".join([names[0]] + [f"*.{name}" for name in names[1:]] + ["*.example.org"])
        agent.install("org.example.App", f"X-Baton-Domains={domains}")
        agent.start()
        _, activity = self.publish(webpageURL=f"https://{names[0]}/")
        self.open(activity)
        self.wait_for_pages(pages, f"https://{names[0]}/")

    def without_terminals(self):
        """A PATH with the machine's programs, but for those that show others in a terminal."""
        folder = self.directory / "programs"
        folder.mkdir()
        for program in pathlib.Path("/usr/bin").iterdir():
            if program.name not in ("x-terminal-emulator", "xdg-terminal-exec"):
                (folder / program.name).symlink_to(program)
        return f"{self.directory / 'bin'}:{folder}"

    def test_an_app_that_cannot_run_does_not_stand_in_the_pages_way(self):
        agent = self.machines(PATH=self.without_terminals())
        pages = self.browser(agent)
        site = Site(self, agent)
        site.body = json.dumps({"activitycontinuation": {"apps": ["ABCDE.org.example.App"]}}).encode()
        agent.install("a", f"X-Baton-ActivityTypes={TYPE}", exec="no-such-program")
        agent.install("b", f"X-Baton-ActivityTypes={TYPE}", "Terminal=true")
        agent.install("org.example.App", "X-Baton-Domains=www.example.org", exec="no-such-program %u")
        agent.start()
        agent.wait_for_log("Fetched a domain's association")
        _, activity = self.publish(webpageURL=self.PAGE)
        self.open(activity)
        self.wait_for_pages(pages, self.PAGE)
        self.assertEqual(agent.log.read_text().count("no-such-program isn't installed"), 2)

    def test_an_app_that_the_domain_confirms_shows_the_page(self):
        agent = self.machines()
        self.browser(agent)
        site = Site(self, agent)
        site.body = json.dumps({"activitycontinuation": {"apps": ["ABCDE.org.example.App"]}}).encode()
        liar = agent.install("org.example.Liar", "X-Baton-Domains=www.example.org")
        report = agent.install("org.example.App", "X-Baton-Domains=www.example.org;*.example.net")
        agent.start()
        agent.wait_for_log("Fetched a domain's association", 2)
        _, activity = self.publish(webpageURL=self.PAGE)
        self.open(activity)
        self.assertEqual(agent.wait_for(report, "started")["arguments"], [TYPE, self.PAGE])
        _, activity = self.publish(activityType="org.example.other", webpageURL="http://a.b.example.net/")
        self.open(activity)
        wait_until(lambda: len(agent.events(report, "started")) == 2, "the second page")
        self.assertEqual(agent.wait_for(report, "started")["arguments"], [TYPE, "http://a.b.example.net/"])
        for event in agent.events(report, "started"):
            agent.kill(event["pid"])
        self.assertFalse(liar.exists())
        path = "/.well-known/apple-app-site-association"
        self.assertEqual(sorted(site.requests), [("example.net", path), ("www.example.org", path)])
        # What it said is kept, and no page asks for it again.
        agent.stop()
        site.body = b"{}"
        agent.start().entries(2)
        _, activity = self.publish(activityType="org.example.third", webpageURL=self.PAGE)
        self.open(activity)
        wait_until(lambda: len(agent.events(report, "started")) == 3, "the page after a restart")
        agent.wait_for(report, "started")
        self.assertEqual(len(site.requests), 2)
        # After a day it is asked for again.
        agent.stop()
        for file in (agent.home / "cache" / "baton" / "associations").iterdir():
            os.utime(file, (time.time() - 86401,) * 2)
        agent.start()
        wait_until(lambda: len(site.requests) == 4, "the domains are asked again")

    def test_a_domain_keeps_pages_for_the_browser(self):
        agent = self.machines()
        pages = self.browser(agent)
        site = Site(self, agent)
        detail = {"appIDs": ["ABCDE.org.example.App"], "components": [{"?": {"b": "c"}, "exclude": True}, {"/": "/a"}]}
        site.body = json.dumps({"applinks": {"details": [detail]}}).encode()
        report = agent.install("org.example.App", "X-Baton-Domains=www.example.org")
        agent.start()
        agent.wait_for_log("Fetched a domain's association")
        _, activity = self.publish(webpageURL=self.PAGE)
        self.open(activity)
        self.wait_for_pages(pages, self.PAGE)
        _, activity = self.publish(webpageURL="https://www.example.org/a?b=e")
        self.open(activity)
        self.assertEqual(agent.wait_for(report, "started")["arguments"], [TYPE, "https://www.example.org/a?b=e"])
        # One of another site, which only people take for a page of this one.
        _, activity = self.publish(activityType="org.example.other", webpageURL="https://example.net/\u0301@www.example.org/a")
        self.open(activity)
        self.wait_for_pages(pages, self.PAGE, "https://example.net/%CC%81@www.example.org/a")
        self.assertEqual(len(agent.events(report, "started")), 1)

    def test_a_domain_that_does_not_answer_is_taken_at_its_word_for_some_days(self):
        agent = self.machines()
        pages = self.browser(agent)
        site = Site(self, agent)
        site.body = json.dumps({"activitycontinuation": {"apps": ["ABCDE.org.example.App"]}}).encode()
        report = agent.install("org.example.App", "X-Baton-Domains=www.example.org")
        agent.start().wait_for_log("Fetched a domain's association")
        site.close()
        for count, age in enumerate((2, 8), start=1):
            agent.stop()
            for file in (agent.home / "cache" / "baton" / "associations").iterdir():
                os.utime(file, (time.time() - age * 86400,) * 2)
            agent.start().wait_for_log("Couldn't fetch a domain's association file: curl exited with status 7", count)
            _, activity = self.publish(activityType=f"org.example.after{age}", webpageURL=self.PAGE)
            self.open(activity)
            if age == 2:
                self.assertEqual(agent.wait_for(report, "started")["arguments"], [TYPE, self.PAGE])
        wait_until(lambda: pages.exists() and pages.read_text() == self.PAGE + "\n", "the browser has the second page")
        self.assertEqual(len(agent.events(report, "started")), 1)

    def check_unconfirmed(self, prepare, trouble):
        agent = self.machines()
        pages = self.browser(agent)
        site = Site(self, agent)
        site.body = json.dumps({"activitycontinuation": {"apps": ["ABCDE.org.example.App"]}}).encode()
        prepare(site, agent)
        report = agent.install("org.example.App", "X-Baton-Domains=www.example.org")
        agent.start()
        agent.wait_for_log(f"Couldn't fetch a domain's association file: {trouble}")
        _, activity = self.publish(webpageURL=self.PAGE)
        self.open(activity)
        self.wait_for_pages(pages, self.PAGE)
        self.assertFalse(report.exists())
        # What is no association is kept for an hour.
        requests = len(site.requests)
        agent.stop()
        agent.start()
        _, activity = self.publish(activityType="org.example.b", webpageURL=self.PAGE)
        self.open(activity)
        self.assertEqual(len(site.requests), requests)
        return site

    def test_a_redirection_confirms_nothing(self):
        def prepare(site, agent):
            site.status, site.headers = 302, {"Location": "https://www.example.org/other"}

        site = self.check_unconfirmed(prepare, "the server answered with status 302")
        self.assertEqual(len(site.requests), 1)

    def test_a_page_of_another_type_confirms_nothing(self):
        self.check_unconfirmed(lambda site, agent: setattr(site, "type", "text/html"), "the file's type is text/html")

    def test_a_domain_that_leads_into_the_network_at_home_is_not_asked(self):
        def prepare(site, agent):
            agent.program("getent", '#!/bin/sh\necho "127.0.0.1 STREAM $2"; echo "192.168.0.1 STREAM $2"\n')

        site = self.check_unconfirmed(prepare, "it has no public address")
        self.assertEqual(site.requests, [])

    def test_a_missing_file_confirms_nothing(self):
        self.check_unconfirmed(lambda site, agent: setattr(site, "status", 404), "the server answered with status 404")

    def test_a_file_that_is_too_long_confirms_nothing(self):
        def prepare(site, agent):
            site.body += b" " * (128 * 1024)

        self.check_unconfirmed(prepare, "curl exited with status 63")

    def test_an_endless_file_confirms_nothing(self):
        self.check_unconfirmed(lambda site, agent: setattr(site, "isEndless", True), "")

    def test_a_file_that_is_no_object_confirms_nothing(self):
        self.check_unconfirmed(lambda site, agent: setattr(site, "body", b"[1, 2"), "the file isn't a JSON object")

    def test_a_certificate_of_nobody_confirms_nothing(self):
        def prepare(site, agent):
            del agent.environment["CURL_CA_BUNDLE"]

        site = self.check_unconfirmed(prepare, "curl exited with status 60")
        self.assertEqual(site.requests, [])

    def test_settings_of_the_user_do_not_loosen_the_check(self):
        def prepare(site, agent):
            del agent.environment["CURL_CA_BUNDLE"]
            (agent.home / ".curlrc").write_text("insecure\nlocation\n")

        self.check_unconfirmed(prepare, "curl exited with status 60")


class Site:
    """A web server over HTTPS for every domain, whose authority the agent's curl trusts."""

    def __init__(self, case, agent):
        self.body, self.type, self.status, self.headers, self.isEndless = b"{}", "application/json", 200, {}, False
        self.requests = []
        directory = case.directory / "site"
        directory.mkdir()
        certificate, key = directory / "certificate.pem", directory / "key.pem"
        names = "subjectAltName=DNS:www.example.org,DNS:example.net"
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
             "-subj", "/CN=Test", "-addext", names, "-keyout", key, "-out", certificate],
            check=True, capture_output=True, timeout=60,
        )
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.requests.append((self.headers["Host"], self.path))
                self.send_response(site.status)
                self.send_header("Content-Type", site.type)
                for name, value in site.headers.items():
                    self.send_header(name, value)
                if not site.isEndless:
                    self.send_header("Content-Length", str(len(site.body)))
                self.end_headers()
                try:
                    self.wfile.write(site.body)
                    while site.isEndless:
                        self.wfile.write(b" " * 4096)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, address):
                pass

        server = Server(("127.0.0.1", 0), Handler)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.server = server
        case.addCleanup(self.close)
        agent.environment["CURL_CA_BUNDLE"] = str(certificate)
        curl = shutil.which("curl", path="/usr/bin:/bin")
        agent.program("curl", f'#!/bin/sh\nexec {curl} "$@" --connect-to ::127.0.0.1:{server.server_address[1]}\n')

    def close(self):
        """Nobody answers any more."""
        self.server.shutdown()
        self.server.server_close()
