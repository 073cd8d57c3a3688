# SPDX-License-Identifier: Apache-2.0
"""The agent's notifications: what a server is told, by which a person continues, and real dunst on a screen."""
# Labs: lo, pair
import signal
import subprocess
import time

from desktop import FakeServer, Monitor, Screen, SessionBus
from lab import PATIENCE, Varlink, freeze, wait_until
from test_agent import TYPE, Agent, AgentTest

OTHER = "org.example.other"


class NotificationTest(AgentTest):
    labs = ("lo",)

    def begin(self, *arguments, server=True, keys=(f"X-Baton-ActivityTypes={TYPE}",), exec=None, **environment):
        """Two machines, and on one a desktop with an app and the agent."""
        self.bus = SessionBus(self).start()
        self.server = FakeServer(self.bus) if server else None
        self.agent = self.machines(DBUS_SESSION_BUS_ADDRESS=self.bus.address, **environment)
        self.report = self.agent.install("org.example.Notes", *keys, exec=exec)
        self.agent.start(*arguments)

    def rename(self, activity, title):
        self.laptop.call("UpdateActivity", activity={"id": activity, "activityType": TYPE, "title": title})

    def ask(self, title):
        """Sends something to the desktop alone."""
        connection = self.laptop.connect()
        connection.more(
            "SendActivity", activity={"activityType": TYPE, "title": title},
            deviceID=self.desktop.call("ListTeams")["teams"][0]["deviceID"],
        )
        self.assertEqual(connection.receive()["event"], "sent")

    def open_from_terminal(self, activity):
        self.desktop.baton("open", activity)


class OfferTests(NotificationTest):
    labs = ("lo", "pair")

    def test_one_is_shown_changed_and_continued(self):
        self.begin()
        origin, activity = self.publish(title="Shopping & <more>")
        first = self.server.wait_for(1)
        self.assertEqual((first["app"], first["summary"], first["replaced"]), ("Baton", "Shopping & <more>", 0))
        self.assertEqual(first["body"], "org.example.Notes, from laptop. Click to continue.")
        self.assertEqual(first["actions"], ["default", "Continue", "continue", "Continue", "mute", "Mute laptop"])
        self.assertEqual((first["hints"]["urgency"], first["hints"]["suppress-sound"], first["timeout"]), (1, False, -1))
        self.assertEqual(first["hints"]["desktop-entry"], "io.baton.Agent")
        self.rename(activity, "Shopping today")
        second = self.server.wait_for(2)
        self.assertEqual((second["summary"], second["replaced"]), ("Shopping today", first["id"]))
        # Nobody has read that yet, so the person is asked again.
        self.server.obey("invoke", first["id"], "token_TIME6")
        asked = self.server.wait_for(3)
        self.assertEqual((asked["summary"], asked["replaced"], asked["hints"]["urgency"]), ("Shopping today", 0, 1))
        self.server.obey("invoke", asked["id"], "token_TIME7")
        self.assertEqual(self.agent.wait_for(self.report, "started")["environment"]["XDG_ACTIVATION_TOKEN"], "token_TIME7")
        self.assertEqual(self.agent.wait_for(self.report, "continued")["activity"]["title"], "Shopping today")
        self.assertEqual(origin.receive_until(lambda reply: reply["event"] == "continued")["device"], "desktop")
        # The next is the fourth of all.
        _, other = self.publish(title="Next")
        self.assertEqual((self.server.wait_for(4)["summary"], self.server.wait_for(4)["replaced"]), ("Next", 0))

    def test_a_click_is_enough_where_an_app_runs(self):
        self.begin(keys=("X-Baton-ActivityTypes=",))
        _, activity = self.publish(title="Draft")
        registered = self.desktop.connect(60).more("RegisterApplication", activityTypes=[TYPE])
        self.assertEqual(registered.receive()["event"], "registered")
        self.assertEqual(self.server.wait_for(1)["body"], "From laptop. Click to continue.")
        self.server.obey("invoke", 1, "t", "default")
        self.assertEqual(registered.receive()["id"], activity)

    def test_it_is_withdrawn_with_the_offer(self):
        self.begin()
        origin, activity = self.publish(title="Draft")
        self.server.wait_for(1)
        self.laptop.call("ResignCurrent", id=activity)
        self.assertEqual(self.server.wait_for(1, "CloseNotification")["id"], 1)

    def test_a_machine_that_is_gone_takes_its_notification_along(self):
        self.begin()
        self.publish(title="Draft")
        self.server.wait_for(1)
        self.laptop.kill()
        self.assertEqual(self.server.wait_for(1, "CloseNotification", 60)["id"], 1)


class QuietTests(NotificationTest):
    def test_twenty_sessions_that_break_make_one_notification(self):
        self.begin()
        _, activity = self.publish(title="Draft")
        self.server.wait_for(1)
        for _ in range(20):
            begun = self.desktop.call("GetStatus")["counters"]["sessionsBegun"]
            self.cut(self.laptop, self.desktop)
            wait_until(lambda: self.desktop.call("GetStatus")["counters"]["sessionsBegun"] > begun, "a session", 60)
            self.desktop.wait_for_offer(activity)
        # Notifications come in their order: another of the first activity would come before this one.
        self.publish(title="Next")
        self.assertEqual(self.server.wait_for(2)["summary"], "Next")

    def test_what_was_dismissed_stays_away(self):
        self.begin()
        _, activity = self.publish(title="Draft")
        self.server.wait_for(1)
        self.server.obey("dismiss", 1)
        self.rename(activity, "Other")
        wait_until(lambda: self.desktop.offer_titles() == ["Other"], "the title")
        self.publish(title="Next")
        self.assertEqual(self.server.wait_for(2)["summary"], "Next")

    def test_going_from_window_to_window_is_announced_once(self):
        self.begin()
        self.publish(title="Page")
        self.server.wait_for(1)
        # Each window's program publishes its activity anew.
        for count, title in enumerate(("Directory", "Page"), 1):
            self.publish(title=title)
            self.server.wait_for(count, "CloseNotification")
        aloud = [call["summary"] for call in self.server.calls() if not call["hints"]["suppress-sound"]]
        self.assertEqual(aloud, ["Page", "Directory"])

    def test_what_is_here_or_was_handed_over_is_not_announced(self):
        self.begin(PATH=str(self.directory / "bin"))
        self.agent.program("xdg-open", "#!/bin/sh\n")
        web, page = "NSUserActivityTypeBrowsingWeb", "https://example.org/ducks"
        # It is open here, also when another program is used.
        self.desktop.publish(web, title="Ducks", webpageURL=page)
        self.publish(activity_type=web, title="Ducks", webpageURL=page)
        self.assertEqual([offer.get("isHere") for offer in self.desktop.offers()], [True])
        self.desktop.publish(OTHER, title="Mail")
        # Handed over from here: the other machine offers it, too, at first under another title.
        handed, geese = self.desktop.publish(web, title="Geese", webpageURL=page)
        self.laptop.wait_for_offer(geese)
        self.laptop.call("Continue", id=geese)
        self.assertEqual(handed.receive_until(lambda reply: reply["event"] == "continued")["device"], "laptop")
        _, activity = self.publish(activity_type=web, title="example.org", webpageURL=page)
        self.laptop.call("UpdateActivity", activity={"id": activity, "activityType": web, "title": "Geese", "webpageURL": page})
        wait_until(lambda: self.desktop.offer_titles() == ["Geese"], "the title")
        # Notifications come in their order: another of these would come before this one.
        self.publish(title="News")
        self.assertEqual(self.server.wait_for(1)["summary"], "News")

    def test_of_many_titles_the_last_gets_out_and_one_a_second(self):
        self.begin()
        _, activity = self.publish(title="0")
        self.server.wait_for(1)
        for number in range(1, 60):
            self.rename(activity, str(number))
            wait_until(lambda: self.desktop.offer_titles() == [str(number)], "the title")
        wait_until(lambda: self.server.calls()[-1]["summary"] == "59", "the last title")
        calls = self.server.calls()
        # Messages take their time, but not a second.
        self.assertGreaterEqual(calls[-1]["time"] - calls[0]["time"], len(calls) - 1.5)
        self.assertEqual({call["id"] for call in calls}, {1})

    def test_what_nothing_here_takes_is_not_shown(self):
        self.begin(PATH=str(self.directory / "bin"))
        self.publish(activity_type=OTHER, title="Strange", webpageURL="https://example.org/")
        # When this one is shown, the agent has heard of the one before.
        self.publish(title="Draft")
        self.assertEqual(self.server.wait_for(1)["summary"], "Draft")
        # A page can be shown once there is a browser.
        self.agent.program("xdg-open", "#!/bin/sh\n")
        self.publish(activity_type=OTHER, title="Page", webpageURL="https://example.org/")
        page = self.server.wait_for(2)
        self.assertEqual((page["summary"], page["body"]), ("Page", "Web page at example.org, from laptop. Click to continue."))
        # A program that takes it, until it is gone.
        registered = self.desktop.connect().more("RegisterApplication", activityTypes=[OTHER])
        registered.receive()
        self.publish(activity_type=OTHER, title="Plain")
        self.assertEqual(self.server.wait_for(3)["summary"], "Plain")
        registered.close()
        wait_until(lambda: 3 in [call["id"] for call in self.server.calls("CloseNotification")], "the third is withdrawn")

    def test_a_click_is_for_the_site_that_was_shown(self):
        self.begin(PATH=str(self.directory / "bin"))
        opened = self.directory / "opened"
        self.agent.program("xdg-open", f'#!/bin/sh\necho "$1" >>"{opened}"\n')
        web = "NSUserActivityTypeBrowsingWeb"
        page = {"title": "Bank", "webpageURL": "https://bank.example/"}
        _, activity = self.publish(activity_type=web, **page)
        self.assertEqual(self.server.wait_for(1)["body"], "Web page at bank.example, from laptop. Click to continue.")
        evil = {"id": activity, "activityType": web, "title": "Bank", "webpageURL": "https://evil.example/"}
        self.laptop.call("UpdateActivity", activity=evil)
        wait_until(lambda: [offer["webpageHost"] for offer in self.desktop.offers()] == ["evil.example"], "the other site")
        # The notification still names the first one.
        self.server.obey("invoke", 1)
        asked = self.server.wait_for(2)
        self.assertEqual((asked["body"], asked["hints"]["urgency"]), ("Web page at evil.example, from laptop. Click to continue.", 1))
        self.assertFalse(opened.exists())
        # It takes a while until a click counts for what took the place of something else.
        wait_until(lambda: self.server.obey("invoke", self.server.calls()[-1]["id"]) or opened.exists(), "the page is opened")
        self.assertEqual(opened.read_text(), "https://evil.example/\n")

    def test_it_can_be_turned_off(self):
        self.begin("--no-notifications")
        _, activity = self.publish(title="Draft")
        self.open_from_terminal(activity)
        self.agent.wait_for(self.report, "continued")
        # Beside the server, there are only the connections for searches and players, which hear nothing of notifications.
        wait_until(lambda: "io.baton.Search" in self.bus.names(), "the search provider")
        wait_until(lambda: self.bus.client_count() == 3, "both connections")
        self.assertEqual(self.bus.listener_count("org.freedesktop.Notifications"), 0)
        self.assertEqual(self.server.calls("GetCapabilities"), [])

    def test_stopping_withdraws_all(self):
        self.begin()
        self.publish(title="Draft")
        self.server.wait_for(1)
        self.assertEqual(self.bus.listener_count("org.freedesktop.Notifications"), 1)
        self.agent.stop()
        self.assertEqual(self.server.wait_for(1, "CloseNotification")["id"], 1)

    def test_a_failure_says_why(self):
        self.begin(exec="/nowhere/app")
        self.publish(title="Draft")
        self.server.wait_for(1)
        self.server.obey("invoke", 1)
        failure = self.server.wait_for(2)
        self.assertEqual((failure["summary"], failure["replaced"]), ("Draft", 0))
        # Without it, a click would start the agent in GNOME.
        self.assertEqual(failure["actions"], ["default", "Close"])
        self.assertIn("Couldn't continue from laptop: The app for this activity couldn't be started", failure["body"])
        self.assertTrue(self.desktop.offers())


class QuestionTests(NotificationTest):
    def shown(self):
        """What the server shows, by number."""
        shown = {}
        for said in self.server.said:
            if said.get("call") == "Notify":
                shown[said["id"]] = said["summary"]
            elif said.get("call") in ("CloseNotification", "Dropped"):
                shown.pop(said["id"], None)
        return shown

    def test_gnome_43_loses_none(self):
        self.begin()
        self.server.obey("be", "gnome-shell", "43.9")
        self.server.obey("keep", 3)
        titles = {"One", "Two", "Three", "Four"}
        for title in titles:
            self.ask(title)
        wait_until(lambda: len(self.shown()) == 2, "as many as it keeps beside one of transfers")
        wait_until(lambda: "2 more are waiting." in self.server.calls()[-1]["body"], "how many more")
        clicked = set()
        for _ in titles:
            number = wait_until(lambda: sorted(set(self.shown()) - clicked), "the next")[0]
            clicked.add(number)
            self.server.obey("invoke", number)
        wait_until(
            lambda: {event["activity"]["title"] for event in self.agent.events(self.report, "continued")} == titles,
            "all are continued",
        )

    def test_what_a_server_drops_is_asked_again(self):
        self.begin()
        self.ask("Note")
        first = self.server.wait_for(1)
        self.assertEqual((first["timeout"], first["hints"]["urgency"]), (0, 1))
        self.server.obey("dismiss", first["id"], 1)
        self.assertEqual(self.server.wait_for(2)["summary"], "Note")
        # A person dismisses it.
        self.server.obey("dismiss", self.server.wait_for(2)["id"])
        self.publish(title="Next")
        self.assertEqual(self.server.wait_for(3)["summary"], "Next")
        # Servers also drop one for other reasons, and say what a person clicked on only after that.
        self.ask("Reasons")
        dropped = self.server.wait_for(4)
        self.server.obey("dismiss", dropped["id"], 4)
        self.server.obey("invoke", dropped["id"])
        self.assertEqual(self.agent.wait_for(self.report, "continued")["activity"]["title"], "Reasons")
        self.ask("More")
        self.server.obey("dismiss", self.server.wait_for(5)["id"], 3)
        self.assertEqual(self.server.wait_for(6)["summary"], "More")

    def test_baton_alone_says_that_something_waits(self):
        self.begin()
        self.assertNotIn(b"Waiting for you", self.desktop.baton())
        self.ask("Note")
        self.server.wait_for(1)
        offer = self.desktop.offers()[0]["id"]
        lines = self.desktop.baton().decode().splitlines()
        self.assertIn("Waiting for you:", lines)
        self.assertRegex(lines[-1], rf"Note, from laptop +baton open {offer[:8]}")

    def test_each_has_a_default_action(self):
        """In GNOME, a click without one starts the agent again, and removes everything that it shows."""
        self.begin(exec="/nowhere/app")
        self.ask("Note")
        self.server.obey("invoke", self.server.wait_for(1)["id"])
        self.server.wait_for(2)
        for call in self.server.calls():
            self.assertEqual(call["actions"][0], "default")


class HabitTests(NotificationTest):
    """What a server is sent that loses things in its own way. The table is in NotificationsTests/ServerHabitsTests."""

    def test_gnome_48_gets_no_change_of_priority(self):
        self.begin()
        self.server.obey("be", "gnome-shell", "48.4")
        _, activity = self.publish(title="One")
        self.assertEqual(self.server.wait_for(1)["hints"]["urgency"], 1)
        self.rename(activity, "Two")
        second = self.server.wait_for(2)
        self.assertEqual((second["replaced"], second["hints"]["urgency"]), (0, 0))
        self.assertEqual(self.server.wait_for(1, "CloseNotification")["id"], 1)
        # From here on, the priority is the same.
        self.rename(activity, "Three")
        self.assertEqual(self.server.wait_for(3)["replaced"], second["id"])

    def test_plasma_keeps_the_buttons(self):
        self.begin()
        self.server.obey("be", "Plasma", "5.27.5")
        _, activity = self.publish(title="One")
        first = self.server.wait_for(1)
        self.assertEqual((first["hints"]["resident"], first["timeout"]), (True, -1))
        self.rename(activity, "Two")
        second = self.server.wait_for(2)
        self.assertEqual((second["replaced"], second["hints"]["urgency"], second["timeout"]), (first["id"], 1, 0))
        # The change came when the popup was over.
        self.assertGreater(second["time"] - first["time"], 9)


class ServerTests(NotificationTest):
    def test_without_a_bus_it_says_so_once_and_goes_on(self):
        self.agent = self.machines()
        self.report = self.agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE}")
        self.agent.start()
        for title in ("One", "Two", "Three"):
            _, activity = self.publish(title=title)
        self.open_from_terminal(activity)
        self.assertEqual(self.agent.wait_for(self.report, "continued")["activity"]["title"], "Three")
        self.assertEqual(self.agent.log.read_text().count("Can't show notifications"), 1)

    def test_a_server_that_comes_late_gets_what_is_offered(self):
        self.begin(server=False)
        self.publish(title="Draft")
        self.agent.wait_for_log("Can't show notifications, because no notification server is running")
        self.server = FakeServer(self.bus)
        self.assertEqual(self.server.wait_for(1)["summary"], "Draft")
        self.assertEqual(self.agent.log.read_text().count("Can't show notifications"), 1)

    def test_a_bus_that_comes_late_gets_what_is_offered(self):
        self.begin(server=False)
        self.bus.kill()
        _, activity = self.publish(title="Draft")
        self.agent.wait_for_log("Can't show notifications, because the user's D-Bus session bus isn't available")
        self.bus.start()
        self.server = FakeServer(self.bus)
        self.assertEqual(self.server.wait_for(1, deadline=60)["summary"], "Draft")

    def test_another_server_gets_the_same_quietly(self):
        self.begin()
        self.publish(title="Draft")
        self.server.wait_for(1)
        self.server.process.kill()
        self.server.process.wait(PATIENCE)
        second = FakeServer(self.bus)
        call = second.wait_for(1)
        self.assertEqual((call["replaced"], call["summary"], call["hints"]["urgency"]), (0, "Draft", 0))

    def test_a_server_gets_what_it_can_show(self):
        self.bus = SessionBus(self).start()
        self.server = FakeServer(self.bus)
        self.server.obey("can")
        self.agent = self.machines(DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        self.agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE}")
        self.agent.start()
        self.publish(title="Draft")
        call = self.server.wait_for(1)
        self.assertEqual(
            (call["summary"], call["body"], call["actions"]), ("Draft (org.example.Notes, from laptop)", "", [])
        )

    def test_a_server_that_refuses_is_tried_again(self):
        self.begin()
        self.server.obey("refuse")
        self.publish(title="Draft")
        self.server.wait_for(2, "refused")
        self.server.obey("take")
        self.assertEqual(self.server.wait_for(1)["summary"], "Draft")
        self.assertEqual(self.agent.log.read_text().count("A notification was refused"), 1)

    def test_a_server_that_does_not_answer_holds_nothing_up(self):
        self.begin()
        self.server.obey("mute")
        _, activity = self.publish(title="Draft")
        self.server.wait_for(1)
        self.open_from_terminal(activity)
        self.agent.wait_for(self.report, "continued")
        # What is shown late is withdrawn.
        self.server.obey("speak")
        self.assertEqual(self.server.wait_for(1, "CloseNotification")["id"], 1)

    def test_a_bus_that_hangs_holds_nothing_up(self):
        self.begin()
        freeze(self.bus.process.pid)
        try:
            _, activity = self.publish(title="Draft")
            began = time.monotonic()
            # One that is asked for its systemd, too; that has a limit of its own.
            with Varlink(self.desktop.socket, timeout=60) as connection:
                connection.call("OpenOffer", id=activity)
            self.assertLess(time.monotonic() - began, 20)
        finally:
            self.bus.process.send_signal(signal.SIGCONT)


class ScreenTests(NotificationTest):
    """Real dunst, on a screen."""

    def test_dunst_shows_changes_and_withdraws_one(self):
        self.bus = SessionBus(self).start()
        screen = Screen(self.bus)
        monitor = Monitor(self.bus)
        self.agent = self.machines(DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        self.agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE}")
        self.agent.start()
        _, empty = screen.photograph("notification-none")
        _, activity = self.publish(title="Shopping & <more>")
        wait_until(lambda: screen.count("displayed") == 1, "a notification on the screen")
        wait_until(lambda: screen.photograph("notification-shown")[1] > empty, "the picture shows it")
        self.rename(activity, "Shopping today")
        wait_until(lambda: monitor.count("Notify") == 2, "the change")
        self.assertEqual(screen.count("displayed"), 1)
        screen.photograph("notification-replaced")
        self.laptop.call("ResignCurrent", id=activity)
        wait_until(lambda: screen.count("displayed") == 0, "it is withdrawn")
        self.assertEqual((screen.count("waiting"), monitor.count("Notify")), (0, 2))
        wait_until(lambda: screen.photograph("notification-withdrawn")[1] == empty, "the picture shows nothing")

    def test_dunst_lets_a_person_continue(self):
        self.bus = SessionBus(self).start()
        screen = Screen(self.bus)
        self.agent = self.machines(DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        report = self.agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE}")
        self.agent.start()
        self.publish(title="Draft")
        wait_until(lambda: screen.count("displayed") == 1, "a notification on the screen")
        subprocess.run(["dunstctl", "action"], env=screen.environment, check=True, timeout=PATIENCE)
        self.assertEqual(self.agent.wait_for(report, "continued")["activity"]["title"], "Draft")
        wait_until(lambda: screen.count("displayed") == 0, "it is gone")

    def test_dunst_merges_two_of_the_same_and_both_are_answered(self):
        self.bus = SessionBus(self).start()
        screen = Screen(self.bus)
        self.agent = self.machines(DBUS_SESSION_BUS_ADDRESS=self.bus.address)
        self.report = self.agent.install("org.example.Notes", f"X-Baton-ActivityTypes={TYPE}")
        self.agent.start()
        for _ in range(2):
            self.ask("Note")
        # The server drops the first for the second, and it is asked again.
        wait_until(lambda: screen.count("displayed") == 2, "both questions")
        for left in (1, 0):
            subprocess.run(["dunstctl", "action"], env=screen.environment, check=True, timeout=PATIENCE)
            wait_until(lambda: screen.count("displayed") == left, "one less")
        wait_until(lambda: len(self.agent.events(self.report, "continued")) == 2, "both are continued")
