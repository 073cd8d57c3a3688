# SPDX-License-Identifier: Apache-2.0
"""Connections of a stranger, as many and as bad as there are, beside two machines that belong together."""
# Labs: lan 3
import shutil
import subprocess
import time
import unittest

from lab import PATIENCE, ROOT, wait_until
from stranger import PORT, StrangerTest, processor_time


class FloodTests(StrangerTest):
    # Connections a second, of each kind to each machine.
    RATE = 50

    def recorded_hello(self, laptop, desktop):
        """The first bytes that one of them sent to the other."""
        finish = self.capture(desktop.host)
        laptop.restart()
        self.meet(laptop, desktop)
        hellos = [packet.payload for packet in finish() if packet.protocol == 6 and packet.payload[:1] == b"\x16"
                  and packet.payload[5:6] == b"\1"]
        self.assertGreater(len(hellos), 0)
        return hellos[0]

    def test_a_flood_keeps_no_pair_apart(self):
        laptop, desktop = self.pair()
        hello = self.recorded_hello(laptop, desktop)
        self.add_addresses()
        kinds = ("silent", "garbage", "names", "hello")
        floods = [
            (kind, self.flood(daemon, kind, self.RATE, hello)) for daemon in (laptop, desktop) for kind in kinds
        ]
        for number in range(20):
            daemon = (laptop, desktop)[number % 2]
            daemon.restart()
            self.meet(laptop, desktop)
        # The control: they keep the daemons busy.
        for daemon in (laptop, desktop):
            wait_until(lambda: self.descriptors(daemon) > 50, f"{daemon.name} holds silent connections")
        self.continue_both_ways(laptop, desktop, 20)
        done = [(kind, self.end_flood(flood)) for kind, flood in floods]
        print(f"         connections: {', '.join(f'{kind} {counts}' for kind, counts in done)}")
        for kind, counts in done:
            self.assertGreater(counts["begun"], 100, kind)
            if kind == "names":
                self.assertGreater(counts["answered"], 10)
        # Who is silent is let go after 2 s.
        for daemon in (laptop, desktop):
            wait_until(lambda: self.descriptors(daemon) <= 30, f"the descriptors of {daemon.name} are closed")
            self.assertEqual(daemon.call("GetStatus")["sessions"], 1)


class CostTests(StrangerTest):
    def counting(self, name, number):
        """A daemon whose TLS sessions are counted (count-handshakes.c); and how many there were."""
        if not shutil.which("cc"):
            self.skipTest("no C compiler is installed")
        library, file = self.directory / "count.so", self.directory / f"{name}.count"
        subprocess.run(
            ["cc", "-shared", "-fPIC", "-O", "-o", library, ROOT / "Tests/Integration/count-handshakes.c"], check=True,
            timeout=PATIENCE)
        file.write_bytes(bytes(8))
        daemon = self.batond(
            name, number, arguments=["--port", PORT], prefix=["env", f"LD_PRELOAD={library}", f"HANDSHAKE_COUNT={file}"])
        return daemon, lambda: int.from_bytes(file.read_bytes(), "little")

    def test_wrong_names_cost_no_handshake(self):
        laptop, handshakes = self.counting("laptop", 0)
        desktop = self.batond("desktop", 1, arguments=["--port", PORT]).start()
        laptop.start()
        self.make_team(laptop, desktop)
        before = handshakes()
        # The control: it counts.
        self.assertGreater(before, 0)
        self.add_addresses()
        flood = self.flood(laptop, "names", 400)
        wait_until(lambda: self.refusals(laptop, "otherTeam") >= 1000, "1,000 are refused")
        self.end_flood(flood)
        self.assertEqual(handshakes(), before)
        self.continue_both_ways(laptop, desktop, 2)


class FloodCostTests(StrangerTest):
    def test_unknown_names_cost_a_quarter_of_a_core(self):
        laptop, desktop = self.pair()
        self.add_addresses()
        floods = [self.flood(laptop, "names", 5000) for _ in range(4)]
        wait_until(lambda: self.refusals(laptop, "tooManyConnections") >= 5000, "many are refused")
        used, start = processor_time(laptop.process.pid), time.monotonic()
        time.sleep(4)
        used = processor_time(laptop.process.pid) - used
        share = used / (time.monotonic() - start)
        counts = [self.end_flood(flood) for flood in floods]
        print(f"         {share:.0%} of a core; {counts}")
        self.assertLess(share, 0.25)
        self.continue_both_ways(laptop, desktop, 4)


class DescriptorTests(StrangerTest):
    def test_a_daemon_with_few_descriptors_goes_on(self):
        laptop = self.batond("laptop", 0, arguments=["--port", PORT], prefix=["prlimit", "--nofile=64"]).start()
        desktop = self.batond("desktop", 1, arguments=["--port", PORT]).start()
        self.make_team(laptop, desktop)
        before = self.descriptors(laptop)
        self.add_addresses()
        flood = self.flood(laptop, "silent", 500)
        wait_until(lambda: self.refusals(laptop, "tooManyConnections") >= 1000, "1,000 had to give way")
        for _ in range(20):
            self.assertEqual(laptop.call("GetStatus")["sessions"], 1)
            # Strangers have a quarter of them, and a turn of the loop brings 16 more before any is closed.
            self.assertLess(self.descriptors(laptop), before + 64 // 4 + 20)
        self.continue_both_ways(laptop, desktop, 4)
        laptop.baton("team", "create", "Meanwhile")
        self.assertGreater(self.end_flood(flood)["begun"], 500)
        wait_until(lambda: self.descriptors(laptop) <= before + 2, "the descriptors are closed")
        laptop.baton("team", "create", "Afterwards")
        laptop.restart()
        self.meet(laptop, desktop)


if __name__ == "__main__":
    unittest.main()
