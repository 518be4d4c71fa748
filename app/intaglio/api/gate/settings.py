"""The settings of the API's access: rate limits, and when they apply."""

from dataclasses import dataclass
from typing import Any

from intaglio.base.settings.declaration import Choice, SettingGroup, setting


def _window_ms(operation: str, what: str) -> Any:  # noqa: ANN401 - as `setting`
    return setting(
        60_000,
        f"auth.rateLimits.{operation}.windowMs",
        label=f"Window of the rate limit for {what}",
        help="The limit counts requests within this time.",
        group=SettingGroup.ADVANCED,
        unit="ms",
        bounds=(1_000, 86_400_000),
        words="rate limit",
    )


def _most(operation: str, default: int, label: str, what: str) -> Any:  # noqa: ANN401 - as `setting`
    return setting(
        default,
        f"auth.rateLimits.{operation}.max",
        label=label,
        help=f"Requests to {what} that one program may make within the window.",
        group=SettingGroup.ADVANCED,
        unit="requests",
        bounds=(1, 10_000),
        words="rate limit",
    )


@dataclass(frozen=True, slots=True)
class AuthSettings:
    """Rate limits, and when they apply."""

    mode: str = setting(
        "local",
        "auth.mode",
        label="Who may connect",
        help="Only programs on this machine can connect. Other users need the token, and have rate "
        "limits.",
        group=SettingGroup.ADVANCED,
        choices=(
            Choice("local", "Your programs, without rate limits"),
            Choice("hybrid", "Your programs, with rate limits"),
            Choice("team", "Other users of this machine too"),
        ),
        words="auth access team security users",
    )
    forget_max: int = _most("forget", 30, "Rate limit for forgetting", "forget a memory")
    forget_window_ms: int = _window_ms("forget", "forgetting")
    modify_max: int = _most("modify", 60, "Rate limit for changes", "change a memory")
    modify_window_ms: int = _window_ms("modify", "changes")
    batch_forget_max: int = _most(
        "batchForget", 5, "Rate limit for forgetting many", "forget many memories at once"
    )
    batch_forget_window_ms: int = _window_ms("batchForget", "forgetting many")
    force_delete_max: int = _most(
        "forceDelete", 3, "Rate limit for forced deletions", "delete pinned memories"
    )
    force_delete_window_ms: int = _window_ms("forceDelete", "forced deletions")
    admin_max: int = _most("admin", 10, "Rate limit for administration", "repair or restore")
    admin_window_ms: int = _window_ms("admin", "administration")
