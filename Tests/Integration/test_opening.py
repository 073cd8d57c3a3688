# SPDX-License-Identifier: Apache-2.0
"""Activities that a program opens on its own machine, as those that were found again: who gets them, and how."""
# Labs: lo
import os
import plistlib
import re
import shutil
import signal

from lab import BUILD, LabTest, Varlink, VarlinkError, wait_until
from library_app import App
from test_agent import TYPE, Agent

ITEM = {
    "activityType": "com.apple.corespotlightitem", "title": "Chapter",
    "userInfo": {"kCSSearchableItemActivityIdentifier": "chapter-7"},
}
CHAPTER = {
    "activityType": "org.example.chapter", "title": "Chapter", "userInfo": {"page": 7}, "webpageURL": "https://example.org/7",
}


class OpeningTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.laptop = self.batond("laptop").start()

    def open(self, activity, **parameters):
        with Varlink(self.laptop.socket, timeout=60) as connection:
            return connection.call("OpenActivity", activity=activity, origin="local", **parameters)

    def open_when_there(self, activity, application):
        """Opens it as soon as the app has registered."""
        def opened():
            try:
                self.open(activity, application=application)
                return True
            except VarlinkError as error:
                self.assertEqual(error.reason, "applicationNotFound")
                return False

        wait_until(opened, f"{application} is there")

    def test_an_app_without_types_gets_what_it_has_made(self):
        app = App(self, self.laptop, "reader")
        app.do("receive")
        self.open_when_there(CHAPTER, "handoff-app")
        event = app.wait("continue")
        self.assertEqual((event["type"], event["title"], event["thread"]), ("org.example.chapter", "Chapter", "main"))
        self.assertEqual(event["userInfo"], {"page": "integer 7"})
        self.assertEqual(event["webpageURL"], "https://example.org/7")
        self.open(ITEM, application="handoff-app")
        event = app.wait("continue")
        self.assertEqual(event["type"], "com.apple.corespotlightitem")
        self.assertEqual(event["userInfo"], {"kCSSearchableItemActivityIdentifier": "chapter-7"})
        self.assertEqual([event["type"] for event in app.all("willContinue")], ["org.example.chapter", ITEM["activityType"]])
        self.assertEqual(app.count("didFailToContinue"), 0)

    def test_an_app_that_takes_pages_gets_its_own_activity_and_of_others_the_page(self):
        app = App(self, self.laptop, "reader")
        app.do("receive", types=["NSUserActivityTypeBrowsingWeb"])
        self.open_when_there(CHAPTER, "handoff-app")
        self.assertEqual(app.wait("continue")["type"], "org.example.chapter")
        self.open(CHAPTER, application="org.example.Missing")
        event = app.wait("continue")
        self.assertEqual((event["type"], event["webpageURL"]), ("NSUserActivityTypeBrowsingWeb", "https://example.org/7"))
        self.assertFails("applicationNotFound", self.open, ITEM, application="org.example.Missing")

    def test_an_info_dictionary_names_the_app(self):
        directory = self.directory / "Reader.app"
        directory.mkdir()
        program = directory / "handoff-app"
        shutil.copy(BUILD / "handoff-app", program)
        (directory / "Info.plist").write_bytes(plistlib.dumps({"CFBundleIdentifier": "org.example.Reader"}))
        app = App(self, self.laptop, "reader", program)
        app.do("receive")
        self.open_when_there(ITEM, "org.example.Reader")
        app.wait("continue")
        self.assertFails("applicationNotFound", self.open, ITEM, application="handoff-app")

    def test_an_app_that_does_not_run_is_started_without_any_of_our_keys(self):
        agent = Agent(self, self.laptop)
        output = self.directory / "library.out"
        # The app of the tests ends with its input.
        agent.program("handoff", f"#!/bin/sh\n(echo '{{\"do\":\"receive\"}}'; exec sleep 600) | exec {BUILD}/handoff-app >{output}\n")
        agent.install("handoff-app", exec="handoff")
        # It takes the type, and is not the one.
        other = agent.install("other", f"X-Baton-ActivityTypes={CHAPTER['activityType']}")
        agent.start()
        self.open(CHAPTER, application="handoff-app")
        wait_until(lambda: '"continue"' in output.read_text() and "Chapter" in output.read_text(), "the app has it")
        started = re.search(r"Started an app.* pid=(\d+)", agent.log.read_text())
        self.addCleanup(os.killpg, int(started[1]), signal.SIGKILL)
        self.open(ITEM, application="handoff-app")
        wait_until(lambda: output.read_text().count('"continue"') == 2, "it has the second, too")
        self.assertEqual(agent.log.read_text().count("Started an app"), 1)
        self.assertFalse(other.exists())

    def test_if_it_is_not_installed_an_app_of_the_type_is_started(self):
        agent = Agent(self, self.laptop)
        report = agent.install("notes", f"X-Baton-ActivityTypes={TYPE}")
        agent.start()
        self.open({**CHAPTER, "activityType": TYPE}, application="org.example.Missing")
        agent.wait_for(report, "started")
        self.assertEqual(agent.wait_for(report, "continued")["activity"]["userInfo"], {"page": 7})

    def test_or_else_its_page_is_shown(self):
        agent = Agent(self, self.laptop)
        page = self.directory / "page"
        agent.program("xdg-open", f'#!/bin/sh\necho "$1" >{page}.new; mv {page}.new {page}\n')
        agent.start()
        self.open(CHAPTER, application="org.example.Missing")
        self.assertEqual(wait_until(lambda: page.exists() and page.read_text(), "the page"), "https://example.org/7\n")
        without = {key: value for key, value in CHAPTER.items() if key != "webpageURL"}
        self.assertFails("applicationNotFound", self.open, without, application="org.example.Missing")
        # Items have no page, and no other app.
        self.assertFails("applicationNotFound", self.open, {**ITEM, "webpageURL": "https://example.org/8"})
        self.assertEqual(page.read_text(), "https://example.org/7\n")

    def test_a_page_of_this_machines_own_server_is_shown_although_a_program_takes_pages(self):
        agent = Agent(self, self.laptop)
        page = self.directory / "page"
        agent.program("xdg-open", f'#!/bin/sh\necho "$1" >{page}.new; mv {page}.new {page}\n')
        app = App(self, self.laptop, "browser")
        app.do("receive", types=["NSUserActivityTypeBrowsingWeb"])
        self.open_when_there(CHAPTER, "handoff-app")
        app.wait("continue")
        # With an agent, the page would be shown until the app is there.
        agent.start()
        for kind in ("org.example.chapter", "NSUserActivityTypeBrowsingWeb"):
            local = f"http://localhost:8080/{kind}"
            self.open({**CHAPTER, "activityType": kind, "webpageURL": local})
            wait_until(lambda: page.exists() and page.read_text() == f"{local}\n", "the page")
        self.assertEqual(app.count("willContinue"), 1)

    def test_a_script_gets_it_by_its_id(self):
        agent = Agent(self, self.laptop)
        result = self.directory / "result"
        script = agent.program(
            "reader", f'#!/bin/sh\nexec {self.laptop.command_line()[0]} continue "$BATON_OFFER" --json >{result}.new\n'
        )
        agent.install("org.example.Reader", exec=script)
        agent.start()
        self.open(CHAPTER, application="org.example.Reader")
        wait_until(lambda: '"page":7' in (self.directory / "result.new").read_text(), "what the script got")
