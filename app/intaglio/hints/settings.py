"""The settings of hints."""

from dataclasses import dataclass

from intaglio.base.settings.declaration import SettingGroup, setting


@dataclass(frozen=True, slots=True)
class HintSettings:
    """Whether memories are also found by questions that they answer."""

    enabled: bool = setting(
        False,
        "memory.pipelineV2.hints.enabled",
        label="Think up questions that memories answer",
        help="If a language model is configured, it writes a few questions for each memory, one "
        "call for each, by which searches find it in other words.",
        group=SettingGroup.MODELS,
        words="hints prospective questions recall",
    )
    by_templates: bool = setting(
        False,
        "memory.pipelineV2.hints.templates",
        label="Questions without a model",
        help="Without a language model, questions are made from a memory's own words. In our "
        "measurements, searches got no better by it.",
        group=SettingGroup.ADVANCED,
        words="hints prospective questions recall",
    )
