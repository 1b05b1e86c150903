"""The operations in Python, synchronous and asynchronous."""

from document import Document, Operation, pascal, snake

HEAD = '"""Written by clients/generate from openapi.json."""\n'


def operations(document: Document, is_async: bool) -> str:
    kind = "Async" if is_async else ""
    iterator = "AsyncIterator" if is_async else "Iterator"
    parts = [
        HEAD,
        f"from collections.abc import {iterator}",
        "from typing import Unpack\n",
        f"from .. import {'_async_pages' if is_async else '_pages'} as paging",
        f"from .._call import {kind}Call, CallOptions, Operation",
        "from . import types\n",
    ]
    for family, about in document.families.items():
        methods = [it for it in document.operations if it.family == family]
        parts += [
            f"\nclass {kind}{pascal(family)}:",
            docstring(about, "    "),
            f"\n    def __init__(self, call: {kind}Call) -> None:\n        self._call = call",
            *(method(it, is_async) for it in methods),
            "",
        ]
    parts += [
        f"\nclass {kind}Operations:",
        '    """Every operation, by family."""\n',
        f"    def __init__(self, call: {kind}Call) -> None:",
    ]
    for family, about in document.families.items():
        parts += [
            f"        self.{snake(family)} = {kind}{pascal(family)}(call)",
            docstring(about, "        "),
        ]
    return "\n".join(parts) + "\n"


def events(document: Document) -> str:
    union = " | ".join(document.events())
    return f'\n\nWebhookEvent: TypeAlias = {union}\n"""The body of a webhook."""\n'


def method(it: Operation, is_async: bool) -> str:
    define, wait, iterator = ("async def", "await ", "AsyncIterator") if is_async else ("def", "", "Iterator")
    name, request = snake(it.method), f"types.{it.request}"
    data = f"data: {request} | None = None" if it.optional else f"data: {request}"
    data = f"{data}, " if it.request else ""
    parameters = f"self, {data}**options: Unpack[CallOptions]"
    sent = "data" if it.request else "None"
    text = f"""
    {define} {name}({parameters}) -> types.{it.result}:
{docstring(it.text, "        ")}
        operation = Operation("{it.name}", "{it.path}", {it.writes})
        result: types.{it.result} = {wait}self._call(operation, {sent}, options)
        return result"""
    if not it.pages:
        return text
    arguments = f'self.{name}, data, "{it.pages.sent}", {it.pages.next}, options'
    text += f"""

    def {name}_pages({parameters}) -> {iterator}[types.{it.result}]:
        \"\"\"The pages of `{name}`.\"\"\"
        return paging.pages({arguments})"""
    if it.pages.item:
        text += f"""

    def {name}_all({parameters}) -> {iterator}[types.{it.pages.item}]:
        \"\"\"The items of `{name}`, from page to page; what does not exist is left out.\"\"\"
        return paging.items(self.{name}_pages(data, **options), {it.pages.items})"""
    return text


def docstring(text: str, indent: str) -> str:
    mark = 'r"""' if "\\" in text else '"""'
    first, *lines = text.split("\n")
    if not lines:
        return f'{indent}{mark}{first}"""'
    rest = "".join(f"{indent}{line}".rstrip() + "\n" for line in lines)
    return f'{indent}{mark}{first}\n{rest}{indent}"""'
