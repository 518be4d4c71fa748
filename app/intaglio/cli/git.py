"""`intaglio git`: the repository of the workspace."""

import sys
from typing import Any, Final, TypeVar

import click

from intaglio.cli.connection import daemon_client
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import local_time, print_json
from intaglio.fence.characters import visible
from intaglio.wire.workspace import (
    GitConfig,
    GitConfigChange,
    GitConfigResult,
    GitResult,
    GitStatus,
    GitSyncResult,
)

_JSON_HELP: Final = "Print the daemon's reply as JSON."
# A fetch and a push take two minutes each at most.
_TRANSFER_S: Final = 300.0
_LABEL: Final = 14
_METHODS: Final = {
    "ssh": "ssh",
    "address": "the password in the remote's address",
    "credential-helper": "your credential helper",
    "token": "GITHUB_TOKEN",
    "gh": "gh",
}
_Reply = TypeVar("_Reply", GitResult, GitSyncResult)
_LEAST_S: Final = 60
_MOST_S: Final = 86_400


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
def git() -> None:
    """Keep the workspace in git: see how it stands, pull, push, configure it.

    Nothing of the repository runs: no hooks, no filters. Nothing is merged or forced.
    """


@git.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def status(*, as_json: bool) -> None:
    """Show the workspace's branch, its remote, and what isn't committed, pushed or pulled."""
    with daemon_client() as client:
        found = client.send("GET", "/api/git/status", GitStatus)
    if as_json:
        print_json(found)
        return
    for line in _status_lines(found):
        click.echo(line)


def _status_lines(found: GitStatus) -> list[str]:
    if not found.is_repo:
        return [visible(found.problem)]
    login = _METHODS.get(found.auth_method or "", "none was found")
    rows = [
        ("Branch", found.branch or "none (detached HEAD)"),
        ("Remote", found.remote or "none"),
        *([("Login", login)] if found.remote else []),
        ("Uncommitted", _amount(found.uncommitted_changes, "file")),
    ]
    if found.remote:
        rows += [
            ("To push", _amount(found.unpushed_commits, "commit")),
            ("To pull", _amount(found.unpulled_commits, "commit")),
            ("Last sync", local_time(found.last_sync) if found.last_sync else "never"),
            ("Auto-sync", "yes" if found.auto_sync else "no"),
        ]
    lines = [f"{label:<{_LABEL}}{visible(value)}" for label, value in rows]
    return [*lines, "", visible(found.problem)] if found.problem else lines


def _amount(count: int | None, what: str) -> str:
    if count is None:
        return "unknown"
    return f"{count:,} {what}{'' if count == 1 else 's'}" if count else "nothing"


@git.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def pull(*, as_json: bool) -> None:
    """Fetch, and fast-forward to the remote's branch; your changes stay.

    Exit code 1: it didn't work, and nothing was changed.
    """
    _report(_sent("pull", GitResult), as_json=as_json)


@git.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def push(*, as_json: bool) -> None:
    """Push the workspace's branch, never by force.

    Exit code 1: it didn't work.
    """
    _report(_sent("push", GitResult), as_json=as_json)


@git.command()
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def sync(*, as_json: bool) -> None:
    """Pull, then push.

    Exit code 1: it didn't work.
    """
    _report(_sent("sync", GitSyncResult), as_json=as_json)


def _sent(action: str, reply: type[_Reply]) -> _Reply:
    with daemon_client() as client:
        return client.send("POST", f"/api/git/{action}", reply, owner=True, timeout=_TRANSFER_S)


def _report(done: GitResult | GitSyncResult, *, as_json: bool) -> None:
    if as_json:
        print_json(done)
    else:
        click.echo(visible(done.message), err=not done.success)
    if not done.success:
        sys.exit(1)


@git.command()
@click.option("--on/--off", "enabled", default=None, help="Keep the workspace in git.")
@click.option(
    "--auto-commit/--no-auto-commit", default=None, help="Commit 5 s after the last change."
)
@click.option("--auto-sync/--no-auto-sync", default=None, help="Pull and push automatically.")
@click.option(
    "--interval",
    "sync_interval",
    type=click.IntRange(_LEAST_S, _MOST_S),
    metavar="SECONDS",
    help="How often it pulls and pushes automatically.",
)
@click.option("--remote", metavar="NAME", help="The remote, as git names it.")
@click.option("--branch", metavar="NAME", help='The branch; "" for the one that is checked out.')
@click.option("--json", "as_json", is_flag=True, help=_JSON_HELP)
def config(*, as_json: bool, **changes: Any) -> None:  # noqa: ANN401 - what the options declare
    """Show or change how the workspace is kept in git. Changes are written to agent.yaml.

    `--on` creates a repository in the workspace if there is none.
    """
    change = GitConfigChange(**changes)
    with daemon_client() as client:
        if change == GitConfigChange():
            found = client.send("GET", "/api/git/config", GitConfig)
        else:
            found = client.send(
                "POST", "/api/git/config", GitConfigResult, body=change, owner=True
            ).config
    if as_json:
        print_json(found)
        return
    for line in _config_lines(found):
        click.echo(line)


def _config_lines(found: GitConfig) -> list[str]:
    rows = [
        ("In git", "yes" if found.enabled else "no"),
        ("Commits", "automatically" if found.enabled and found.auto_commit else "by hand"),
        (
            "Syncs",
            f"every {found.sync_interval:,} s" if found.enabled and found.auto_sync else "by hand",
        ),
        ("Remote", visible(found.remote)),
        ("Branch", visible(found.branch) or "the one that is checked out"),
    ]
    return [f"{label:<{_LABEL}}{value}" for label, value in rows]
