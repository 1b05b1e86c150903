import json
import os
from pathlib import Path

from fastapi import FastAPI, Request
from roundtable.fastapi import Identity, token_router

people = {person["id"]: person for person in json.loads(Path("people.json").read_text())}


def identify(request: Request) -> Identity | None:
    # The address of the page says who it is, with `npm run dev` alone: in a product, your session does.
    person = people.get(request.query_params.get("as", "")) if os.environ.get("ROUNDTABLE_DEV") else None
    access = [{"type": "organization", "id": "acme", "accessRole": "editor"}]
    return person and Identity(person["id"], person["name"], person["email"], access)


app = FastAPI()
app.include_router(token_router(identify))
