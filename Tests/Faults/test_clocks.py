# SPDX-License-Identifier: Apache-2.0
"""Clocks that are wrong, and clocks that are set."""
import time

from faultlab import FaultTest
from steps import CODE_IS_OVER

MINUTE, DAY = 60, 24 * 60 * 60
YEARS = {1970: 100, 2038: 2_147_483_648 + DAY, 2060: 2_840_140_800, 2100: 4_102_444_800}


def ahead(year):
    """By how many seconds a clock is that shows a year."""
    return YEARS[year] - int(time.time())


class ClockTests(FaultTest):
    def test_starts_in_other_years(self):
        c = self.machine("c").start()
        a = self.machine("a", faulty=True)
        epoch = self.world["machines"]["a"]["epoch"]
        for year in (1970, 2038, 1970, 2100, 1970, None):
            with self.subTest(year=year):
                a.faults.set_clock(ahead(year) if year else 0)
                a.start()
                self.assertWhole(a)
                self.assertGreater(a.epoch(), epoch)
                epoch = a.epoch()
                a.must("peer", "list")
                a.stop()
        a.start()
        a.meets(c)

    def test_a_clock_that_is_set_while_it_runs(self):
        c = self.machine("c").start()
        a = self.machine("a", faulty=True).start()
        for seconds in (DAY, -DAY, ahead(1970), ahead(2100), 0):
            a.faults.set_clock(seconds)
            a.must("team", "invite", "--team", self.home)
            self.assertWhole(a)
        a.meets(c)
        a.stop()
        a.start()
        self.assertWhole(a)
        a.meets(c)

    # Codes.

    def expire(self, a, n, look):
        a.start()
        n.start()
        code = a.must("team", "invite", "--team", self.home).json["code"]
        a.faults.set_clock(16 * MINUTE)
        look(code)
        a.faults.set_clock(0)
        a.restart()
        for _ in range(2):
            outcome = n.attempt("team", "join", code, "--address", a.address)
            self.assertIn(outcome.reason, CODE_IS_OVER, "an expired code is good again")
        self.assertWhole(a)

    def test_a_code_that_was_seen_expired_stays_so(self):
        a, n = self.machine("a", faulty=True), self.machine("n")

        def look(code):
            self.assertEqual(n.attempt("team", "join", code, "--address", a.address).reason, "invitationExpired")

        self.expire(a, n, look)

    def test_a_code_that_expired_before_another_stays_so(self):
        a, n = self.machine("a", faulty=True), self.machine("n")
        self.expire(a, n, lambda code: a.must("team", "invite", "--team", self.home))

    def test_a_code_that_expired_before_a_start_stays_so(self):
        a, n = self.machine("a", faulty=True), self.machine("n")
        self.expire(a, n, lambda code: a.restart())

    # Teams.

    def test_a_team_of_another_year(self):
        for year in (1970, 2060):
            with self.point(year=year):
                m = self.machine("m", faulty=True)
                m.faults.set_clock(ahead(year))
                m.start()
                team = m.must("team", "create", "Old").json["team"]["id"]
                m.faults.set_clock(0)
                n = self.machine("n").start()
                code = m.must("team", "invite", "--team", team).json["code"]
                n.must("team", "join", code, "--address", m.address)
                n.meets(m)
                m.restart()
                n.meets(m)

    def test_an_administrator_whose_clock_stays_wrong(self):
        """The other machine has the right time, or is told that the clocks differ."""
        for year in (1970, 2060):
            with self.point(year=year):
                m = self.machine("m", faulty=True)
                m.faults.set_clock(ahead(year))
                m.start()
                team = m.must("team", "create", "Old").json["team"]["id"]
                code = m.must("team", "invite", "--team", team).json["code"]
                n = self.machine("n").start()
                outcome = n.attempt("team", "join", code, "--address", m.address)
                if not outcome.ok:
                    self.assertIn(outcome.reason, ("clockSkewed", "certificateExpired"))
