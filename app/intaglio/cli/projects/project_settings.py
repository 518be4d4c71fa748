"""`intaglio projects settings`: what is set for one project."""

from collections.abc import Sequence
from typing import Final

import click

from intaglio.base.installation import command
from intaglio.cli.confirmation import confirmed_change
from intaglio.cli.connection import daemon_client
from intaglio.cli.output import print_json
from intaglio.cli.preview_difference import setting_value
from intaglio.cli.projects.arguments import project_argument
from intaglio.fence.characters import visible
from intaglio.wire.settings import (
    ProjectSettingRow,
    ProjectSettingsRequest,
    SettingChange,
    SettingValue,
)

_PREFIX: Final = "project."
_SWITCH: Final = {"on": True, "off": False}


@click.command("settings")
@click.argument("project")
@click.argument("key", required=False)
@click.argument("value", required=False)
@click.option("-y", "--yes", is_flag=True, help="Don't ask for confirmation.")
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's reply as JSON.")
def project_settings(
    *, project: str, key: str | None, value: str | None, yes: bool, as_json: bool
) -> None:
    """Show what is set for PROJECT, or set KEY to VALUE: on, off, one of the choices, default.

    `default` lets the general value hold again.
    """
    place, name = project_argument(project), _key(key)
    with daemon_client() as client:
        found = client.project_settings(place)
        rows = [each for each in found.settings if name in {None, each.key}]
        if not rows:
            known = ", ".join(each.key.removeprefix(_PREFIX) for each in found.settings)
            raise click.UsageError(f"A project has no setting {key!r}. There are {known}.")
        if value is None:
            if as_json:
                print_json(rows)
            for line in [] if as_json else setting_lines(rows):
                click.echo(line)
            return
        row = rows[0]
        changes = [SettingChange(key=row.key, value=read_value(value))]
        done = confirmed_change(
            lambda confirmed: client.change_project_settings(
                ProjectSettingsRequest(project=place, changes=changes, confirmed=confirmed)
            ),
            yes=yes,
        )
    if as_json:
        print_json(done)
        return
    for line in setting_lines([each for each in done.settings.settings if each.key == row.key]):
        click.echo(line)
    [before] = done.undo
    short, former = row.key.removeprefix(_PREFIX), shown_value(before.value)
    click.echo(f"Undo with: {command(f'projects settings {found.project} {short} {former}')}")


def _key(text: str | None) -> str | None:
    return text if text is None or text.startswith(_PREFIX) else f"{_PREFIX}{text}"


def read_value(text: str) -> SettingValue | None:
    """Read a value as it is typed; None is the general one."""
    return _SWITCH[text] if text in _SWITCH else setting_value(text)


def shown_value(value: SettingValue | None) -> str:
    """Return a value as it is typed."""
    if value is None:
        return "default"
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def setting_lines(rows: Sequence[ProjectSettingRow]) -> list[str]:
    """Return settings with their values, and what holds generally."""
    width = max(len(row.key.removeprefix(_PREFIX)) for row in rows)
    return [
        f"{row.key.removeprefix(_PREFIX):<{width}}  {shown_value(row.value)}"
        + (f" (only here; general: {shown_value(row.general)})" if row.is_set else "")
        + f"  {visible(row.label)}"
        for row in rows
    ]
