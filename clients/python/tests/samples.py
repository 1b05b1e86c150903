"""Sends the sample of every operation in `events/` to a running service and says which fail.

Variables: `BASE`, `ADMIN_TOKEN`, `ROOT` (of the repository).
"""

import inspect
import json
import os
import re
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from roundtable import ApiKey, Operator, Roundtable, RoundtableError, Workspace

BASE, ADMIN_TOKEN, ROOT = os.environ["BASE"], os.environ["ADMIN_TOKEN"], Path(os.environ["ROOT"])
OPERATOR = Roundtable(BASE, Operator(ADMIN_TOKEN))
ENDS_SOMETHING = re.compile(r"(delete|remove|reset|rotate|disable|advance|limits-update|api-key-update)$")


class World:
    """A workspace with something of everything, and what samples name in it."""

    def __init__(self) -> None:
        self.names = {"adminToken": ADMIN_TOKEN}
        owner = "owner@example.com"
        made = self.client("operator").operator.workspace_create({"ownerEmail": owner})["data"]
        self.names |= {"workspaceId": made["id"], "workspaceToken": made["authToken"]}
        self.names["apiKey"] = next(iter(made["apiKeyList"]))
        workspace = self.client("workspace").workspace
        tokens = workspace.auth_tokens_get({"apiKey": self.names["apiKey"]})
        self.names["authToken"] = tokens["data"]["authTokens"][0]["token"]
        second = workspace.api_key_create({"ownerEmail": owner, "type": "testing"})
        self.names["secondApiKey"] = second["data"]["apiKey"]
        client = self.client("key")
        client.configuration.advanced_webhooks_update({"isEnabled": True})
        endpoint = client.webhook_endpoints.create(
            {"url": "https://hooks.invalid", "filterTypes": ["comment_annotation.add"]}
        )
        self.names["endpointId"] = endpoint["data"]["id"]
        world = re.sub(r"\{\{mark.*?\}\}", "", (ROOT / "tests/world.json").read_text())
        for call in json.loads(world):
            send = method(client, call["operation"].replace("-", "_").replace(".", "_"))
            reply = send(json.loads(self.fill(json.dumps(call["data"]))))
            if kept := call.get("keep"):
                self.names[kept] = reply["data"][kept]
        job = client.user_data.delete({"userIds": ["gone"], "organizationIds": ["acme"]})
        self.names["jobId"] = job["data"]["jobId"]

    def fill(self, text: str) -> str:
        return re.sub(r"\{\{(\w+)\}\}", lambda found: self.names.get(found[1], found[0]), text)

    def client(self, level: str) -> Roundtable:
        names = self.names
        if level == "workspace":
            return OPERATOR.as_(Workspace(names["workspaceId"], names["workspaceToken"]))
        return OPERATOR.as_(ApiKey(names["apiKey"], names["authToken"])) if level == "key" else OPERATOR

    def wait_for_message(self) -> None:
        """Waits for the webhook message that some samples name."""
        for _ in range(400):
            if messages := self.client("key").deliveries.messages_get({"limit": 1})["data"]["messages"]:
                self.names["messageId"] = messages[0]["id"]
                return
            time.sleep(0.05)
        raise SystemExit("no message came")


def method(client: Roundtable, name: str) -> Callable[[Any], Any]:
    """`client.comments.annotations_add` for `comments_annotations_add`."""
    families = [it for it in vars(client) if name.startswith(f"{it}_")]
    family = max(families, key=len)
    found: Callable[..., Any] = getattr(getattr(client, family), name.removeprefix(f"{family}_"))
    takes_data = "data" in inspect.signature(found).parameters
    return found if takes_data else lambda _: found()


def operations(client: Roundtable) -> set[str]:
    """Every operation of the client."""
    names = {f"{family}_{name}" for family, it in vars(client).items() for name in vars(type(it))}
    return {it for it in names if not re.search(r"__|^_|_(pages|all)$", it)}


def main() -> int:
    warnings.simplefilter("error", UserWarning)
    shared = World()
    sent, failures = set[str](), list[str]()
    for file in sorted((ROOT / "events").glob("*.json")):
        sample = json.loads(file.read_text())
        if not sample.get("rawPath", "").startswith("/v") or file.stem == "gateway-unknown":
            continue
        world = World() if ENDS_SOMETHING.search(file.stem) else shared
        if "{{messageId}}" in file.read_text():
            world.wait_for_message()
        levels = {"x-service-admin-token": "operator", "x-service-workspace-id": "workspace"}
        level = next((level for header, level in levels.items() if header in sample["headers"]), "key")
        name = file.stem.replace("-", "_")
        sent.add(name)
        try:
            method(world.client(level), name)(json.loads(world.fill(sample["body"]) or "{}").get("data"))
        except RoundtableError as error:
            failures.append(str(error))
    failures += [f"{name} has no sample" for name in operations(shared.client("key")) - sent]
    print(f"Python: {len(sent) - len(failures)} of {len(sent)} samples succeeded")
    for failure in failures:
        print(f"  {failure}")
    return 1 if failures else 0


sys.exit(main())
