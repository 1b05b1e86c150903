"""The endpoint that gives a page its token, for FastAPI: `pip install "roundtable-client[fastapi]"`."""

import logging
import os
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any

try:
    from fastapi import APIRouter, Depends
    from fastapi.responses import JSONResponse
except ImportError as missing:
    raise ImportError('roundtable.fastapi needs FastAPI: pip install "roundtable-client[fastapi]"') from missing

from .client import Roundtable
from .credentials import ApiKey
from .errors import RoundtableError
from .generated.types import ResourcePermission

__all__ = ["Identity", "token_router"]

log = logging.getLogger("roundtable")

NO_STORE = {"cache-control": "no-store"}
"""A token belongs to one user, for a time: nobody may keep the reply."""


@dataclass(frozen=True)
class Identity:
    """The user of a request, and what they may do."""

    user_id: str
    name: str
    email: str
    access: list[ResourcePermission]
    """Rights in organizations, folders and documents, for the lifetime of the token:
    `{"type": "organization", "id": "acme", "accessRole": "editor"}`."""


def token_router(
    identify: Callable[..., Identity | None | Awaitable[Identity | None]],
    *,
    path: str = "/api/roundtable",
    base_url: str | None = None,
    api_key: str | None = None,
    auth_token: str | None = None,
    expires_in: int = 3600,
) -> APIRouter:
    """A router that answers requests for the token of the user, as `fetchToken` of the TypeScript package
    `roundtable/store` sends them.

        def identify(user: Annotated[User | None, Depends(current_user)]) -> Identity | None:
            rights: list[types.ResourcePermission] = [{"type": "organization", "id": "acme"}]
            return user and Identity(user.id, user.name, user.email, rights)

        app.include_router(token_router(identify))

    `identify` is a dependency of FastAPI that says who sends a request, by the application's own session;
    nobody is answered with 401. The service and its key are those of the environment variables
    `ROUNDTABLE_URL`, `ROUNDTABLE_API_KEY` and `ROUNDTABLE_AUTH_TOKEN`, unless they are given. A token is
    valid for `expires_in` seconds.
    """
    router = APIRouter()

    # With the first request: modules of applications are also imported by tests and tools.
    @cache
    def client() -> Roundtable:
        key = setting("api_key", api_key, "ROUNDTABLE_API_KEY")
        token = setting("auth_token", auth_token, "ROUNDTABLE_AUTH_TOKEN")
        return Roundtable(setting("base_url", base_url, "ROUNDTABLE_URL"), ApiKey(key, token))

    @router.post(path)
    def roundtable_token(identity: Annotated[Any, Depends(identify)]) -> JSONResponse:
        if not isinstance(identity, Identity):
            return reply(401, {"error": "Nobody is signed in."})
        try:
            made = client().users.generate_token(
                {
                    "userId": identity.user_id,
                    "userProperties": {"name": identity.name, "email": identity.email},
                    "permissions": {"resources": identity.access},
                    "expiresIn": expires_in,
                }
            )["data"]
        except RoundtableError:
            log.exception("no token for a user")
            return reply(502, {"error": "The service gave no token."})
        return reply(200, {"token": made["token"], "expiresIn": made["expiresIn"]})

    return router


def reply(status: int, body: dict[str, Any]) -> JSONResponse:
    return JSONResponse(body, status, NO_STORE)


def setting(name: str, given: str | None, variable: str) -> str:
    found = given or os.environ.get(variable)
    if not found:
        raise RuntimeError(f"token_router needs {name}, or the environment variable {variable}.")
    return found
