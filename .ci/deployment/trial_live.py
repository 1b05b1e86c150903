"""Two end users on the live channel of a deployment: what one writes and what is called over REST
reaches the other."""

import base64
import json
from urllib.parse import urlencode

from websockets.sync.client import connect

# The first sync message of a client that has nothing.
STEP_1 = bytes([0, 0, 1, 0])
# Client 1 begins the text "content" with "a".
UPDATE = bytes([1, 1, 1, 0, 4, 1, 7, *b"content", 1, *b"a", 0])
SYNC, STEP_2, CHANGED = 0, 1, 2


def text(message):
    return base64.b64encode(message).decode()


def heard(socket, what, wanted):
    """The first message that is wanted; others are passed over."""
    for _ in range(50):
        if wanted(found := socket.recv(timeout=30)):
            return found
    raise SystemExit(f"{what} did not come")


def event(**members):
    def wanted(message):
        message = json.loads(message)
        return all(message.get(name) == value for name, value in members.items())

    return wanted


def sync(kind):
    def wanted(message):
        return not message.startswith("{") and base64.b64decode(message)[:2] == bytes([SYNC, kind])

    return wanted


def follow_live(story, url):
    url = url.replace("http", "ws", 1)

    def join(user, **query):
        right = {"type": "document", "id": "d", "organizationId": "acme", "accessRole": "editor"}
        sent = {"userId": user, "userProperties": {"name": user.title(), "email": f"{user}@example.com", "isAdmin": False, "organizationId": "acme"}, "permissions": {"resources": [right]}}
        token = story.post("/v2/auth/generate_token", sent)["token"]
        return connect(f"{url}?{urlencode({'token': token, **query})}", open_timeout=30)

    with join("bob", protocol="events") as listener:
        listener.send(json.dumps({"type": "subscribe", "organizationId": "acme", "documentId": "d"}))
        heard(listener, "the subscription", event(type="subscribed"))
        story.comment("t-live")
        known = heard(listener, "the event of a comment", event(type="event", name="comment_annotation.add"))
        story.post("/v2/presence/add", {"organizationId": "acme", "documentId": "d", "users": [{"userId": "ada", "name": "Ada", "status": "online"}]})
        heard(listener, "a presence of REST", event(type="presence"))
    story.comment("t-missed")
    with join("bob", protocol="events") as listener:
        since = json.loads(known)["position"]
        listener.send(json.dumps({"type": "subscribe", "organizationId": "acme", "documentId": "d", "since": since}))
        heard(listener, "a missed event", lambda message: '"t-missed"' in message)
    room = {"protocol": "y", "room": "acme/d/body"}
    with join("ada", **room) as first, join("bob", **room) as second:
        for socket in (first, second):
            socket.send(text(STEP_1))
            heard(socket, "the state of an editor", sync(STEP_2))
        first.send(text(bytes([SYNC, CHANGED, len(UPDATE), *UPDATE])))
        heard(second, "an update of the other", sync(CHANGED))
    state = story.post("/v2/crdt/get", {"organizationId": "acme", "documentId": "d", "editorId": "body"})
    assert "a" in json.dumps(state), f"the update was not stored: {state}"
    with join("ada", **room) as socket:
        socket.send(text(STEP_1))
        heard(socket, "the state of an editor", sync(STEP_2))
        for disabled in (True, False):
            story.post("/v2/organizations/documents/access/disablestate/update", {"organizationId": "acme", "documentIds": ["d"], "disabled": disabled})
            if disabled:
                heard(socket, "the end of an idle connection", event(type="close", code=4404))
    print("event, missed event, presence, update and lock-out were heard", flush=True)
