# SPDX-License-Identifier: Apache-2.0
"""Search: what apps give the index, how people find, open and forget it, and what is left on the disk."""
# Labs: lo, pair
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time

from desktop import SessionBus
from lab import PATIENCE, LabTest, Varlink, VarlinkError, wait_until
from library_app import App
from test_agent import Agent

TYPE = "org.example.notes"


class Index(Agent):
    """The agent with its search index."""

    def __init__(self, case, daemon, folder=None, **environment):
        super().__init__(case, daemon, folder, **environment)
        self.socket = self.home / "baton/search.sock"
        self.database = self.data / "baton"

    def start(self, *arguments, prefix=()):
        super().start("--no-notifications", *arguments, prefix=prefix)
        wait_until(self.answers, "the index answers")
        return self

    def answers(self):
        try:
            self.call("GetStatus")
            return True
        except (OSError, VarlinkError):
            return False

    def call(self, method, **parameters):
        with Varlink(self.socket, timeout=60) as connection:
            return connection.call(f"io.baton.Search.{method}", **parameters)

    def baton(self, *arguments, check=True):
        return subprocess.run(
            self.daemon.command_line(*arguments), env={**self.environment, "BATON_SEARCH_SOCKET": str(self.socket)},
            capture_output=True, text=True, timeout=60, check=check, stdin=subprocess.DEVNULL,
        )

    def titles(self, words):
        return [result["title"] for result in self.call("Search", words=words)["results"]]

    def wait_for_titles(self, words, titles):
        wait_until(lambda: sorted(self.titles(words)) == sorted(titles), f"{words!r} finds {titles}")

    def bytes(self):
        return b"".join(path.read_bytes() for path in sorted(self.database.iterdir()) if path.is_file())


class SearchTest(LabTest):
    labs = ("lo",)

    def index(self, **environment):
        self.daemon = self.batond("laptop").start()
        return Index(self, self.daemon, **environment)

    def app(self, index, name="handoff-app"):
        return App(self, self.daemon, name, BATON_SEARCH_SOCKET=str(index.socket))


class DonationTests(SearchTest):
    labs = ("lo", "pair")

    def test_an_activity_is_found_after_it_became_current(self):
        index = self.index().start()
        app = self.app(index)
        app.make_current("Whales", {"isEligibleForSearch": True, "keywords": ["Ahab"], "contentDescription": "Call me Ishmael"})
        for words in ("whal", "AHAB", "ishmael call"):
            index.wait_for_titles(words, ["Whales"])
        self.assertEqual(index.titles("whales moby"), [])
        app.make_current("Secret")
        app.make_current("Whales again", {"isEligibleForSearch": True})
        index.wait_for_titles("whales", ["Whales", "Whales again"])
        # It was never eligible.
        self.assertEqual(index.titles("secret"), [])

    def test_an_activity_that_is_eligible_when_it_is_saved_is_found(self):
        index = self.index().start()
        app = self.app(index)
        app.make_current("Whales", {"needsSave": True}, willSave={"isEligibleForSearch": True})
        index.wait_for_titles("whales", ["Whales"])
        app.wait("willSave", name="Whales")
        # An activity that stays ineligible is saved once, and needs saving again.
        app.make_current("Secret", {"needsSave": True}, willSave={"userInfo": {"text": "new"}})
        app.wait("willSave", name="Secret")
        wait_until(lambda: app.get("Secret")["needsSave"], "it needs saving again")
        app.make_current("Whales again", {"isEligibleForSearch": True})
        index.wait_for_titles("whales", ["Whales", "Whales again"])
        app.get("Secret")
        self.assertEqual((app.count("willSave"), index.titles("secret")), (2, []))

    def test_apps_do_not_wait_and_lose_nothing_while_there_is_no_index(self):
        index = self.index()
        app = self.app(index)
        for number in range(20):
            app.make_current(f"Note {number}", {"isEligibleForSearch": True, "persistentIdentifier": str(number)})
        index.start()
        index.wait_for_titles("note", [f"Note {number}" for number in range(20)])

    def test_saved_activities_are_deleted_truly(self):
        index = self.index().start()
        app = self.app(index)
        for name in ("Xylophone", "Zymurgy"):
            app.make_current(name, {
                "isEligibleForSearch": True, "persistentIdentifier": name, "keywords": [f"canary{name}"],
                "userInfo": {"text": f"info{name}"},
            })
            index.wait_for_titles(name, [name])
        app.do("deleteSaved", identifiers=["Xylophone"])
        app.wait("deletedSaved")
        self.assertEqual(index.titles("xylophone"), [])
        self.assertEqual(index.titles("zymurgy"), ["Zymurgy"])
        self.assertNotIn(b"ylophone", index.bytes())
        app.do("deleteSaved")
        app.wait("deletedSaved")
        self.assertEqual(index.titles("zymurgy"), [])
        self.assertNotIn(b"ymurgy", index.bytes())

    def test_items_are_indexed_queried_and_deleted(self):
        index = self.index().start()
        app = self.app(index)
        app.do("index", identifiers=["alpha", "beta"], text="A document")
        self.assertNotIn("code", app.wait("indexed"))
        index.wait_for_titles("document", ["A document"] * 2)
        index.wait_for_titles("beta", ["A document"])
        app.do("query", text='keywords == "al*"c')
        self.assertEqual(app.wait("found")["identifiers"], ["alpha"])
        for expression, identifiers in (
            ('title == "*DOC*"c && keywords != "beta"', ["alpha"]),
            ("title == * && (uniqueIdentifier == 'beta' || keywords == \"alp*\"cdwt)", ["alpha", "beta"]),
            ('** == "gamma"', []),
            ("contentType == 'public.*' && !(contentType == 'public.image')", ["alpha", "beta"]),
        ):
            app.do("query", text=expression)
            self.assertEqual(app.wait("found")["identifiers"], identifiers, expression)
        app.do("query", text="title ==")
        error = app.wait("found")
        self.assertEqual(error["code"], -2002)
        self.assertIn("expected a value at byte 8", error["message"])
        app.do("deleteItems", identifiers=["alpha"])
        self.assertNotIn("code", app.wait("deletedItems"))
        index.wait_for_titles("document", ["A document"])


class OpeningTests(SearchTest):
    def result(self, index, words):
        return wait_until(lambda: index.call("Search", words=words)["results"], f"{words} is found")[0]

    def test_a_running_app_continues_its_result(self):
        index = self.index().start()
        app = self.app(index)
        app.do("receive", types=[TYPE])
        app.make_current("Whales", {
            "isEligibleForSearch": True, "userInfo": {"page": "7", "other": "x"}, "requiredUserInfoKeys": ["page"],
            "persistentIdentifier": "whales",
        })
        index.call("Open", result=self.result(index, "whales")["id"])
        event = app.wait("continue")
        self.assertEqual((event["title"], event["type"]), ("Whales", TYPE))
        self.assertEqual(event["userInfo"], {"page": "7"})
        self.assertEqual(event["persistentIdentifier"], "whales")
        output = index.baton("search", "whales", "--open", "--json").stdout
        self.assertIn("opened", json.loads(output))
        self.assertEqual(app.wait("continue")["userInfo"], {"page": "7"})

    def test_an_item_arrives_as_an_activity_of_core_spotlight(self):
        index = self.index().start()
        app = self.app(index)
        app.do("receive", types=[TYPE])
        app.do("index", identifiers=["alpha"], text="A document")
        app.wait("indexed")
        app.do("index", identifiers=["beta"], text="Two\nlines")
        app.wait("indexed")
        index.call("Open", result=self.result(index, "lines")["id"])
        self.assertEqual(app.wait("continue")["userInfo"], {"kCSSearchableItemActivityIdentifier": "beta"})
        index.call("Open", result=self.result(index, "document")["id"])
        event = app.wait("continue")
        self.assertEqual(event["type"], "com.apple.corespotlightitem")
        self.assertEqual(event["userInfo"], {"kCSSearchableItemActivityIdentifier": "alpha"})
        self.assertEqual(event["title"], "A document")

    def test_an_app_that_is_not_running_is_started(self):
        index = self.index()
        report = index.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE};")
        index.start()
        index.call("Index", application="org.example.Notes", entries=[{
            "identifier": "a", "title": "Whales", "isEligibleForSearch": True,
            "activity": {"id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE, "userInfo": {"page": 7}},
        }])
        index.call("Open", result=self.result(index, "whales")["id"])
        self.assertEqual(index.wait_for(report, "continued")["activity"]["userInfo"], {"page": 7})

    def test_a_page_opens_in_the_browser_if_no_app_takes_it(self):
        index = self.index()
        shown = self.directory / "shown"
        index.program("xdg-open", f'#!/bin/sh\necho "$1" >{shown}\n')
        index.start()
        index.call("Index", application="org.example.Notes", entries=[{
            "identifier": "a", "title": "Whales", "isEligibleForSearch": True,
            "activity": {
                "id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE, "webpageURL": "https://example.org/whales",
            },
        }])
        index.call("Open", result=self.result(index, "whales")["id"])
        wait_until(lambda: shown.exists() and shown.read_text() == "https://example.org/whales\n", "the page is shown")

    def test_one_bad_entry_of_fifty_keeps_no_other_out(self):
        index = self.index().start()
        entries = [{"identifier": str(number), "title": f"Whale {number}"} for number in range(50)]
        entries[7] = {"identifier": "", "title": "Whale 7"}
        entries[8]["activity"] = {"id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": "no type"}
        entries[9] |= {"isEligibleForSearch": True, "activity": {
            "id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE, "title": "Whale\n9",
            "webpageURL": "https://example.org/?" + "x" * 2048,
        }}
        reply = index.call("Index", application="a", entries=entries)
        self.assertEqual(reply["omitted"], [
            {"entry": 7, "member": "identifier", "isSaved": False}, {"entry": 8, "member": "activity", "isSaved": False},
            {"entry": 9, "member": "activity.webpageURL", "isSaved": True},
        ])
        found = {result["title"] for result in index.call("Search", words="whale", limit=100)["results"]}
        self.assertEqual(found, {f"Whale {number}" for number in range(50) if number not in (7, 8)})
        with self.assertRaises(VarlinkError) as failure:
            index.call("Index", application="a", entries=entries[7:8])
        self.assertEqual(failure.exception.reason, "limitReached")

    def test_what_cannot_be_opened_says_why(self):
        index = self.index().start()
        index.call("Index", application="nobody", entries=[{"identifier": "a", "title": "Whales"}])
        result = self.result(index, "whales")["id"]
        with self.assertRaises(VarlinkError) as failure:
            index.call("Open", result=result)
        self.assertEqual(failure.exception.reason, "applicationNotFound")
        outcome = index.baton("search", "nothing", "--open", check=False)
        self.assertEqual((outcome.returncode, outcome.stderr), (4, "baton: No results.\n"))


class ForgettingTests(SearchTest):
    def fill(self, index):
        for application, title in (("a", "Alpha"), ("b", "Beta"), ("b", "Gamma")):
            index.call("Index", application=application, entries=[{
                "identifier": title, "title": f"Thing {title}", "isEligibleForSearch": True, "isEligibleForPrediction": True,
                "activity": {"id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE},
            }])

    def test_people_forget_by_app_by_time_by_result_and_everything(self):
        index = self.index().start()
        self.fill(index)
        self.assertEqual(index.baton("search", "--forget", "--app", "a").stdout, "Deleted 1 entry.\n")
        self.assertEqual(index.titles("alpha"), [])
        index.baton("search", "--forget", "--before", "1h")
        self.assertEqual(len(index.titles("thing")), 2)
        beta = index.call("Search", words="beta")["results"][0]["id"]
        index.baton("search", "--forget", "--result", beta.split(".")[-1])
        self.assertEqual(index.titles("thing"), ["Thing Gamma"])
        self.fill(index)
        index.baton("search", "--forget", "--since", "1h")
        self.assertEqual(index.titles("thing"), [])
        self.fill(index)
        self.assertEqual(index.baton("search", "--forget", "--all", check=False).returncode, 2)
        self.assertEqual(index.baton("search", "--forget", "--all", "--yes").stdout, "Deleted 3 entries.\n")
        self.assertEqual(index.titles("thing"), [])
        self.assertNotIn(b"Gamma", index.bytes())

    def test_the_settings_turn_it_off(self):
        index = self.index().start()
        self.fill(index)
        settings = index.home / ".config/baton"
        settings.mkdir(parents=True)
        new = settings / "new"
        new.write_text("[Search]\nSuggestions=no\n")
        new.rename(settings / "agent.conf")
        wait_until(lambda: index.call("Suggest")["results"] == [], "nothing is suggested")
        self.assertEqual(len(index.titles("thing")), 3)
        new.write_text("[Search]\nEnabled=no\n")
        new.rename(settings / "agent.conf")
        wait_until(lambda: index.titles("thing") == [], "nothing is found")
        wait_until(lambda: b"Gamma" not in index.bytes(), "nothing is left in the files")
        self.fill(index)
        self.assertEqual(index.titles("thing"), [])


    def test_entries_expire_at_their_date(self):
        index = self.index().start()
        entries = [{"identifier": name, "title": f"Thing {name}", "expirationDate": time.time() + seconds} for name, seconds in (("a", 3), ("b", 300))]
        index.call("Index", application="a", entries=entries)
        self.assertEqual(sorted(index.titles("thing")), ["Thing a", "Thing b"])
        wait_until(lambda: index.call("GetStatus")["entries"] == 1, "the first one is deleted")
        self.assertEqual(index.titles("thing"), ["Thing b"])
        # Nothing of it is left after an agent that stops.
        index.stop()
        self.assertNotIn(b"Thing a", index.bytes())
        self.assertIn(b"Thing b", index.bytes())


class DamageTests(SearchTest):
    def test_an_agent_that_is_killed_keeps_what_it_said_it_saved(self):
        index = self.index().start()
        for number in range(30):
            index.call("Index", application="a", entries=[{"identifier": str(number), "title": f"Thing {number}"}])
            if number % 10 == 9:
                index.process.send_signal(signal.SIGKILL)
                index.process.wait()
                index.start()
        self.assertEqual(index.call("GetStatus")["entries"], 30)

    def test_a_damaged_index_is_moved_aside_and_begins_again(self):
        index = self.index().start()
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        index.stop()
        (index.database / "search.db").write_bytes(b"This is not a database. " * 1000)
        index.start()
        index.wait_for_log("The search index was damaged")
        self.assertEqual(index.titles("thing"), [])
        self.assertTrue(index.call("GetStatus")["damaged"].endswith("search.db.damaged"))
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        self.assertEqual(index.titles("thing"), ["Thing"])
        index.baton("search", "--forget", "--all", "--yes")
        self.assertNotIn("damaged", index.call("GetStatus"))

    def test_an_index_that_is_removed_begins_again(self):
        index = self.index().start()
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        self.assertEqual(index.titles("thing"), ["Thing"])
        shutil.rmtree(index.database)
        self.assertEqual(index.titles("thing"), [])
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        self.assertEqual(index.titles("thing"), ["Thing"])
        index.stop()
        index.start()
        self.assertEqual(index.titles("thing"), ["Thing"])

    def test_whatever_happens_to_its_files_the_index_goes_on(self):
        def flip(path, count):
            content = bytearray(path.read_bytes())
            for _ in range(count):
                content[generator.randrange(len(content))] = generator.randrange(256)
            with open(path, "r+b") as file:
                file.write(content)

        def replace(path, make):
            path.unlink()
            make(path)

        def lock_up(path):
            path.chmod(0)
            path.parent.chmod(0)

        kinds = {
            "one byte": lambda path: flip(path, 1),
            "many bytes": lambda path: flip(path, 5000),
            "half a file": lambda path: os.truncate(path, path.stat().st_size // 2),
            "an empty file": lambda path: os.truncate(path, 0),
            "zeros": lambda path: path.write_bytes(b"\0" * path.stat().st_size),
            "no file": lambda path: path.unlink(),
            "no directory": lambda path: shutil.rmtree(path.parent),
            "a directory": lambda path: replace(path, lambda path: (path / "within").mkdir(parents=True)),
            "a pipe": lambda path: replace(path, os.mkfifo),
            "a link": lambda path: replace(path, lambda path: path.symlink_to("/etc/passwd")),
            "no rights": lock_up,
        }
        index = self.index().start()
        database = index.database / "search.db"
        for seed, (kind, damage) in enumerate(kinds.items()):
            for state in ("running", "stopped", "killed"):
                with self.subTest(kind=kind, state=state):
                    generator = random.Random(seed)
                    entries = [{"identifier": str(number), "title": f"Thing {number}"} for number in range(100)]
                    index.call("Index", application="a", entries=entries)
                    if state != "running":
                        index.process.send_signal(signal.SIGTERM if state == "stopped" else signal.SIGKILL)
                        index.process.wait()
                    damage(database)
                    if state != "running":
                        index.start()
                    # It answers, even if it has begun again.
                    index.titles("thing")
                    index.call("Index", application="a", entries=[{"identifier": "new", "title": f"New after {kind}"}])
                    index.wait_for_titles(f"new after {kind}", [f"New after {kind}"])
                    index.call("Forget", all=True)

    def test_what_a_reader_of_the_file_keeps_is_overwritten_when_it_ends(self):
        index = self.index().start()
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing canary"}])
        reader = sqlite3.connect(f"file:{index.database}/search.db?mode=ro", uri=True)
        self.addCleanup(reader.close)
        reader.execute("BEGIN")
        self.assertEqual(reader.execute("SELECT title FROM entry").fetchall(), [("Thing canary",)])
        with self.assertRaises(VarlinkError) as failure:
            index.call("Delete", application="a", identifiers=["a"])
        self.assertEqual(failure.exception.reason, "indexUnavailable")
        self.assertEqual(index.titles("thing"), [])
        self.assertIn(b"canary", index.bytes())
        reader.close()
        wait_until(lambda: b"canary" not in index.bytes(), "it is overwritten")

    def test_files_are_the_users_alone(self):
        index = self.index().start()
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        for path in [index.database, *index.database.iterdir(), index.socket]:
            self.assertEqual(os.stat(path).st_mode & 0o077, 0, path)

    def test_a_second_agent_leaves_the_index_alone(self):
        index = self.index().start()
        index.call("Index", application="a", entries=[{"identifier": "a", "title": "Thing"}])
        second = Index(self, self.daemon)
        second.environment["BATON_SOCKET"] = str(self.directory / "nowhere")
        second.log = self.directory / "second.log"
        self.logs.append(second.log)
        with open(second.log, "ab") as log:
            process = self.spawn(self.daemon.command_line("agent"), env=second.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(lambda: "Search and file transfers aren't available" in second.log.read_text(), "it says so")
        self.assertEqual(index.titles("thing"), ["Thing"])
        process.terminate()
        process.wait(60)
        self.assertEqual(index.titles("thing"), ["Thing"])


class ModelTests(SearchTest):
    """Random donations and deletions while the app and the agent are killed, against a model of what must be found."""

    def test_nothing_is_lost_and_nothing_comes_back(self):
        for seed in range(24):
            with self.subTest(seed=seed):
                self.run_seed(random.Random(seed))

    def setUp(self):
        super().setUp()
        self.search = self.index().start()

    def run_seed(self, generator):
        self.search.call("Forget", all=True)
        app = self.app(self.search)
        # For each activity, the titles that it may have; None if it may be gone.
        allowed = {str(number): {None} for number in range(6)}
        for step in range(25):
            name = generator.choice(sorted(allowed))
            match generator.choices(["donate", "delete", "deleteAll", "killAgent", "killApp", "check"], [10, 3, 1, 2, 2, 2])[0]:
                case "donate":
                    title = f"Thing {name} {step}"
                    app.make_current(title, {"isEligibleForSearch": True, "persistentIdentifier": name})
                    allowed[name] = {title}
                case "delete":
                    app.do("deleteSaved", identifiers=[name])
                    app.wait("deletedSaved")
                    allowed[name] = {None}
                case "deleteAll":
                    app.do("deleteSaved")
                    app.wait("deletedSaved")
                    allowed = {name: {None} for name in allowed}
                case "killAgent":
                    self.search.process.kill()
                    self.search.process.wait()
                    self.search.start()
                case "killApp":
                    # What the index had not taken yet may be lost. What it took stays.
                    before = self.found()
                    app.kill()
                    app = self.app(self.search)
                    allowed = {name: titles | {before.get(name)} for name, titles in allowed.items()}
                case "check":
                    self.check(allowed)
        self.check(allowed)
        app.kill()

    def found(self):
        """The title of each activity that is found."""
        titles = [result["title"] for result in self.search.call("Search", words="thing", limit=100)["results"]]
        found = {title.split()[1]: title for title in titles}
        self.assertEqual(len(found), len(titles), titles)
        return found

    def check(self, allowed):
        def is_allowed():
            found = self.found()
            return all(found.get(name) in titles for name, titles in allowed.items())

        wait_until(is_allowed, f"{allowed} is found")


class SearchBus(SessionBus):
    def call(self, method, *arguments):
        """Calls the search provider, and returns what dbus-send(1) prints."""
        return subprocess.run(
            [
                "dbus-send", f"--bus={self.address}", "--print-reply", "--dest=io.baton.Search", "/io/baton/Search",
                method, *arguments,
            ],
            check=True, capture_output=True, timeout=PATIENCE, text=True,
        ).stdout.split("\n", 1)[1]


class DesktopTests(SearchTest):
    def test_a_bus_that_refuses_the_agent_is_not_taken_for_another_program(self):
        daemon = self.batond("laptop").start()
        for what in ("user", "own"):
            with self.subTest(what):
                bus = SearchBus(self, f"bus-without-{what}")
                rule = f'<policy context="mandatory"><deny {what}="*"/></policy></busconfig>'
                bus.configuration.write_text(bus.configuration.read_text().replace("</busconfig>", rule))
                variables = {"DBUS_SESSION_BUS_ADDRESS": bus.start().address}
                index = Index(self, daemon, self.directory / f"agent-without-{what}", **variables).start()
                index.wait_for_log("The desktop can't search")
                self.assertNotIn("Another program", index.log.read_text())
                index.stop()

    def test_desktops_find_and_open_over_d_bus(self):
        bus = SearchBus(self).start()
        index = self.index(DBUS_SESSION_BUS_ADDRESS=bus.address).start()
        index.wait_for_log("The desktop can search")
        app = self.app(index)
        app.do("receive", types=[TYPE])
        app.make_current("Whales", {"isEligibleForSearch": True, "persistentIdentifier": "w"})
        index.wait_for_titles("whales", ["Whales"])
        gnome = "org.gnome.Shell.SearchProvider2"
        identifier = bus.call(f"{gnome}.GetInitialResultSet", "array:string:whal").split('"')[1]
        self.assertIn('"Whales"', bus.call(f"{gnome}.GetResultMetas", f"array:string:{identifier}"))
        bus.call(f"{gnome}.ActivateResult", f"string:{identifier}", "array:string:whal", "uint32:0")
        self.assertEqual(app.wait("continue")["title"], "Whales")
        self.assertIn('"Whales"', bus.call("org.kde.krunner1.Match", "string:whales"))
        bus.call("org.kde.krunner1.Run", f"string:{identifier}", "string:")
        self.assertEqual(app.wait("continue")["title"], "Whales")
