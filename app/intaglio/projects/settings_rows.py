"""SQL on what users set for single projects."""

import json
from collections.abc import Sequence
from typing import Final, cast

from intaglio.domain.reader import GLOBAL, Visibility
from intaglio.projects.settings import CAPTURE, TOLD, VISIBILITY
from intaglio.projects.values import NOTHING_CHOSEN, ChosenSettings, Told
from intaglio.store.tx import ReadTx, WriteTx

_OF_PROJECT: Final = "SELECT key, value FROM project_settings WHERE project = ?"


def chosen(tx: ReadTx, project: str | None) -> ChosenSettings:
    """Return what is set for a project; None is a session without one."""
    values = _values(tx, project) if project is not None else {}
    if not values:
        return NOTHING_CHOSEN
    return ChosenSettings(
        capture=cast("bool | None", values.get(CAPTURE)),
        told=cast("Told | None", values.get(TOLD)),
        visibility=cast("Visibility | None", values.get(VISIBILITY)),
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
    return tx.count("SELECT count(*) FROM project_settings WHERE project = ?", (project,))


def projects(tx: ReadTx) -> list[str]:
    """Return the projects for which something is set."""
    return tx.column(str, "SELECT DISTINCT project FROM project_settings ORDER BY project")


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
