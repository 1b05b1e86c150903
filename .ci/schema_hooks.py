"""What .ci/try-schema adds to generated calls: credentials, and ids of things that are there."""

import json
import os
import pathlib
import random
import urllib.error
import urllib.request

import schemathesis

BASE = os.environ["BASE"]
ADMIN = {"x-service-admin-token": pathlib.Path(os.environ["ADMIN_TOKEN_FILE"]).read_text().strip()}
# Operations that end or limit the credentials they are called with get those of a new workspace.
ENDS_CREDENTIALS = (
    "apikey/update", "apikey/delete", "apikey/limits/update", "authtoken/reset", "authtoken/rotate",
    "workspace/update", "testclock/advance",
)
chance = random.Random(1)


def post(path, data, headers):
    body = json.dumps({"data": data}).encode()
    request = urllib.request.Request(BASE + path, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as response:
            return json.load(response)["result"].get("data")
    except urllib.error.HTTPError as error:
        raise RuntimeError(f"{path}: {error.read().decode()}") from error


def workspace():
    """Credentials of a new workspace and its testing key, and their ids."""
    made = post("/v2/workspace/create", {"ownerEmail": "ada@example.com"}, ADMIN)
    headers = {"x-service-workspace-id": made["id"], "x-service-workspace-auth-token": made["authToken"]}
    key = next(iter(made["apiKeyList"]))
    tokens = post("/v2/workspace/authtokens/get", {"apiKey": key}, headers)["authTokens"]
    headers |= ADMIN | {"x-service-api-key": key, "x-service-auth-token": tokens[0]["token"]}
    return headers, {"apiKey": key, "id": made["id"]}


def fill(headers):
    """Adds a little of everything, and answers with the ids that are generated."""
    of = {"organizationId": "acme", "documentId": "welcome"}
    ada = {"userId": "ada", "name": "Ada", "email": "ada@example.com"}
    comment = {"commentId": 111111, "from": ada, "commentText": "Right?"}
    for path, data in (
        ("organizations/add", {"organizations": [{"organizationId": "acme"}]}),
        ("organizations/folders/add", of | {"folders": [{"folderId": "handbook", "folderName": "Handbook"}]}),
        ("organizations/documents/add", of | {"folderId": "handbook", "documents": [{"documentId": "welcome"}]}),
        ("users/add", {"organizationId": "acme", "users": [ada]}),
        ("organizations/usergroups/add", of | {"organizationUserGroups": [{"groupId": "writers", "groupName": "W"}]}),
        ("presence/add", of | {"users": [ada]}),
        ("livestate/broadcast", of | {"liveStateDataId": "slides", "data": {"page": 1}}),
        ("recordings/add", of | {"recordings": [{"annotationId": "demo", "from": ada, "recordedTime": {"duration": 1}, "attachments": []}]}),
        ("workspace/activityconfig/update", {"activityServiceConfig": {"isEnabled": True}}),
        ("activities/add", of | {"activities": [{"id": "drafted", "featureType": "custom", "actionType": "x",
                                                 "actionUser": ada, "targetEntityId": "x",
                                                 "displayMessageTemplate": "x"}]}),
        ("commentannotations/add", of | {"commentAnnotations": [{"annotationId": "intro", "commentData": [comment]}]}),
        ("crdt/add", of | {"editorId": "body", "type": "text", "data": "Welcome"}),
        ("notifications/add", of | {"notificationId": "review", "actionUser": ada, "notifyUsers": [ada],
                                    "displayHeadlineMessageTemplate": "x", "displayBodyMessage": "x"}),
        ("workspace/advancedwebhookconfig/update", {"isEnabled": True}),
    ):
        post("/v2/" + path, data, headers)
    agent = post("/v2/agents/create", {"name": "Reviewer", "description": "x", "enabled": True, "instructions": "x",
                                       "contextGathering": {"strategies": ["web-page-text"]}, "execution": {}}, headers)
    endpoint = {"url": "https://hooks.example.com", "filterTypes": ["huddle.create"]}
    endpoint = post("/v2/workspace/advancedwebhook/endpoints/create", endpoint, headers)
    job = post("/v2/users/data/delete", {"userIds": ["gone"]}, headers)
    return {"agentId": agent["agentId"], "endpointId": endpoint["id"], "jobId": job["jobId"]}


FIXED = {
    "organizationId": "acme", "documentId": "welcome", "folderId": "handbook", "userId": "ada", "groupId": "writers",
    "organizationUserGroupId": "writers", "annotationId": "intro", "commentId": 111111, "editorId": "body",
    "liveStateDataId": "slides", "notificationId": "review",
}
current = headers = known = None


def there(value, ids):
    """The value with every second id in it replaced by one of something that is there."""
    if isinstance(value, list):
        return [there(item, ids) for item in value]
    if not isinstance(value, dict):
        return value
    replaced = {}
    for name, member in value.items():
        if name in ids and chance.random() < 0.5:
            replaced[name] = ids[name]
        elif name.endswith("s") and name[:-1] in ids and isinstance(member, list) and chance.random() < 0.5:
            replaced[name] = [ids[name[:-1]]]
        else:
            replaced[name] = there(member, ids)
    return replaced


@schemathesis.hook
def before_call(context, case, kwargs):
    global current, headers, known
    # Each operation has a world of its own: the one before may have deleted what was there.
    if case.path != current or case.path.endswith(ENDS_CREDENTIALS):
        headers, ids = workspace()
        if case.path != current:
            known = FIXED | fill(headers)
        current, known = case.path, known | ids
    case.headers.update(headers)
    if isinstance(case.body, (dict, list)):
        case.body = there(case.body, known)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # An update of an unknown agent is INTERNAL (contract `agents.update`).
    is_wanted = response.status_code == 500 and "could not be updated: it does not exist" in response.text
    return not is_wanted
