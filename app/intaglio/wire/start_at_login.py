"""Requests and replies about start at login."""

from msgspec import Struct


class StartAtLoginRequest(Struct, kw_only=True):
    """Whether the tray app is to start when the user logs in."""

    on: bool


class StartAtLoginReply(Struct, kw_only=True):
    """Whether the tray app starts when the user logs in."""

    on: bool
