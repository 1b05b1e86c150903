"""What linters do not look at: the size of openapi.json, the names that generators make of it, and
whether it breaks what a released version promised (openapi.released.json, once there is one)."""

import json
import pathlib
import re
import sys

MAX_BYTES = 400_000
MAX_CLASSES = 500


def names(pattern, text):
    return set(re.findall(pattern, text, re.MULTILINE))


def classes(folder):
    found = set()
    for file in pathlib.Path(folder).rglob("*.py"):
        found |= names(r"^class (\w+)", file.read_text(encoding="utf-8"))
    return found


def resolve(document, schema):
    while "$ref" in schema:
        target = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            target = target[part]
        schema = target
    return schema


def whole(document, schema):
    """A schema with the parts that it is put together from."""
    schema = dict(resolve(document, schema))
    for part in map(lambda part: whole(document, part), schema.pop("allOf", [])):
        for keyword, value in part.items():
            if keyword == "properties":
                value = schema.get(keyword, {}) | value
            elif keyword == "required":
                value = schema.get(keyword, []) + value
            schema[keyword] = value
    return schema


def inner(schema):
    """Schemas of elements, values and options, by their place."""
    for keyword, place in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(keyword), dict):
            yield place, schema[keyword]
    for option in schema.get("anyOf", []) + schema.get("oneOf", []):
        yield "|" + option.get("$ref", option.get("type", "")), option


def breaks(old, new, before, after, where, sent, seen):
    """What a caller of the old document notices; `sent` says who writes the value."""
    key = (before.get("$ref"), after.get("$ref"), sent)
    if key[0] and key in seen:
        return
    seen.add(key)
    before, after = whole(old, before), whole(new, after)
    if before.get("type") != after.get("type"):
        yield f"{where}: another type"
    given, taken = set(before.get("enum", [])), set(after.get("enum", []))
    if given and taken and not (given <= taken if sent else taken <= given):
        yield f"{where}: other values"
    required = set(before.get("required", [])), set(after.get("required", []))
    for name in sorted(required[1] - required[0] if sent else required[0] - required[1]):
        yield f"{where}.{name}: " + ("is required now" if sent else "may be missing now")
    members = before.get("properties", {}), after.get("properties", {})
    for name, member in members[0].items():
        if name in members[1]:
            place = f"{where}.{name}"
            yield from breaks(old, new, member, members[1][name], place, sent, seen)
        else:
            yield f"{where}.{name}: is gone"
    parts = dict(inner(after))
    for place, part in inner(before):
        if place in parts:
            yield from breaks(old, new, part, parts[place], where + place, sent, seen)
        else:
            yield f"{where}{place}: is gone"


def broken(old, new):
    for path, item in old["paths"].items():
        if path not in new["paths"]:
            yield f"{path}: is gone"
            continue
        before, after = item["post"], new["paths"][path]["post"]
        if before["operationId"] != after["operationId"]:
            yield f"{path}: has another operationId"
        for sent in (True, False):
            pair = []
            for document, operation in ((old, before), (new, after)):
                body = operation["requestBody"] if sent else operation["responses"]["200"]
                pair.append(resolve(document, body)["content"]["application/json"]["schema"])
            yield from breaks(old, new, *pair, path, sent, set())


def main(root):
    text = (root / "openapi.json").read_text(encoding="utf-8")
    document = json.loads(text)
    size = len(text.encode())
    made = {
        "openapi-python-client": classes("python"),
        "datamodel-codegen": names(r"^class (\w+)", pathlib.Path("models.py").read_text()),
        "@hey-api/openapi-ts": names(
            r"^export type (\w+)", pathlib.Path("hey/types.gen.ts").read_text()
        ),
    }
    faults = []
    if size > MAX_BYTES:
        faults.append(f"openapi.json has {size} bytes, {MAX_BYTES} are allowed")
    for tool, found in made.items():
        print(f"{tool}: {len(found)} names")
        # V1 is part of the name of an operation at an older path.
        numbered = sorted(n for n in found if re.search(r"\d", n.replace("V1", "")))
        faults += [f"{tool}: {name} has a number" for name in numbered]
    # The others also make classes of the bodies around requests and results, for each path.
    models = len(made["datamodel-codegen"])
    if models > MAX_CLASSES:
        faults.append(f"datamodel-codegen: {models} classes, {MAX_CLASSES} are allowed")
    released = root / "openapi.released.json"
    if released.exists():
        faults += broken(json.loads(released.read_text(encoding="utf-8")), document)
    print(f"openapi.json: {size} bytes, {len(document['components']['schemas'])} schemas")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
