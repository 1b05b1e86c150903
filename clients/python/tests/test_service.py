"""Errors, credentials, pages and webhooks, at the service."""

import asyncio
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from support import BASE, Handler, new_key, serve

from roundtable import ApiError, ApiKey, AsyncRoundtable, EndUser, Roundtable, types


def acme(**members: object) -> Any:
    return {"organizationId": "acme", **members}


def plan(**members: object) -> Any:
    return acme(documentId="plan", **members)


def thread(**members: object) -> Any:
    return plan(annotationId="thread", **members)


def words(text: str) -> list[types.NewComment]:
    return [{"commentText": text, "from": {"userId": "a"}}]


def add_team(client: Roundtable) -> None:
    """Adds an organization with a document and five users."""
    client.organizations.add({"organizations": [{"organizationId": "acme", "organizationName": "Acme"}]})
    client.documents.add(acme(documents=[{"documentId": "plan", "documentName": "Plan"}]))
    client.users.add(acme(users=[{"userId": it, "name": it} for it in "abcde"]))


@pytest.fixture
def client() -> Iterator[Roundtable]:
    with new_key() as client:
        add_team(client)
        yield client


def test_an_error_names_the_code_the_members_the_request_and_the_operation(client: Roundtable) -> None:
    with pytest.raises(ApiError) as caught:
        client.comments.get({"organizationId": "", "documentId": "plan", "annotationId": "x"})
    error = caught.value
    assert (error.code, error.status, error.operation) == ("INVALID_ARGUMENT", 400, "comments.get")
    assert [it["path"] for it in error.issues] == [["data", "organizationId"]]
    assert error.request_id and error.request_id in str(error)


def test_credentials_decide_who_calls(client: Roundtable) -> None:
    with pytest.raises(ApiError, match="PERMISSION_DENIED"):
        client.as_(ApiKey("nobody", "none")).users.get(acme())
    token = client.users.generate_token(
        {
            "userId": "a",
            "userProperties": {"name": "A", "email": "a@example.com"},
            "permissions": {"resources": [acme(type="document", id="plan", accessRole="editor")]},
        }
    )["data"]["token"]
    asked: list[str] = []

    def current() -> str:
        asked.append(token)
        return token

    user = client.as_(EndUser(current))
    user.presence.add(plan(users=[{"userId": "a", "status": "online"}]))
    assert [it["userId"] for it in user.presence.get(plan())["data"]] == ["a"]
    assert len(asked) == 2
    assert token not in repr(EndUser(token))
    with pytest.raises(ApiError, match="PERMISSION_DENIED"):
        user.users.delete(acme(userIds=["b"]))


def test_pages_and_items_go_from_the_first_to_the_last(client: Roundtable) -> None:
    pages = client.users.get_pages(acme(pageSize=2))
    assert [len(page["data"]) for page in pages] == [2, 2, 1]
    assert sorted(user["userId"] for user in client.users.get_all(acme(pageSize=2))) == list("abcde")


def test_pages_are_awaited(client: Roundtable) -> None:
    async def names() -> list[str]:
        async with AsyncRoundtable(BASE, client._credentials) as awaited:
            return [user["userId"] async for user in awaited.users.get_all(acme(pageSize=2))]

    assert sorted(asyncio.run(names())) == list("abcde")


def test_pages_of_webhook_endpoints_have_iterators(client: Roundtable) -> None:
    client.configuration.advanced_webhooks_update({"isEnabled": True})
    for name in "abc":
        client.webhook_endpoints.create({"url": "https://hooks.example.com", "description": name})
    found = [it["description"] for it in client.webhook_endpoints.get_all({"limit": 2})]
    assert found == ["c", "b", "a"]


def test_what_does_not_exist_is_left_out_of_items_and_grouped_replies_have_none(client: Roundtable) -> None:
    client.comments.annotations_add(plan(commentAnnotations=[{"annotationId": "thread", "commentData": words("?")}]))
    threads = client.comments.annotations_get_all(plan(annotationIds=["thread", "none"]))
    assert [it["annotationId"] for it in threads] == ["thread"]
    with pytest.raises(TypeError):
        next(client.comments.annotations_get_all(acme(groupByDocumentId=True)))


def test_a_call_whose_reply_was_lost_is_made_once() -> None:
    lost: list[str] = []

    def hand_on(handler: Handler) -> None:
        """Hands a call on, and cuts the connection in place of the first reply about comments."""
        headers = {it: value for it, value in handler.headers.items() if it not in ("Host", "Connection")}
        answer = httpx.post(BASE + handler.path, content=handler.body(), headers=headers)
        if handler.path.endswith("/comments/add") and not lost:
            lost.append(handler.path)
            handler.cut()
        else:
            handler.answer(answer.status_code, answer.content)

    with serve(hand_on) as proxy, new_key(proxy) as client:
        add_team(client)
        threads = [{"annotationId": "thread", "commentData": words("Really?")}]
        client.comments.annotations_add(plan(commentAnnotations=threads))
        added = client.comments.add(thread(commentData=words("Yes.")))["data"]
        comments = list(client.comments.get_all(thread()))
    assert len(lost) == 1
    assert [it["commentText"] for it in comments] == ["Really?", "Yes."]
    assert comments[1]["commentId"] == added[0]


def test_the_clock_of_a_testing_key_moves(client: Roundtable) -> None:
    before = client.schedule.test_clock_advance({"seconds": 1})["data"]["now"]
    assert client.schedule.test_clock_advance({"seconds": 3600})["data"]["now"] - before >= 3_600_000
