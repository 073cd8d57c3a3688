# SPDX-License-Identifier: Apache-2.0
"""The small world that tests begin with: `world.py DIRECTORY` leaves the state directories of its machines there.

`a` administers Home, with the members `b` and `c`, and `e`, which was removed; and Other, alone. `b` administers Guest, which
`a` is a member of; `c` administers Club. `a` has named addresses in Home and in Other, made a request that Club has approved, and given out two
codes, of which one is used. `m` and `n` are in no team, and have no state.
"""
import json
import pathlib
import shutil
import subprocess
import sys
import unittest

import faultlab
from faultlab import FaultTest, wait_until


class World(FaultTest):
    def setUp(self):
        self.world = {"teams": {}}

    def runTest(self):
        a, b, c, e = (self.machine(name).start() for name in "abce")
        home = a.must("team", "create", "Home").json["team"]["id"]
        other = a.must("team", "create", "Other").json["team"]["id"]
        guest = b.must("team", "create", "Guest").json["team"]["id"]

        def join(machine, team, by):
            code = by.must("team", "invite", "--team", team).json["code"]
            machine.must("team", "join", code, "--address", by.address)

        for machine in (b, c, e):
            join(machine, home, a)
        join(a, guest, b)
        for machine, address, team in (
            (a, "127.0.0.1:9", home), (a, "127.0.0.1:10", other), (a, b.address, home), (b, a.address, home),
            (c, a.address, home), (c, b.address, home),
        ):
            machine.must("peer", "add", address, "--team", team)
        for machine, count in ((a, 3), (b, 2), (c, 2)):
            wait_until(
                lambda: len(machine.connected(home)) == count, f"{machine.name} is connected to {count}",
                faultlab.PATIENCE,
            )
        a.must("team", "revoke", "e", "--team", home)
        for machine in (b, c):
            e.is_refused_by(machine)
        request = a.must("team", "request").json["request"].encode()
        club = c.must("team", "create", "Club").json["team"]["id"]
        self.world["approval"] = c.must("team", "approve", "--team", club, input=request).json["approval"]
        code = a.must("team", "invite", "--team", home).json["code"]
        machines = {machine.name: self.seen(machine) for machine in (a, b, c, e)}
        for machine in (a, b, c, e):
            machine.stop()
            machine_facts = machines[machine.name]
            machine_facts["epoch"] = machine.epoch()
            for name, team in machine_facts["teams"].items():
                directory = self.world["teams"].setdefault(name, {"id": team["id"]})
                directory["directory"] = team["fingerprint"]
                machine_facts["owners"][name] = json.loads(machine.path(f"{name}/team.json").read_text())["owners"]
            shutil.copytree(machine.state, faultlab.WORLD / machine.name)
        self.world["machines"] = machines
        self.world["code"] = code
        (faultlab.WORLD / "world.json").write_text(json.dumps(self.world, indent=2))

    def seen(self, machine):
        return {"teams": machine.teams(), "addresses": sorted(machine.named_addresses()), "owners": {}}


if __name__ == "__main__":
    subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
    faultlab.WORLD = pathlib.Path(sys.argv[1])
    result = unittest.TextTestRunner(verbosity=0).run(unittest.TestSuite([World()]))
    sys.exit(not result.wasSuccessful())
