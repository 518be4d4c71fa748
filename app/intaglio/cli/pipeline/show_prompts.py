"""`intaglio pipeline show-prompts`: what a language model is asked about sessions."""

import os
from pathlib import Path
from typing import Final

import click
import msgspec

from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import print_json
from intaglio.client.daemon_client import DaemonClient
from intaglio.fence.characters import visible
from intaglio.wire.pipeline_prompts import ShownRequest, ShownRequests

_LATEST: Final = 10
_MOST: Final = 200


@click.command("show-prompts")
@click.argument("session", metavar="[SESSION]", required=False)
@click.option(
    "--latest",
    default=_LATEST,
    show_default=True,
    type=click.IntRange(1, _MOST),
    metavar="N",
    help="Without SESSION: the latest N sessions.",
)
@click.option(
    "--into",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="DIR",
    help="Write a file for each request into this directory.",
)
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of requests.")
def show_prompts(*, session: str | None, latest: int, into: Path | None, as_json: bool) -> None:
    """Print the exact requests that reading SESSION would cause; nothing is sent.

    SESSION is the ID of a session. Without it, those of the latest sessions are written with
    --into. The requests hold what was said, without secrets.
    """
    if session is None and into is None:
        raise click.UsageError("Name a session, or a directory with --into.")
    with daemon_client() as client:
        ids = [session] if session is not None else _latest(client, latest)
        shown = [_shown(client, each) for each in ids]
    if into is not None:
        count = sum(write_requests(into, each) for each in shown)
        click.echo(f"Wrote {count:,} requests of {len(shown):,} sessions to {into}.")
    elif as_json:
        print_json([request for each in shown for request in each.requests])
    else:
        for each in shown:
            for line in request_text(each):
                click.echo(line)


def _latest(client: DaemonClient, count: int) -> list[str]:
    rows = client.sessions(count, None).sessions
    return [row.id for row in rows if row.messages]


def _shown(client: DaemonClient, session: str) -> ShownRequests:
    if not (session.isascii() and session.isdecimal()):
        raise InvalidInputError(
            f"{session!r} isn't a session's ID, which is a number",
            hint=f"`{command('sessions')}` lists them.",
        )
    try:
        return client.shown_prompts(session)
    except NotFoundError as error:
        raise NotFoundError(error.detail, hint=f"`{command('sessions')}` lists them.") from error


def write_requests(folder: Path, shown: ShownRequests) -> int:
    """Write a session's requests; returns how many."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, request in enumerate(shown.requests, 1):
        name = f"session-{shown.session}-{number:03}-{request.stage}.json"
        # It holds what was said.
        descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(_json(request))
    return len(shown.requests)


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode()


def request_text(shown: ShownRequests) -> list[str]:
    """Return a session's requests as text, line by line."""
    if not shown.requests:
        return ["Nothing of this session is stored, or too little to be read."]
    return [line for request in shown.requests for line in _request_lines(request)]


def _request_lines(request: ShownRequest) -> list[str]:
    model = f"{request.provider}/{request.model}" if request.model else "no model is on"
    limits = f"at most {request.max_tokens:,} tokens, temperature {request.temperature:g}"
    return [
        f"=== {request.stage}: {request.subject}",
        f"{request.prompt} v{request.version}, {model}, {limits}",
        "--- system",
        visible(request.system),
        "--- user",
        visible(request.user),
        "--- schema of the reply",
        _json(request.schema),
        "",
    ]
