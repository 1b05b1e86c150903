"""The operations of openapi.json, for both clients."""

import copy
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

OPENAPI = Path(__file__).parents[2] / "openapi.json"
OLDER = "Older paths"
SCHEMAS = "#/components/schemas/"


@dataclass
class Pages:
    """The paging of an operation."""

    sent: str
    """Member of the request with the page token."""
    next: list[str]
    """Path in the result to the next page token."""
    items: list[str]
    """Path in the result to the list of items."""
    item: str | None
    """Schema of an item; without one, only pages are offered."""


@dataclass
class Operation:
    family: str
    method: str
    path: str
    writes: bool
    text: str
    request: str | None
    optional: bool
    result: str
    pages: Pages | None
    grouped: str | None
    """Member of the request that asks for a map in place of the list of items."""

    @property
    def name(self) -> str:
        """The name of the operation in the service and its logs."""
        return f"{snake(self.family)}.{snake(self.method)}"


def snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", lambda found: "_" + found[1].lower(), name)


def plain(text: str) -> str:
    """The text without links to the pages that the service shows with its reference."""
    without_contract = re.sub(r"\\n\\n\[Contract\]\(/docs/[^)]*\)", "", text)
    return re.sub(r"\[([^][]*)\]\(/docs/[^)]*\)", r"\1", without_contract)


def pascal(name: str) -> str:
    return name[0].upper() + name[1:]


def references(schema: Any) -> list[dict[str, Any]]:
    """All references in a schema."""
    if isinstance(schema, list):
        return [ref for item in schema for ref in references(item)]
    if not isinstance(schema, dict):
        return []
    found = [schema] if "$ref" in schema else []
    return found + [ref for item in schema.values() for ref in references(item)]


class Document:
    def __init__(self) -> None:
        self.openapi: dict[str, Any] = json.loads(plain(OPENAPI.read_text()))
        tags = [tag for tag in self.openapi["tags"] if "x-family" in tag]
        self.families: dict[str, str] = {tag["x-family"]: tag["description"] for tag in tags}
        by_tag = {tag["name"]: tag["x-family"] for tag in tags}
        self.operations: list[Operation] = []
        for path, methods in self.openapi["paths"].items():
            told = methods["post"]
            if told["tags"] != [OLDER]:
                self.operations.append(self._operation(path, told, by_tag[told["tags"][0]]))

    def events(self) -> list[str]:
        """Schemas of webhook bodies."""
        bodies = [told["post"]["requestBody"] for told in self.openapi["webhooks"].values()]
        schemas = [body["content"]["application/json"]["schema"] for body in bodies]
        return sorted({self._name(schema) for schema in schemas})

    def schemas(self) -> dict[str, Any]:
        """A document with only the schemas, for generators of types."""
        schemas = self.openapi["components"]["schemas"]
        info = {"title": "Roundtable", "version": "2"}
        return {"openapi": "3.1.0", "info": info, "paths": {}, "components": {"schemas": schemas}}

    def open_requests(self) -> dict[str, Any]:
        """The same for languages whose types cannot say "and other members".

        A parameter with custom members is such a type or any object.
        """
        document = copy.deepcopy(self.schemas())
        schemas = document["components"]["schemas"]
        replies = {it.result for it in self.operations} | set(self.events())
        replied, following = set[str](), list(replies)
        while following:
            if (name := following.pop()) not in replied:
                replied.add(name)
                following += [self._name(ref) for ref in references(schemas[name])]
        schemas["JsonObject"]["additionalProperties"] = {}
        for ref in references(schemas):
            name = self._name(ref)
            if name not in replied and schemas[name].get("additionalProperties") is True:
                options = [{"$ref": ref.pop("$ref")}, {"$ref": f"{SCHEMAS}JsonObject"}]
                ref["anyOf"] = options
        return document

    def _operation(self, path: str, told: dict[str, Any], family: str) -> Operation:
        method = told["operationId"].removeprefix(family)
        if method == told["operationId"]:
            raise SystemExit(f"{path}: the operationId does not begin with {family}")
        request, optional = self._request(told)
        reply = self._follow(told["responses"]["200"])["content"]["application/json"]["schema"]
        result = self._follow(reply)["properties"]["result"]
        lines = [told["summary"] + ".", told["description"]]
        return Operation(
            family=family,
            method=method[0].lower() + method[1:],
            path=path,
            writes=bool(told.get("parameters")),
            text="\n\n".join(lines),
            request=request and self._name(request),
            optional=optional,
            result=self._name(result),
            pages=self._pages(request, result),
            grouped=self._grouped(request, result),
        )

    def _request(self, told: dict[str, Any]) -> tuple[dict[str, Any] | None, bool]:
        body = self._follow(told["requestBody"])
        schema = self._follow(body["content"]["application/json"]["schema"])
        if "anyOf" in schema:
            schema = self._follow(schema["anyOf"][0])
        data = schema["properties"]["data"]
        return (data if "$ref" in data else None), not body["required"]

    def _pages(self, request: dict[str, Any] | None, result: dict[str, Any]) -> Pages | None:
        sent = self._members(request or {}).keys() & {"pageToken", "iterator"}
        if not sent:
            return None
        found = self._members(result)
        data, items, token = self._follow(found["data"]), ["data"], sent.pop()
        if token == "iterator":
            [member] = [name for name, it in data["properties"].items() if it.get("type") == "array"]
            data, items = data["properties"][member], ["data", member]
            following = ["data", "iterator"]
        else:
            following = [next(name for name in ("nextPageToken", "pageToken") if name in found)]
        lists = [it for it in data.get("anyOf", [data]) if it.get("type") == "array"]
        item = self._item(lists[0]["items"]) if lists else None
        return Pages(token, following, items, item)

    def _grouped(self, request: dict[str, Any] | None, result: dict[str, Any]) -> str | None:
        found = self._follow(self._members(result).get("data", {}))
        if {self._follow(it).get("type") for it in found.get("anyOf", [])} != {"array", "object"}:
            return None
        [member] = [name for name in self._members(request or {}) if name.startswith("groupBy")]
        return member

    def _item(self, schema: dict[str, Any]) -> str:
        """The schema of an item, without the null for unknown items."""
        options = [it for it in schema.get("anyOf", [schema]) if it.get("type") != "null"]
        return self._name(options[0])

    def _members(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = self._follow(schema)
        members = dict(schema.get("properties", {}))
        for part in schema.get("allOf", []):
            members |= self._members(part)
        return members

    def _follow(self, schema: dict[str, Any]) -> dict[str, Any]:
        while "$ref" in schema:
            found: Any = self.openapi
            for part in schema["$ref"].removeprefix("#/").split("/"):
                found = found[part]
            schema = found
        return schema

    def _name(self, schema: dict[str, Any]) -> str:
        return schema["$ref"].rsplit("/", 1)[1]
