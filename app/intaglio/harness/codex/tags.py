"""The tags by which Codex tells its model who speaks, as of version 0.171."""

from typing import Final

TAGS: Final = (
    # What it says for the user, or of the session
    *(
        "environment-context",
        "user-instructions",
        "user-action",
        "user-query",
        "user-shell-command",
    ),
    *("codex-internal-context", "codex-delegation", "heartbeat", "turn-aborted"),
    *("subagent-notification", "agent-message-board-notification", "persistent-mode"),
    *("send-user-message-question-reply", "user-verification-notice", "side-conversation"),
    *("untrusted-objective", "image-resize-notice", "rollout-budget", "startup-context"),
    # Its instructions
    *("skill", "*-instructions", "collaboration-mode", "model-switch", "model-catalog"),
    *("multi-agent-mode", "multi-agent-role", "recommended-plugins", "git-attribution"),
    *("permission-profile", "personality-spec", "content-filter-guidance"),
    *("context-window", "context-window-guidance", "context-window-reminder"),
    *("current-time-reminder", "realtime-conversation", "realtime-delegation", "ide-selection"),
    # Its own memory
    *("oai-mem-citation", "proposed-plan"),
)
