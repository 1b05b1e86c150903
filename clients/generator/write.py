"""Writes operations, and adds to types, in the folder of each client that is named.

First `schemas FILE FILE`, from which the generators of types read, then `operations TYPESCRIPT PYTHON`.
"""

import json
import sys
from pathlib import Path

import python
import typescript
from document import Document


def main() -> None:
    document = Document()
    match sys.argv[1:]:
        case ["schemas", ts, py]:
            Path(ts).write_text(json.dumps(document.schemas()))
            Path(py).write_text(json.dumps(document.open_requests()))
        case ["operations", ts, py]:
            (Path(ts) / "operations.ts").write_text(typescript.operations(document))
            (Path(py) / "operations.py").write_text(python.operations(document, is_async=False))
            (Path(py) / "async_operations.py").write_text(python.operations(document, is_async=True))
            for file, union in (
                (Path(ts) / "types.ts", typescript.events(document)),
                (Path(py) / "types.py", python.events(document)),
            ):
                file.write_text(file.read_text() + union)
        case _:
            raise SystemExit(__doc__)


main()
