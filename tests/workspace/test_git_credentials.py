"""The login for a remote: whose is used, in which order, and who gets to see it."""

import os
import shlex
import shutil
from collections.abc import Generator
from pathlib import Path

import pytest

from fakes.git import git
from fakes.git_server import PASSWORD, USER, GitServer, git_server
from fakes.workspace_git import GitWorkspace, git_workspace
from intaglio.git.command import Git
from intaglio.git.repository import Repository, open_repository
from intaglio.workspace.git.credentials import Credential, find_credential
from intaglio.workspace.git.operations import PullDone, PushDone
from intaglio.workspace.git.private_directory import private_directory
from intaglio.workspace.git.remotes import Protocol, RemoteAddress, read_address
from intaglio.workspace.git.repository_state import GitProblem

HTTPS: frozenset[Protocol] = frozenset({"https", "ssh", "http"})


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GitWorkspace:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_SYSTEM", os.devnull)
    monkeypatch.delenv("GITHUB_TOKEN", raising=False)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    workspace = git_workspace(tmp_path)
    workspace.repository.protocols = HTTPS
    return workspace


@pytest.fixture
def server(workspace: GitWorkspace) -> Generator[GitServer]:
    git(workspace.folder, "init", "-q", "--bare", "-b", "main", str(workspace.bare))
    git(workspace.bare, "config", "http.receivepack", "true")
    with git_server(workspace.folder) as running:
        if running is None:
            pytest.skip("git can't serve repositories here")
        git(workspace.own, "remote", "add", "origin", running.url("remote.git"))
        yield running


def program(workspace: GitWorkspace, name: str, text: str) -> Path:
    """Make a program of the user."""
    file = workspace.folder / "bin" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def users_helper(workspace: GitWorkspace, password: str = PASSWORD) -> Path:
    """Have the user's own configuration name a helper; return what it was asked."""
    asked = workspace.folder / "asked"
    text = f'echo "$1" >> {asked}; echo username={USER}; echo {shlex.quote(f"password={password}")}'
    (workspace.folder / "gitconfig").write_text(
        f'[credential]\nhelper = "{program(workspace, "helper", text)}"\n'
    )
    return asked


def found(workspace: GitWorkspace, url: str) -> Credential | None:
    address = read_address(url, HTTPS)
    repository = open_repository(workspace.own)
    assert isinstance(address, RemoteAddress)
    assert isinstance(repository, Repository)
    with private_directory(workspace.folder / "state", repository, "main", {}) as private:
        return find_credential(Git(shutil.which("git")), private, address)


def test_without_a_login_it_is_said_how_to_get_one(
    workspace: GitWorkspace, server: GitServer
) -> None:
    done = workspace.repository.push()
    assert isinstance(done, GitProblem)
    assert done.text.startswith(f"No login for 127.0.0.1:{server.port} was found.")
    assert workspace.repository.status().auth is None


def test_a_refused_login_is_told(workspace: GitWorkspace, server: GitServer) -> None:
    users_helper(workspace, "wrong")
    done = workspace.repository.push()
    assert isinstance(done, GitProblem)
    assert "the remote refused the login" in done.text
    assert server.logins == [f"{USER}:wrong"]


def test_the_users_own_helper_is_asked_and_nothing_is_stored_by_it(
    workspace: GitWorkspace, server: GitServer
) -> None:
    asked = users_helper(workspace)
    trace = workspace.folder / "trace"
    git(workspace.own, "config", "credential.helper", f"!touch {trace}")
    git(workspace.own, "config", f"credential.{server.url('')}.helper", f"!touch {trace}")
    assert workspace.repository.push() == PushDone(1)
    assert workspace.repository.pull() == PullDone(0)
    assert set(server.logins) == {f"{USER}:{PASSWORD}"}
    assert set(asked.read_text().split()) == {"get"}
    assert not trace.exists()
    assert workspace.repository.status().auth == "credential-helper"


def test_a_password_in_the_address_is_used_and_never_shown(
    workspace: GitWorkspace, server: GitServer
) -> None:
    login = f"{USER}:{PASSWORD.replace(' ', '%20')}@"
    git(workspace.own, "remote", "set-url", "origin", server.url("remote.git", login))
    assert workspace.repository.push() == PushDone(1)
    status = workspace.repository.status()
    assert status.auth == "address"
    assert "correct" not in status.remote


def test_the_repository_cannot_send_the_login_elsewhere(
    workspace: GitWorkspace, server: GitServer
) -> None:
    users_helper(workspace)
    git(workspace.own, "config", "http.proxy", "http://127.0.0.1:1")
    git(workspace.own, "config", "url.http://127.0.0.1:1/.insteadOf", server.url(""))
    assert workspace.repository.push() == PushDone(1)


def test_ssh_comes_first_and_tokens_are_for_github_alone(
    workspace: GitWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "token-of-the-environment")
    program(workspace, "ssh", "")
    program(workspace, "gh", '[ "$4" = github.com ] && echo token-of-gh')
    for url in ("git@github.com:ann/agents.git", "ssh://git@github.com/ann/agents.git"):
        assert found(workspace, url) == Credential("ssh")
    url = "https://github.com/ann/agents.git"
    assert found(workspace, url) == Credential(
        "token", "x-access-token", "token-of-the-environment"
    )
    assert found(workspace, "https://github.com.example.org/agents.git") is None
    monkeypatch.delenv("GITHUB_TOKEN")
    assert found(workspace, url) == Credential("gh", "x-access-token", "token-of-gh")
    users_helper(workspace)
    assert found(workspace, url) == Credential("credential-helper", USER, PASSWORD)


def test_a_login_is_not_in_the_text_of_what_holds_it() -> None:
    login = Credential("token", USER, PASSWORD)
    address = read_address(f"https://{USER}:{PASSWORD}@example.org/a.git", HTTPS)
    assert isinstance(address, RemoteAddress)
    assert PASSWORD not in f"{login!r} {address!r} {address.url} {login.settings(address)}"
    assert address.password == PASSWORD
