"""The token endpoint of FastAPI."""

import subprocess
import sys
from typing import Annotated, TypedDict, Unpack

import pytest
from fastapi import Depends, FastAPI, Header
from fastapi.testclient import TestClient
from support import BASE, new_key

from roundtable import EndUser, Roundtable
from roundtable.credentials import ApiKey
from roundtable.fastapi import Identity, token_router

ADA = Identity("ada", "Ada", "ada@example.com", [{"type": "organization", "id": "acme", "accessRole": "editor"}])


def session(cookie: Annotated[str, Header()] = "") -> str:
    return cookie


def identify(user: Annotated[str, Depends(session)]) -> Identity | None:
    return ADA if user == "ada" else None


async def identify_later(user: Annotated[str, Depends(session)]) -> Identity | None:
    return identify(user)


class Key(TypedDict, total=False):
    base_url: str
    api_key: str
    auth_token: str


def page(**key: Unpack[Key]) -> TestClient:
    """An application whose sessions are cookies."""
    app = FastAPI()
    app.include_router(token_router(identify, **key))
    app.include_router(token_router(identify_later, path="/later", expires_in=600, **key))
    return TestClient(app)


def key_of(client: Roundtable) -> Key:
    credentials = client._credentials
    assert isinstance(credentials, ApiKey)
    return {"base_url": BASE, "api_key": credentials.api_key, "auth_token": credentials.auth_token}


def test_a_request_of_somebody_who_is_signed_in_is_answered_with_a_token() -> None:
    with new_key() as client:
        client.organizations.add({"organizations": [{"organizationId": "acme", "organizationName": "Acme"}]})
        client.documents.add({"organizationId": "acme", "documents": [{"documentId": "plan", "documentName": "Plan"}]})
        app = page(**key_of(client))
    for path, seconds in (("/api/roundtable", 3600), ("/later", 600)):
        reply = app.post(path, headers={"cookie": "ada"})
        assert (reply.status_code, reply.headers["cache-control"]) == (200, "no-store")
        assert reply.json()["expiresIn"] == seconds
        with Roundtable(BASE, EndUser(reply.json()["token"])) as ada:
            found = ada.documents.get({"organizationId": "acme", "documentIds": ["plan"]})["data"]
        assert [it and it["documentName"] for it in found] == ["Plan"]
        nobody = app.post(path)
        assert (nobody.status_code, nobody.json()) == (401, {"error": "Nobody is signed in."})
        assert app.get(path, headers={"cookie": "ada"}).status_code == 405


def test_a_service_that_gives_no_token_is_an_error_that_says_nothing_of_the_key(
    caplog: pytest.LogCaptureFixture,
) -> None:
    reply = page(base_url=BASE, api_key="none", auth_token="none").post("/api/roundtable", headers={"cookie": "ada"})
    assert (reply.status_code, reply.json()) == (502, {"error": "The service gave no token."})
    assert "no token for a user" in caplog.text


def test_settings_come_from_the_environment_and_are_named_when_they_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ("ROUNDTABLE_URL", "ROUNDTABLE_API_KEY", "ROUNDTABLE_AUTH_TOKEN")
    for name in names:
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(RuntimeError, match="api_key, or the environment variable ROUNDTABLE_API_KEY"):
        page().post("/api/roundtable", headers={"cookie": "ada"})
    with new_key() as client:
        for name, value in zip(names, key_of(client).values(), strict=True):
            monkeypatch.setenv(name, str(value))
    assert page().post("/api/roundtable", headers={"cookie": "ada"}).status_code == 200


def test_without_fastapi_the_import_says_what_to_install() -> None:
    program = "import sys; sys.modules['fastapi'] = None; import roundtable; import roundtable.fastapi"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ended.returncode == 1
    assert 'ImportError: roundtable.fastapi needs FastAPI: pip install "roundtable-client[fastapi]"' in ended.stderr
