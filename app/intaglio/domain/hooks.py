"""What a harness's hooks report, and how a test of one can end."""

from typing import Literal, TypeAlias

HookEventKind: TypeAlias = Literal[
    "session-start",
    "prompt",
    "tool-use",
    "turn-end",
    "compaction",
    "subagent",
    "session-end",
    "other",
]

HookTestOutcome: TypeAlias = Literal[
    "works",
    "absent",
    "untestable",
    "missing",
    "failed",
    "slow",
    "lost",
    "unreached",
    "elsewhere",
    "silent",
]
"""`intaglio.wire.harnesses.HookTestReply` says what each means."""
