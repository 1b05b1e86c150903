"""What linters do not look at: the size of openapi.json, and the names that generators make of it."""

import json
import pathlib
import re
import sys

MAX_BYTES = 440_000
MAX_CLASSES = 500


def names(pattern, text):
    return set(re.findall(pattern, text, re.MULTILINE))


def classes(folder):
    found = set()
    for file in pathlib.Path(folder).rglob("*.py"):
        found |= names(r"^class (\w+)", file.read_text(encoding="utf-8"))
    return found


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
    print(f"openapi.json: {size} bytes, {len(document['components']['schemas'])} schemas")
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1])))
