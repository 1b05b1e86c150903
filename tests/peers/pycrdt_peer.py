"""A peer that is pycrdt. One JSON request a line, one JSON answer a line."""

import base64
import json
import sys
import traceback

from pycrdt import Array, Doc, Map, Text, XmlElement, XmlFragment, XmlText

TYPES = {"text": Text, "map": Map, "array": Array, "xml": XmlFragment}
docs = {}


def root(doc, kind, key):
    return doc.get(key, type=TYPES[kind])


def edit_text(shared, mark, dice):
    # pycrdt counts bytes of UTF-8; a character begins at each of these.
    text = str(shared)
    at = len(text[: dice[0] % (len(text) + 1)].encode())
    shared.insert(at, mark)
    if dice[1] % 3 == 0 and at > 0:
        shared.format(0, at, {"bold": True})


def edit_map(shared, mark, dice):
    shared[mark] = mark
    shared[f"k{dice[0] % 6}"] = {"by": mark, "n": 1.5, "when": 1700000000000}
    key = f"k{dice[1] % 6}"
    if key in shared:
        del shared[key]


def edit_array(shared, mark, dice):
    shared.insert(dice[0] % (len(shared) + 1), mark)
    if dice[2] % 4 == 0:
        shared.append(Map({"id": dice[2] % 9, "n": 1}))


def edit_xml(shared, mark, dice):
    children = list(shared.children)
    if children:
        old = children[dice[1] % len(children)]
        if isinstance(old, XmlElement):
            old.attributes["by"] = mark
            inner = list(old.children)
            if inner and isinstance(inner[0], XmlText):
                inner[0].insert(0, "typed ")
    # An element with its text in place: what is appended later is in another transaction.
    shared.children.insert(
        dice[0] % (len(children) + 1), XmlElement("paragraph", {}, [XmlText(mark)])
    )


EDITS = {"text": edit_text, "map": edit_map, "array": edit_array, "xml": edit_xml}


def new(doc, client=None, **_):
    docs[doc] = Doc(client_id=client) if client else Doc()
    return {}


def apply(doc, update, **_):
    docs[doc].apply_update(base64.b64decode(update))
    return {}


def edit(doc, kind, key, mark, dice, **_):
    shared = root(docs[doc], kind, key)
    with docs[doc].transaction():
        EDITS[kind](shared, mark, dice)
    return {}


def value(doc, kind, key, **_):
    shared = root(docs[doc], kind, key)
    return {"value": str(shared) if kind in ("text", "xml") else shared.to_py()}


def encode(doc, **_):
    return {"update": base64.b64encode(docs[doc].get_update()).decode()}


def diff(doc, vector, **_):
    return {"update": base64.b64encode(docs[doc].get_update(base64.b64decode(vector))).decode()}


def state_vector(doc, **_):
    return {"vector": base64.b64encode(docs[doc].get_state()).decode()}


OPS = {f.__name__: f for f in (new, apply, edit, value, encode, diff, state_vector)}

for line in sys.stdin:
    try:
        request = json.loads(line)
        answer = OPS[request.pop("op")](**request)
    except Exception:
        answer = {"error": traceback.format_exc()}
    print(json.dumps(answer), flush=True)
