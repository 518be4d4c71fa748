"""/api/config, /api/features, /api/identity: the workspace's files as Signet's clients see them."""

import asyncio
from collections.abc import Mapping
from typing import Final, cast

from litestar import Controller, get, post
from litestar.params import JSONBody

from intaglio.api.gate.declaration import Access, Principal, declare
from intaglio.api.request_context import AnyRequest, named_agent_of
from intaglio.api.services import Services
from intaglio.api.signet.config_structs import (
    ConfigFile,
    ConfigFiles,
    ConfigWrite,
    ConfigWritten,
    WorkspaceIdentity,
)
from intaglio.api.signet.hidden_secrets import hide, put_back, put_back_lines
from intaglio.api.signet.workspace_files import (
    MAX_FILE_BYTES,
    WorkspaceText,
    check_name,
    identity_of,
    leads_out,
    list_texts,
    read_text,
)
from intaglio.base.agent_yaml.document import load_tree
from intaglio.base.agent_yaml.problems import BrokenFileError
from intaglio.base.errors import InvalidInputError, TooLargeError
from intaglio.base.events import Changed, SettingsChanged
from intaglio.base.settings.editing import SettingsEditor
from intaglio.base.settings.settings_file import check

_IDENTITY: Final = "IDENTITY.md"
# A text of 1 MB, with its line breaks and quotes escaped.
_BODY_BYTES: Final = 4_000_000


class ConfigController(Controller):
    """The text files of the workspace."""

    tags = ("settings",)

    @get("/api/config", operation_id="getConfig", opt=declare(Access.PROGRAM))
    async def files(self, services: Services) -> ConfigFiles:
        """Return the Markdown and YAML files directly in the workspace.

        Values of keys, tokens and passwords in YAML are hidden, in comments too. Links that lead
        out of the workspace, files over 1 MB and those that aren't UTF-8 are left out.
        """
        workspace = services.running.paths.workspace
        return await asyncio.to_thread(
            lambda: ConfigFiles(files=[_file(each) for each in list_texts(workspace)])
        )

    @post(
        "/api/config",
        operation_id="writeConfig",
        status_code=200,
        # Agents read these files as instructions, so no program writes them in silence.
        opt=declare(Access.BROWSER, body_bytes=_BODY_BYTES),
    )
    async def write(self, services: Services, data: JSONBody[ConfigWrite]) -> ConfigWritten:
        """Replace one of these files, and keep it as it was this morning as `<name>.bak`.

        `agent.yaml` must be YAML (400 with line and column); what is hidden in it stays as it is.
        """
        name, content = _checked(data)
        await asyncio.to_thread(_write, services, name, content)
        if name == services.get(SettingsEditor).file.path.name:
            services.bus.publish(SettingsChanged())
            services.bus.publish(Changed("settings", "updated", ()))
        return ConfigWritten()

    @get("/api/features", operation_id="getFeatures", opt=declare(Access.PROGRAM))
    async def features(self, services: Services) -> dict[str, bool]:
        """Return the switches below `features` in `agent.yaml`."""
        return await asyncio.to_thread(_features, services.get(SettingsEditor))

    @get(
        "/api/identity",
        operation_id="getIdentity",
        opt=declare(Access.PROGRAM, Principal.AGENT),
    )
    async def identity(self, services: Services, request: AnyRequest) -> WorkspaceIdentity:
        """Return the agent's name and character from `IDENTITY.md`.

        An agent that a request names may have one of its own in `agents/<name>/`.
        """
        workspace = services.running.paths.workspace
        agent = named_agent_of(request)
        own = None
        if agent is not None:
            own = await asyncio.to_thread(read_text, workspace, f"agents/{agent}/{_IDENTITY}")
        text = own or await asyncio.to_thread(read_text, workspace, _IDENTITY)
        found = identity_of(text.text) if text is not None else {}
        return WorkspaceIdentity(
            name=found.get("name") or "Unknown",
            creature=found.get("creature", ""),
            vibe=found.get("vibe", ""),
        )


def _file(found: WorkspaceText) -> ConfigFile:
    text = hide(found.text) if found.name.endswith(".yaml") else found.text
    return ConfigFile(name=found.name, content=text, size=found.size)


def _checked(data: ConfigWrite) -> tuple[str, bytes]:
    name, content = data.file, data.content
    if not isinstance(name, str) or not isinstance(content, str) or not name:
        raise InvalidInputError("Invalid request", hint="Send file and content as text.")
    check_name(name)
    try:
        encoded = content.encode()
    except UnicodeEncodeError as error:
        raise InvalidInputError("Invalid request", hint="content isn't valid Unicode.") from error
    if len(encoded) > MAX_FILE_BYTES:
        raise TooLargeError(f"content exceeds {MAX_FILE_BYTES} bytes", hint="Send less of it.")
    return name, encoded


def _write(services: Services, name: str, content: bytes) -> None:
    """Write a file of the workspace; blocks."""
    workspace = services.running.paths.workspace
    if leads_out(workspace, name):
        raise InvalidInputError(
            "Invalid file name", hint="It's a link that leads out of the workspace."
        )
    editor = services.get(SettingsEditor)
    is_settings = name == editor.file.path.name

    def edited(former: bytes | None) -> bytes:
        if not name.endswith(".yaml"):
            return content
        return _yaml(content, former, is_settings=is_settings)

    editor.file.replace(workspace / name, edited)
    if is_settings:
        editor.refresh()


def _yaml(content: bytes, former: bytes | None, *, is_settings: bool) -> bytes:
    was = (former or b"").decode("utf-8", "replace")
    text = put_back_lines(content.decode(), was)
    content = text.encode()
    try:
        if is_settings:
            check(content)
        return put_back(text, was).encode()
    except BrokenFileError as error:
        if not is_settings:
            # Not a file of ours; it may hold anything.
            return content
        problem = error.problem
        raise InvalidInputError(
            f"Invalid YAML: {problem}",
            hint="Nothing was written.",
            line=problem.line,
            column=problem.column,
        ) from error


def _features(editor: SettingsEditor) -> dict[str, bool]:
    content = editor.file.read()
    if content.document is None:
        return {}
    found = load_tree(content.document).get("features")
    if not isinstance(found, Mapping):
        return {}
    given = cast("Mapping[object, object]", found)
    return {str(name): on for name, on in given.items() if isinstance(on, bool)}
