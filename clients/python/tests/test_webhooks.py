"""Verification of webhooks that the service sent."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from support import Handler, new_key, serve, until

from roundtable import Roundtable, WebhookVerificationError, types, verify_webhook

OTHER = "whsec_MDEyMzQ1Njc4OWFiY2RlZg=="


class Webhook(NamedTuple):
    body: bytes
    headers: dict[str, str]


class Receiver(NamedTuple):
    client: Roundtable
    endpoint: str
    comment: Callable[[str], Webhook]

    def secret(self) -> str:
        return self.client.webhook_endpoints.secret_get({"endpointId": self.endpoint})["data"]["secret"]


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A key whose webhooks come here."""
    received: list[Webhook] = []

    def receive(handler: Handler) -> None:
        received.append(Webhook(handler.body(), dict(handler.headers.items())))
        handler.answer(200, b"")

    def words(text: str) -> list[types.NewComment]:
        return [{"commentText": text, "from": {"userId": "ada"}}]

    def comment(text: str) -> Webhook:
        client.comments.add(
            {"organizationId": "acme", "documentId": "plan", "annotationId": "thread", "commentData": words(text)}
        )
        return until(lambda: received.pop() if received else None)

    with serve(receive) as url, new_key() as client:
        client.configuration.advanced_webhooks_update({"isEnabled": True})
        endpoint = client.webhook_endpoints.create({"url": url, "filterTypes": ["comment.add"]})["data"]
        client.organizations.add({"organizations": [{"organizationId": "acme", "organizationName": "Acme"}]})
        client.documents.add({"organizationId": "acme", "documents": [{"documentId": "plan", "documentName": "Plan"}]})
        client.comments.annotations_add(
            {
                "organizationId": "acme",
                "documentId": "plan",
                "commentAnnotations": [{"annotationId": "thread", "commentData": words("First")}],
            }
        )
        yield Receiver(client, endpoint["id"], comment)


def text(event: types.WebhookEvent) -> str | None:
    assert event["type"] == "comment.add"
    return event["data"]["targetComment"].get("commentText")


def test_a_webhook_of_the_service_is_verified_a_forged_or_old_one_is_not() -> None:
    with receiver() as it:
        body, headers = it.comment("Hello")
        secret = it.secret()
    assert text(verify_webhook(body, headers, secret)) == "Hello"
    lower = {name.lower(): value for name, value in headers.items()}
    assert text(verify_webhook(body.decode(), lower, secret)) == "Hello"
    at = int(lower["webhook-timestamp"])
    nameless = {name: value for name, value in lower.items() if name != "webhook-id"}
    verify_webhook(body, lower, secret, now=at + 299)
    forgeries: list[tuple[str, Callable[[], object]]] = [
        ("no signature fits", lambda: verify_webhook(body + b" ", lower, secret)),
        ("no signature fits", lambda: verify_webhook(body, lower, OTHER)),
        ("no signature fits", lambda: verify_webhook(body, lower | {"webhook-id": "msg_1"}, secret)),
        ("no signature fits", lambda: verify_webhook(body, lower | {"webhook-signature": "v1,ü"}, secret)),
        ("too old", lambda: verify_webhook(body, lower, secret, now=at + 301)),
        ("future", lambda: verify_webhook(body, lower, secret, now=at - 301)),
        ("webhook-id", lambda: verify_webhook(body, nameless, secret)),
    ]
    for why, forged in forgeries:
        with pytest.raises(WebhookVerificationError, match=why):
            forged()
    with pytest.raises(ValueError):
        verify_webhook(body, lower, "secret")


def test_while_a_secret_is_rotated_the_old_one_and_the_new_one_verify() -> None:
    with receiver() as it:
        old = it.secret()
        it.client.webhook_endpoints.secret_rotate({"endpointId": it.endpoint, "gracePeriodSeconds": 3600})
        new = it.secret()
        body, headers = it.comment("Both")
    assert old != new
    for secrets in (old, new, [OTHER, new]):
        assert text(verify_webhook(body, headers, secrets)) == "Both"
    with pytest.raises(WebhookVerificationError):
        verify_webhook(body, headers, [OTHER])


def test_a_body_in_base64_is_decoded() -> None:
    with receiver() as it:
        it.client.configuration.advanced_webhooks_update({"encodeData": True})
        body, headers = it.comment("Grüße")
        assert body.startswith(b'{"encodedPayload"')
        assert text(verify_webhook(body, headers, it.secret())) == "Grüße"
