"""A pywebview window for ``bench constellation``: loads a page, runs a script, prints its figures.

Started as ``python map_window.py ADDRESS SCRIPT COUNT...``; prints a line of JSON per count.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

from intaglio.desktop.gui_libraries import webview_library

_PATIENCE_S = 300


def measure(window: Any, script: str, counts: list[int]) -> None:  # noqa: ANN401 - of pywebview
    """Run the script for each count, one after the other, and print what it returns."""
    window.events.loaded.wait(60)
    for count in counts:
        window.evaluate_js("window.figures = null; 0")
        window.evaluate_js(
            f"({script})({count}).then((found) => (window.figures = JSON.stringify(found)),"
            " (thrown) => (window.figures = JSON.stringify(String(thrown)))); 0"
        )
        deadline = time.monotonic() + _PATIENCE_S
        while (figures := window.evaluate_js("window.figures")) is None:
            if time.monotonic() > deadline:
                break
            time.sleep(0.2)
        print(json.dumps(figures), flush=True)
    window.destroy()


def main() -> None:
    """Open the window and measure."""
    address, path, *counts = sys.argv[1:]
    webview = webview_library()
    window = webview.create_window("Map", address, width=1280, height=900)
    script = Path(path).read_text(encoding="utf-8").strip().removesuffix(";")
    webview.start(measure, (window, script, [int(count) for count in counts]), gui="gtk")


if __name__ == "__main__":
    main()
