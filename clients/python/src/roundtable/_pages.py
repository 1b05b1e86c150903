"""Pages and their items."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ._call import CallOptions


def pages(
    get: Callable[..., Any],
    data: Mapping[str, Any] | None,
    member: str,
    following: list[str],
    options: CallOptions,
) -> Iterator[Any]:
    """All pages, from the requested one to the last."""
    page: dict[str, Any] = {}
    while True:
        result = get({**(data or {}), **page}, **options)
        yield result
        token = at(result, following)
        if not token:
            return
        page = {member: token}


def items(results: Iterator[Any], path: list[str]) -> Iterator[Any]:
    """All items of pages that are lists."""
    for result in results:
        yield from items_of(result, path)


def items_of(result: Any, path: list[str]) -> Iterator[Any]:
    """The items of a page."""
    found = at(result, path)
    if not isinstance(found, list):
        raise TypeError("This reply is grouped: iterate over its pages.")
    return (item for item in found if item is not None)


def at(value: Any, path: list[str]) -> Any:
    """The value at a path, if any."""
    for name in path:
        value = value.get(name)
    return value
