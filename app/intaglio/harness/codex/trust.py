"""Whether Codex runs our hooks: the user must trust each of them, and may switch them off.

The user's review is in ``config.toml``: ``[hooks.state."FILE:EVENT:GROUP:HANDLER"]`` holds a
``trusted_hash`` of what was reviewed, and ``enabled``. Nothing here is ever written.
"""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias, cast

from intaglio.base.files.regular_file import read_regular
from intaglio.connect.values import Concern

TrustState: TypeAlias = Literal["trusted", "untrusted", "changed", "disabled"]

# Older versions call the switch by the second name.
_SWITCHES: Final = ("hooks", "codex_hooks")
_DEFAULT_TIMEOUT_S: Final = 600
# A session's end gets a second unless it asks for more, and never more than three.
_END_TIMEOUT_S: Final = 1
_MAX_END_TIMEOUT_S: Final = 3
_REVIEW: Final = (
    "Start `codex` in a terminal: it asks you to review new hooks. Trust those of Intaglio there, "
    "or later with /hooks. The desktop app and the editor's extension follow what you choose."
)


@dataclass(frozen=True, slots=True)
class HookTrust:
    """What ``config.toml`` says of our hooks; ``switch`` is the setting that turns all hooks off.

    ``states`` are those of our hooks by event.
    """

    config: Path
    switch: str
    states: Mapping[str, TrustState]


@dataclass(frozen=True, slots=True)
class _WrittenHook:
    """A handler in ``hooks.json``; ``place`` is its group's and its own number, as in ``0:1``."""

    event: str
    place: str
    matcher: object
    handler: Mapping[str, Any]


def read_trust(
    hooks: Path, content: bytes | None, config: Path, is_ours: Callable[[object], bool]
) -> HookTrust | None:
    """Return the trust in our hooks of ``hooks.json`` with this content.

    None if either file can't be understood.
    """
    settings = _settings(config)
    if settings is None:
        return None
    features = _table(settings, "features")
    switch = next((f"features.{key}" for key in _SWITCHES if features.get(key) is False), "")
    reviewed = _table(_table(settings, "hooks"), "state")
    states: dict[str, TrustState] = {}
    for written in _written(content):
        if is_ours(written.handler):
            keys = (f"{path}:{_snake(written.event)}:{written.place}" for path in _paths(hooks))
            review = next((reviewed[key] for key in keys if key in reviewed), None)
            states[written.event] = _state(review, written)
    return HookTrust(config, switch, states)


def trust_concerns(trust: HookTrust | None, hooks: Path) -> tuple[Concern, ...]:
    """Return what keeps our hooks from running, as the user is told it."""
    if trust is None or not trust.states:
        return ()
    found: list[Concern] = []
    if trust.switch:
        text = f"{trust.switch} is false in {trust.config}, so Codex runs no hooks."
        found.append(Concern(text, "Remove that line."))
    unseen = _events(trust, "untrusted")
    if len(unseen) == len(trust.states):
        found.append(Concern("Codex doesn't run Intaglio's hooks until you trust them.", _REVIEW))
    elif unseen:
        text = f"Codex skips hooks of Intaglio that you haven't trusted: {', '.join(unseen)}."
        found.append(Concern(text, _REVIEW))
    if changed := _events(trust, "changed"):
        # Of a version that hashes in another way, all would seem to have changed.
        certain = any(state == "trusted" for state in trust.states.values())
        text = (
            f"Hooks of Intaglio in {hooks} {'have' if certain else 'may have'} changed since you "
            f"trusted them, and then Codex skips them: {', '.join(changed)}."
        )
        found.append(Concern(text, _REVIEW))
    if disabled := _events(trust, "disabled"):
        text = f"You switched off hooks of Intaglio in Codex: {', '.join(disabled)}."
        found.append(Concern(text, "Switch them on with /hooks in Codex."))
    return tuple(found)


def _events(trust: HookTrust, state: TrustState) -> list[str]:
    return [event for event, each in trust.states.items() if each == state]


def _settings(config: Path) -> dict[str, Any] | None:
    try:
        return tomllib.loads(read_regular(config).decode("utf-8-sig"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError):
        return None


def _table(settings: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    return _object(settings.get(key))


def _object(value: object) -> Mapping[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _written(content: bytes | None) -> Iterator[_WrittenHook]:
    try:
        root: object = json.loads((content or b"{}").decode("utf-8-sig") or "{}")
    except (ValueError, RecursionError):
        return
    for event, groups in _table(_object(root), "hooks").items():
        for number, group in enumerate(map(_object, _list(groups))):
            for index, handler in enumerate(_list(group.get("hooks"))):
                place = f"{number}:{index}"
                yield _WrittenHook(event, place, group.get("matcher"), _object(handler))


def _list(value: object) -> Sequence[object]:
    return cast("list[object]", value) if isinstance(value, list) else ()


def _paths(hooks: Path) -> Iterator[str]:
    """Yield the path of the file as it may be named: as configured, and behind links."""
    yield str(hooks)
    try:
        yield str(hooks.parent.resolve() / hooks.name)
        yield str(hooks.resolve())
    except (OSError, RuntimeError):
        return


def _snake(event: str) -> str:
    """Return an event's name as keys and hashes have it: ``session_start``."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", event).lower()


def _state(review: object, written: _WrittenHook) -> TrustState:
    known = _object(review)
    trusted = known.get("trusted_hash")
    if trusted is None:
        return "untrusted"
    if trusted not in hook_hashes(written.event, written.matcher, written.handler):
        return "changed"
    return "disabled" if known.get("enabled") is False else "trusted"


def hook_hashes(event: str, matcher: object, handler: Mapping[str, Any]) -> list[str]:
    """Return what Codex may take for the hash of a handler: of some events, without a matcher.

    It hashes the canonical JSON of the definition, with the defaults of what isn't written.
    """
    given = handler.get("timeout")
    if event == "SessionEnd":
        seconds = min(given if isinstance(given, int) else _END_TIMEOUT_S, _MAX_END_TIMEOUT_S)
    else:
        seconds = given if isinstance(given, int) else _DEFAULT_TIMEOUT_S
    keys = ("type", "command", "statusMessage", "additionalContextLimit")
    definition = {
        **{key: handler[key] for key in keys if handler.get(key) is not None},
        "async": handler.get("async") is True,
        "timeout": max(1, seconds),
    }
    identity: dict[str, object] = {"event_name": _snake(event), "hooks": [definition]}
    matched = [{**identity, "matcher": matcher}] if isinstance(matcher, str) else []
    return [_digest(each) for each in (*matched, identity)]


def _digest(identity: Mapping[str, object]) -> str:
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return f"sha256:{hashlib.sha256(text.encode('utf-8', 'replace')).hexdigest()}"
