# SPDX-License-Identifier: Apache-2.0
"""What a daemon is started with: descriptors that are closed, and limits that are low."""
import itertools

from faultlab import ALL, FaultTest, sample

LIMITS = {
    "nofile": [*range(3, 40), 64, 100],
    "fsize": [0, 1, 2, 10, 13, 14, 15, 100, 500, 1000],
    "as": [mebibytes << 20 for mebibytes in (64, 96, 128, 160, 192, 256, 384, 512, 1024)],
    "nproc": [0, 1, 2, 5, 20],
}
CLOSED = [closed for number in range(4) for closed in itertools.combinations((0, 1, 2), number)]


class ProcessTests(FaultTest):
    def start_with(self, closed=(), limit=None, may_be_killed=False):
        a = self.machine("a")
        redirections = " ".join(f"{number}{'<' if number == 0 else '>'}&-" for number in closed)
        a.prefix = ["bash", "-c", f'exec "$0" "$@" {redirections}']
        if limit:
            a.prefix = ["prlimit", f"--{limit[0]}={limit[1]}:{limit[1]}", *a.prefix]
        # Without memory Swift ends a process.
        a.may_be_killed = may_be_killed
        status = a.begin()
        if status is None:
            outcome = a.attempt("peer", "add", "127.0.0.1:12", "--team", self.home)
            a.assert_not_crashed()
            if not limit:
                self.assertTrue(outcome.ok, outcome)
            a.stop()
        elif not limit:
            self.fail(f"it refuses to start: {status}")
        elif 2 not in closed and status > 0 and limit[0] != "fsize":
            # What it says goes to a file here, too.
            self.assertTrue(a.said.strip(), "it says nothing")
        a.prefix = []
        a.may_be_killed = False
        a.start()
        self.assertWhole(a, more_addresses=("127.0.0.1:12",))
        self.assertEqual(a.leftovers(), [])

    def test_closed_descriptors(self):
        for closed in CLOSED:
            with self.point(closed=closed):
                self.start_with(closed)


def make_tests():
    for name, values in LIMITS.items():
        def test(self, name=name, values=values):
            for value in sample(values, 4):
                for closed in CLOSED if ALL else ((),):
                    with self.point(value=value, closed=closed):
                        self.start_with(closed, (name, value), may_be_killed=name == "as")

        setattr(ProcessTests, f"test_limit_{name}", test)


make_tests()
