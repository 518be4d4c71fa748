"""The settings of the pipeline."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class PipelineSettings:
    """What a language model makes of memories."""

    enabled: bool = setting(
        True,
        "memory.pipelineV2.enabled",
        label="Let a language model read new memories",
        help="It splits them into facts and finds what depends on what. Only with a language "
        "model.",
        group=SettingGroup.MODELS,
        words="llm extraction pipeline facts",
    )
    shadow_mode: bool = setting(
        False,
        "memory.pipelineV2.shadowMode",
        label="Only try out the language model's changes",
        help="Memories stay as they are; Pipeline shows what would have been written.",
        group=SettingGroup.MODELS,
        words="llm shadow dry run pipeline preview",
    )
    min_confidence: float = setting(
        0.7,
        "memory.pipelineV2.minFactConfidenceForWrite",
        label="How sure the language model must be of a fact",
        help="Facts of which it is less sure aren't stored.",
        group=SettingGroup.ADVANCED,
        bounds=(0.0, 1.0),
        other_keys=("memory.pipelineV2.extraction.minConfidence",),
        words="llm confidence pipeline threshold",
    )
    allow_update_delete: bool = setting(
        False,
        "memory.pipelineV2.autonomous.allowUpdateDelete",
        label="Let a model change what agents noted",
        help="Without asking, and each change can be undone. What you said is never changed "
        "without you.",
        group=SettingGroup.MODELS,
        other_keys=("memory.pipelineV2.allowUpdateDelete",),
        consequence=Consequence(
            "deletes",
            "Memories that agents noted may be changed or forgotten without asking you.",
            (True,),
        ),
        words="llm autonomous update delete pipeline",
    )
