"""Pages and their items, awaited."""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from ._call import CallOptions
from ._pages import at, items_of


async def pages(
    get: Callable[..., Awaitable[Any]],
    data: Mapping[str, Any] | None,
    member: str,
    following: list[str],
    options: CallOptions,
) -> AsyncIterator[Any]:
    """All pages, from the requested one to the last."""
    page: dict[str, Any] = {}
    while True:
        result = await get({**(data or {}), **page}, **options)
        yield result
        token = at(result, following)
        if not token:
            return
        page = {member: token}


async def items(results: AsyncIterator[Any], path: list[str]) -> AsyncIterator[Any]:
    """All items of pages that are lists."""
    async for result in results:
        for item in items_of(result, path):
            yield item
