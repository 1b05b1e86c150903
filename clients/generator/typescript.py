"""The operations in TypeScript."""

from document import Document, Operation, pascal, snake

HEAD = "// Written by clients/generate from openapi.json.\n"


def operations(document: Document) -> str:
    parts = [
        HEAD,
        'import type { Call, CallOptions } from "../call.js";',
        'import { Family } from "../family.js";',
        'import { items, pages } from "../pages.js";',
        'import type * as types from "./types.js";\n',
    ]
    for family, about in document.families.items():
        methods = [it for it in document.operations if it.family == family]
        parts += [
            comment(about, ""),
            f"export class {pascal(family)} extends Family {{",
            "\n".join(method(it, base(methods)) for it in methods).removeprefix("\n"),
            "}\n",
        ]
    parts += ["/** Every operation, by family. */", "export class Operations {"]
    for family, about in document.families.items():
        parts += [comment(about, "  "), f"  readonly {family}: {pascal(family)};"]
    assigned = ""
    for family in document.families:
        path = base([it for it in document.operations if it.family == family])
        assigned += f'    this.{family} = new {pascal(family)}(call, "{snake(family)}", "{path}");\n'
    parts += [f"\n  constructor(call: Call) {{\n{assigned}  }}\n}}\n"]
    return "\n".join(parts)


def events(document: Document) -> str:
    union = " | ".join(document.events())
    return f"\n/** The body of a webhook. */\nexport type WebhookEvent = {union};\n"


def begins(it: Operation) -> str | None:
    """What the path of an operation has before its name; nothing if it does not end with that."""
    end = "/" + snake(it.method).replace("_", "/")
    return it.path.removeprefix("/v2").removesuffix(end) if it.path.endswith(end) else None


def base(methods: list[Operation]) -> str:
    """The beginning of most paths of a family, which its methods do not repeat."""
    found = [begin for it in methods if (begin := begins(it)) is not None]
    return max(found, key=found.count, default="")


def method(it: Operation, beginning: str) -> str:
    data, options = f"data{'?' if it.optional else ''}: types.{it.request}", "options?: CallOptions"
    parameters = f"{data}, {options}" if it.request else options
    sent = "data" if it.request else "{}"
    does = "writes" if it.writes else "reads"
    path = "" if begins(it) == beginning else f', "{it.path.removeprefix("/v2")}"'
    text = f"""
{comment(it.text, "  ")}{listed(it, options)}
  {it.method}({parameters}): Promise<types.{it.result}> {{
    return this.{does}("{snake(it.method)}", {sent}, options{path});
  }}"""
    if not it.pages:
        return text
    following = ".".join(it.pages.next)
    how = "" if it.pages.sent == "pageToken" else f', "{it.pages.sent}", (result) => result.{following}'
    where = "" if it.pages.items == ["data"] else f", (result) => result.{'.'.join(it.pages.items)}"
    text += f"""

  /** The pages of `{it.method}`. */
  {it.method}Pages({parameters}): AsyncGenerator<types.{it.result}, void> {{
    const get = (page: object) => this.{it.method}({{ ...data, ...page }}, options);
    return pages(get{how});
  }}"""
    if it.pages.item:
        text += f"""

  /** The items of `{it.method}`, from page to page, without unknown ones. */
  {it.method}All({parameters}): AsyncGenerator<types.{it.pages.item}, void> {{
    return items(this.{it.method}Pages(data, options){where});
  }}"""
    return text


def listed(it: Operation, options: str) -> str:
    """The overload of a call that does not ask for a map."""
    if not it.grouped or not it.pages:
        return ""
    data = f"types.{it.request} & {{ {it.grouped}?: false | null }}"
    found = f"Extract<types.{it.result}[\"data\"], unknown[]>"
    result = f'Omit<types.{it.result}, "data"> & {{ data: {found} }}'
    return f"""
  {it.method}(data: {data}, {options}): Promise<{result}>;
  {it.method}(data: types.{it.request}, {options}): Promise<types.{it.result}>;"""


def comment(text: str, indent: str) -> str:
    text = text.replace("*/", "*\\/")
    lines = "".join(f"{indent} * {line}".rstrip() + "\n" for line in text.split("\n"))
    return f"{indent}/**\n{lines}{indent} */"
