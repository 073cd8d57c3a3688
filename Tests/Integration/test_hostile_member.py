# SPDX-License-Identifier: Apache-2.0
"""What a device of the team says again and again."""
# Labs: lo
import json
import secrets
import threading
import time

from hostile_member import Member, frame
from lab import LabTest, Varlink, wait_until
from stranger import processor_time

RENAMED = 72


class RenameTests(LabTest):
    labs = ("lo",)

    def test_a_member_that_keeps_renaming_itself_does_not_slow_an_administrators_machine(self):
        laptop, desktop = self.two()
        desktop.terminate()
        file = next((laptop.state / "teams").iterdir()) / "devices.json"
        devices = json.loads(file.read_text())
        one = devices["devices"][0]
        for number in range(200):
            others = "".join(secrets.choice(one["device"]) for _ in range(41))
            devices["devices"].append({**one, "device": one["device"][:10] + others + one["device"][-1], "name": f"machine {number}"})
        file.write_text(json.dumps(devices))
        member = Member("127.0.0.1", laptop.port, next((desktop.state / "teams").iterdir()))
        longest, ends = [0], threading.Event()

        def ask():
            while not ends.is_set():
                start = time.monotonic()
                with Varlink(laptop.socket, 60) as connection:
                    connection.call("GetStatus")
                longest[0] = max(longest[0], time.monotonic() - start)
                time.sleep(0.02)

        thread = threading.Thread(target=ask)
        thread.start()
        used, start = processor_time(laptop.process.pid), time.monotonic()
        member.flood(lambda number: frame(RENAMED, {"device": f"name {number}"}), 4)
        share = (processor_time(laptop.process.pid) - used) / (time.monotonic() - start)
        ends.set()
        thread.join()
        print(f"         {share:.0%} of a core; {longest[0]:.1f} s at most until an answer")
        self.assertLess(share, 0.25)
        self.assertLess(longest[0], 1)

    def test_no_name_looks_like_the_label_of_another_machine(self):
        laptop, desktop = self.two()
        tablet = self.batond("tablet").start()
        tablet.baton("team", "join", laptop.json("team", "invite")["code"])
        for daemon in (laptop, desktop, tablet):
            daemon.wait_for_sessions(2)
        other = desktop.call("GetStatus")["teams"][0]["deviceID"]
        own = tablet.call("GetStatus")["teams"][0]["deviceID"]
        tablet.terminate()
        member = Member("127.0.0.1", laptop.port, next((tablet.state / "teams").iterdir()), "tablet")

        def label():
            return next(peer["device"] for peer in laptop.call("ListPeers")["peers"] if peer["deviceID"] == own)

        for end in (f" ({other[:8]})\U0001D159", f" ({other[:8]})'", f" ({other[:8]}\uFD3F", "\U0001D159", "\uFFFC", "\u02CC"):
            name = f"desktop{end}"
            member.send(RENAMED, {"device": name})
            wait_until(lambda name=name: label().startswith(name), f"{name!r} in {label()!r}")
            self.assertEqual(label(), f"{name} ({own[:8]})")
