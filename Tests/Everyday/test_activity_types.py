# SPDX-License-Identifier: Apache-2.0
"""The open activity types: their schemas, their examples, and what passes through two daemons."""
# Labs: lo
import re

from activity_types import DIRECTORY, conforms, faults, read, schemas
from lab import ROOT, LabTest

EXAMPLES = DIRECTORY / "examples"


def stems(path):
    return sorted(file.name.removesuffix(".schema.json") for file in path.glob("*.schema.json"))


class SchemaTests(LabTest):
    labs = ("lo",)

    def names(self):
        return [name for name in stems(DIRECTORY) if name != "document"]

    def examples_of(self, name, directory):
        activity_type = read(DIRECTORY / f"{name}.schema.json")["properties"]["activityType"]["const"]
        return [path for path in sorted(directory.glob("*.json")) if read(path)["activityType"] == activity_type]

    def test_every_type_has_a_schema(self):
        source = (ROOT / "Sources/Agent/ActivityTypes/OpenActivityType.swift").read_text()
        self.assertEqual(sorted(schemas()), sorted(re.findall(r'= "(.+)"', source)))

    def test_every_type_has_examples(self):
        for name in self.names():
            for directory in (EXAMPLES, EXAMPLES / "refused"):
                with self.subTest(name, directory=directory.name):
                    self.assertGreaterEqual(len(self.examples_of(name, directory)), 2)

    def test_examples_conform(self):
        for path in sorted(EXAMPLES.glob("*.json")):
            with self.subTest(path.name):
                self.assertEqual(faults(read(path)), [])

    def test_refused_examples_do_not(self):
        for path in sorted((EXAMPLES / "refused").glob("*.json")):
            with self.subTest(path.name):
                self.assertFalse(conforms(read(path)))

    def test_what_a_later_version_adds_is_allowed(self):
        for path in sorted(EXAMPLES.glob("*.json")):
            activity = read(path)
            activity.setdefault("userInfo", {})["org.example.zoom"] = {"level": 2}
            with self.subTest(path.name):
                self.assertEqual(faults(activity), [])

    def test_the_page_names_everything(self):
        page = (DIRECTORY.parent / "ActivityTypes.md").read_text()
        for name in [*self.names(), "document"]:
            self.assertIn(f"(ActivityTypes/{name}.schema.json)", page)
        for name in [*self.names(), "document"]:
            schema = read(DIRECTORY / f"{name}.schema.json")
            members = schema["properties"]["userInfo"]["properties"] if name != "document" else schema["properties"]
            for member in members:
                with self.subTest(name, member=member):
                    self.assertRegex(page, rf"\n\| [^|]*`{re.escape(member)}`")


class PassageTests(LabTest):
    labs = ("lo",)

    def test_examples_arrive_as_they_were(self):
        laptop, desktop = self.two()
        for path in sorted(EXAMPLES.glob("*.json")):
            activity = read(path)
            with self.subTest(path.name):
                members = {key: value for key, value in activity.items() if key != "activityType"}
                connection, published = laptop.publish(activity["activityType"], **members)
                offer = desktop.wait_for_offer(published)
                self.assertEqual(offer["activityType"], activity["activityType"])
                arrived = desktop.call("Continue", id=published)["activity"]
                self.assertEqual(faults(arrived), [])
                self.assertEqual(arrived.get("userInfo") or None, activity.get("userInfo"))
                self.assertEqual(arrived.get("webpageURL"), activity.get("webpageURL"))
                connection.close()
