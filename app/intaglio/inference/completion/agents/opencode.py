"""OpenCode as a language model: ``opencode run``."""

from typing import Final

import msgspec

from intaglio.inference.completion.agents.agent_backend import AgentBackend, AgentCommand
from intaglio.inference.completion.agents.events import events_of, status_in
from intaglio.inference.completion.agents.process import AgentFolder
from intaglio.inference.completion.backend import BackendOutcome, counted, whole_reply
from intaglio.inference.completion.instructions import system_with_schema
from intaglio.inference.completion.ports import CompletionRequest

_AGENT: Final = "one-reply"
_ENVIRONMENT: Final = {
    "OPENCODE_DISABLE_AUTOUPDATE": "1",
    "OPENCODE_DISABLE_SHARE": "1",
    "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
    "OPENCODE_DISABLE_CLAUDE_CODE": "1",
    "OPENCODE_DISABLE_EXTERNAL_SKILLS": "1",
    "OPENCODE_DISABLE_LSP_DOWNLOAD": "1",
    # An empty one counts as none.
    "OPENCODE_CONFIG": "",
    "OPENCODE_CONFIG_DIR": "",
}


class _Cache(msgspec.Struct, frozen=True):
    read: int = 0
    write: int = 0


class _Tokens(msgspec.Struct, frozen=True):
    input: int = 0
    output: int = 0
    reasoning: int = 0
    cache: _Cache = _Cache()


class _Part(msgspec.Struct, frozen=True):
    text: str = ""
    reason: str = ""
    tokens: _Tokens | None = None
    cost: float | None = None


class _Event(msgspec.Struct, frozen=True):
    type: str
    part: _Part | None = None
    error: msgspec.Raw = msgspec.Raw(b"")


class OpenCodeBackend(AgentBackend):
    """Asks through OpenCode, in an agent that is defined for the run and may use nothing.

    The user's configuration is left out, as its servers would be started; whom the user signed in
    as is kept elsewhere. The session is stored in the run's own folder and goes with it.
    """

    def _command(self, request: CompletionRequest, folder: AgentFolder) -> AgentCommand:
        agent = {
            "mode": "primary",
            "prompt": system_with_schema(request) or "Answer the text.",
            "temperature": request.temperature,
            "permission": {"*": "deny"},
        }
        configuration = {"share": "disabled", "autoupdate": False, "agent": {_AGENT: agent}}
        model = (f"--model={self._name.model}",) if self._name.model else ()
        return AgentCommand(
            # With a title, no second request is made for one.
            arguments=("run", "--format=json", "--pure", f"--agent={_AGENT}", "--title=-", *model),
            environment={
                **_ENVIRONMENT,
                "OPENCODE_CONFIG_CONTENT": msgspec.json.encode(configuration).decode(),
                "OPENCODE_DB": str(folder.given / "opencode.db"),
                "OPENCODE_EXPERIMENTAL_OUTPUT_TOKEN_MAX": str(request.max_tokens),
                "XDG_CONFIG_HOME": str(folder.given),
            },
        )

    def _read(self, output: bytes, request: CompletionRequest) -> BackendOutcome | None:
        text = ""
        last = _Part()
        problem: str | None = None
        for event in events_of(output, _Event):
            if event.type == "error":
                problem = bytes(event.error).decode("utf-8", "replace")
            elif event.part is not None and event.type == "text":
                text += event.part.text
            elif event.part is not None and event.type == "step_finish":
                last = event.part
        if problem is not None and not text:
            return self._reported(status_in(problem))
        if not text:
            return None
        used = last.tokens
        read = None if used is None else used.input + used.cache.read + used.cache.write
        written = None if used is None else used.output + used.reasoning
        tokens = counted(request, text, read, written, last.cost or None)
        return whole_reply(request, text, tokens, cut=last.reason == "length")
