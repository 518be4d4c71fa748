"""Claude Code as a language model: ``claude -p``."""

from typing import Final

import msgspec

from intaglio.inference.completion.agents.agent_backend import AgentBackend, AgentCommand
from intaglio.inference.completion.agents.process import AgentFolder
from intaglio.inference.completion.backend import BackendOutcome, counted, whole_reply
from intaglio.inference.completion.instructions import system_with_schema
from intaglio.inference.completion.ports import CompletionRequest

_ARGUMENTS: Final = (
    "-p",
    "--output-format=json",
    # No tool, no server with tools, no commands: only a reply.
    "--tools=",
    "--strict-mcp-config",
    "--disable-slash-commands",
    # No settings, and so no hooks, permissions and instructions of the user or a project.
    "--setting-sources=",
    # Nothing that could be imported again as a session of the user's.
    "--no-session-persistence",
    "--effort=low",
)
_ENVIRONMENT: Final = {
    # Without these, a file that the text names after an @ is read and sent.
    "CLAUDE_CODE_DISABLE_FILE_MENTIONS": "1",
    "CLAUDE_CODE_DISABLE_ATTACHMENTS": "1",
    "CLAUDE_CODE_SAFE_MODE": "1",
    "CLAUDE_CODE_DISABLE_CLAUDE_MDS": "1",
    "CLAUDE_CODE_DISABLE_AUTO_MEMORY": "1",
    "CLAUDE_CODE_DISABLE_THINKING": "1",
    "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    "DISABLE_AUTOUPDATER": "1",
}


class _Usage(msgspec.Struct, frozen=True):
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Result(msgspec.Struct, frozen=True):
    type: str
    is_error: bool = False
    result: str = ""
    stop_reason: str | None = None
    api_error_status: int | None = None
    total_cost_usd: float | None = None
    usage: _Usage = _Usage()


class ClaudeCodeBackend(AgentBackend):
    """Asks through Claude Code.

    The reply's schema is part of the system prompt: the program's own way to enforce it offers the
    model a tool, and takes two requests.
    """

    def _command(self, request: CompletionRequest, folder: AgentFolder) -> AgentCommand:
        system = folder.give("system.md", system_with_schema(request) or "Answer the text.")
        model = (f"--model={self._name.model}",) if self._name.model else ()
        return AgentCommand(
            arguments=(*_ARGUMENTS, f"--system-prompt-file={system}", *model),
            environment={
                **_ENVIRONMENT,
                "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(request.max_tokens),
            },
        )

    def _read(self, output: bytes, request: CompletionRequest) -> BackendOutcome | None:
        try:
            found = msgspec.json.decode(output, type=_Result)
        except (msgspec.DecodeError, RecursionError):
            return None
        if found.type != "result":
            return None
        if found.is_error:
            return self._reported(found.api_error_status, signed_out="/login" in found.result)
        usage = found.usage
        read = usage.input_tokens
        if read is not None:
            read += usage.cache_creation_input_tokens or 0
            read += usage.cache_read_input_tokens or 0
        tokens = counted(request, found.result, read, usage.output_tokens, found.total_cost_usd)
        return whole_reply(request, found.result, tokens, cut=found.stop_reason == "max_tokens")
