# SPDX-License-Identifier: Apache-2.0
"""The schemas of the open activity types (Documentation/reference/ActivityTypes)."""
import functools
import json
import pathlib

import jsonschema

DIRECTORY = pathlib.Path(__file__).resolve().parents[2] / "Documentation/reference/ActivityTypes"


def read(path):
    return json.loads(path.read_text())


def resolved(schema):
    """The schema with what it refers to in its place, because the versions of jsonschema differ in how they find it."""
    if isinstance(schema, list):
        return [resolved(element) for element in schema]
    if not isinstance(schema, dict):
        return schema
    if isinstance(schema.get("$ref"), str):
        return {key: value for key, value in resolved(read(DIRECTORY / schema["$ref"])).items() if key != "$schema"}
    return {key: resolved(value) for key, value in schema.items()}


@functools.cache
def schemas():
    """Validators by activity type."""
    result = {}
    for path in sorted(DIRECTORY.glob("*.schema.json")):
        schema = resolved(read(path))
        jsonschema.Draft202012Validator.check_schema(schema)
        if path.name != "document.schema.json":
            name = schema["properties"]["activityType"]["const"]
            result[name] = jsonschema.Draft202012Validator(schema)
    return result


def faults(activity):
    """What is wrong with an activity of an open type, in words; empty if nothing is."""
    validator = schemas()[activity["activityType"]]
    # An absent member can be null.
    activity = {key: value for key, value in activity.items() if value is not None}
    return [f"{'/'.join(map(str, fault.absolute_path)) or 'activity'}: {fault.message}" for fault in validator.iter_errors(activity)]


def conforms(activity):
    """Whether an activity, as `Continue` and `baton continue --json` return it, is as its type's schema says."""
    return not faults(activity)
