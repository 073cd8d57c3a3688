# SPDX-License-Identifier: Apache-2.0
"""A long transfer over everything that can go wrong at once; see Scripts/run-soak."""
import os
import random
import subprocess
import time

from lab import HOSTS, control, on
from test_durable import MEBIBYTE, DurableTest

SEED = int(os.environ.get("SOAK_SEED", "1"))
LENGTH = int(os.environ.get("SOAK_MEBIBYTES", "1024")) * MEBIBYTE
# Seconds between two cuts of the session.
INTERVAL = float(os.environ.get("SOAK_INTERVAL", "2"))
WIRE = os.environ.get("SOAK_WIRE", "loss=5 delay=20")


class SoakTest(DurableTest):
    time_limit = 7200

    def test_both_ways_over_a_bad_network(self):
        laptop, desktop = self.two()
        generator = random.Random(SEED)
        with open(os.path.join(os.environ["LAB_DIR"], "wire"), "w") as file:
            file.write(WIRE)
        began = time.monotonic()
        # Each Avahi is killed twice, and one address changes once, in the first half of the transfer.
        events = [(lambda host=host: self.restart_avahi(host)) for host in HOSTS for _ in range(2)]
        events.append(self.change_address)
        generator.shuffle(events)

        def disturb(transfers):
            time.sleep(INTERVAL * generator.uniform(0.5, 1.5))
            self.cut(laptop, desktop)
            share = min(transfer.received_count / transfer.length for transfer in transfers)
            if events and share > 0.5 - 0.1 * len(events):
                events.pop()()
            print(f"         {time.monotonic() - began:6.0f} s: {share:4.0%}", flush=True)

        self.transfer_both_ways(laptop, desktop, LENGTH, disturb)
        self.assertEqual(events, [])

    def restart_avahi(self, host):
        control("avahi-kill", host)
        control("avahi-start", host)

    def change_address(self):
        subprocess.run(on("b", "ip", "address", "del", "10.77.0.2/24", "dev", "vb"), check=True)
        subprocess.run(on("b", "ip", "address", "add", "10.77.0.99/24", "dev", "vb"), check=True)
