"""What our entries in Claude Code's settings look like, and how they are known again."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, cast
from urllib.parse import urlsplit

Handler: TypeAlias = dict[str, object]

ENDPOINT = "/api/hooks/claude-code"
CURL_FILE = "claude-code.curl"
PROGRAM_FILE = "claude-code.py"

# An installation that moved left another folder in the settings; a user's own hook that happens
# to be called claude-code.py is not ours.
_OUR_FILE = re.compile(r"intaglio[^\"']*[\\/]hooks[\\/]+claude-code\.(?:py|curl)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wiring:
    """What hooks are made of: the folder of hook files, the Python, whether curl can be used."""

    hooks: Path
    python: str
    curl: bool


def entries(wiring: Wiring) -> dict[str, Handler]:
    """Return the handler of each event, in the order in which they are written.

    Time-outs are in seconds. No HTTP hook: Claude Code never runs one at a session's start, and at
    a prompt it shows an error whenever the daemon is away.
    """
    program = [wiring.python, "-I", "-S", str(wiring.hooks / PROGRAM_FILE)]
    curl = ["curl", "-q", "-K", str(wiring.hooks / CURL_FILE)]
    asking = curl if wiring.curl else [*program, "--reply"]
    return {
        "SessionStart": _command(asking, 5),
        "UserPromptSubmit": _command(asking, 3),
        "Stop": {**_command(program, 10), "async": True},
        "SessionEnd": _command(program, 5),
    }


def _command(argv: list[str], timeout_s: int) -> Handler:
    return {"type": "command", "command": argv[0], "args": argv[1:], "timeout": timeout_s}


def same_handler(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    """Tell whether two handlers do the same; a time-out that the user changed does not count."""
    return all(one.get(key) == other.get(key) for key in ("type", "command", "args", "url"))


def is_ours(handler: object, hooks: Path) -> bool:
    """Tell whether a handler is one of ours: of this installation, an earlier one, or by hand."""
    if not isinstance(handler, dict):
        return False
    known = cast("dict[str, object]", handler)
    url = known.get("url")
    if isinstance(url, str):
        return _path_of(url) == ENDPOINT
    args = known.get("args")
    words = [known.get("command"), *(cast("list[object]", args) if isinstance(args, list) else [])]
    ours = (str(hooks / CURL_FILE), str(hooks / PROGRAM_FILE))
    return any(
        isinstance(word, str) and (_OUR_FILE.search(word) or any(path in word for path in ours))
        for word in words
    )


def _path_of(url: str) -> str:
    try:
        return urlsplit(url).path
    except ValueError:
        return ""
