"""A call with its retries, without the transport, which is synchronous or asynchronous."""

import json
import secrets
import warnings
from collections.abc import Awaitable, Mapping
from dataclasses import dataclass
from time import monotonic
from typing import Any, NamedTuple, Protocol, TypedDict

import httpx

from . import _retry
from .credentials import Credentials
from .errors import DeadlineError, NetworkError, RoundtableError


class CallOptions(TypedDict, total=False):
    """Options of one call."""

    idempotency_key: str
    """The `Idempotency-Key`: for 24 hours a repetition with the same key and body changes nothing and
    returns the first reply. By default, a call that writes and may be retried has a random key."""

    max_retries: int
    """Maximum number of retries. With 0, no random key is sent."""

    deadline: float
    """Seconds for the call with its retries."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Settings of a client."""

    max_retries: int = 4
    """Maximum number of retries of a call."""
    deadline: float = 60.0
    """Seconds for a call with its retries: none begins after that."""
    attempt: float = 30.0
    """Seconds that an attempt waits for the connection, or for the next bytes."""
    backoff: float = 0.5
    """Maximum delay of the first retry in seconds; doubled for each further one."""


class Operation(NamedTuple):
    """An operation, as defined by its method."""

    name: str
    path: str
    writes: bool
    """Whether it writes, and so takes an `Idempotency-Key`."""


class Call(Protocol):
    """Makes a call and returns its `result`."""

    def __call__(self, operation: Operation, data: Mapping[str, Any] | None, options: CallOptions, /) -> Any: ...


class AsyncCall(Protocol):
    """Makes a call and returns its `result`."""

    def __call__(
        self, operation: Operation, data: Mapping[str, Any] | None, options: CallOptions, /
    ) -> Awaitable[Any]: ...


class Exchange:
    """One call: its requests, and the handling of replies."""

    def __init__(
        self,
        base_url: str,
        credentials: Credentials,
        settings: Settings,
        operation: Operation,
        data: Mapping[str, Any] | None,
        options: CallOptions,
    ) -> None:
        self._url = base_url + operation.path
        self._credentials = credentials
        self._settings = settings
        self._operation = operation
        try:
            self._body = json.dumps({"data": data or {}}, ensure_ascii=False, allow_nan=False).encode()
        except UnicodeEncodeError as error:
            # Texts of users may have it, for example where one was cut.
            raise RoundtableError(operation.name, "a text has half of a character (a lone surrogate)") from error
        except (TypeError, ValueError) as error:
            raise RoundtableError(operation.name, f"the data is none for JSON: {error}") from error
        self._retries_left = options.get("max_retries", settings.max_retries)
        self._retry = 0
        self._deadline = monotonic() + options.get("deadline", settings.deadline)
        random = secrets.token_hex(16) if self._retries_left > 0 else None
        self._key = options.get("idempotency_key", random) if operation.writes else None
        self.result: Any = None

    def request(self, client: httpx.Client | httpx.AsyncClient) -> httpx.Request:
        """The next attempt."""
        headers = {"content-type": "application/json", **self._credentials.headers()}
        if self._key is not None:
            headers["idempotency-key"] = self._key
        seconds = max(min(self._settings.attempt, self._deadline - monotonic()), 0.001)
        return client.build_request("POST", self._url, content=self._body, headers=headers, timeout=seconds)

    def settle(self, reply: httpx.Response | httpx.RequestError) -> float | None:
        """Seconds until the next attempt, or None when `result` is there."""
        error = self._error(reply)
        if error is None:
            return None
        cause = reply if isinstance(reply, httpx.RequestError) else None
        if self._retries_left <= 0 or not _retry.is_transient(error):
            raise error from cause
        seconds = _retry.wait(error, self._retry, self._settings.backoff)
        if monotonic() + seconds >= self._deadline:
            raise error from cause
        self._retry += 1
        self._retries_left -= 1
        return seconds

    def _error(self, reply: httpx.Response | httpx.RequestError) -> RoundtableError | None:
        name = self._operation.name
        if isinstance(reply, httpx.TimeoutException):
            return DeadlineError(name, "no reply in time")
        if isinstance(reply, httpx.RequestError):
            return NetworkError(name, f"the connection failed: {reply}")
        try:
            self.result = reply.json()["result"] if reply.is_success else None
        except (ValueError, TypeError, LookupError):
            pass
        if self.result is None:
            return _retry.api_error(name, reply)
        if ignored := reply.headers.get("x-ignored-members"):
            warnings.warn(f"{name} does not know {ignored} and ignored it", stacklevel=5)
        return None
