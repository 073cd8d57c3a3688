# SPDX-License-Identifier: Apache-2.0
"""A machine that is off is not forgotten: each member knows it, and gives it what it gets later."""
# Labs: lan 3
import time

from lab import PROMPT, LabTest, wait_until


class AwayTests(LabTest):
    labs = ("lan",)

    def away(self, daemon):
        return daemon.call("ListPeers").get("away", [])

    def three(self):
        daemons = [self.batond(name, number).start() for number, name in enumerate(("laptop", "desktop", "tablet"))]
        self.make_team(*daemons)
        return daemons

    def test_every_member_knows_a_machine_that_is_off(self):
        daemons = self.three()
        for off in daemons:
            begin = int(time.time())
            off.terminate()
            end = time.time()
            others = [daemon for daemon in daemons if daemon is not off]
            for daemon in others:
                wait_until(lambda: self.away(daemon), f"{daemon.name} misses {off.name}", PROMPT)
            # Those that are off at the same time forget nothing.
            for daemon in others:
                daemon.terminate()
            for daemon in others:
                daemon.start()
            for daemon in others:
                daemon.wait_for_sessions(1)
                [row] = self.away(daemon)
                self.assertEqual((row["device"], row["state"]), (off.name, "unreachable"), daemon.name)
                self.assertTrue(begin <= row["awaySince"] <= end, (daemon.name, begin, row, end))
                text = daemon.baton("peers").decode()
                self.assertRegex(text, rf"(?m)^{off.name} +offline since ([-\d]+ )?\d\d:\d\d ", daemon.name)
                self.assertNotRegex(text, r"connected since")
                self.assertRegex(daemon.baton("doctor", off.name, status=6).decode(), f"{off.name}.* is offline")
            offers = []
            for daemon in others:
                connection = daemon.connect()
                page = {"activityType": "org.example.page", "title": f"From {daemon.name}"}
                connection.more("SendActivity", activity=page, deviceID=self.away(daemon)[0]["deviceID"])
                offers.append(connection.receive()["id"])
            off.start()
            for offer in offers:
                off.wait_for_offer(offer)
            for daemon in others:
                self.assertEqual(self.away(daemon), [])
                self.assertTrue(all("awaySince" not in peer for peer in daemon.call("ListPeers")["peers"]))

    def test_a_machine_that_leaves_or_is_removed_is_forgotten(self):
        laptop, desktop, tablet = self.three()
        desktop.baton("team", "leave", "Demo")
        for daemon in (laptop, tablet):
            daemon.wait_for_log("teamLeft")
            wait_until(lambda: len(daemon.call("ListPeers")["peers"]) == 1, f"{daemon.name} forgets it", PROMPT)
            self.assertEqual(self.away(daemon), [])
            self.assertNotIn("stopping", daemon.baton("peers").decode())
        # Its name is free.
        other = self.batond("desktop2", 1, arguments=["--name", "desktop"]).start()
        other.baton("team", "join", laptop.json("team", "invite")["code"])
        for daemon in (laptop, tablet):
            daemon.wait_for_sessions(2)
            self.assertIn("desktop", [peer["device"] for peer in daemon.call("ListPeers")["peers"]])
        other.terminate()
        for daemon in (laptop, tablet):
            wait_until(lambda: self.away(daemon), "it is away", PROMPT)
        laptop.baton("team", "revoke", self.away(laptop)[0]["deviceID"])
        for daemon in (laptop, tablet):
            wait_until(lambda: not self.away(daemon), f"{daemon.name} forgets it", PROMPT)
            daemon.terminate()
            daemon.start()
            self.assertNotIn("desktop", [peer["device"] for peer in self.away(daemon)])
