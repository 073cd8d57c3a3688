# SPDX-License-Identifier: Apache-2.0
"""An activity that is sent to one machine: only that machine learns of it, and the sender's current activity stays."""
# Labs: pair, lan 3
import json
import signal
import subprocess

from lab import PATIENCE, LabTest, wait_until

PAGE = {"activityType": "org.example.page", "title": "Canary page", "webpageURL": "https://canary.example.org/"}


# How many one user sends at the same time (LocalActivities.sentActivitiesPerUser).
SENT = 112


def device_id(daemon):
    return daemon.call("GetStatus")["teams"][0]["deviceID"]


class SendingTest(LabTest):
    def send(self, origin, receiver, **members):
        """Sends an activity over a connection of its own: (connection, id)."""
        connection = origin.connect()
        connection.more("SendActivity", activity={**PAGE, **members}, deviceID=device_id(receiver))
        reply = connection.receive()
        self.assertEqual(reply["event"], "sent")
        return connection, reply["id"]

    def advertise(self, origin, device, *options):
        """`baton advertise --to`, after it said that it has sent: (process, id)."""
        process = origin.spawn_baton(
            "advertise", "--type", PAGE["activityType"], "--title", PAGE["title"], "--url", PAGE["webpageURL"],
            "--to", device, "--json", *options, stdout=subprocess.PIPE,
        )
        line = json.loads(process.stdout.readline())
        self.assertEqual(line["event"], "sent")
        return process, line["id"]

    def sent(self, daemon):
        return [offer["id"] for offer in daemon.offers() if offer.get("isSent")]


class PairTests(SendingTest):
    labs = ("pair",)

    def test_a_page_is_sent_and_continued(self):
        laptop, desktop = self.two()
        current, note = laptop.publish(title="Notes")
        desktop.wait_for_offer(note)
        process, page = self.advertise(laptop, "desktop")
        self.assertTrue(desktop.wait_for_offer(page)["isSent"])
        self.assertNotIn("isSent", desktop.wait_for_offer(note))
        rows = desktop.baton("list").decode().splitlines()
        self.assertEqual([row.split()[-1] == "yes" for row in rows[1:]], [True, False], rows)
        self.assertEqual(rows[0].split()[-1], "SENT")
        continued = desktop.json("continue", page)
        self.assertEqual(continued["activity"]["webpageURL"], PAGE["webpageURL"])
        self.assertEqual(json.loads(process.stdout.readline()), {"event": "continued", "id": page, "device": "desktop"})
        self.wait_for_exit(process)
        desktop.wait_until_not_offered(page)
        self.assertEqual(laptop.json("status")["current"]["id"], note)
        self.assertEqual([offer["id"] for offer in desktop.offers()], [note])
        laptop.call("ResignCurrent", id=note)
        self.assertEqual(current.receive()["reason"], "activityWithdrawn")

    def test_a_stream_goes_with_it(self):
        laptop, desktop = self.two()
        sender = laptop.spawn_baton(
            "advertise", "--type", PAGE["activityType"], "--to", device_id(desktop)[:6].lower(), "--stream",
            stdin=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        wait_until(lambda: self.sent(desktop), "it is offered")
        sender.stdin.write(b"state of the page")
        sender.stdin.close()
        self.assertEqual(desktop.baton("continue", "--stream"), b"state of the page")
        self.wait_for_exit(sender)

    def test_who_is_meant_must_be_clear(self):
        laptop, desktop = self.two()
        for device, status in (("tablet", 4), ("laptop", 4), (device_id(laptop), 4), (device_id(desktop)[:3], 4)):
            laptop.baton("advertise", "--type", "a.b", "--to", device, status=status)
        other = self.batond("desktop2", 1, arguments=["--name", "desktop"]).start()
        other.baton("team", "join", laptop.json("team", "invite")["code"])
        laptop.wait_for_sessions(2)
        ids = {daemon: device_id(daemon) for daemon in (desktop, other)}
        # The name belongs to the first one. If that is away, nobody gets anything by the name alone.
        desktop.terminate()
        laptop.wait_for_sessions(1)
        laptop.baton("advertise", "--type", "a.b", "--to", "desktop", status=8)
        for daemon in (desktop, other):
            self.assertIn(ids[daemon], laptop.last_error)
        desktop.start()
        laptop.wait_for_sessions(2)
        _, page = self.advertise(laptop, device_id(other))
        other.wait_for_offer(page)
        self.assertEqual(self.sent(desktop), [])

    def test_a_name_does_not_look_like_another_one_in_menus(self):
        """The menus of file managers and of the browser call a machine `desktop (away)`, and obey marks of direction."""
        laptop, desktop = self.two()
        for number, (name, seen) in enumerate((
            ("desktop (away)", "desktop (away)"), ("desktop (away)\u200b", "desktop (away)"),
            ("desktop \uff08\u0430way\uff09", "desktop \uff08\u0430way\uff09"), ("\u202epotksed", "potksed"),
            # In other scripts, and with a blank.
            *((name, name) for name in ("\ua4d3\ua4f0\ua4e2\ua4d7\ua4d4\ua4f3\ua4d1", "deskt\u2c9fp", "deskt\u05e1p", "desktop\u2800")),
        )):
            other = self.batond(f"other-{number}", 1, arguments=["--name", name]).start()
            other.baton("team", "join", laptop.json("team", "invite")["code"])
            identifier = device_id(other)
            label = wait_until(
                lambda: next((peer["device"] for peer in laptop.call("ListPeers")["peers"] if peer["deviceID"] == identifier), None),
                "it is listed",
            )
            self.assertEqual(label, f"{seen} ({identifier[:8]})")

    def test_it_waits_for_a_machine_that_is_away(self):
        laptop, desktop = self.two()
        desktop.terminate()
        laptop.wait_for_sessions(0)
        _, first = self.advertise(laptop, "desktop")
        dead, second = self.advertise(laptop, "desktop")
        expired, _ = self.advertise(laptop, "desktop", "--expires", "1s")
        self.assertEqual(json.loads(expired.stdout.readline())["reason"], "activityExpired")
        dead.send_signal(signal.SIGKILL)
        dead.wait(PATIENCE)
        desktop.start()
        desktop.wait_for_offer(first)
        # What one session begins with is told together, the dead program's before the desktop was back.
        _, last = self.advertise(laptop, "desktop")
        desktop.wait_for_offer(last)
        self.assertEqual(self.sent(desktop), [last, first])
        self.assertNotIn(second, self.sent(desktop))

    def test_sessions_end_and_it_stays(self):
        laptop, desktop = self.two()
        _, page = self.advertise(laptop, "desktop")
        first = desktop.wait_for_offer(page)
        for _ in range(5):
            count = desktop.call("GetStatus")["counters"]["sessionsBegun"]
            self.cut(laptop, desktop)
            wait_until(lambda: desktop.call("GetStatus")["counters"]["sessionsBegun"] > count, "there is another session")
            wait_until(lambda: self.sent(desktop) == [page], "it is offered again")
        desktop.kill()
        desktop.start()
        self.assertEqual(desktop.wait_for_offer(page)["title"], first["title"])
        desktop.freeze()
        desktop.signal(signal.SIGCONT)
        desktop.wait_for_offer(page)
        self.assertEqual(desktop.json("continue", page)["device"], "laptop")

    def test_the_sender_s_death_withdraws_it(self):
        laptop, desktop = self.two()
        process, page = self.advertise(laptop, "desktop")
        desktop.wait_for_offer(page)
        process.kill()
        desktop.wait_until_not_offered(page)
        process, page = self.advertise(laptop, "desktop")
        desktop.wait_for_offer(page)
        laptop.kill()
        desktop.wait_until_not_offered(page)
        self.wait_for_exit(process, 3)
        laptop.start()
        _, again = self.advertise(laptop, "desktop")
        desktop.wait_for_offer(again)

    def test_sent_a_thousand_times(self):
        laptop, desktop = self.two()
        current, note = laptop.publish(title="Notes")
        device = device_id(desktop)
        for number in range(1000):
            connection = laptop.connect()
            connection.more("SendActivity", activity={**PAGE, "title": str(number)}, deviceID=device)
            self.assertEqual(connection.receive()["event"], "sent")
            connection.close()
        _, last = self.send(laptop, desktop, title="last")
        wait_until(lambda: {offer["id"] for offer in desktop.offers()} == {note, last}, "the others have gone")
        self.assertEqual(desktop.call("Continue", id=last)["activity"]["title"], "last")
        self.assertEqual(desktop.call("Continue", id=note)["activity"]["title"], "Notes")
        self.assertEqual(current.receive()["event"], "continued")

    def test_too_many_are_refused_and_the_others_come_one_after_the_other(self):
        laptop, desktop = self.two()
        held = [self.send(laptop, desktop, title=str(number)) for number in range(SENT)]
        more = laptop.connect()
        more.more("SendActivity", activity=PAGE, deviceID=device_id(desktop))
        self.assertFails("limitReached", more.receive)
        _, note = laptop.publish(title="Notes")
        desktop.wait_for_offer(note)
        seen = set()
        for _ in range(SENT):
            page = wait_until(lambda: next(iter(self.sent(desktop)), None), "another comes")
            seen.add(page)
            desktop.call("Continue", id=page)
            desktop.wait_until_not_offered(page)
        self.assertEqual(seen, {page for _, page in held})

    def test_a_removed_machine_gets_nothing(self):
        laptop, desktop = self.two()
        connection, page = self.send(laptop, desktop)
        desktop.wait_for_offer(page)
        desktop.terminate()
        laptop.wait_for_sessions(0)
        laptop.baton("team", "revoke", "desktop")
        self.assertEqual(connection.receive()["reason"], "certificateRevoked")
        laptop.baton("advertise", "--type", "a.b", "--to", "desktop", status=4)
        desktop.start()
        self.assertEqual(desktop.offers(), [])


class ThirdMachineTests(SendingTest):
    labs = ("lan",)

    def test_a_third_machine_never_learns_of_it(self):
        laptop = self.batond("laptop").start()
        desktop = self.batond("desktop", 1).start()
        tablet = self.batond("tablet", 2).start()
        self.make_team(laptop, desktop, tablet)
        watch = tablet.connect().more("ListOffers")
        lists = [watch.receive()["offers"]]
        for _ in range(3):
            connection, page = self.send(laptop, desktop)
            self.assertTrue(desktop.wait_for_offer(page)["isSent"])
            # Whoever knows its ID cannot have it either.
            self.assertFails("activityNotFound", tablet.call, "Continue", id=page)
            # This also cuts the session of the desktop, if the desktop made it.
            begun = tablet.call("GetStatus")["counters"]["sessionsBegun"]
            self.cut(laptop, tablet)
            wait_until(lambda: tablet.call("GetStatus")["counters"]["sessionsBegun"] > begun, "the tablet has another session")
            for daemon in (laptop, desktop, tablet):
                daemon.wait_for_sessions(2)
            desktop.wait_for_offer(page)
            desktop.call("Continue", id=page)
            self.assertEqual(connection.receive()["event"], "continued")
        # What comes now follows all that the tablet was told before.
        _, note = laptop.publish(title="Notes")
        while not lists[-1]:
            lists.append(watch.receive()["offers"])
        self.assertEqual([[offer["id"] for offer in offers] for offers in lists if offers], [[note]])
        self.assertEqual(tablet.call("GetStatus")["counters"]["offersReceived"], 1)
        self.assertNotIn("Canary", tablet.log_text())
