"""The settings of reading single messages by a language model.

Those of reading whole sessions are in `models.settings`.
"""

from dataclasses import dataclass

from intaglio.base.settings.declaration import Consequence, SettingGroup, setting


@dataclass(frozen=True, slots=True)
class TurnSettings:
    """Whether single messages are read for the graph, and which of them."""

    turns: bool = setting(
        False,
        "memory.graph.turns",
        label="Read each message for the graph",
        help="A language model reads each of your messages for what it says of named things. "
        "That costs a call per message, so it is off unless you switch it on.",
        group=SettingGroup.MODELS,
        consequence=Consequence("tokens", "Each of your messages is sent to your model.", (True,)),
        words="graph extraction turns relations model",
    )
    gate: bool = setting(
        False,
        "memory.graph.rpe.enabled",
        label="Skip messages that say nothing new",
        help="Messages that are much like the ones before aren't read for the graph.",
        group=SettingGroup.ADVANCED,
        words="rpe surprise gate graph turns",
    )
    surprise: float = setting(
        0.3,
        "memory.graph.rpe.threshold",
        label="Surprise from which a message is read",
        help="0 reads every message; a message that has nothing in common with the ones before "
        "has a surprise of 1.",
        group=SettingGroup.ADVANCED,
        bounds=(0, 1),
        words="rpe surprise gate graph turns threshold",
    )
    most_skipped: int = setting(
        5,
        "memory.graph.rpe.maxSkipTurns",
        label="Messages skipped in a row",
        help="After so many, the next message is read however little it surprises.",
        group=SettingGroup.ADVANCED,
        unit="messages",
        bounds=(0, 100),
        other_keys=("memory.graph.rpe.max_skip_turns",),
        words="rpe surprise gate graph turns skip",
    )
