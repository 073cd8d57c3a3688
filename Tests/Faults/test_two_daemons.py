# SPDX-License-Identifier: Apache-2.0
"""One state directory, and two daemons that would have it."""
import os

from faultlab import ALL, PROMPT, FaultTest, Machine, wait_until

UNAVAILABLE = 69
# A code is given out in each, and 64 may be open.
ROUNDS = 50 if ALL else 5


class TwoDaemonsTests(FaultTest):
    def setUp(self):
        super().setUp()
        self.a = self.machine("a").start()

    def second(self, state):
        """Another with the same state directory, by this path."""
        second = Machine(self, "n")
        second.state = state
        return second

    def assertRefused(self, second):
        self.assertEqual(second.begin(), UNAVAILABLE)
        self.assertIn(os.path.basename(os.path.realpath(second.state)), second.said)
        self.assertFalse(second.socket.exists())
        self.assertTrue(self.a.is_running)
        self.a.must("team", "invite", "--team", self.home)

    def test_the_second_is_refused(self):
        for _ in range(ROUNDS):
            self.assertRefused(self.second(self.a.state))
        self.assertWhole(self.a)

    def test_by_another_path(self):
        link = self.directory / "link"
        link.symlink_to(self.a.state)
        for path in (f"{self.a.state}/", f"{self.a.state}/../a", link):
            with self.subTest(path=str(path)):
                self.assertRefused(self.second(path))

    def test_two_that_start_at_once(self):
        self.a.stop()
        for _ in range(2 * ROUNDS):
            one, other = self.a, self.second(self.a.state)
            for machine in (one, other):
                machine.said_before = 0
                machine.spawn()

            def statuses():
                return [machine.process.poll() for machine in (one, other)]

            wait_until(lambda: any(status is not None for status in statuses()), "one is refused", PROMPT)
            self.assertEqual(sorted(map(str, statuses())), [str(UNAVAILABLE), "None"])
            winner = one if one.is_running else other
            winner.wait_until_served()
            winner.stop()

    def test_after_the_first_was_killed(self):
        for _ in range(ROUNDS):
            self.a.kill()
            second = self.second(self.a.state).start()
            second.must("team", "invite", "--team", self.home)
            second.kill()
            self.a.start()
        self.assertWhole(self.a)
