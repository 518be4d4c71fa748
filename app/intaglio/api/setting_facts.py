"""What is shown beside the settings: where the data is, the port, the model in use, the version."""

import asyncio
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from intaglio.api.services import Services
from intaglio.base.installation import command, command_for_new_terminal, kept_variables
from intaglio.base.paths import LOG_VARIABLES, WORKSPACE_VARIABLES
from intaglio.base.settings.declaration import SettingGroup
from intaglio.base.settings.loader import PORT_VARIABLES
from intaglio.embedding.semantic_search import SemanticSearch
from intaglio.wire.settings import SettingFact

_REMOVAL: Final = "Remove Intaglio"
_MB: Final = 1_000_000
_GROUPS: Final = {
    "database": SettingGroup.PRIVACY,
    "backups": SettingGroup.PRIVACY,
    "workspace": SettingGroup.PRIVACY,
    "start_at_login": SettingGroup.DESKTOP,
}
_SIDE_FILES: Final = ("", "-wal", "-shm")
_PHASES: Final = {
    "idle": "not loaded",
    "ready": "loaded",
    "failing": "failing",
    "damaged": "damaged",
    "closed": "closed",
}


async def setting_facts(
    services: Services, env: Mapping[str, str] = os.environ
) -> list[SettingFact]:
    """List the facts, by group; ``env`` is the daemon's environment, which decides some."""
    running = services.running
    paths = running.paths
    size, backups = await asyncio.to_thread(
        lambda: (_size_of(paths.database), _size_of_folder(paths.backups))
    )

    def fact(name: str, label: str, value: object, text: str, *variables: str) -> SettingFact:
        group = _GROUPS.get(name, SettingGroup.ADVANCED)
        used = next((each for each in variables if env.get(each, "").strip()), None)
        text = f"{text} Set by {used}." if used else text
        return SettingFact(id=name, group=group.value, label=label, value=str(value), help=text)

    return [
        _model(services),
        fact(
            "start_at_login",
            "Start at login",
            command("autostart on"),
            "The tray app starts when you log in, and intaglio:// links open in it.",
        ),
        fact(
            "database",
            "Your data (one database)",
            f"{paths.database} ({_megabytes(size)})",
            "All memories, sessions and transcripts, in one SQLite file.",
        ),
        fact(
            "backups",
            "Backups",
            f"{paths.backups} ({_megabytes(backups)})",
            "Daily copies of the database.",
        ),
        fact(
            "workspace",
            "Workspace",
            paths.workspace,
            "The folder of your data and settings. Copy it to take everything along.",
            *WORKSPACE_VARIABLES,
        ),
        fact(
            "settings_file",
            "Settings file",
            paths.settings,
            "This page reads and writes it. You can edit it too; changes apply at once.",
        ),
        fact(
            "log",
            "Log",
            paths.log_file,
            "What the daemon did and what failed. It holds no texts of memories.",
            *LOG_VARIABLES,
        ),
        fact(
            "port",
            "Port",
            running.port,
            "Only programs on this machine can connect. INTAGLIO_PORT changes it at a start.",
            *PORT_VARIABLES,
        ),
        fact("version", "Version", running.version, "The version of the daemon that is running."),
        SettingFact(
            id="uninstall",
            group=_REMOVAL,
            label="Uninstall with",
            value=command_for_new_terminal("uninstall", kept_variables(env)),
            help="Shows what it would remove of agents' settings, start at login and files, and "
            "what stays. With --yes, it does that. Your memories stay.",
        ),
    ]


def _model(services: Services) -> SettingFact:
    embedder = services.get(SemanticSearch).embed.embedder
    identity, state = embedder.identity, embedder.state
    name = f"{identity.provider}: {identity.model}" if identity.model else "none"
    phase = _PHASES.get(state.phase, state.phase)
    why = f" {state.detail}" if state.detail else ""
    return SettingFact(
        id="model",
        group=SettingGroup.MODELS.value,
        label="Embedding model in use",
        value=f"{name} ({phase})" if identity.model else name,
        help=f"It finds memories by meaning, and is loaded when it's needed.{why}",
    )


def _megabytes(size: int) -> str:
    return f"{size / _MB:,.1f} MB"


def _size_of(database: Path) -> int:
    files = (database.with_name(f"{database.name}{suffix}") for suffix in _SIDE_FILES)
    return sum(_bytes_of(each) for each in files)


def _size_of_folder(folder: Path) -> int:
    try:
        return sum(_bytes_of(each) for each in folder.iterdir())
    except OSError:
        return 0


def _bytes_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return 0
