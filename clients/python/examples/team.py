"""The work of the team: the parts of day.py that need only the client."""

from receiver import refused

from roundtable import Roundtable, types

ADA: types.Person = {"userId": "ada", "name": "Ada"}
BOB: types.Person = {"userId": "bob", "name": "Bob"}


def place(client: Roundtable) -> None:
    client.organizations.add({"organizations": [{"organizationId": "acme", "organizationName": "Acme"}]})
    client.folders.add(
        {
            "organizationId": "acme",
            "folders": [
                {"folderId": "handbook", "folderName": "Handbook"},
                {"folderId": "policies", "folderName": "Policies", "parentFolderId": "handbook"},
            ],
        }
    )
    client.documents.add(
        {
            "organizationId": "acme",
            "folderId": "policies",
            "documents": [
                {"documentId": "leave", "documentName": "Leave of absence"},
                {"documentId": "travel", "documentName": "Travel"},
            ],
        }
    )
    names = ("Ada", "Bob", "Eve")
    users: list[types.NewUser] = [
        {"userId": name.lower(), "name": name, "email": f"{name.lower()}@example.com"} for name in names
    ]
    client.users.add({"organizationId": "acme", "users": users})
    client.user_groups.add(
        {
            "organizationId": "acme",
            "organizationUserGroups": [{"groupId": "people-team", "groupName": "People team"}],
        }
    )
    client.user_groups.users_add(
        {"organizationId": "acme", "organizationUserGroupId": "people-team", "userIds": ["ada", "bob"]}
    )
    client.permissions.add(
        {
            "user": {"userId": "eve"},
            "permissions": {
                "resources": [{"type": "document", "id": "travel", "organizationId": "acme", "accessRole": "viewer"}]
            },
        }
    )
    folders = client.folders.get({"organizationId": "acme", "maxDepth": 2})["data"]
    assert folders[0]["subFolders"][0]["folderId"] == "policies"


def writing(client: Roundtable) -> None:
    """Presence, live state, and the text itself, which is a CRDT."""
    client.presence.add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "users": [{"userId": "ada", "name": "Ada"}, {"userId": "bob", "name": "Bob"}],
        }
    )
    client.presence.update(
        {"organizationId": "acme", "documentId": "leave", "users": [{"userId": "bob", "status": "away"}]}
    )
    present = client.presence.get({"organizationId": "acme", "documentId": "leave"})["data"]
    assert [it["status"] for it in present] == ["online", "away"]

    view: types.LiveStateBroadcastRequest = {
        "organizationId": "acme",
        "documentId": "leave",
        "liveStateDataId": "view",
        "data": {"zoom": 1, "panel": {"open": True, "tab": "notes"}},
    }
    client.live_state.broadcast(view)
    client.live_state.broadcast({**view, "merge": True, "data": {"panel": {"tab": None}, "page": 3}})
    states = client.live_state.get({"organizationId": "acme", "documentId": "leave"})["data"]
    assert states[0]["data"] == {"zoom": 1, "panel": {"open": True}, "page": 3}

    body: types.EditorsUpdateRequest = {
        "organizationId": "acme",
        "documentId": "leave",
        "editorId": "body",
        "type": "text",
        "data": "Everybody has 30 days of leave.",
    }
    client.editors.add({**body, "data": "Everybody has 28 days of leave."})
    client.editors.update(body)
    assert refused("INVALID_ARGUMENT", lambda: client.editors.update({**body, "data": ["not", "a", "text"]}))
    found = client.editors.get({"organizationId": "acme", "documentId": "leave", "editorId": "body"})["data"]
    assert found[0]["data"] == body["data"]


def talking(client: Roundtable) -> None:
    """Ada asks Bob; mentioning him subscribes him to the thread."""
    comments = client.comments
    comments.annotations_add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "commentAnnotations": [
                {
                    "annotationId": "days",
                    "commentData": [
                        {
                            "commentId": 100001,
                            "commentText": "Is it 30, {{bob}}?",
                            "from": ADA,
                            "taggedUserContacts": [{"userId": "bob", "contact": BOB}],
                        }
                    ],
                    "priority": {"id": "P1", "name": "P1", "color": "#ff7162"},
                }
            ],
        }
    )
    comments.add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "annotationId": "days",
            "commentData": [{"commentId": 100002, "commentText": "It is, since May.", "from": BOB}],
        }
    )
    comments.reactions_add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "annotationId": "days",
            "commentId": 100002,
            "icon": "HEART_FACE",
            "from": ADA,
        }
    )
    comments.update(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "annotationId": "days",
            "commentIds": [100002],
            "updatedData": {"commentText": "It is, since the first of May."},
        }
    )

    def change(patch: types.CommentAnnotationPatch) -> None:
        comments.annotations_update(
            {"organizationId": "acme", "documentId": "leave", "annotationIds": ["days"], "updatedData": patch}
        )

    def unread() -> int:
        counts = comments.annotations_count({"organizationId": "acme", "documentIds": ["leave"], "userId": "ada"})
        return counts["data"]["leave"]["unread"]

    change({"assignedTo": BOB})
    assert unread() == 1
    client.notifications.seen(
        {"organizationId": "acme", "documentId": "leave", "annotationId": "days", "userId": "ada"}
    )
    assert unread() == 0
    resolved: types.AnnotationStatusInput = {"id": "RESOLVED", "name": "Resolved", "type": "terminal"}
    look: types.AnnotationStatusInput = {**resolved, "color": "#0dcf82", "lightColor": "#e7faf3", "svg": "<svg/>"}
    change({"status": look, "resolvedByUserId": "ada"})
    for thread in comments.annotations_get_all({"organizationId": "acme", "documentId": "leave"}):
        assert thread["status"]["id"] == "RESOLVED"
        assert thread["comments"][1]["isEdited"]

    # A note visible to Eve and its author only.
    comments.annotations_add(
        {
            "organizationId": "acme",
            "documentId": "travel",
            "commentAnnotations": [
                {
                    "annotationId": "budget",
                    "visibility": {"type": "restricted", "userIds": ["eve"]},
                    "commentData": [{"commentText": "Keep it to yourself.", "from": ADA}],
                }
            ],
        }
    )


def on_record(client: Roundtable) -> None:
    client.recordings.add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "recordings": [
                {
                    "annotationId": "walkthrough",
                    "recordingType": "screen",
                    "displayName": "How leave works",
                    "recordedTime": {"duration": 64204.55},
                    "from": ADA,
                    "attachments": [{"url": "https://files.example.com/leave.webm", "mimeType": "video/webm"}],
                }
            ],
        }
    )
    found = client.recordings.get({"organizationId": "acme", "documentId": "leave"})["data"]
    assert found[0]["recordedTime"]["display"] == "00:01:04"
    client.activities.add(
        {
            "organizationId": "acme",
            "documentId": "leave",
            "activities": [
                {
                    "id": "published",
                    "featureType": "custom",
                    "actionType": "published",
                    "actionUser": BOB,
                    "targetEntityId": "leave",
                    "displayMessageTemplate": "{{actionUser}} published the policy",
                }
            ],
        }
    )
    client.activities.update(
        {"organizationId": "acme", "activities": [{"id": "published", "changes": {"days": {"from": 28, "to": 30}}}]}
    )
    log = client.activities.get({"organizationId": "acme", "documentId": "leave"})["data"]
    assert log[0]["changes"]["days"] == {"from": 28, "to": 30}

    agent = client.agents.create(
        {
            "name": "Tone",
            "description": "Keeps the tone friendly",
            "enabled": True,
            "instructions": "Flag sentences that sound harsh.",
            "contextGathering": {"strategies": ["web-page-text"]},
            "execution": {},
        }
    )["data"]["agentId"]
    client.agents.update({"agentId": agent, "name": "Friendly tone"})
    client.agents.version_update({"agentId": agent, "instructions": "Flag sentences that sound harsh or vague."})
    tone = client.agents.get({"agentId": agent})["data"]["agent"]
    assert (tone["name"], tone["version"]) == ("Friendly tone", 2)
