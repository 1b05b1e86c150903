"""Repetitions, deadlines and replies that are none, of both clients, at a server that fails."""

import asyncio
import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from email.utils import formatdate
from typing import Any

import pytest
from support import QUICK, Handler, serve

from roundtable import (
    ApiError,
    ApiKey,
    AsyncRoundtable,
    DeadlineError,
    NetworkError,
    Roundtable,
    RoundtableError,
    Settings,
)

Answer = Callable[[Handler], None]
KEY = ApiKey("key", "token")


def reply(status: int, body: object, **headers: str) -> Answer:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.answer(status, json.dumps(body).encode(), named)


def failure(status: int, code: str, **headers: str) -> Answer:
    return reply(status, {"error": {"status": code, "message": "No."}}, **headers)


def half(handler: Handler) -> None:
    handler.answer(200, b'{"result":', {"content-length": "99"})
    handler.cut()


def silence(handler: Handler) -> None:
    ENDED.wait(10)
    handler.cut()


ENDED = threading.Event()
FINE = reply(200, {"result": {"status": "success", "message": "", "data": []}})
CUT = Handler.cut


class Scripted:
    """A client of a server that gives these answers, one after the other, and what it received."""

    def __init__(self, kind: str, base: str, settings: Settings) -> None:
        self.received: list[tuple[str | None, bytes]] = []
        self._sync = kind == "sync"
        self._base, self._settings = base, settings

    def write(self, **options: Any) -> Any:
        return self._call("delete", {"organizationId": "acme", "userIds": ["ada"]}, options)

    def read(self) -> Any:
        return self._call("get", {"organizationId": "acme"}, {})

    def _call(self, name: str, data: object, options: dict[str, Any]) -> Any:
        if self._sync:
            with Roundtable(self._base, KEY, self._settings) as client:
                return getattr(client.users, name)(data, **options)
        return asyncio.run(self._awaited(name, data, options))

    async def _awaited(self, name: str, data: object, options: dict[str, Any]) -> Any:
        async with AsyncRoundtable(self._base, KEY, self._settings) as client:
            return await getattr(client.users, name)(data, **options)


@pytest.fixture(params=["sync", "async"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@contextmanager
def scripted(kind: str, *answers: Answer, settings: Settings = QUICK) -> Iterator[Scripted]:
    following = iter(answers)

    def answer(handler: Handler) -> None:
        it.received.append((handler.headers.get("idempotency-key"), handler.body()))
        next(following, silence)(handler)

    ENDED.clear()
    with serve(answer) as base:
        it = Scripted(kind, base, settings)
        try:
            yield it
        finally:
            ENDED.set()


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Times that repetitions waited for, without waiting."""
    waited: list[float] = []

    async def awaited(seconds: float) -> None:
        waited.append(seconds)

    monkeypatch.setattr("roundtable.client.time.sleep", waited.append)
    monkeypatch.setattr("roundtable.client.asyncio.sleep", awaited)
    return waited


def test_what_is_of_the_moment_is_repeated_a_write_under_one_name(kind: str) -> None:
    failures = (failure(503, "UNAVAILABLE"), failure(500, "INTERNAL"), failure(409, "ABORTED"), CUT)
    with scripted(kind, *failures, FINE) as it:
        it.write()
    assert len(it.received) == 5
    assert len(set(it.received)) == 1
    key = it.received[0][0]
    assert key is not None and len(key) == 32


def test_two_calls_have_two_names(kind: str) -> None:
    with scripted(kind, FINE, FINE) as it:
        it.write()
        it.write()
    assert it.received[0][0] != it.received[1][0]


def test_a_call_that_reads_has_no_name_and_is_repeated(kind: str) -> None:
    with scripted(kind, half, FINE) as it:
        it.read()
    assert [key for key, _ in it.received] == [None, None]


def test_without_repetitions_no_name_is_sent_unless_the_caller_chose_one(kind: str) -> None:
    with scripted(kind, CUT, FINE, settings=Settings(max_retries=0)) as it:
        with pytest.raises(NetworkError):
            it.write()
        it.write(idempotency_key="mine")
    assert [key for key, _ in it.received] == [None, "mine"]


def test_repetitions_end(kind: str) -> None:
    with scripted(kind, *[failure(503, "UNAVAILABLE")] * 3, FINE) as it:
        with pytest.raises(ApiError, match="UNAVAILABLE"):
            it.write(max_retries=2)
    assert len(it.received) == 3


def test_a_repetition_waits_as_long_as_the_service_asks(kind: str, waits: list[float]) -> None:
    date = formatdate(time.time() + 9, usegmt=True)
    limited = failure(429, "RESOURCE_EXHAUSTED", retry_after="7")
    busy = failure(503, "UNAVAILABLE", retry_after=date)
    with scripted(kind, limited, busy, reply(429, {"message": "Too Many Requests"}), FINE) as it:
        it.read()
    assert waits[0] == 7.0
    assert 7.0 < waits[1] <= 9.0
    assert waits[2] < 0.01


def test_a_time_to_wait_beyond_the_deadline_is_not_waited_for(kind: str, waits: list[float]) -> None:
    with scripted(kind, failure(429, "RESOURCE_EXHAUSTED", retry_after="61"), FINE) as it:
        with pytest.raises(ApiError) as error:
            it.read()
    assert error.value.retry_after == 61.0
    assert len(it.received) == 1 and not waits


@pytest.mark.parametrize("status, code", [(429, "RESOURCE_EXHAUSTED"), (409, "ALREADY_EXISTS"), (404, "NOT_FOUND")])
def test_a_quota_and_what_is_wrong_with_a_call_are_not_repeated(kind: str, status: int, code: str) -> None:
    with scripted(kind, failure(status, code), FINE) as it:
        with pytest.raises(ApiError, match=code):
            it.read()
    assert len(it.received) == 1


def test_an_attempt_and_a_call_have_a_deadline(kind: str) -> None:
    with scripted(kind, silence, FINE, settings=Settings(attempt=0.3, backoff=0.001)) as it:
        it.read()
    assert len(it.received) == 2
    with scripted(kind, silence, FINE, settings=Settings(deadline=0.3)) as it:
        with pytest.raises(DeadlineError):
            it.read()
    assert len(it.received) == 1


def test_what_is_no_reply_of_the_service_is_an_error(kind: str) -> None:
    def page(handler: Handler) -> None:
        handler.answer(200, b"<html>Welcome</html>")

    with scripted(kind, page, reply(413, {"message": "Too Large"}, apigw_requestid="gw1")) as it:
        with pytest.raises(ApiError, match="users.get: UNKNOWN"):
            it.read()
        with pytest.raises(ApiError, match="UNKNOWN") as error:
            it.read()
    assert (error.value.status, error.value.request_id) == (413, "gw1")


def test_ignored_members_are_told(kind: str) -> None:
    with scripted(kind, reply(200, {"result": {"data": []}}, x_ignored_members="data.nickName")) as it:
        with pytest.warns(UserWarning, match="users.get does not know data.nickName"):
            it.read()


def test_an_address_that_is_none_is_refused_at_once() -> None:
    for client in (Roundtable, AsyncRoundtable):
        with pytest.raises(ValueError):
            client("127.0.0.1:3000", KEY)


def test_a_text_that_cannot_be_sent_is_an_error_of_the_client() -> None:
    client = Roundtable("http://127.0.0.1:9", KEY, QUICK)
    with pytest.raises(RoundtableError, match="surrogate"):
        client.users.get({"organizationId": "\ud83d"})


@pytest.mark.parametrize("value", [float("nan"), datetime.now(), {1, 2}], ids=["NaN", "date", "set"])
def test_data_that_json_cannot_hold_is_an_error_of_the_client(value: object) -> None:
    client = Roundtable("http://127.0.0.1:9", KEY, QUICK)
    with pytest.raises(RoundtableError, match="none for JSON"):
        client.users.get({"organizationId": value})  # type: ignore[typeddict-item]
