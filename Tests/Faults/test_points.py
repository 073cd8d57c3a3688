# SPDX-License-Identifier: Apache-2.0
"""Each call of each step fails, or is the last that the daemon does."""
import pathlib
import signal

from faultlab import ALL, PROMPT, FaultTest, Outcome, sample, wait_until
from preload import Fault
from steps import STEPS, Start, Stop

# What a call may fail with; where the daemon has to go on with it, too (EINTR), it must.
ERRORS = {
    "open": ["EMFILE", "EACCES", "ENOSPC", "EIO"],
    "read": ["EIO", "EINTR"],
    "write": ["ENOSPC", "EIO", "EINTR", "EDQUOT"],
    "fsync": ["EIO", "ENOSPC"],
    "rename": ["EIO", "ENOSPC"],
    "unlink": ["EIO"],
    "mkdir": ["ENOSPC"],
    "access": ["EIO"],
    "accept": ["EMFILE", "ECONNABORTED", "EINTR", "ENOMEM"],
}


class StepTest(FaultTest):
    def run_step(self, kind, fault):
        """Prepares a step, takes it with the fault, starts all anew, and checks. Returns the calls that were counted."""
        names = kind.target + kind.others
        machines = {name: self.machine(name, faulty=name == kind.target) for name in sorted(names)}
        target = machines[kind.target]
        step = kind(self, machines)
        for name in kind.others:
            machines[name].start()
        step.begin()
        step.prepare()
        if fault:
            target.may_be_killed = fault.kills or fault.kind == "allocate"
        target.faults.arm(fault)
        try:
            outcome = step.take()
        except AssertionError:
            # Who has no memory need not answer.
            if not fault or fault.kind != "allocate":
                raise
            outcome = Outcome(1, b"", b"")
        if fault and fault.kind == "allocate":
            target.end()
        if target.is_running:
            try:
                target.call("GetStatus")
            except (OSError, EOFError):
                target.process.wait(PROMPT)
        counts = {kind: target.faults.count(kind) for kind in ("change", "allocate", *ERRORS)}
        target.faults.disarm()
        if fault:
            self.assert_answered(kind, target, fault, outcome)
        for machine in machines.values():
            machine.stop()
        target.may_be_killed = False
        for machine in machines.values():
            machine.start()
        leftovers = target.leftovers()
        self.assertWhole(target, step.without, step.extra, step.without_address, step.more_addresses, step.changed)
        step.check(outcome)
        # What is there because it is written just now goes.
        left = set(leftovers)
        wait_until(lambda: not left & set(target.leftovers()), f"files that a start has left are gone: {leftovers}", PROMPT)
        return counts

    def assert_answered(self, kind, target, fault, outcome):
        fired = target.faults.has_fired
        if fault.kills:
            if fired:
                self.assertEqual(target.process.wait(PROMPT), -signal.SIGKILL)
            return
        if fault.kind == "allocate":
            return
        target.assert_not_crashed()
        if kind is Start:
            if outcome is not None:
                self.assertEqual(outcome, 1)
                self.assertIn(str(target.state), target.said, "the refusal names no path")
        elif kind is not Stop:
            self.assertTrue(target.is_running)
            if not outcome.ok:
                self.assertEqual(outcome.reason, "storageFailed", outcome)

    def count(self, kind):
        """How many calls of each kind a step makes that nothing disturbs."""
        with self.point(fault="none"):
            self.counts = None
            self.counts = self.run_step(kind, None)
        return self.counts or {}


class KillPointTests(StepTest):
    """The daemon is killed before each change of a file, or after half of it was written."""

    def kill(self, kind):
        counts = self.count(kind)
        points = [
            Fault("change", number, action)
            for number in range(1, counts.get("change", 0) + 1)
            for action in ("kill before", "kill after")
        ]
        for fault in sample(points, 5):
            with self.point(fault=str(fault)):
                self.run_step(kind, fault)


class FailingCallTests(StepTest):
    """One call fails, or it and all that follow: a disk that is full stays so."""

    def let_fail(self, kind):
        counts = self.count(kind)
        points = []
        for name, errors in ERRORS.items():
            if name == "accept":
                continue
            of_kind = [
                Fault(name, number, action, error)
                for action in ("fail on", "fail")
                for number in range(1, counts.get(name, 0) + 1)
                for error in errors
                if (error, action) != ("EINTR", "fail on")
            ]
            points += sample(of_kind, 2)
        writes = range(1, counts.get("write", 0) + 1)
        for fault in points + [Fault("write", number, "short") for number in sample(writes, 1)]:
            with self.point(fault=str(fault)):
                self.run_step(kind, fault)


class AllocationTests(StepTest):
    """Memory is refused: the daemon may end of it, and starts again as if it had been killed."""

    def starve(self, kind):
        counts = self.count(kind)
        # There are tens of thousands.
        numbers = range(1, counts.get("allocate", 0) + 1)
        for number in sample(numbers, 250 if ALL else 2, most=True):
            fault = Fault("allocate", number, "fail", "ENOMEM")
            with self.point(fault=str(fault)):
                self.run_step(kind, fault)


def make_tests():
    """One for each step, and each way to fail."""
    for kind in STEPS:
        name = "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in kind.__name__)
        for case, method in ((KillPointTests, "kill"), (FailingCallTests, "let_fail"), (AllocationTests, "starve")):
            def test(self, kind=kind, method=method):
                getattr(self, method)(kind)

            setattr(case, f"test{name}", test)


make_tests()


class AcceptTests(StepTest):
    """A connection that cannot be taken now is taken later, and costs no processor meanwhile."""

    def test_accept(self):
        for error in ERRORS["accept"]:
            for action in ("fail", "fail on"):
                if (error, action) != ("EINTR", "fail on"):
                    with self.point(error=error, action=action):
                        self.refuse(error, action)

    def refuse(self, error, action):
        a = self.machine("a", faulty=True).start()
        a.faults.arm(Fault("accept", 1, action, error))
        if action == "fail on":
            caller = a.spawn_baton("status")
            self.wait_for(lambda: a.faults.has_fired)
            before = self.processor_time(a)
            self.wait_for(lambda: a.faults.count("accept") > 5 or self.processor_time(a) - before > 0.5)
            self.assertLess(self.processor_time(a) - before, 0.5)
            a.faults.disarm()
            self.wait_for_exit(caller, deadline=PROMPT)
        a.must("status")
        self.assertWhole(a)

    def wait_for(self, condition):
        wait_until(condition, "the daemon goes on", PROMPT)

    @staticmethod
    def processor_time(machine):
        fields = pathlib.Path(f"/proc/{machine.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100
