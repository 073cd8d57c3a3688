# SPDX-License-Identifier: Apache-2.0
"""The library for apps: any calls in any order, against a model of what should be offered after them."""
# Labs: lo
import random

from test_library import LibraryTest

SEEDS = range(1, 25)
ROUNDS = 40


class Model:
    """The activities of an app, which of them is current, and what should be offered. Each call goes to the app, too."""

    def __init__(self, app, chance):
        self.app = app
        self.chance = chance
        self.current = None
        self.titles, self.eligible, self.valid = {}, {}, {}
        self.changes = 0

    @property
    def offered(self):
        return [self.titles[self.current]] if self.current and self.eligible[self.current] else []

    def call(self):
        calls = [
            self.become_current, self.become_current, self.rename, self.resign, self.invalidate, self.release, self.toggle
        ]
        name = self.chance.choice("abcd")
        (self.chance.choice(calls) if name in self.titles else self.make)(name)

    def make(self, name):
        self.titles[name], self.eligible[name], self.valid[name] = self.new_title(name), True, True
        self.app.send("make", name, {"title": self.titles[name], "needsSave": self.chance.random() < 0.5})

    def become_current(self, name):
        self.app.send("becomeCurrent", name)
        if self.valid[name]:
            self.current = name

    def rename(self, name):
        self.titles[name] = self.new_title(name)
        self.app.send("set", name, {"title": self.titles[name]})

    def toggle(self, name):
        self.eligible[name] = not self.eligible[name]
        self.app.send("set", name, {"isEligibleForHandoff": self.eligible[name]})

    def resign(self, name):
        self.app.send("resign", name)
        self.leave(name)

    def invalidate(self, name):
        self.app.send("invalidate", name)
        self.valid[name] = False
        self.leave(name)

    def release(self, name):
        self.app.send("release", name)
        self.leave(name)
        del self.titles[name]

    def leave(self, name):
        if self.current == name:
            self.current = None

    def new_title(self, name):
        """No two are the same, so what is seen is never what was there before."""
        self.changes += 1
        return f"{name}{self.changes}"


class RandomCallsTests(LibraryTest):
    def test_what_is_current_is_offered_after_any_calls(self):
        origin, receiver = self.two_apps()
        offered = 0
        for seed in SEEDS:
            with self.subTest(seed=seed):
                offered += self.run_calls(self.app(self.laptop, f"origin-{seed}"), receiver, random.Random(seed))
        # Otherwise there was not much to see.
        self.assertGreater(offered, len(SEEDS) * ROUNDS // 4)

    def run_calls(self, origin, receiver, chance):
        """Runs one app's calls; how often it offered something."""
        model = Model(origin, chance)
        offered = 0
        for number in range(ROUNDS):
            for _ in range(chance.randrange(1, 8)):
                model.call()
            if chance.random() < 0.05:
                self.laptop.restart()
            if model.current:
                model.rename(model.current)
            origin.settle()
            self.offered(*model.offered)
            offered += len(model.offered)
            if model.offered and chance.random() < 0.2:
                event = self.continued_when_known(receiver, *model.offered)
                self.assertEqual((event["callback"], event.get("title")), ("continue", *model.offered))
                origin.wait("wasContinued", name=model.current)
                model.current = None
        origin.kill()
        self.offered()
        return offered
