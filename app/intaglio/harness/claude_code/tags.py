"""The tags by which Claude Code and its model tell apart who speaks, as of version 2.1."""

from typing import Final

TAGS: Final = (
    # Its words to the model
    *("system-reminder", "system-note", "total-tokens", "persisted-output", "truncated-output"),
    *("interrupted-output", "partial-response", "sandbox-violations", "new-diagnostics"),
    *("guidance-loaded", "starting-now", "responsive-mode", "previous-conversation"),
    *("fork-boilerplate", "autonomous-loop", "autonomous-loop-dynamic", "not-shown"),
    *("classifier-system-prompt", "cc-automode-*", "untrusted-*", "skills-discovered"),
    # Commands, shells, editors and tools
    *("command-name", "command-message", "command-args", "command-contents"),
    *("local-command-*", "bash-input", "bash-stdout", "bash-stderr", "daemon-stderr"),
    *("ide-*", "repl-output", "browser-instruction", "pasted-content", "tool-use-error"),
    *("mcp-resource", "mcp-resource-update", "mcp-polling-update", "mcp-server-note"),
    # Hooks, tasks and other sessions
    *("user-prompt-submit-hook", "session-start-hook", "post-tool-use-hook", "tick", "channel"),
    *("task-notification", "queued-notification", "subagent-hand-back", "coordinator-task"),
    *("coordinator-relay", "teammate-message", "agent-message", "cross-session-message"),
    *("non-user-message", "earlier-message", "artifact-room-event", "artifact-view-context"),
    *("webhook-payload", "slack-ping", "slack-tag-message", "fetched-web-content"),
    *("poll-event", "remote-review", "remote-review-progress", "voice-call-talk"),
    # Its own memory
    *("cc-memory", "memory-updates", "memory-listing", "memory-listing-additions"),
    *("channel-memory-listing", "user-memory-input", "claude-md", "user-claude-md"),
    *("claude-last-answer", "current-skill-md", "user-allow-rules-to-replace"),
)
