# SPDX-License-Identifier: Apache-2.0
"""The last release beside this one in one team, and its state under the new programs."""
# Labs: pair
import os

from lab import ROOT, LabTest

PREVIOUS = ROOT / ".build/previous/release"
STATE = {"text": "Call me Ishmael.", "line": 17, "open": True}
MEBIBYTE = 1 << 20


class PreviousTests(LabTest):
    labs = ("pair",)

    def setUp(self):
        super().setUp()
        self.old = self.batond("old", build=PREVIOUS).start()
        self.new = self.batond("new", 1).start()

    def exchange(self, origin, receiver):
        """What is offered is seen, continued with its state, and streamed in both directions."""
        connection, activity = origin.publish(title="Notes", userInfo=STATE)
        self.assertEqual(receiver.wait_for_offer(activity)["title"], "Notes")
        self.assertEqual(receiver.call("Continue", id=activity)["activity"]["userInfo"], STATE)
        connection.close()
        receiver.wait_until_not_offered(activity)
        sent, arrived = os.urandom(8 * MEBIBYTE), self.directory / "arrived"
        with open(arrived, "wb") as file:
            reading, writing = os.pipe()
            advertiser = origin.spawn_baton("advertise", "--type", "org.example.files", "--stream", stdin=reading, stdout=file)
            os.close(reading)
            other = self.directory / "sent"
            other.write_bytes(sent)
            with open(other, "rb") as source:
                continuer = receiver.spawn_baton(
                    "continue", "--latest", "--stream", "--wait", "30", stdin=source, stdout=(self.directory / "back").open("wb"))
            with open(writing, "wb") as pipe:
                pipe.write(sent)
            self.wait_for_exit(advertiser)
            self.wait_for_exit(continuer)
        self.assertTrue(arrived.read_bytes() == (self.directory / "back").read_bytes() == sent)

    def admit_to_old(self):
        """A joiner finds an inviter of 0.1.0 only at an address that it is given. Returns the team."""
        team = self.old.json("team", "create", "Demo")["team"]["id"]
        self.new.baton("team", "join", self.old.json("team", "invite")["code"], "--address", f"10.77.0.1:{self.old.port}")
        for daemon in (self.old, self.new):
            daemon.wait_for_sessions(1)
        return team

    def test_the_old_one_admits_the_new_one(self):
        self.admit_to_old()
        self.exchange(self.old, self.new)
        self.exchange(self.new, self.old)

    def test_the_new_one_admits_the_old_one_and_removes_it(self):
        self.make_team(self.new, self.old)
        self.exchange(self.new, self.old)
        self.exchange(self.old, self.new)
        self.new.baton("team", "revoke", "old")
        self.new.wait_for_sessions(0)
        connection, activity = self.new.publish(title="Not for the lost one")
        self.old.wait_for_log("certificateRevoked")
        self.assertEqual(self.old.offers(), [])

    def test_what_was_lost_for_a_moment_is_found_again(self):
        self.make_team(self.new, self.old)
        _, activity = self.old.publish(title="Notes", userInfo=STATE)
        self.new.wait_for_offer(activity)
        for times in (2, 3):
            # Either may have dialled.
            self.cut(self.new, self.old)
            self.new.wait_for_log("Connected to a peer", times)
            self.new.wait_for_offer(activity)
        self.assertEqual(self.new.call("Continue", id=activity)["activity"]["userInfo"], STATE)

    def test_its_state_is_kept_by_the_new_programs(self):
        team = self.admit_to_old()
        third = self.batond("third").start()
        devices = self.old.json("team", "devices")["devices"]
        self.old.terminate()
        upgraded = self.batond("old").start()
        self.assertEqual([each["id"] for each in upgraded.json("team", "list")["teams"]], [team])
        self.assertEqual([each["deviceID"] for each in upgraded.json("team", "devices")["devices"]], [each["deviceID"] for each in devices])
        upgraded.wait_for_sessions(1)
        self.exchange(upgraded, self.new)
        # It still has the team's key.
        third.baton("team", "join", upgraded.json("team", "invite")["code"])
        for daemon in (upgraded, self.new, third):
            daemon.wait_for_sessions(2)
