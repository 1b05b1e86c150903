"""Credentials."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field


class Credentials(ABC):
    """The caller: an API key, an end user, a workspace or the operator."""

    @abstractmethod
    def headers(self) -> dict[str, str]:
        """The headers with the credentials."""


@dataclass(frozen=True)
class ApiKey(Credentials):
    """The tenant."""

    api_key: str
    auth_token: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        return {"x-service-api-key": self.api_key, "x-service-auth-token": self.auth_token}


@dataclass(frozen=True)
class EndUser(Credentials):
    """A user, with the token of `users.generate_token`.

    The token may be a function, called for every attempt, which can renew it before it expires.
    """

    token: str | Callable[[], str] = field(repr=False)

    def headers(self) -> dict[str, str]:
        token = self.token if isinstance(self.token, str) else self.token()
        return {"authorization": f"Bearer {token}"}


@dataclass(frozen=True)
class Workspace(Credentials):
    """A workspace: its API keys, domains and limits."""

    workspace_id: str
    auth_token: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        names = ("x-service-workspace-id", "x-service-workspace-auth-token")
        return dict(zip(names, (self.workspace_id, self.auth_token), strict=True))


@dataclass(frozen=True)
class Operator(Credentials):
    """The operator of the deployment: its workspaces."""

    admin_token: str = field(repr=False)

    def headers(self) -> dict[str, str]:
        return {"x-service-admin-token": self.admin_token}
