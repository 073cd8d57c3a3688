# SPDX-License-Identifier: Apache-2.0
"""The library for apps: an app that uses it beside each of two daemons, and what it is told."""
# Labs: lo, pair
import base64
import plistlib
import shutil
import signal
import time

from lab import BUILD, LabTest, freeze, wait_until
from library_app import App

TYPES = ["org.example.notes"]


class LibraryTest(LabTest):
    labs = ("lo",)

    def app(self, daemon, name):
        return App(self, daemon, name)

    def two_apps(self):
        """Two daemons with an app each; the second one continues activities of the first."""
        self.laptop, self.desktop = self.two()
        origin = self.app(self.laptop, "origin")
        receiver = self.app(self.desktop, "receiver")
        receiver.do("receive", types=TYPES)
        return origin, receiver

    def offered(self, *titles):
        """Waits until these and no others reach the other machine."""
        wait_until(lambda: self.desktop.offer_titles() == sorted(titles), f"{titles} are offered")

    def continued(self, receiver, title):
        """Continues the offer: what arrives."""
        receiver.wait_for_offers(title)
        receiver.continue_offer(title)
        return receiver.wait_for_any(["continue", "didFailToContinue"])

    def continued_when_known(self, receiver, title):
        """What is offered may be what was offered before the last calls: then it is withdrawn, and offered again."""
        def is_known():
            receiver.settle()
            known = receiver.all("offers")
            return known and known[-1]["titles"] == [title]

        for _ in range(3):
            wait_until(is_known, f"the app knows {title}")
            receiver.continue_offer(title)
            event = receiver.wait_for_any(["noOffer", "continue", "didFailToContinue"])
            if event["callback"] == "continue":
                break
        return event


class ContinuationTests(LibraryTest):
    labs = ("lo", "pair")

    def test_callbacks_come_in_order_and_on_their_threads(self):
        origin, receiver = self.two_apps()
        origin.make_current(
            properties={"needsSave": True, "supportsContinuationStreams": True}, willSave={"userInfo": {"text": "fresh"}}
        )
        event = self.continued(receiver, "note")
        self.assertEqual(event["userInfo"], {"text": "fresh"})
        self.assertTrue(event["supportsContinuationStreams"])
        self.assertFalse(event["needsSave"])
        receiver.do("streams", text="the history")
        self.assertEqual(receiver.wait("streams")["thread"], "background")
        self.assertEqual(receiver.wait("answer")["text"], "echo the history")
        self.assertEqual(origin.wait("question")["text"], "the history")
        called = [event for event in receiver.events + origin.events if event["callback"] in
                  ("willContinue", "willSave", "continue", "wasContinued", "didReceive")]
        order = [(event["callback"], event["thread"]) for event in sorted(called, key=lambda event: event["time"])]
        # Both hear of the continuation at once, in no order.
        order[2:4] = sorted(order[2:4])
        self.assertEqual(order, [
            ("willContinue", "main"), ("willSave", "background"), ("continue", "main"), ("wasContinued", "background"),
            ("didReceive", "background"),
        ])
        self.assertTrue(origin.all("didReceive")[0]["areClosed"])
        self.assertFalse(origin.all("willSave")[0]["needsSave"])
        self.offered()

    def test_every_property_arrives(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={
            "webpageURL": "https://example.org/a?b=c#d", "referrerURL": "http://example.org/", "expiresIn": 3600,
            "targetContentIdentifier": "window 1", "supportsContinuationStreams": True, "userInfo": {"a": "b"},
            "keywords": ["x"], "persistentIdentifier": "p",
        })
        event = self.continued(receiver, "note")
        own = origin.get("note")
        for name in ("type", "title", "userInfo", "webpageURL", "referrerURL", "expires", "targetContentIdentifier",
                     "persistentIdentifier", "supportsContinuationStreams"):
            self.assertEqual(event[name], own[name], name)
        self.assertEqual(event["webpageURL"], "https://example.org/a?b=c#d")
        # These stay where they are.
        self.assertEqual(event["keywords"], [])

    def test_every_kind_of_value_arrives_as_it_was(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"sample": "kinds"})
        self.assertEqual(self.continued(receiver, "note")["userInfo"], {
            "array": "array [integer 1, two, array [double 3.5]]",
            "data": "data " + base64.b64encode(bytes([0, 1, 255])).decode(),
            "date": "date 700000000.125",
            "dictionary": "dictionary {deep: dictionary {deeper: array [bool true, null]}, integer 5: five}",
            "null": "null",
            "true": "bool true",
            "one": "integer 1",
            "one point zero": "double 1.0",
            "minimum": f"integer {-2**63}",
            "unsigned": f"integer {2**64 - 1}",
            "set": "set {integer 1, integer 2}",
            "string": "naïve ✓",
            "url": "url file:///tmp/some%20file",
            "uuid": "uuid 00010203-0405-0607-0809-0A0B0C0D0E0F",
            "integer 7": "a number as key",
            "uuid 01010101-0101-0101-0101-010101010101": "a UUID as key",
        })

    def test_an_activity_is_withdrawn_when_its_app_is_killed(self):
        origin, _ = self.two_apps()
        origin.make_current()
        self.offered("note")
        origin.kill()
        self.offered()


class ReturningOfferTests(LibraryTest):
    labs = ("lo", "pair")

    def test_an_app_that_takes_each_offer_of_one_activity_never_stops(self):
        self.laptop, self.desktop = self.two()
        origin = self.app(self.laptop, "origin")
        receiver = self.app(self.desktop, "receiver")
        receiver.do("listen", types=TYPES)
        # The origin makes it current again as soon as it hears of the continuation.
        origin.make_current(wasContinued="becomeCurrent")
        for number in range(50):
            self.assertEqual(receiver.wait("continue")["title"], "note", number)
        self.assertEqual(receiver.all("didFailToContinue"), [])


class PageTests(LibraryTest):
    labs = ("lo", "pair")

    PAGE = "NSUserActivityTypeBrowsingWeb"
    PROPERTIES = {
        "webpageURL": "https://example.org/7", "referrerURL": "https://example.org/", "userInfo": {"a": "b"},
        "persistentIdentifier": "p", "supportsContinuationStreams": True,
    }

    def pages(self, *more):
        self.laptop, self.desktop = self.two()
        origin = self.app(self.laptop, "origin")
        browser = self.app(self.desktop, "browser")
        browser.do("receive", types=[self.PAGE, *more])
        return origin, browser

    def assert_page(self, event):
        self.assertEqual(
            [event.get(name) for name in ("callback", "type", "title", "webpageURL", "referrerURL")],
            ["continue", self.PAGE, "note", "https://example.org/7", "https://example.org/"],
        )
        self.assertEqual([event.get(name) for name in ("userInfo", "persistentIdentifier")], [None, None])
        self.assertFalse(event["supportsContinuationStreams"])

    def test_an_app_that_takes_pages_is_offered_the_pages_of_others(self):
        origin, browser = self.pages()
        origin.make_current("bare")
        self.offered("bare")
        self.assertEqual(browser.all("offers", titles=["bare"]), [])
        origin.make_current(properties=self.PROPERTIES)
        self.assert_page(self.continued(browser, "note"))
        self.assertEqual(browser.all("willContinue")[-1]["type"], self.PAGE)
        origin.wait("wasContinued")

    def test_an_offer_that_is_opened_goes_to_the_app_that_takes_pages(self):
        origin, browser = self.pages()
        origin.make_current(properties=self.PROPERTIES)
        self.offered("note")
        self.desktop.baton("open")
        self.assert_page(browser.wait_for_any(["continue", "didFailToContinue"]))

    def test_an_app_gets_its_own_types_whole(self):
        origin, browser = self.pages(*TYPES)
        origin.make_current(properties=self.PROPERTIES)
        event = self.continued(browser, "note")
        self.assertEqual((event["type"], event["userInfo"]), (TYPES[0], {"a": "b"}))


class StateTests(LibraryTest):
    def test_nothing_and_an_empty_dictionary_arrive_as_nothing(self):
        origin, receiver = self.two_apps()
        for sample in ("nil", "empty"):
            origin.make_current(sample, {"sample": sample})
            self.assertNotIn("userInfo", self.continued(receiver, sample))

    def test_required_keys_do_not_limit_what_is_sent(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"userInfo": {"a": "1", "b": "2"}, "requiredUserInfoKeys": ["b", "c"]})
        self.assertEqual(self.continued(receiver, "note")["userInfo"], {"a": "1", "b": "2"})
        self.assertEqual(origin.get("note")["userInfo"], {"a": "1", "b": "2"})

    def test_changes_after_becoming_current_are_sent(self):
        origin, receiver = self.two_apps()
        origin.make_current()
        origin.do("set", "note", {"title": "other", "userInfo": {"page": "2"}, "webpageURL": "http://example.org/2"})
        event = self.continued(receiver, "other")
        self.assertEqual((event["userInfo"], event["webpageURL"]), ({"page": "2"}, "http://example.org/2"))

    def test_changes_at_once_with_becoming_current_are_sent(self):
        origin, receiver = self.two_apps()
        origin.do("make", "note", {"title": "first"})
        for number in range(20):
            origin.send("becomeCurrent", "note")
            origin.send("set", "note", {"title": f"title {number}"})
            self.offered(f"title {number}")

    def test_many_changes_are_sent_as_few(self):
        origin, receiver = self.two_apps()
        origin.make_current()
        receiver.wait_for_offers("note")
        origin.do("set", "note", {"title": "last"}, count=5000)
        receiver.wait_for_offers("last")
        self.assertLess(receiver.count("offers"), 100)

    def test_needs_save_is_asked_for_again_and_does_not_loop(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"needsSave": True}, willSave={"asksAgain": True, "userInfo": {"n": "1"}})
        for _ in range(2):
            self.assertEqual(self.continued(receiver, "note")["userInfo"], {"n": "1"})
            origin.wait("wasContinued")
            self.assertTrue(origin.get("note")["needsSave"])
            origin.do("becomeCurrent", "note")
        self.offered("note")
        origin.settle()
        self.assertEqual(origin.count("willSave"), 2)
        self.assertEqual([event["needsSave"] for event in origin.all("willSave")], [False, False])

    def test_an_app_that_saves_too_long_gives_its_last_state(self):
        origin, receiver = self.two_apps()
        origin.make_current(
            properties={"needsSave": True, "userInfo": {"text": "last"}}, willSave={"blocks": 5000, "userInfo": {"text": "new"}}
        )
        event = self.continued(receiver, "note")
        self.assertEqual(event["userInfo"], {"text": "last"})
        # It is told when it listens again.
        origin.wait("wasContinued")

    def test_an_app_that_blocks_for_a_second_while_it_saves_gives_its_new_state(self):
        origin, receiver = self.two_apps()
        origin.make_current(
            properties={"needsSave": True, "userInfo": {"text": "last"}}, willSave={"blocks": 1200, "userInfo": {"text": "new"}}
        )
        self.assertEqual(self.continued(receiver, "note")["userInfo"], {"text": "new"})

    def test_what_is_saved_is_whole_while_changes_are_under_way(self):
        origin, receiver = self.two_apps()
        for number in range(8):
            name = f"note {number}"
            origin.make_current(
                name, {"needsSave": True, "userInfo": {"a": "old", "b": "old"}},
                willSave={"userInfo": {"a": "new"}, "blocks": 150},
            )
            receiver.wait_for_offers(name)
            receiver.send("continue", titles=[name])
            for count in range(30):
                origin.send("set", name, {"targetContentIdentifier": f"{count}"})
            self.assertEqual(receiver.wait_for_any(["continue", "didFailToContinue"]).get("userInfo"), {"a": "new", "b": "old"})

    def test_an_app_may_become_current_while_it_saves(self):
        origin, receiver = self.two_apps()
        origin.make_current(
            properties={"needsSave": True, "userInfo": {"a": "old"}},
            willSave={"userInfo": {"a": "new"}, "becomesCurrent": True, "blocks": 100},
        )
        self.assertEqual(self.continued(receiver, "note")["userInfo"], {"a": "new"})

    def test_an_app_may_end_what_was_continued(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"supportsContinuationStreams": True}, wasContinued="invalidate")
        self.continued(receiver, "note")
        origin.wait("wasContinued")
        began = time.monotonic()
        receiver.do("streams")
        # The request comes before the activity is gone, or after it. Nobody waits 15 s for an app that may still come.
        self.assertIn(receiver.wait("streams")["code"], (4608, 4609))
        self.assertLess(time.monotonic() - began, 10)

    def test_an_app_may_become_current_again_when_it_was_continued(self):
        origin, receiver = self.two_apps()
        origin.make_current(wasContinued="becomeCurrent")
        for _ in range(3):
            self.offered("note")
            self.assertEqual(self.continued_when_known(receiver, "note")["callback"], "continue")
            origin.wait("wasContinued")
        self.offered("note")

    def test_an_app_may_invalidate_while_it_saves(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"needsSave": True, "userInfo": {"a": "old"}}, willSave={"invalidates": True})
        event = self.continued(receiver, "note")
        self.assertEqual((event["callback"], event["code"]), ("didFailToContinue", 4608))
        self.offered()


class CurrentTests(LibraryTest):
    def test_a_second_activity_takes_the_place_of_the_first(self):
        origin, _ = self.two_apps()
        origin.make_current("one")
        self.offered("one")
        origin.make_current("two")
        self.offered("two")
        origin.do("becomeCurrent", "one")
        self.offered("one")

    def test_an_activity_that_ends_at_once_has_taken_the_place_of_the_first(self):
        origin, _ = self.two_apps()
        for number in range(10):
            origin.make_current("one", {"title": f"one {number}"})
            self.offered(f"one {number}")
            for call in ("make", "becomeCurrent", "release"):
                origin.send(call, "two")
            self.offered()

    def test_resigning_is_for_a_time(self):
        origin, _ = self.two_apps()
        origin.make_current()
        self.offered("note")
        origin.do("resign", "note")
        self.offered()
        origin.do("becomeCurrent", "note")
        self.offered("note")

    def test_invalidating_is_for_ever(self):
        origin, _ = self.two_apps()
        origin.make_current("one")
        self.offered("one")
        origin.do("invalidate", "one")
        self.offered()
        origin.do("becomeCurrent", "one")
        origin.make_current("two")
        self.offered("two")

    def test_an_activity_that_is_released_is_withdrawn(self):
        origin, receiver = self.two_apps()
        origin.make_current("plain")
        self.offered("plain")
        origin.do("release", "plain")
        self.offered()
        origin.make_current("without a delegate", delegate="none")
        self.offered("without a delegate")
        origin.do("release", "without a delegate")
        self.offered()

    def test_an_activity_is_released_with_its_streams_open(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"supportsContinuationStreams": True})
        self.continued(receiver, "note")
        receiver.do("streams", text="x" * 300_000)
        origin.wait("didReceive")
        origin.do("release", "note")
        self.assertEqual(len(receiver.wait("answer")["text"]), 300_005)
        self.assertTrue(origin.get("note")["isGone"])
        wait_until(lambda: self.laptop.call("GetStatus").get("current") is None, "nothing is current")

    def test_an_activity_that_is_not_eligible_is_not_offered(self):
        origin, receiver = self.two_apps()
        origin.make_current("public")
        self.offered("public")
        # Whoever opens a private page does not want the page before it to be offered either.
        origin.make_current("private", {"isEligibleForHandoff": False})
        self.offered()
        origin.do("set", "private", {"isEligibleForHandoff": True})
        self.offered("private")
        origin.do("set", "private", {"isEligibleForHandoff": False})
        self.offered()
        origin.do("set", "private", {"title": "still private"})
        origin.make_current("public again")
        self.offered("public again")
        receiver.settle()
        self.assertEqual(receiver.count("offers", titles=["still private"]), 0)

    def test_an_activity_that_becomes_ineligible_at_once_is_not_offered(self):
        origin, _ = self.two_apps()
        origin.do("receive", types=TYPES)
        for number in range(10):
            origin.send("make", "note", {"title": "note"})
            origin.send("becomeCurrent", "note")
            origin.send("set", "note", {"isEligibleForHandoff": False})
            # The way to the other machine and back is behind everything that was asked for before.
            connection, _ = self.desktop.publish(title=f"mark {number}")
            origin.wait("offers", titles=[f"mark {number}"])
            origin.continue_offer(f"mark {number}")
            origin.wait("continue")
            status = self.laptop.call("GetStatus")
            self.assertTrue("current" not in status or status["withheld"] == "notEligible", status)
            self.assertEqual([title for title in self.desktop.offer_titles() if title == "note"], [])
            connection.close()

    def test_an_expired_activity_is_not_offered(self):
        origin, _ = self.two_apps()
        origin.make_current("first")
        self.offered("first")
        origin.make_current("past", {"expiresIn": -5})
        self.offered()
        origin.make_current("soon", {"expiresIn": 4})
        self.offered("soon")
        self.offered()


class RefusalTests(LibraryTest):
    def assertRefused(self, properties, code, text):
        """The delegate is told; without what is wrong the activity is offered."""
        origin, _ = self.two_apps()
        origin.make_current("fine")
        self.offered("fine")
        origin.make_current("bad", properties)
        event = origin.wait("didFail", name="bad")
        self.assertEqual((event["code"], event["domain"], event["thread"]), (code, "NSCocoaErrorDomain", "background"))
        self.assertIn(text, event["message"])
        self.offered()
        return origin

    def test_a_user_info_that_is_too_large_is_refused_until_it_is_smaller(self):
        origin = self.assertRefused({"sample": "large"}, 4611, "3072")
        origin.do("set", "bad", {"userInfo": {"text": "short"}})
        self.offered("bad")
        origin.do("set", "bad", {"sample": "large"})
        self.assertEqual(origin.wait("didFail", name="bad")["code"], 4611)
        self.offered()
        origin.do("set", "bad", {"userInfo": {"text": "short"}})
        self.offered("bad")

    def test_a_value_that_cannot_travel_is_named(self):
        origin = self.assertRefused({"sample": "illegal"}, 4608, "userInfo[outer][inner][1] is a NSObject")
        origin.do("set", "bad", {"userInfo": {"text": "legal"}})
        self.offered("bad")

    def test_a_title_that_is_only_ugly_is_repaired(self):
        origin, _ = self.two_apps()
        origin.make_current(properties={"title": "x" * 513})
        self.offered("x" * 509 + "…")
        origin.do("set", "note", {"title": "\u200fשלום\u200e\nעולם"})
        self.offered("שלום עולם")

    def test_an_illegal_type_is_refused(self):
        self.assertRefused({"type": "no type at all"}, 4608, "type")

    def test_an_address_that_is_too_long_takes_nothing_else_with_it(self):
        origin, receiver = self.two_apps()
        long = "https://example.org/?" + "x" * 2048
        origin.make_current(properties={"webpageURL": long, "referrerURL": long, "userInfo": {"a": "b"}})
        event = self.continued(receiver, "note")
        self.assertEqual(event["userInfo"], {"a": "b"})
        self.assertNotIn("webpageURL", event)
        self.assertEqual(origin.get("note")["webpageURL"], long)
        for name in ("webpageURL", "referrerURL"):
            self.assertIn(f"{name} of org.example.notes is 2069 bytes long", origin.log.read_text())

    def test_a_page_without_its_address_is_refused(self):
        self.assertRefused({"type": PageTests.PAGE, "webpageURL": "https://example.org/?" + "x" * 3_000_000}, 4608, "2048")

    def test_urls_of_other_schemes_become_nothing(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"webpageURL": "file:///etc/passwd", "referrerURL": "ftp://example.org/"})
        event = self.continued(receiver, "note")
        self.assertNotIn("webpageURL", event)
        self.assertNotIn("referrerURL", event)
        self.assertNotIn("webpageURL", origin.get("note"))
        self.assertIn("webpageURL of org.example.notes accepts only http and https URLs", origin.log.read_text())


class ReceivingTests(LibraryTest):
    def test_a_newer_continuation_cancels_the_older(self):
        laptop, desktop = self.two()
        self.desktop = desktop
        receiver = self.app(desktop, "receiver")
        receiver.do("receive", types=TYPES)
        # Three users would be needed for three activities of one machine; three machines are as good.
        others = []
        for number in range(2):
            other = self.batond(f"other{number}").start()
            other.baton("team", "join", laptop.json("team", "invite")["code"])
            others.append(other)
        titles = []
        for number, daemon in enumerate([laptop, *others]):
            app = self.app(daemon, f"origin{number}")
            app.make_current(f"note {number}", {"needsSave": True}, willSave={"blocks": 300, "userInfo": {"a": "b"}})
            titles.append(f"note {number}")
        self.offered(*titles)
        wait_until(lambda: self.knows(receiver, titles), "the app knows them")
        receiver.continue_offer(*titles)
        self.assertEqual(receiver.wait("continue")["title"], "note 2")
        receiver.settle()
        self.assertEqual([event["code"] for event in receiver.all("didFailToContinue")], [3072, 3072])
        self.assertEqual(receiver.count("willContinue"), 3)
        # Nobody got those that were cancelled, so they are offered still.
        self.offered("note 0", "note 1")
        self.assertEqual(self.continued_of(receiver, "note 0"), "continue")

    def knows(self, receiver, titles):
        receiver.settle()
        known = receiver.all("offers")
        return known and sorted(known[-1]["titles"]) == sorted(titles)

    def continued_of(self, receiver, title):
        wait_until(lambda: self.knows(receiver, ["note 0", "note 1"]), "the app knows them")
        receiver.continue_offer(title)
        return receiver.wait_for_any(["continue", "didFailToContinue"])["callback"]

    def test_an_offer_whose_machine_is_gone_fails(self):
        origin, receiver = self.two_apps()
        origin.make_current()
        receiver.wait_for_offers("note")
        self.laptop.freeze()
        receiver.continue_offer("note")
        event = receiver.wait_for_any(["continue", "didFailToContinue"], 30)
        self.assertEqual((event["callback"], event["thread"]), ("didFailToContinue", "main"))
        self.assertIn(event["code"], range(4608, 4612))
        receiver.settle()
        self.assertEqual(receiver.count("willContinue"), 1)

    def test_a_daemon_that_dies_ends_a_continuation(self):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"needsSave": True}, willSave={"blocks": 800})
        receiver.wait_for_offers("note")
        receiver.continue_offer("note")
        origin.wait("willSave")
        self.desktop.kill()
        event = receiver.wait_for_any(["continue", "didFailToContinue"])
        self.assertEqual((event["callback"], event["code"]), ("didFailToContinue", 4609))
        receiver.settle()
        self.assertEqual(receiver.count("willContinue"), 1)

    def test_a_receiver_is_told_on_its_queue_until_it_is_let_go(self):
        laptop, self.desktop = self.two()
        origin = self.app(laptop, "origin")
        receiver = self.app(self.desktop, "receiver")
        receiver.do("listen", types=["org.example.other", *TYPES])
        origin.make_current()
        for callback in ("willContinue", "continue"):
            self.assertEqual(receiver.wait(callback)["thread"], "background")
        receiver.do("stopListening")
        wait_until(lambda: receiver.sockets() == 0, "its connections are closed")
        origin.make_current("another")
        self.offered("another")
        receiver.settle()
        self.assertEqual(receiver.count("offers", titles=["another"]), 0)

    def test_a_closure_continues_without_a_delegate(self):
        self.laptop, self.desktop = self.two()
        origin = self.app(self.laptop, "origin")
        receiver = self.app(self.desktop, "receiver")
        receiver.do("onContinue", types=TYPES)
        origin.make_current(properties={"userInfo": {"a": "b"}})
        event = self.continued(receiver, "note")
        self.assertEqual((event["callback"], event["thread"], event["userInfo"]), ("continue", "main", {"a": "b"}))
        # The failure of another one is not silent.
        origin.make_current("other")
        receiver.wait_for_offers("other")
        self.laptop.freeze()
        receiver.continue_offer("other")
        wait_until(lambda: "org.example.notes couldn't be continued: " in receiver.log.read_text(), "it is said", 30)

    def test_a_closure_is_called_while_the_main_thread_runs_the_loop_of_a_toolkit(self):
        self.laptop, self.desktop = self.two()
        origin = self.app(self.laptop, "origin")
        receiver = self.app(self.desktop, "receiver")
        receiver.do("receiverOnContinue", types=TYPES)
        receiver.do("leaveMainThread")
        origin.make_current()
        self.offered("note")
        self.desktop.baton("open")
        event = receiver.wait("continue")
        self.assertEqual((event["title"], event["thread"]), ("note", "background"))

    def test_nothing_is_left_open(self):
        origin, receiver = self.two_apps()
        for number in range(12):
            name = f"note {number}"
            origin.make_current(name, {"supportsContinuationStreams": True})
            self.assertEqual(self.continued(receiver, name)["callback"], "continue")
            receiver.do("streams", text="x")
            receiver.wait("answer")
            if number % 2:
                origin.do("release", name)
            else:
                origin.do("invalidate", name)
        # The receiver follows the offers, and says what it continues.
        wait_until(lambda: (origin.sockets(), receiver.sockets()) == (0, 2), "everything else is closed")

    def test_a_subclass_of_the_delegate_object_is_called(self):
        origin, receiver = self.two_apps()
        origin.make_current(delegate="subclass")
        self.continued(receiver, "note")
        self.assertEqual(origin.wait("wasContinued")["delegate"], "subclass")


class StreamTests(LibraryTest):
    def continued_with(self, supports, **options):
        origin, receiver = self.two_apps()
        origin.make_current(properties={"supportsContinuationStreams": supports}, **options)
        self.continued(receiver, "note")
        return origin, receiver

    def test_streams_that_are_not_supported_fail(self):
        _, receiver = self.continued_with(False)
        receiver.do("streams")
        event = receiver.wait("streams")
        self.assertEqual((event["code"], event["areThere"], event["thread"]), (4609, False, "background"))

    def test_streams_of_an_own_activity_fail(self):
        origin, _ = self.continued_with(True)
        origin.do("streams", "note")
        self.assertEqual(origin.wait("streams")["code"], 4609)

    def test_streams_that_nobody_takes_break_at_once(self):
        origin, receiver = self.continued_with(True, delegate="none")
        for _ in range(2):
            receiver.do("streams", text="x")
            answer = receiver.wait("answer", deadline=10)
            self.assertEqual(answer["text"], "")
            self.assertTrue(answer["error"])
        # Other machines decide how often, so it is said once.
        self.assertEqual(origin.log.read_text().count("has no delegate"), 1)

    def test_streams_of_an_app_that_hangs_fail_in_time(self):
        origin, receiver = self.continued_with(True)
        freeze(origin.process.pid)
        began = time.monotonic()
        receiver.do("streams")
        self.assertEqual(receiver.wait("streams", 25)["code"], 4610)
        self.assertLess(time.monotonic() - began, 20)
        origin.process.send_signal(signal.SIGCONT)

    def test_streams_are_a_new_pair_each_time(self):
        origin, receiver = self.continued_with(True)
        for text in ("first", "second"):
            receiver.do("streams", text=text)
            self.assertEqual(receiver.wait("answer")["text"], f"echo {text}")
            # The origin reports each question after it has answered, on a thread of its own.
            self.assertEqual(origin.wait("question")["text"], text)

    def test_streams_work_after_the_origin_has_made_another_activity_current(self):
        origin, receiver = self.continued_with(True)
        origin.wait("wasContinued")
        origin.make_current("other")
        self.offered("other")
        receiver.do("streams", text="late")
        self.assertEqual(receiver.wait("answer")["text"], "echo late")


class BatonDaemonTests(LibraryTest):
    def test_the_current_activity_comes_back_with_the_daemon(self):
        origin, receiver = self.two_apps()
        origin.make_current()
        receiver.wait_for_offers("note")
        self.laptop.restart()
        wait_until(lambda: "note" in self.desktop.offer_titles(), "the activity is offered again", 30)
        wait_until(lambda: self.laptop.call("GetStatus").get("current"), "the app is back")
        self.assertEqual(self.laptop.call("GetStatus")["current"]["title"], "note")

    def test_what_was_resigned_or_continued_does_not_come_back(self):
        origin, receiver = self.two_apps()
        origin.make_current("continued")
        self.assertEqual(self.continued(receiver, "continued")["callback"], "continue")
        origin.wait("wasContinued")
        origin.make_current("resigned")
        self.offered("resigned")
        origin.do("resign", "resigned")
        self.offered()
        self.laptop.restart()
        # The receiver of the same process comes back, and it is the last to do so.
        origin.do("receive", types=TYPES)
        self.desktop.publish(title="from there")
        origin.wait("offers", titles=["from there"], deadline=30)
        self.assertIsNone(self.laptop.call("GetStatus").get("current"))

    def test_the_receiver_comes_back_with_the_daemon(self):
        origin, receiver = self.two_apps()
        origin.make_current()
        receiver.wait_for_offers("note")
        self.desktop.restart()
        receiver.wait("offers", titles=[])
        receiver.wait("offers", titles=["note"], deadline=30)
        receiver.continue_offer("note")
        self.assertEqual(receiver.wait_for_any(["continue", "didFailToContinue"])["callback"], "continue")

    def test_a_daemon_may_start_after_the_app(self):
        daemon = self.batond("laptop")
        app = self.app(daemon, "early")
        app.make_current()
        daemon.start()
        wait_until(lambda: (daemon.call("GetStatus").get("current") or {}).get("title") == "note", "it is current")
        app.settle()
        self.assertEqual(app.count("didFail"), 0)

    def test_an_app_without_a_daemon_is_not_held_up(self):
        app = self.app(self.batond("laptop"), "alone")
        app.do("receive", types=TYPES)
        app.do("watchHeart")
        app.send("latency")
        app.wait("latency")
        began = time.monotonic()
        number = 0
        while time.monotonic() - began < 3:
            number += 1
            app.make_current(f"note {number % 5}", {"userInfo": {"number": str(number)}})
            app.do("resign" if number % 2 else "invalidate", f"note {number % 5}")
        app.send("latency")
        # A busy machine takes time from everybody.
        self.assertLess(app.wait("latency")["milliseconds"], 5000)

    def test_an_app_beside_a_daemon_that_hangs_is_not_held_up(self):
        daemon = self.batond("laptop").start()
        app = self.app(daemon, "patient")
        app.do("receive", types=TYPES)
        app.make_current()
        wait_until(lambda: daemon.call("GetStatus").get("current"), "it is current")
        app.do("watchHeart")
        daemon.freeze()
        app.send("latency")
        app.wait("latency")
        for number in range(300):
            app.do("set", "note", {"title": f"{number}"})
            app.do("becomeCurrent", "note")
        app.do("resign", "note")
        app.send("latency")
        self.assertLess(app.wait("latency")["milliseconds"], 5000)


class ResponderTests(LibraryTest):
    def test_responders_of_an_activity_put_in_their_parts(self):
        origin, receiver = self.two_apps()
        origin.do("receive", types=TYPES)
        origin.do("make", "note", {"title": "note", "userInfo": {"stale": "x"}})
        for name in ("left", "right"):
            origin.do("responder", name, activity="note")
        origin.do("becomeCurrent", "note")
        receiver.do("responder", "mine")
        self.assertEqual(self.continued(receiver, "note")["userInfo"], {"left": "from left", "right": "from right"})
        self.assertEqual(receiver.wait("restore")["thread"], "main")
        origin.wait("wasContinued")
        calls = [(event["callback"], event["thread"], event.get("keys")) for event in origin.events
                 if event["callback"] in ("willSave", "update", "didUpdate")]
        self.assertEqual(calls, [
            ("willSave", "background", None),
            ("update", "main", []),
            ("update", "main", ["left"]),
            ("didUpdate", "main", ["left", "right"]),
        ])

    def test_the_first_offer_has_the_title_that_a_responder_gives(self):
        origin, receiver = self.two_apps()
        origin.do("make", "note", {"needsSave": True})
        origin.do("responder", "view", activity="note", text="Chapter 7")
        origin.do("becomeCurrent", "note")
        receiver.wait_for_offers("Chapter 7")
        self.assertEqual([event["titles"] for event in receiver.all("offers") if event["titles"]], [["Chapter 7"]])
        # The state is asked for again when somebody wants it.
        self.assertEqual(self.continued_when_known(receiver, "Chapter 7")["userInfo"], {"view": "from view"})
        origin.wait("wasContinued")
        self.assertEqual(origin.count("update"), 2)

    def test_a_responder_that_nothing_leads_to_is_named(self):
        origin, _ = self.two_apps()
        for name in ("lost", "shown"):
            origin.do("make", name, {"title": name, "type": f"org.example.{name}"})
            origin.do("responder", name, activity=name)
        origin.do("firstResponder", "shown")
        wait_until(lambda: "org.example.lost isn't offered" in origin.log.read_text(), "it is said")
        self.assertNotIn("org.example.shown", origin.log.read_text())

    def test_an_activity_ends_with_its_last_responder(self):
        origin, _ = self.two_apps()
        origin.do("make", "note", {"title": "note"})
        for name in ("left", "right"):
            origin.do("responder", name, activity="note")
        origin.do("becomeCurrent", "note")
        self.offered("note")
        origin.do("dropResponder", "left")
        origin.do("set", "note", {"title": "one left"})
        self.offered("one left")
        origin.do("responder", "right")
        self.offered()
        origin.do("becomeCurrent", "note")
        origin.make_current("other")
        self.offered("other")

    def test_the_activity_of_the_first_responder_is_current(self):
        origin, _ = self.two_apps()
        for name in ("one", "two"):
            origin.do("make", name, {"title": name})
            origin.do("responder", name, activity=name)
        origin.do("firstResponder", "one")
        self.offered("one")
        origin.do("firstResponder", "two")
        self.offered("two")
        origin.do("responder", "two", activity="one")
        self.offered("one")

    def test_a_first_responder_that_goes_takes_its_activity_along(self):
        origin, _ = self.two_apps()
        origin.do("make", "note", {"title": "note"})
        origin.do("responder", "view", activity="note")
        origin.do("firstResponder", "view")
        self.offered("note")
        origin.do("dropResponder", "view")
        self.offered()

    def test_an_activity_goes_with_its_responder(self):
        origin, _ = self.two_apps()
        origin.do("make", "note", {"title": "note"})
        origin.do("responder", "view", activity="note")
        origin.do("becomeCurrent", "note")
        self.offered("note")
        origin.do("release", "note")
        origin.do("dropResponder", "view")
        self.offered()

    def test_a_document_sends_its_file(self):
        origin, receiver = self.two_apps()
        origin.do("make", "draft", {"title": "draft"})
        origin.do("document", "draft", activity="draft", path="/tmp/draft.txt")
        origin.do("becomeCurrent", "draft")
        event = self.continued(receiver, "draft")
        self.assertEqual(event["userInfo"], {"NSUserActivityDocumentURL": "url file:///tmp/draft.txt"})
        origin.wait("wasContinued")
        origin.do("becomeCurrent", "draft")
        self.offered("draft")
        origin.do("closeDocument", "draft")
        self.offered()

    def test_access_to_a_file_is_said_truthfully(self):
        app = self.app(self.batond("laptop"), "reader")
        path = self.directory / "file"
        app.send("access", path=str(path))
        self.assertFalse(app.wait("access")["isAllowed"])
        path.write_text("x")
        app.send("access", path=str(path))
        self.assertTrue(app.wait("access")["isAllowed"])


class InfoTests(LibraryTest):
    """Apps with files beside them that say what they continue."""

    def app_with(self, daemon, name):
        directory = self.directory / f"{name}.app"
        directory.mkdir()
        program = directory / "handoff-app"
        shutil.copy(BUILD / "handoff-app", program)
        return program, directory

    def test_an_info_dictionary_names_types_and_makes_activities_of_documents(self):
        laptop, self.desktop = self.two()
        info = {
            "NSUserActivityTypes": ["org.example.notes"],
            "CFBundleDocumentTypes": [
                {"CFBundleTypeExtensions": ["txt"], "NSUbiquitousDocumentUserActivityType": "org.example.text"},
            ],
        }
        apps = []
        for daemon, name in ((laptop, "origin"), (self.desktop, "receiver")):
            program, directory = self.app_with(daemon, name)
            (directory / "Info.plist").write_bytes(plistlib.dumps(info))
            apps.append(App(self, daemon, name, program))
        origin, receiver = apps
        receiver.do("receive")
        origin.make_current()
        self.assertEqual(self.continued(receiver, "note")["type"], "org.example.notes")
        origin.do("openDocument", "draft", path="/tmp/draft.txt")
        event = self.continued(receiver, "draft")
        self.assertEqual(event["type"], "org.example.text")
        self.assertEqual(event["userInfo"], {"NSUserActivityDocumentURL": "url file:///tmp/draft.txt"})
        origin.make_current("other", {"type": "org.example.other"})
        self.offered("other")
        receiver.settle()
        self.assertEqual(receiver.count("offers", titles=["other"]), 0)

    def test_a_desktop_entry_names_types(self):
        laptop, self.desktop = self.two()
        origin = self.app(laptop, "origin")
        program, directory = self.app_with(self.desktop, "receiver")
        entry = "[Desktop Entry]\nType=Application\nX-Baton-ActivityTypes=org.example.entry;\n"
        (directory / "handoff-app.desktop").write_text(entry)
        receiver = App(self, self.desktop, "receiver", program)
        receiver.do("receive")
        origin.make_current(properties={"type": "org.example.entry"})
        self.assertEqual(self.continued(receiver, "note")["type"], "org.example.entry")
