"""The settings of embeddings: which model makes them, and how gaps are found and repaired."""

from dataclasses import dataclass
from typing import Final

from intaglio.base.settings.declaration import Choice, Consequence, SettingGroup, setting

_SENDS_TEXT: Final = "Memories, searches and prompts are sent to this server to be embedded."


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """Which model makes embeddings. A change re-embeds all memories in the background."""

    provider: str = setting(
        "onnx",
        "embedding.provider",
        label="Model for search by meaning",
        help="The included model runs on this machine. Changing the model re-embeds all memories"
        " in the background.",
        group=SettingGroup.MODELS,
        choices=(
            Choice("onnx", "Included model"),
            Choice("ollama", "Ollama"),
            Choice("openai", "OpenAI or a compatible server"),
            Choice("none", "None: search by keywords only"),
        ),
        # Signet's name for its own included model.
        other_values=(("native", "onnx"),),
        consequence=Consequence("sends", _SENDS_TEXT, ("ollama", "openai")),
        words="embedding provider which model llm ai offline local",
    )
    model: str = setting(
        "",
        "embedding.model",
        label="Name of the model on the server",
        help="As Ollama or the other server lists it.",
        group=SettingGroup.MODELS,
        words="embedding",
    )
    base_url: str = setting(
        "http://127.0.0.1:11434",
        "embedding.base_url",
        label="Address of the model server",
        help="Where Ollama or an OpenAI-compatible server answers.",
        group=SettingGroup.MODELS,
        consequence=Consequence("sends", _SENDS_TEXT),
        other_keys=("embedding.endpoint",),
        words="url endpoint host",
    )
    dimensions: int = setting(
        768,
        "embedding.dimensions",
        label="Dimensions of the server's embeddings",
        help="How many numbers its model returns for a text.",
        group=SettingGroup.MODELS,
        bounds=(1, 8_192),
        words="vector size",
    )
    api_key: str = setting(
        "",
        "embedding.api_key",
        label="API key for the model server",
        help="Sent with each request, if the server needs one.",
        group=SettingGroup.MODELS,
        secret=True,
        words="token password",
    )
    idle_minutes: int = setting(
        10,
        "embedding.idleMinutes",
        label="Unload the included model after",
        help="After this long without use, its memory is freed; the next search loads it again.",
        group=SettingGroup.MODELS,
        unit="minutes",
        bounds=(1, 1_440),
        words="ram memory usage idle",
    )


@dataclass(frozen=True, slots=True)
class TrackerSettings:
    """How memories without an embedding are found and embedded."""

    enabled: bool = setting(
        True,
        "memory.pipelineV2.embeddingTracker.enabled",
        label="Embed memories that lack an embedding",
        help="Without one, a memory is found by its words only.",
        group=SettingGroup.ADVANCED,
        words="embedding tracker gaps",
    )
    poll_ms: int = setting(
        5_000,
        "memory.pipelineV2.embeddingTracker.pollMs",
        label="Time between checks for missing embeddings",
        help="How often the daemon looks for memories without an embedding.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(100, 60_000),
        words="embedding tracker interval",
    )
    batch: int = setting(
        8,
        "memory.pipelineV2.embeddingTracker.batchSize",
        label="Texts per request to the model",
        help="The most texts that are embedded together.",
        group=SettingGroup.ADVANCED,
        unit="texts",
        bounds=(1, 64),
        words="embedding batch",
    )
