"""Which language model the user chose, and what is known of each provider."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from types import MappingProxyType
from typing import Final, Literal, TypeAlias
from urllib.parse import urlsplit

ModelProvider: TypeAlias = Literal[
    "none", "ollama", "openai", "openrouter", "anthropic", "claude-code", "codex", "opencode"
]
"""Who runs the model; ``openai`` is any server that is compatible with OpenAI's."""


@dataclass(frozen=True, slots=True)
class ProviderFacts:
    """What is known of a provider without asking it.

    ``address`` is where it answers unless the user says otherwise, ``program`` the command of an
    agent; each is empty for the other kind. ``needs_model`` says that there is no default model.
    """

    title: str
    address: str = ""
    program: str = ""
    needs_key: bool = False
    needs_model: bool = True


PROVIDERS: Final[Mapping[ModelProvider, ProviderFacts]] = MappingProxyType(
    {
        "ollama": ProviderFacts("Ollama", "http://127.0.0.1:11434"),
        "openai": ProviderFacts("OpenAI or a compatible server", "https://api.openai.com/v1"),
        "openrouter": ProviderFacts("OpenRouter", "https://openrouter.ai/api/v1", needs_key=True),
        "anthropic": ProviderFacts("Anthropic", "https://api.anthropic.com", needs_key=True),
        "claude-code": ProviderFacts("Claude Code", program="claude", needs_model=False),
        "codex": ProviderFacts("Codex", program="codex", needs_model=False),
        "opencode": ProviderFacts("OpenCode", program="opencode", needs_model=False),
    }
)
"""All providers but ``none``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelChoice:
    """A language model and where it runs.

    An empty ``address`` is the provider's own; an empty ``model`` is an agent's default. ``key``
    never appears in a representation. Agents need neither address nor key.
    """

    provider: ModelProvider
    model: str = ""
    address: str = ""
    key: str = field(default="", repr=False)

    @property
    def sends_text_away(self) -> bool:
        """Whether what is asked leaves this machine, as far as the address tells."""
        if self.provider == "none":
            return False
        return not _is_loopback(self.address or PROVIDERS[self.provider].address)


def _is_loopback(address: str) -> bool:
    try:
        host = urlsplit(address).hostname or ""
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
