"""How settings are shown in a terminal."""

from collections.abc import Iterable, Iterator, Sequence

import click

from intaglio.cli.output import paragraph
from intaglio.fence.characters import visible
from intaglio.wire.settings import (
    SettingFact,
    SettingRow,
    SettingsFileProblem,
    SettingsReply,
    SettingValue,
)


def value_text(row: SettingRow, value: SettingValue | None = None) -> str:
    """Write a value as the file has it, with its unit; of a secret, only whether there is one."""
    if row.secret:
        return "(set)" if row.is_set else "(not set)"
    shown = row.value if value is None else value
    text = plain_value(shown)
    unit = f" {row.unit}" if row.unit and row.kind == "number" else ""
    return f"{text or '(empty)'}{unit}"


def plain_value(value: SettingValue) -> str:
    """Write a value without anything around it."""
    match value:
        case bool():
            return "true" if value else "false"
        case float():
            return f"{value:.12g}"
        case _:
            return visible(str(value))


def fact_lines(facts: Iterable[SettingFact]) -> Iterator[str]:
    """Write what isn't a setting, such as a path: its label and value, and what it is."""
    for fact in facts:
        yield f"{fact.label}  {click.style(visible(fact.value), fg='yellow')}"
        yield paragraph(fact.help)


def setting_lines(rows: Sequence[SettingRow], groups: Sequence[str]) -> Iterator[str]:
    """Write the settings by group: key, value, and what it is."""
    first = True
    for group in groups:
        shown = [row for row in rows if row.group == group]
        if not shown:
            continue
        if not first:
            yield ""
        first = False
        yield click.style(group, bold=True)
        for row in shown:
            yield f"{row.key}  {click.style(value_text(row), fg='yellow')}{_note(row)}"
            yield paragraph(row.label if row.help == row.label else f"{row.label}. {row.help}")


def _note(row: SettingRow) -> str:
    if row.problem:
        return f"  (the file says {visible(row.given or '')}: {visible(row.problem)})"
    if row.is_set and not row.secret and row.value != row.default:
        return f"  (default {value_text(row, row.default)})"
    return ""


def allowed_text(row: SettingRow) -> str:
    """Say which values a setting can have."""
    if row.choices:
        return "One of " + ", ".join(one.value for one in row.choices)
    if row.kind == "switch":
        return "true or false"
    if row.kind == "number":
        kind = "A whole number" if row.whole else "A number"
        unit = f" {row.unit}" if row.unit else ""
        if row.low is None or row.high is None:
            return f"{kind}{unit}"
        return f"{kind} from {row.low:,.12g} to {row.high:,.12g}{unit}"
    return "Text"


def problem_lines(path: str, problem: SettingsFileProblem) -> Iterator[str]:
    """Write why the file can't be read, with the place and the line itself."""
    place = "" if problem.line is None else f":{problem.line}"
    place += "" if problem.line is None or problem.column is None else f":{problem.column}"
    yield f"{path}{place}: {visible(problem.message)}"
    if problem.excerpt:
        yield f"    {visible(problem.excerpt)}"
        if problem.column is not None and problem.column <= len(problem.excerpt) + 1:
            yield f"    {' ' * (problem.column - 1)}^"


def mistake_lines(reply: SettingsReply) -> Iterator[str]:
    """Write what is wrong with the file's values and keys, with their lines."""
    for row in reply.settings:
        if row.problem:
            yield f"{reply.file.path}:{row.line or 1}: {row.key} {visible(row.problem)}"
    for key in reply.unused:
        where = "" if key.line is None else f":{key.line}"
        yield f"{reply.file.path}{where}: {visible(key.key)} {visible(key.message)}"
