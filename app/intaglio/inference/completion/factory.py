"""Makes the model that the user chose."""

import re
from typing import TYPE_CHECKING, Final

from intaglio.base.errors import InvalidInputError
from intaglio.inference.completion.choice import PROVIDERS, ModelChoice
from intaglio.inference.completion.ports import Completion, ModelName

if TYPE_CHECKING:
    from intaglio.inference.completion.backend import ModelBackend
    from intaglio.inference.completion.guarded import CallTiming

# How many requests run at a time. A run of an agent takes a processor and hundreds of megabytes.
_TO_SERVERS: Final = 4
_TO_AGENTS: Final = 1
_AGENTS_MODEL: Final = re.compile(r"[A-Za-z0-9][\w.:/@\[\]+-]{0,199}", re.ASCII)


def completion_of(choice: ModelChoice, *, timing: "CallTiming | None" = None) -> Completion | None:
    """Return the chosen model, without calling it; None for the provider ``none``.

    ``timing`` replaces the clock, for tests.
    Raises InvalidInputError for an invalid address or key, or a missing model. A program that isn't
    installed raises nothing here: each call returns ``unusable``.
    """
    if choice.provider == "none":
        return None
    facts = PROVIDERS[choice.provider]
    if facts.needs_model and not choice.model:
        raise InvalidInputError("no language model is named")
    if facts.needs_key and not choice.key:
        raise InvalidInputError(f"{facts.title} needs an API key")
    from intaglio.inference.completion.guarded import GuardedCompletion  # noqa: PLC0415 - only if a model is configured

    if facts.program:
        return GuardedCompletion(_agent(choice), concurrency=_TO_AGENTS, timing=timing)
    return GuardedCompletion(_server(choice), concurrency=_TO_SERVERS, timing=timing)


def _server(choice: ModelChoice) -> "ModelBackend":
    # httpx is loaded only if a model server is configured.
    from intaglio.inference.completion.anthropic_messages import AnthropicBackend  # noqa: PLC0415 - see above
    from intaglio.inference.completion.ollama import OllamaBackend  # noqa: PLC0415 - see above
    from intaglio.inference.completion.openai_chat import OpenAiBackend  # noqa: PLC0415 - see above
    from intaglio.inference.server_http import ServerAddress  # noqa: PLC0415 - see above

    name = ModelName(choice.provider, choice.model)
    facts = PROVIDERS[choice.provider]
    address = ServerAddress(choice.address or facts.address, choice.key)
    match choice.provider:
        case "ollama":
            return OllamaBackend(name, address)
        case "anthropic":
            return AnthropicBackend(name, address)
        case _:
            return OpenAiBackend(name, address)


def _agent(choice: ModelChoice) -> "ModelBackend":
    from intaglio.inference.completion.agents.claude_code import ClaudeCodeBackend  # noqa: PLC0415 - see above
    from intaglio.inference.completion.agents.codex import CodexBackend  # noqa: PLC0415 - see above
    from intaglio.inference.completion.agents.opencode import OpenCodeBackend  # noqa: PLC0415 - see above

    if choice.model and not _AGENTS_MODEL.fullmatch(choice.model):
        raise InvalidInputError("the model's name contains invalid characters")
    name = ModelName(choice.provider, choice.model)
    facts = PROVIDERS[choice.provider]
    match choice.provider:
        case "claude-code":
            return ClaudeCodeBackend(name, title=facts.title, program=facts.program)
        case "codex":
            return CodexBackend(name, title=facts.title, program=facts.program)
        case _:
            return OpenCodeBackend(name, title=facts.title, program=facts.program)
