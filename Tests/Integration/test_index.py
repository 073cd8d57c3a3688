# SPDX-License-Identifier: Apache-2.0
"""What agents of two machines tell each other about the search index, as two daemons pass it on."""
# Labs: lo
import threading
import time

from lab import LabTest, VarlinkError, wait_until

# As in Limits: messages per second to one peer, and how many may wait.
RATE, BURST, WAITING = 20, 20, 4


class IndexTests(LabTest):
    labs = ("lo",)

    def setUp(self):
        super().setUp()
        self.laptop, self.desktop = self.two()

    def agent(self, daemon, timeout=30):
        connection = daemon.connect(timeout).more("RegisterIndex")
        self.assertEqual(connection.receive(), {"event": "registered"})
        teams = connection.receive()["teams"]
        self.assertEqual([team["removed"] for team in teams], [[]])
        return connection

    def peer(self, agent):
        """The next session, as parameters of SendIndexMessage."""
        reply = agent.receive_until(lambda reply: reply["event"] == "peer" and reply["connected"])
        return {"team": reply["team"], "deviceID": reply["deviceID"]}

    def message(self, agent):
        return agent.receive_until(lambda reply: reply["event"] == "message")["message"]

    def test_messages_pass_both_ways_and_after_a_restart(self):
        near, far = self.agent(self.laptop), self.agent(self.desktop)
        to_far, to_near = self.peer(near), self.peer(far)
        for number in range(5):
            self.laptop.call("SendIndexMessage", **to_far, message={"kind": "pull", "after": number})
            self.assertEqual(self.message(far), {"kind": "pull", "after": number})
            page = {"kind": "page", "entries": [{"put": {"title": "x" * 11_000}}], "last": number}
            self.desktop.call("SendIndexMessage", **to_near, message=page)
            self.assertEqual(self.message(near), page)
        self.desktop.terminate()
        self.assertFalse(near.receive_until(lambda reply: reply["event"] == "peer")["connected"])
        self.assertFails("peerUnreachable", self.laptop.call, "SendIndexMessage", **to_far, message={})
        self.desktop.start()
        far = self.agent(self.desktop)
        self.assertEqual(self.peer(near), to_far)
        self.laptop.call("SendIndexMessage", **to_far, message={"kind": "changed"})
        self.assertEqual(self.message(far), {"kind": "changed"})

    def test_a_flood_of_messages_has_its_rate_and_delays_no_offer(self):
        near, far = self.agent(self.laptop), self.agent(self.desktop)
        to_far = self.peer(near)
        self.peer(far)
        stopped, refused, received = threading.Event(), [], []

        def flood():
            with self.laptop.connect() as connection:
                while not stopped.is_set():
                    try:
                        connection.call("SendIndexMessage", **to_far, message={"text": "x" * 12_000})
                    except VarlinkError as error:
                        refused.append(error.reason)
                        time.sleep(0.002)

        def read():
            while not stopped.is_set():
                received.append(self.message(far))

        threads = [threading.Thread(target=body, daemon=True) for body in (flood, read)]
        began = time.monotonic()
        for thread in threads:
            thread.start()
        times = []
        for number in range(20):
            start = time.monotonic()
            origin, activity = self.laptop.publish(title=f"{number}")
            self.desktop.wait_for_offer(activity)
            self.assertEqual(self.desktop.call("Continue", id=activity)["activity"]["title"], f"{number}")
            times.append(time.monotonic() - start)
            origin.close()
            time.sleep(0.1)
        took = time.monotonic() - began
        # The reader waits for another message.
        count = len(received)
        stopped.set()
        self.assertLess(max(times), 1)
        self.assertEqual(set(refused), {"limitReached"})
        self.assertLessEqual(count, BURST + RATE * took + WAITING)
        self.assertGreater(count, RATE * took / 2)
        wait_until(lambda: not any(thread.is_alive() for thread in threads), "the threads end")
