# SPDX-License-Identifier: Apache-2.0
"""The last release's package, upgraded to this one in place; see Scripts/run-package. The tests are one story, in their order."""
import unittest

from upgrading import CONFIGURATION, OTHER, Upgrading, apt, baton, here, is_active, run
from waiting import TestCase, wait_until


class UpgradeTest(Upgrading, TestCase):
    def test_1_the_last_release_makes_a_team(self):
        apt("install", "/packages/previous.deb")
        wait_until(is_active, "batond runs")
        CONFIGURATION.write_text(CONFIGURATION.read_text().replace("#Name=", "Name=study\n#Name="))
        run("systemctl", "restart", "batond")
        type(self).team = self.make_team()

    def test_2_its_package_is_upgraded_while_a_stream_runs(self):
        before = run("dpkg-query", "-f", "${Version}", "-W", "baton")
        self.upgrade("/packages/next.deb")
        self.assertNotEqual(run("dpkg-query", "-f", "${Version}", "-W", "baton"), before)
        self.assertEqual([each["id"] for each in baton("ada", "team", "list")["teams"]], [self.team])
        # Ben's daemon is still the last release's, and ada's machine still has the team's key.
        baton("ada", "team", "invite")
        self.assertEqual(len(baton("ada", "team", "devices")["devices"]), 1)
        self.assertEqual(baton("ada", "status")["device"], "study")

    def test_3_the_other_machine_follows(self):
        here.end("other")
        here.begin_daemon("other", OTHER, user="ben")
        here.wait_for_session("ada")


if __name__ == "__main__":
    unittest.main(verbosity=2)
