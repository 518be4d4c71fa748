"""The commands of `intaglio config`."""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

from intaglio.base.errors import InvalidInputError, NotFoundError
from intaglio.base.installation import command
from intaglio.base.settings.settings_file import NEW_FILE
from intaglio.cli.confirmation import confirmed_change
from intaglio.cli.connection import paths
from intaglio.cli.options import CommandGroup
from intaglio.cli.output import print_json
from intaglio.cli.settings.matching import matching_facts, matching_settings
from intaglio.cli.settings.output import (
    allowed_text,
    fact_lines,
    mistake_lines,
    plain_value,
    problem_lines,
    setting_lines,
    value_text,
)
from intaglio.cli.settings.source import (
    SettingsSource,
    read_file,
    settings_editor,
    settings_source,
)
from intaglio.wire.settings import (
    SettingChange,
    SettingRow,
    SettingsChangeRequest,
    SettingsReply,
    SettingValue,
)

_ON: Final = frozenset({"true", "on", "yes"})
_OFF: Final = frozenset({"false", "off", "no"})
_EDITORS: Final = ("sensible-editor", "vim", "nano")


@click.group(cls=CommandGroup, context_settings={"help_option_names": ["-h", "--help"]})
def config() -> None:
    """Show and change settings. They are in `agent.yaml`, which you can also edit.

    A change applies at once, and keeps everything else in the file as it is. Without a running
    daemon, the file is changed directly.
    """


@config.command()
@click.argument("key")
@click.option("--json", "as_json", is_flag=True, help="Print the setting as JSON.")
def get(*, key: str, as_json: bool) -> None:
    """Print the value of KEY that is in use. A secret is never printed."""
    with settings_source() as source:
        row = _find(source.settings, key)
    if as_json:
        print_json(row)
    else:
        click.echo(value_text(row) if row.secret else plain_value(row.value))


@config.command("set")
@click.argument("key")
@click.argument("value")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print the new settings as JSON.")
def set_(*, key: str, value: str, yes: bool, as_json: bool) -> None:
    """Set KEY to VALUE.

    Asks first if the change costs tokens, sends something to another program or deletes data.
    `--` before a negative VALUE keeps it from being read as an option.
    """
    with settings_source() as source:
        row = _find(source.settings, key)
        _change(source, row, _parsed(row, value), yes=yes, as_json=as_json)


@config.command()
@click.argument("key")
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print the new settings as JSON.")
def unset(*, key: str, yes: bool, as_json: bool) -> None:
    """Remove KEY from the file, so that its default applies again."""
    with settings_source() as source:
        row = _find(source.settings, key)
        if row.is_set:
            _change(source, row, None, yes=yes, as_json=as_json)
        else:
            click.echo(f"{row.key} isn't set. Its default is {value_text(row, row.default)}.")


@config.command("list")
@click.argument("words", nargs=-1)
@click.option("--group", metavar="GROUP", help="Only settings of this group, such as Capture.")
@click.option("--changed", is_flag=True, help="Only settings that aren't at their defaults.")
@click.option("--json", "as_json", is_flag=True, help="Print a JSON array of settings.")
def list_settings(
    *, words: tuple[str, ...], group: str | None, changed: bool, as_json: bool
) -> None:
    """List the settings that have all WORDS, by group.

    Words may be a question, such as "where is my data". What it asks for comes first if it isn't a
    setting, such as a path.
    """
    with settings_source() as source:
        reply = source.settings
    rows = matching_settings(reply, words)
    facts = [] if changed or group is not None else matching_facts(reply, words)
    if group is not None:
        chosen = _group(reply, group)
        rows = [row for row in rows if row.group == chosen]
    if changed:
        rows = [row for row in rows if row.problem or (row.is_set and row.value != row.default)]
    if as_json:
        print_json(rows)
        return
    if not rows and not facts:
        click.echo("No settings found.")
    for line in fact_lines(facts):
        click.echo(line)
    if facts and rows:
        click.echo()
    for line in setting_lines(rows, reply.groups):
        click.echo(line)
    _warn_of_broken(reply)


@config.command()
def edit() -> None:
    """Open the settings file in your editor, then say what is wrong with it, if anything.

    The editor is that of $VISUAL or $EDITOR.
    """
    file = paths().settings
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
            stream.write(NEW_FILE)
    _open_editor(file)
    reply = read_file(settings_editor(paths()))
    if reply.file.problem is not None:
        for line in problem_lines(reply.file.path, reply.file.problem):
            click.echo(line, err=True)
        click.echo("Until that is fixed, the last settings that could be read apply.", err=True)
        sys.exit(1)
    mistakes = [*mistake_lines(reply)]
    for line in mistakes:
        click.echo(line, err=True)
    if mistakes:
        sys.exit(1)
    click.echo(f"{file} is fine.")


@config.command("path")
def path_() -> None:
    """Print where the settings file is. It may not exist yet."""
    click.echo(str(paths().settings))


def _find(reply: SettingsReply, key: str) -> SettingRow:
    for row in reply.settings:
        if row.key == key:
            return row
    # Whoever knows the last word of a key, or its capitals, finds it too.
    near = [
        row
        for row in reply.settings
        if row.key.lower() == key.lower() or row.key.endswith(f".{key}")
    ]
    if len(near) == 1:
        return near[0]
    settings_editor(paths()).find(key)
    raise NotFoundError(f"There's no setting {key}", hint="`intaglio config list` lists them all.")


def _parsed(row: SettingRow, text: str) -> SettingValue:
    """Return what a word of the command line means; raises InvalidInputError."""
    match row.kind:
        case "switch":
            if text.lower() in _ON | _OFF:
                return text.lower() in _ON
        case "number":
            try:
                return int(text) if row.whole else float(text)
            except ValueError:
                pass
        case _:
            return text
    raise InvalidInputError(
        f"{row.label} ({row.key}) can't be {text}", hint=f"{allowed_text(row)}. {row.help}"
    )


def _change(
    source: SettingsSource, row: SettingRow, value: SettingValue | None, *, yes: bool, as_json: bool
) -> None:
    changes = [SettingChange(key=row.key, value=value)]
    done = confirmed_change(
        lambda confirmed: source.change(
            SettingsChangeRequest(changes=changes, confirmed=confirmed)
        ),
        yes=yes,
    )
    if as_json:
        print_json(done.settings)
        return
    after = next(each for each in done.settings.settings if each.key == row.key)
    if after.secret:
        click.echo(f"{row.key}: {value_text(after)}")
    else:
        default = "" if after.is_set else " (the default)"
        click.echo(f"{row.key}: {value_text(row)} → {value_text(after)}{default}")
    click.echo(f"In {done.settings.file.path}")
    if not source.is_running:
        click.echo("The daemon isn't running. It reads this when it starts.", err=True)
    elif after.needs_restart:
        click.echo(f"It applies after a restart: {command('daemon restart')}", err=True)


def _group(reply: SettingsReply, text: str) -> str:
    found = [group for group in reply.groups if group.casefold().startswith(text.casefold())]
    if len(found) != 1:
        raise click.UsageError(f"{text!r} isn't a group. Use one of: {', '.join(reply.groups)}.")
    return found[0]


def _warn_of_broken(reply: SettingsReply) -> None:
    if reply.file.problem is not None:
        for line in problem_lines(reply.file.path, reply.file.problem):
            click.echo(line, err=True)
        click.echo("Until that is fixed, the last settings that could be read apply.", err=True)


def _open_editor(file: Path) -> None:
    words = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not words:
        fallback = "notepad" if sys.platform == "win32" else "vi"
        words = [next(filter(shutil.which, _EDITORS), fallback)]
    try:
        ended = subprocess.run([*words, str(file)], check=False)  # noqa: S603 - the user's own editor
    except OSError as error:
        raise InvalidInputError(
            f"Couldn't start the editor {words[0]}: {error.strerror}",
            hint="Set VISUAL or EDITOR to an editor that is installed.",
        ) from error
    if ended.returncode != 0:
        click.echo(f"The editor ended with exit code {ended.returncode}.", err=True)
