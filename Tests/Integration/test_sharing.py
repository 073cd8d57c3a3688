# SPDX-License-Identifier: Apache-2.0
"""What machines of one team share of their search indexes."""
# Labs: lo

from lab import LabTest, VarlinkError, wait_until
from test_search import TYPE, Index, SearchBus


class Sharer(Index):
    """The agent of one of the machines, with its index."""

    def __init__(self, case, daemon):
        super().__init__(case, daemon, case.directory / f"{daemon.name}.agent")

    def share(self, teams, **keys):
        """Writes the settings, as an editor does."""
        settings = self.home / ".config/baton"
        settings.mkdir(parents=True, exist_ok=True)
        new = settings / "new"
        lines = [f"{key}={value}" for key, value in {"ShareWith": teams, **keys}.items()]
        new.write_text("\n".join(["[Search]", *lines]) + "\n")
        new.rename(settings / "agent.conf")
        return self

    def put(self, *titles, **members):
        self.call("Index", application="org.example.Notes", entries=[{
            "identifier": title, "title": f"Thing {title}", "isEligibleForSearch": True, "isEligibleForPublicIndexing": True,
            "activity": {
                "id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE,
                "webpageURL": f"https://example.org/{title}",
            },
            **members,
        } for title in titles])

    def delete(self, *titles):
        self.call("Delete", application="org.example.Notes", persistentIdentifiers=list(titles))

    def things(self):
        return sorted(result["title"].removeprefix("Thing ") for result in self.results())

    def results(self):
        return self.call("Search", words="thing", limit=200)["results"]

    def wait_for_things(self, *titles):
        wait_until(lambda: self.things() == sorted(titles), f"{sorted(titles)} are found")


class SharingTest(LabTest):
    def setUp(self):
        super().setUp()
        self.daemons = self.two()
        self.laptop, self.desktop = (Sharer(self, daemon) for daemon in self.daemons)

    def start(self, laptop="all", desktop="all"):
        self.laptop.share(laptop).start()
        self.desktop.share(desktop).start()


class FindingTests(SharingTest):
    def test_what_is_eligible_is_found_on_the_other_machine(self):
        self.start("Demo")
        self.laptop.put("alpha", keywords=["anchor"], contentDescription="About ships", textContent="Secret text")
        self.laptop.put("beta", isEligibleForPublicIndexing=False)
        self.laptop.put("gamma", activity={"id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE})
        self.desktop.put("delta")
        self.desktop.wait_for_things("alpha", "delta")
        self.laptop.wait_for_things("alpha", "beta", "delta", "gamma")
        result = self.desktop.call("Search", words="anchor ships")["results"][0]
        self.assertEqual((result["device"], result["webpageURL"]), ("laptop", "https://example.org/alpha"))
        self.assertNotIn("device", self.laptop.call("Search", words="anchor")["results"][0])
        self.assertNotIn(b"Secret text", self.desktop.bytes())
        status = self.desktop.call("GetStatus")
        self.assertEqual((status["foreign"], status["shared"], status["teams"]), (1, 1, ["Demo"]))
        # The name is known, even if the other machine is off.
        self.daemons[0].terminate()
        self.desktop.stop()
        self.desktop.start()
        self.assertEqual(self.desktop.call("Search", words="anchor")["results"][0]["device"], "laptop")
        lines = self.desktop.baton("search", "anchor").stdout
        self.assertIn("laptop", lines)

    def test_an_offer_and_what_its_machine_shares_are_one_result(self):
        self.start()
        self.laptop.put("alpha", "beta")
        self.desktop.put("gamma-things")
        self.desktop.wait_for_things("alpha", "beta", "gamma-things")
        _, activity = self.daemons[0].publish(TYPE, title="Thing alpha")
        self.daemons[1].wait_for_offer(activity)

        def found():
            return [(result["kind"], result["title"]) for result in self.desktop.results()]

        wait_until(lambda: ("offer", "Thing alpha") in found(), "the offer is found")
        self.assertEqual(sorted(found()), [
            ("entry", "Thing beta"), ("entry", "Thing gamma-things"), ("offer", "Thing alpha"),
        ])
        # Whoever names it better comes first.
        results = self.desktop.call("Search", words="gamma")["results"]
        self.assertEqual([result["title"] for result in results], ["Thing gamma-things"])
        results = self.desktop.call("Search", words="alpha thing")["results"]
        self.assertEqual([(result["kind"], result["titleMatches"]) for result in results], [("offer", [0, 5, 6, 5])])

    def test_a_result_of_another_machine_opens_its_page(self):
        shown = self.directory / "shown"
        self.desktop.program("xdg-open", f'#!/bin/sh\necho "$1" >{shown}\n')
        self.start()
        self.laptop.put("alpha")
        self.desktop.wait_for_things("alpha")
        self.desktop.call("Open", result=self.desktop.results()[0]["id"])
        wait_until(lambda: shown.exists() and shown.read_text() == "https://example.org/alpha\n", "the page is shown")

    def test_a_click_in_gnome_shell_is_for_what_it_shows(self):
        """The shell asks for the title of a result once, and not again while somebody types."""
        bus = SearchBus(self).start()
        desktop = Index(self, self.daemons[1], self.directory / "shell.agent", DBUS_SESSION_BUS_ADDRESS=bus.address)
        opened = self.directory / "opened"
        desktop.program("xdg-open", f'#!/bin/sh\necho "$1" >>{opened}\n')
        desktop.start()
        desktop.wait_for_log("The desktop can search")
        page = {"activityType": "NSUserActivityTypeBrowsingWeb"}
        _, activity = self.daemons[0].publish(title="Thing alpha", webpageURL="https://alpha.example/", activity_type=page["activityType"])
        self.daemons[1].wait_for_offer(activity)
        gnome = "org.gnome.Shell.SearchProvider2"

        def find(method, *more):
            return bus.call(f"{gnome}.{method}", *more, "array:string:thing").split('"')[1::2]

        identifier, = wait_until(lambda: find("GetInitialResultSet"), "it is found")
        self.assertIn('"Thing alpha"', bus.call(f"{gnome}.GetResultMetas", f"array:string:{identifier}"))
        for title, host in (("Thing beta", "beta"), ("Thing alpha", "alpha")):
            self.daemons[0].call("UpdateActivity", activity={**page, "id": activity, "title": title, "webpageURL": f"https://{host}.example/"})
            wait_until(lambda: self.daemons[1].offer_titles() == [title], "it has another title")
            wait_until(lambda: find("GetSubsearchResultSet", f"array:string:{identifier}") == [identifier], "the agent has it, too")
            bus.call(f"{gnome}.ActivateResult", f"string:{identifier}", "array:string:thing", "uint32:0")
            # The click is judged by what the offer is then, perhaps a moment later.
            if host == "beta":
                desktop.wait_for_log("Couldn't open a search result")
        wait_until(opened.exists, "the page is shown")
        self.assertEqual(opened.read_text(), "https://alpha.example/\n")

    def assertOpensNothing(self, result, shown):
        with self.assertRaises(VarlinkError) as failure:
            self.desktop.call("Open", result=result["id"], shown=shown)
        self.assertEqual(failure.exception.reason, "activityChanged")

    def test_a_result_that_became_another_one_after_it_was_shown_does_not_open(self):
        opened = self.directory / "opened"
        self.desktop.program("xdg-open", f'#!/bin/sh\necho "$1" >{opened}\n')
        self.start()
        self.laptop.put("alpha")
        self.desktop.wait_for_things("alpha")
        result, = self.desktop.results()
        shown = {name: result[name] for name in ("title", "activityType", "webpageURL")}
        for name, value in (("title", "Thing beta"), ("activityType", "org.example.other"), ("webpageURL", "https://example.org/")):
            self.assertOpensNothing(result, {**shown, name: value})
        offer = {"title": "Thing gamma", "activityType": TYPE}
        _, activity = self.daemons[0].publish(TYPE, title="Thing gamma")
        self.daemons[1].wait_for_offer(activity)
        found = wait_until(lambda: [each for each in self.desktop.results() if each["kind"] == "offer"], "the offer is found")
        self.assertOpensNothing(found[0], {**offer, "title": "Holiday"})
        self.assertFalse(opened.exists())
        self.desktop.call("Open", result=result["id"], shown=shown)
        wait_until(lambda: opened.exists() and opened.read_text() == "https://example.org/alpha\n", "the page is shown")

    def test_a_result_of_another_machine_stays_foreign(self):
        """It names no files of this machine, chooses no app here, and stands for no item of an index here."""
        self.start()
        here = str(self.make_folder("here"))
        directory = {"id": "5b1f0c52-8a3e-4b6e-9e0d-000000000002", "activityType": "io.baton.directory", "userInfo": {
            "directory": {"path": here}}}
        item = {
            "id": "5b1f0c52-8a3e-4b6e-9e0d-000000000003", "activityType": "com.apple.corespotlightitem",
            "userInfo": {"kCSSearchableItemActivityIdentifier": "1"}}
        self.laptop.put("item", activity=item)
        self.laptop.put("directory", activity=directory)
        self.desktop.wait_for_things("directory")
        for index, expected in ((self.desktop, self.laptop), (self.laptop, None)):
            # The app that made it, and one that takes its type.
            daemon = index.daemon
            maker = daemon.connect()
            maker.more("RegisterApplication", activityTypes=[], application="org.example.Notes")
            maker.receive()
            taker = daemon.connect()
            taker.more("RegisterApplication", activityTypes=[directory["activityType"]])
            taker.receive()
            result, = [each for each in index.results() if each["title"] == "Thing directory"]
            index.call("Open", result=result["id"])
            request = (taker if expected else maker).receive()
            reply = daemon.call("Continue", id=request["id"])
            device = self.daemons[0].call("ListTeams")["teams"][0]["deviceID"]
            self.assertEqual((reply["origin"], reply["device"]), (device if expected else "local", "laptop"))

    def make_folder(self, name):
        folder = self.directory / name
        folder.mkdir()
        return folder

    def test_many_entries_arrive(self):
        self.start()
        titles = [f"n{number}" for number in range(150)]
        for number in range(0, 150, 30):
            self.laptop.put(*titles[number:number + 30], contentDescription="long " * 100)
        self.desktop.wait_for_things(*titles)

    def test_nothing_is_shared_unless_both_say_so(self):
        self.start(desktop="")
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.laptop.daemon.wait_for_sessions()
        self.desktop.share("all")
        self.desktop.wait_for_things("alpha", "beta")
        self.laptop.wait_for_things("alpha", "beta")
        self.desktop.share("none")
        self.desktop.wait_for_things("beta")
        self.laptop.wait_for_things("alpha")
        self.assertEqual(self.desktop.call("GetStatus")["shared"], 0)

    def test_who_stopped_sharing_while_the_agent_did_not_run_says_so(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.wait_for_things("alpha")
        self.laptop.stop()
        self.laptop.share("none").start()
        self.desktop.wait_for_things()

    def test_a_name_of_two_teams_is_neither(self):
        other = self.batond("stranger").start()
        self.make_team(self.daemons[0], other, name="Demo")
        self.start("Demo", "all")
        self.laptop.wait_for_log("ShareWith= matches more than one team, so nothing is shared with any of them. Specify the Team ID team=Demo")
        self.assertEqual(self.laptop.call("GetStatus")["teams"], [])

    def test_what_two_teams_have_is_one_result(self):
        self.make_team(*self.daemons, name="Second")
        self.start()
        self.laptop.put("alpha")
        wait_until(lambda: self.desktop.call("GetStatus")["foreign"] == 2, "both teams have it")
        self.assertEqual(self.desktop.things(), ["alpha"])

    def test_the_deepest_user_info_is_shared(self):
        self.start()
        value = 1
        for _ in range(7):
            value = [value]
        self.laptop.put("alpha", activity={
            "id": "5b1f0c52-8a3e-4b6e-9e0d-000000000001", "activityType": TYPE, "userInfo": {"deep": value},
        })
        self.laptop.put("beta")
        self.desktop.wait_for_things("alpha", "beta")

    def test_a_team_that_is_not_there_is_named(self):
        self.start(desktop="Work, Demo")
        self.desktop.wait_for_log("ShareWith= lists a team that this user isn't in team=Work")
        self.laptop.put("alpha")
        self.desktop.wait_for_things("alpha")


class DeletingTests(SharingTest):
    def test_what_the_app_deletes_is_deleted_everywhere(self):
        self.start()
        self.laptop.put("alpha", "canarybeta")
        self.desktop.wait_for_things("alpha", "canarybeta")
        self.laptop.delete("canarybeta")
        self.desktop.wait_for_things("alpha")
        wait_until(lambda: b"canarybeta" not in self.desktop.bytes(), "nothing is left in the files")

    def test_a_machine_that_was_away_deletes_it_when_it_is_back(self):
        self.start()
        self.laptop.put("alpha", "beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.desktop.stop()
        self.daemons[1].terminate()
        self.laptop.delete("beta")
        self.laptop.stop()
        self.laptop.start()
        self.daemons[1].start()
        self.desktop.start()
        self.desktop.wait_for_things("alpha")

    def test_what_a_person_forgets_is_deleted_where_it_comes_from(self):
        self.start()
        self.laptop.put("alpha", "beta")
        self.desktop.wait_for_things("alpha", "beta")
        result = next(result for result in self.desktop.results() if result["title"] == "Thing beta")
        self.desktop.baton("search", "--forget", "--result", result["id"])
        self.desktop.wait_for_things("alpha")
        self.laptop.wait_for_things("alpha")
        # The app makes it again.
        self.laptop.put("beta")
        self.desktop.wait_for_things("alpha", "beta")

    def test_only_what_was_used_here_is_forgotten_by_time(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.desktop.baton("search", "--forget", "--since", "1h")
        self.assertEqual(self.desktop.things(), ["alpha"])
        self.desktop.baton("search", "--forget", "--before", "1s")
        self.assertEqual(self.desktop.things(), ["alpha"])
        self.laptop.wait_for_things("alpha")

    def test_what_was_forgotten_does_not_come_back_by_sharing_again(self):
        self.start()
        self.laptop.put("alpha", "beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.laptop.stop()
        result = next(result for result in self.desktop.results() if result["title"] == "Thing beta")
        self.desktop.baton("search", "--forget", "--result", result["id"])
        self.desktop.share("none")
        self.desktop.wait_for_things()
        self.desktop.share("all")
        self.laptop.start()
        self.desktop.wait_for_things("alpha")
        self.laptop.wait_for_things("alpha")

    def test_who_turns_search_off_deletes_nothing_of_others(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.laptop.wait_for_things("alpha", "beta")
        for is_running in (True, False):
            if not is_running:
                self.desktop.stop()
            self.desktop.share("all", Enabled="no")
            if not is_running:
                self.desktop.start()
            self.desktop.wait_for_things()
            self.laptop.wait_for_things("alpha")
            self.desktop.share("all")
            self.desktop.wait_for_things("alpha")
            self.desktop.put("beta")
            self.laptop.wait_for_things("alpha", "beta")

    def test_what_a_removed_machine_shared_is_deleted(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.laptop.wait_for_things("alpha", "beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.daemons[0].call("RevokeDevice", device="desktop")
        self.laptop.wait_for_things("alpha")

    def test_who_leaves_the_team_deletes_what_it_had_of_it(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.daemons[1].call("LeaveTeam", team="Demo")
        self.desktop.wait_for_things("beta")

    def test_a_team_that_cannot_be_used_does_not_give_its_name_away(self):
        """A team of somebody else has the same name."""
        name = self.daemons[0].call("ListTeams")["teams"][0]["name"]
        own = self.daemons[1].json("team", "create", name)["team"]["id"]
        self.daemons[1].terminate()
        [files] = [path.parent for path in (self.daemons[1].state / "teams").glob("*/ca.key")]
        (files / "device.key").write_bytes(b"damaged")
        self.daemons[1].start()
        self.start(name, name)
        self.desktop.put("secret")
        self.laptop.put("alpha")
        self.desktop.wait_for_log("ShareWith= ")
        self.assertEqual(self.desktop.call("GetStatus")["teams"], [])
        self.assertEqual(self.laptop.things(), ["alpha"])
        self.assertEqual(self.desktop.things(), ["secret"])
        # Each is meant by its ID.
        foreign = self.daemons[0].call("ListTeams")["teams"][0]["id"]
        self.assertNotEqual(foreign, own)
        self.desktop.share(foreign)
        self.laptop.wait_for_things("alpha", "secret")

    def test_a_damaged_index_gets_everything_again(self):
        self.start()
        self.laptop.put("alpha")
        self.desktop.put("beta")
        self.laptop.wait_for_things("alpha", "beta")
        self.desktop.wait_for_things("alpha", "beta")
        self.desktop.stop()
        (self.desktop.database / "search.db").write_bytes(b"This is not a database. " * 1000)
        self.desktop.start()
        self.desktop.wait_for_things("alpha")
        # What was lost there is deleted here.
        self.laptop.wait_for_things("alpha")
        self.desktop.put("delta")
        self.laptop.wait_for_things("alpha", "delta")
