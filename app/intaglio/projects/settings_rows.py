"""SQL on what users set for single projects."""

import json
from collections.abc import Mapping, Sequence
from typing import Final, cast

from intaglio.domain.reader import GLOBAL, Visibility
from intaglio.projects.settings import CAPTURE, TOLD, VISIBILITY, WORKSPACE
from intaglio.projects.values import NOTHING_CHOSEN, ChosenSettings, Told
from intaglio.store.tx import ReadTx, WriteTx

_OF_PROJECT: Final = "SELECT key, value FROM project_settings WHERE project = ?"
# When capture was switched on again: what was said before, and is read later, isn't captured.
_CAPTURED_SINCE: Final = "captured since"
_MOST_MOVES: Final = 10
# Moves that hold, or that are being undone: then what they gave hasn't all come back.
_MOVED_TO: Final = (
    "SELECT c.target FROM project_changes c WHERE EXISTS (SELECT 1 FROM project_settings) "
    "AND c.project = ?1 AND c.kind IN ('move', 'merge') "
    "AND (c.is_running = 1 OR c.undone_at IS NULL) AND NOT EXISTS ("
    "SELECT 1 FROM project_changes l WHERE l.target = ?1 AND l.kind IN ('move', 'merge') "
    "AND l.seq > c.seq AND (l.is_running = 1 OR l.undone_at IS NULL)) "
    "ORDER BY c.seq DESC LIMIT 1"
)


def chosen(tx: ReadTx, project: str | None) -> ChosenSettings:
    """Return what holds for a project by the user's choice; None is a session without one.

    Sessions that go on in a folder whose project was moved or merged have what it was given to:
    the project's settings went along. What has been set for the folder since wins.
    """
    if project is None:
        return NOTHING_CHOSEN
    return _settings(_moved_along(tx, project) | _values(tx, project))


def moved_along(tx: ReadTx, project: str) -> ChosenSettings:
    """Return what holds for a project unless it is set for it: see `chosen`."""
    return _settings(_moved_along(tx, project))


def _moved_along(tx: ReadTx, project: str) -> dict[str, object]:
    values, key = dict[str, object](), project
    for _ in range(_MOST_MOVES):
        target = tx.scalar(str, _MOVED_TO, (tx.as_stored(key),))
        if target is None:
            break
        values = _values(tx, target) | values
        key = target
    return values


def own(tx: ReadTx, project: str) -> ChosenSettings:
    """Return what is set for the project itself."""
    return _settings(_values(tx, project))


def _settings(values: Mapping[str, object]) -> ChosenSettings:
    if not values:
        return NOTHING_CHOSEN
    return ChosenSettings(
        capture=cast("bool | None", values.get(CAPTURE)),
        captured_since=cast("str | None", values.get(_CAPTURED_SINCE)),
        told=cast("Told | None", values.get(TOLD)),
        visibility=cast("Visibility | None", values.get(VISIBILITY)),
        workspace=cast("bool | None", values.get(WORKSPACE)),
    )


def _values(tx: ReadTx, project: str) -> dict[str, object]:
    found = tx.rows(tuple[str, str], _OF_PROJECT, (tx.as_stored(project),))
    return {key: json.loads(value) for key, value in found}


def told(tx: ReadTx, project: str | None) -> Told:
    """Return what sessions of a project are told without asking."""
    return chosen(tx, project).told or "everything"


def visibility(tx: ReadTx, project: str | None) -> Visibility:
    """Return the visibility of what is captured or saved in a project."""
    return chosen(tx, project).visibility or GLOBAL


def count(tx: ReadTx, project: str) -> int:
    """Count the settings of a project."""
    return tx.count(
        "SELECT count(*) FROM project_settings WHERE project = ? AND key <> ?",
        (project, _CAPTURED_SINCE),
    )


def projects(tx: ReadTx) -> list[str]:
    """Return the projects for which something is set."""
    return tx.column(
        str,
        "SELECT DISTINCT project FROM project_settings WHERE key <> ? ORDER BY project",
        (_CAPTURED_SINCE,),
    )


def projects_with(tx: ReadTx, key: str, *, value: bool | str) -> list[str]:
    """Return the projects for which a setting has a value."""
    return tx.column(
        str,
        "SELECT project FROM project_settings WHERE key = ? AND value = ? ORDER BY project",
        (key, json.dumps(value)),
    )


def put(tx: WriteTx, project: str, key: str, value: bool | str | None) -> None:  # noqa: FBT001 - the value of a setting
    """Set a value for a project; None lets the general one hold."""
    if value is None:
        tx.execute("DELETE FROM project_settings WHERE project = ? AND key = ?", (project, key))
        return
    tx.execute(
        "INSERT INTO project_settings(project, key, value) VALUES (?, ?, ?) "
        "ON CONFLICT DO UPDATE SET value = excluded.value",
        (project, key, json.dumps(value)),
    )


def switch_on(tx: WriteTx, project: str, at: str) -> None:
    """Record that a project's sessions are captured again, from now on."""
    put(tx, project, _CAPTURED_SINCE, at)


def give(tx: WriteTx, project: str, target: str) -> list[list[object]]:
    """Give what is set for a project to another one, which keeps what it has set itself.

    Returns each key with its value, and whether the other one took it: what `take_back` needs.
    """
    own, others = _values(tx, project), _values(tx, target)
    for key, value in own.items():
        if key not in others:
            put(tx, target, key, cast("bool | str", value))
        put(tx, project, key, None)
    return [[key, value, key not in others] for key, value in own.items()]


def take_back(tx: WriteTx, given: Sequence[Sequence[object]], project: str, target: str) -> None:
    """Return to ``project`` what `give` gave to ``target``.

    What was set for either since stays as it is.
    """
    own, others = _values(tx, project), _values(tx, target)
    for key, value, was_taken in given:
        name = str(key)
        if was_taken and others.get(name) == value:
            put(tx, target, name, None)
        if name not in own:
            put(tx, project, name, cast("bool | str", value))
