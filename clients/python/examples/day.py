"""A day of a team (docs/A_DAY.md) as a program: `BASE=… ADMIN_TOKEN=… python day.py`."""

import os

from receiver import receiver, refused, until
from team import ADA, BOB, on_record, place, talking, writing

from roundtable import ApiKey, Operator, Roundtable, Workspace, types


def morning(base: str, admin_token: str) -> Roundtable:
    """A workspace is the account of a customer, an API key a tenant: all data below belongs to it."""
    admin = Roundtable(base, Operator(admin_token))
    made = admin.operator.workspace_create({"ownerEmail": "grace@example.com", "name": "Grace"})["data"]
    workspace = admin.as_(Workspace(made["id"], made["authToken"])).workspace
    api_key = workspace.api_key_create(
        {"ownerEmail": "grace@example.com", "type": "testing", "createAuthToken": True, "apiKeyName": "Handbook"}
    )["data"]["apiKey"]
    tokens = workspace.auth_tokens_get({"apiKey": api_key})["data"]["authTokens"]
    return admin.as_(ApiKey(api_key, tokens[0]["token"]))


def switch_on(client: Roundtable, url: str) -> tuple[str, list[str]]:
    """Notifications with a window of a minute, mails, the activity log, webhooks."""
    configuration, endpoints = client.configuration, client.webhook_endpoints
    document: types.NotificationWindowInput = {"isEnabled": True, "batchWindowSeconds": 60, "maxActivities": 10}
    notifications = configuration.notifications_update(
        {"useNotificationService": True, "notificationServiceConfig": {"batchConfig": {"document": document}}}
    )["data"]
    assert notifications["notificationServiceConfig"]["batchConfig"]["document"] == document
    configuration.email_update(
        {
            "useEmailService": True,
            "emailServiceConfig": {"fromEmail": "handbook@example.com", "fromCompany": "Acme"},
        }
    )
    assert configuration.email_get()["data"]["emailServiceConfig"]["fromCompany"] == "Acme"
    configuration.activities_update({"activityServiceConfig": {"isEnabled": True, "immutable": False}})

    # Operations on advanced webhooks fail until they are enabled.
    assert refused("FAILED_PRECONDITION", endpoints.get)
    configuration.advanced_webhooks_update({"isEnabled": True})
    endpoint = endpoints.create(
        {"url": url, "description": "Chat bot", "filterTypes": ["comment.add"], "rateLimit": 5}
    )["data"]["id"]
    old = endpoints.secret_get({"endpointId": endpoint})["data"]["secret"]
    endpoints.secret_rotate({"endpointId": endpoint, "gracePeriodSeconds": 3600})
    new = endpoints.secret_get({"endpointId": endpoint})["data"]["secret"]
    return endpoint, [old, new]


def hearing(client: Roundtable, endpoint: str, events: list[types.WebhookEvent]) -> None:
    """Webhooks are sent at once, notifications after their batch window."""
    events.clear()
    client.comments.add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "annotationId": "days",
            "commentData": [
                {
                    "commentText": "For part-time, too, {{bob}}?",
                    "from": ADA,
                    "triggerNotification": True,
                    "taggedUserContacts": [{"userId": "bob", "contact": BOB}],
                }
            ],
        }
    )
    until(lambda: events or None)
    event = events[0]
    assert event["type"] == "comment.add"
    assert event["data"]["targetComment"]["commentText"] == "For part-time, too, {{bob}}?"

    def delivered() -> types.DeliveryAttempt | None:
        attempts = client.deliveries.attempts_get({"endpointId": endpoint, "limit": 1})["data"]["attempts"]
        return next((it for it in attempts if it["statusCode"] == 204), None)

    assert until(delivered)["status"] == "success"

    def waits() -> bool:
        traces = client.notifications.trace_get({"organizationId": "acme", "documentId": "leave", "userId": "bob"})
        return any(it["state"] == "pending" for it in traces["data"])

    until(lambda: waits() or None)
    client.schedule.test_clock_advance({"seconds": 60})
    until(lambda: not waits() or None)
    notification = next(client.notifications.get_all({"organizationId": "acme", "userId": "bob"}))
    assert notification["displayBodyMessage"] == "For part-time, too, @Bob?"
    client.notifications.config_set(
        {
            "organizationId": "acme",
            "documentIds": ["leave", "travel"],
            "userIds": ["bob"],
            "config": {"inbox": "MINE", "email": "NONE"},
        }
    )


def evening(client: Roundtable, endpoint: str) -> None:
    """Export of Ada's data, and deletions."""
    pages = [it["data"] for it in client.user_data.get_pages({"organizationId": "acme", "userId": "ada"})]
    assert sum(len(page["comments"]) for page in pages) == 2
    assert sum(len(page["recordings"]) for page in pages) == 1
    deleted = client.documents.delete({"organizationId": "acme", "documentIds": ["leave", "nope"]})["data"]
    assert (deleted["leave"]["success"], deleted["nope"]["success"]) == (True, False)
    threads: types.CommentsAnnotationsGetRequest = {"organizationId": "acme", "documentId": "leave"}
    until(lambda: not client.comments.annotations_get(threads)["data"] or None)
    client.users.delete({"organizationId": "acme", "userIds": ["bob"]})
    client.presence.delete({"organizationId": "acme", "documentId": "travel", "userIds": ["ada"]})
    client.webhook_endpoints.delete({"endpointId": endpoint})
    client.organizations.delete({"organizationIds": ["acme"]})


def main() -> None:
    secrets, events = list[str](), list[types.WebhookEvent]()
    base = os.environ.get("BASE", "http://127.0.0.1:3000")
    with receiver(secrets, events) as url, morning(base, os.environ["ADMIN_TOKEN"]) as client:
        endpoint, issued = switch_on(client, url)
        secrets += issued
        place(client)
        writing(client)
        talking(client)
        hearing(client, endpoint, events)
        on_record(client)
        evening(client, endpoint)
    print("Python: the day went as docs/A_DAY.md says")


main()
