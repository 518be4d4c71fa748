"""Debian's headless Chromium: the engine alone, a quarter of the whole browser's cost a page."""

import shutil
from collections.abc import Generator
from contextlib import contextmanager
from typing import Final

import pytest
from playwright.sync_api import Browser, Error, Playwright, sync_playwright

PROGRAM: Final = "/usr/bin/chromium-headless-shell"
# Nothing of the browser's own may leave the machine.
_FLAGS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    # Two processes less to pass every frame and every answer on to.
    "--in-process-gpu",
    "--enable-features=NetworkServiceInProcess2",
    "--no-first-run",
)
# The names that a page may reach; the first two are an attacker's, whose DNS names this machine.
_NAMES: Final = (
    "MAP evil.example 127.0.0.1, MAP rebound.example 127.0.0.1, "
    "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"
)

# A script for a page that is to find no WebGL 2.
WITHOUT_WEBGL: Final = """
  const real = HTMLCanvasElement.prototype.getContext;
  HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
    return kind === "webgl2" ? null : real.call(this, kind, ...more);
  };
"""


@contextmanager
def running_chromium(*flags: str) -> Generator[Browser]:
    """Run the browser while the block runs."""
    if shutil.which(PROGRAM) is None:
        pytest.skip("needs Debian's package chromium-headless-shell")
    args = [*_FLAGS, f"--host-resolver-rules={_NAMES}", *flags]
    with sync_playwright() as playwright:
        chromium = _launched(playwright, args)
        yield chromium
        chromium.close()


def _launched(playwright: Playwright, args: list[str]) -> Browser:
    try:
        return playwright.chromium.launch(executable_path=PROGRAM, args=args)
    except Error:
        # The engine itself crashes at one start in some hundreds; a second crash is reported.
        return playwright.chromium.launch(executable_path=PROGRAM, args=args)
