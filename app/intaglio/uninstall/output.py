"""The report of an uninstall, for a terminal and as JSON."""

import os
from collections.abc import Iterable, Iterator
from typing import Final

import msgspec

from intaglio.base.installation import command, command_for_new_terminal, kept_variables
from intaglio.uninstall.values import UninstallItem, UninstallProblem, UninstallReport
from intaglio.wire.uninstall import (
    UninstallItemReply,
    UninstallProblemReply,
    UninstallReply,
)

_INDENT: Final = "    "


def as_json(report: UninstallReport, installed_by: str, hint: tuple[str, str]) -> str:
    """Return the report as JSON."""
    reply = UninstallReply(
        done=report.done,
        installed_by=installed_by,
        removes=tuple(map(_item_reply, report.removes)),
        keeps=tuple(map(_item_reply, report.keeps)),
        problems=tuple(
            UninstallProblemReply(
                title=each.title, reason=each.reason, hint=each.hint, file=each.file
            )
            for each in report.problems
        ),
        command=command_for_new_terminal("uninstall --yes", kept_variables(os.environ)),
        next_step=hint[0],
        next_command=hint[1],
    )
    return msgspec.json.format(msgspec.json.encode(reply)).decode()


def as_lines(report: UninstallReport, hint: tuple[str, str], *, options: str) -> Iterator[str]:
    """Return the report's lines; ``options`` are those of the command that carries it out."""
    if report.removes:
        yield "Stopped and removed:" if report.done else "This stops and removes:"
        yield from _item_lines(report.removes)
    elif not report.problems:
        yield "Nothing is left to remove."
    if report.keeps:
        yield "This stays:"
        yield from _item_lines(report.keeps)
    if report.problems:
        yield "This can't be removed:"
        yield from _problem_lines(report.problems)
    if report.done:
        yield hint[0]
        if hint[1]:
            yield f"  {hint[1]}"
    elif report.removes:
        yield f"Nothing has been changed. To remove it, run `{command(f'uninstall {options}')}`."


def _item_lines(items: Iterable[UninstallItem]) -> Iterator[str]:
    for item in items:
        yield f"  {item.title}{f' ({item.note})' if item.note else ''}"
        for file in item.files:
            yield f"{_INDENT}{file}"


def _problem_lines(problems: Iterable[UninstallProblem]) -> Iterator[str]:
    for problem in problems:
        yield f"  {problem.title}: {problem.reason} {problem.hint}".rstrip()
        if problem.file:
            yield f"{_INDENT}{problem.file}"


def _item_reply(item: UninstallItem) -> UninstallItemReply:
    return UninstallItemReply(kind=item.kind, title=item.title, files=item.files, note=item.note)
