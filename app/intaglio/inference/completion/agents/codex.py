"""Codex as a language model: ``codex exec``."""

from typing import Final

import msgspec

from intaglio.inference.completion.agents.agent_backend import AgentBackend, AgentCommand
from intaglio.inference.completion.agents.events import events_of, status_in
from intaglio.inference.completion.agents.process import AgentFolder
from intaglio.inference.completion.backend import BackendOutcome, counted, whole_reply
from intaglio.inference.completion.instructions import is_closed, system_with_schema
from intaglio.inference.completion.ports import CompletionRequest

# A key that another version doesn't know is ignored; an unknown name behind --disable is an error.
_SETTINGS: Final = (
    "project_doc_max_bytes=0",
    "skills.include_instructions=false",
    "include_environment_context=false",
    "include_permissions_instructions=false",
    "include_apps_instructions=false",
    "include_collaboration_mode_instructions=false",
    'web_search="disabled"',
    'approval_policy="never"',
    "analytics.enabled=false",
    *(
        f"features.{name}=false"
        for name in (
            "apps",
            "goals",
            "hooks",
            "image_generation",
            "memories",
            "multi_agent",
            "plugins",
            "shell_tool",
            "skill_search",
            "sleep_tool",
            "unified_exec",
            "view_image",
        )
    ),
)
_ARGUMENTS: Final = (
    "exec",
    "--json",
    "--color=never",
    # Nothing that could be imported again as a session of the user's.
    "--ephemeral",
    # No settings, and so no servers with tools; whom the user signed in as is kept elsewhere.
    "--ignore-user-config",
    "--ignore-rules",
    "--skip-git-repo-check",
    "--sandbox=read-only",
    *(part for each in _SETTINGS for part in ("-c", each)),
)


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: int | None = None
    output_tokens: int | None = None


class _Item(msgspec.Struct, frozen=True):
    type: str = ""
    text: str = ""


class _Problem(msgspec.Struct, frozen=True):
    message: str = ""


class _Event(msgspec.Struct, frozen=True):
    type: str
    item: _Item | None = None
    usage: _Usage | None = None
    error: _Problem | None = None
    message: str = ""


class CodexBackend(AgentBackend):
    """Asks through Codex, which enforces schemas whose objects are closed."""

    def _command(self, request: CompletionRequest, folder: AgentFolder) -> AgentCommand:
        schema: tuple[str, ...] = ()
        system = request.system
        if request.schema is not None and is_closed(request.schema):
            text = msgspec.json.encode(request.schema).decode()
            schema = (f"--output-schema={folder.give('schema.json', text)}",)
        else:
            system = system_with_schema(request)
        given = folder.give("system.md", system or "Answer the text.")
        instructions = f"model_instructions_file={msgspec.json.encode(given).decode()}"
        model = (f"--model={self._name.model}",) if self._name.model else ()
        return AgentCommand(arguments=(*_ARGUMENTS, "-c", instructions, *schema, *model, "-"))

    def _read(self, output: bytes, request: CompletionRequest) -> BackendOutcome | None:
        text = ""
        usage = _Usage()
        problem: str | None = None
        for event in events_of(output, _Event):
            if event.item is not None and event.item.type == "agent_message":
                text = event.item.text
            elif event.type == "turn.completed":
                usage, problem = event.usage or usage, None
            elif event.type in ("turn.failed", "error"):
                problem = event.error.message if event.error else event.message
        if problem is not None:
            return self._reported(status_in(problem))
        if not text:
            return None
        tokens = counted(request, text, usage.input_tokens, usage.output_tokens)
        return whole_reply(request, text, tokens, cut=False)
