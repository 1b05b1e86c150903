"""The clients."""

import asyncio
import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

import httpx

from ._call import CallOptions, Exchange, Operation, Settings
from .credentials import Credentials
from .generated.async_operations import AsyncOperations
from .generated.operations import Operations

DEFAULTS = Settings()


def checked(base_url: str) -> str:
    """The base URL of a service; raises `ValueError` for an invalid one."""
    if not base_url.startswith(("http://", "https://")):
        raise ValueError("base_url has to begin with http:// or https://")
    return base_url.rstrip("/")


class Roundtable(Operations):
    """A client of the service.

    Every operation is a method of its family and answers with the `result` of the reply; what it
    raises is a `RoundtableError`. It may be used by several threads.

        client = Roundtable("http://127.0.0.1:3000", ApiKey(api_key, auth_token))
        users = client.users.get({"organizationId": "acme"})["data"]

    `base_url` is where the service is; `http` is a client of httpx that sends the requests.
    """

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        settings: Settings = DEFAULTS,
        *,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(self._call)
        self._base_url = checked(base_url)
        self._credentials = credentials
        self._settings = settings
        self._http = http or httpx.Client()

    def as_(self, credentials: Credentials) -> "Roundtable":
        """A client with the same settings and connections, and other credentials."""
        return Roundtable(self._base_url, credentials, self._settings, http=self._http)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _call(self, operation: Operation, data: Mapping[str, Any] | None, options: CallOptions) -> Any:
        exchange = Exchange(self._base_url, self._credentials, self._settings, operation, data, options)
        while True:
            reply: httpx.Response | httpx.RequestError
            try:
                reply = self._http.send(exchange.request(self._http))
            except httpx.RequestError as error:
                reply = error
            seconds = exchange.settle(reply)
            if seconds is None:
                return exchange.result
            time.sleep(seconds)


class AsyncRoundtable(AsyncOperations):
    """A client of the service whose methods are awaited.

    client = AsyncRoundtable("http://127.0.0.1:3000", ApiKey(api_key, auth_token))
    users = (await client.users.get({"organizationId": "acme"}))["data"]
    """

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        settings: Settings = DEFAULTS,
        *,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(self._call)
        self._base_url = checked(base_url)
        self._credentials = credentials
        self._settings = settings
        self._http = http or httpx.AsyncClient()

    def as_(self, credentials: Credentials) -> "AsyncRoundtable":
        """A client with the same settings and connections, and other credentials."""
        return AsyncRoundtable(self._base_url, credentials, self._settings, http=self._http)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _call(self, operation: Operation, data: Mapping[str, Any] | None, options: CallOptions) -> Any:
        exchange = Exchange(self._base_url, self._credentials, self._settings, operation, data, options)
        while True:
            reply: httpx.Response | httpx.RequestError
            try:
                reply = await self._http.send(exchange.request(self._http))
            except httpx.RequestError as error:
                reply = error
            seconds = exchange.settle(reply)
            if seconds is None:
                return exchange.result
            await asyncio.sleep(seconds)
