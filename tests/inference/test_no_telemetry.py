"""The runtime of the model tells nobody that it is used."""

import subprocess
import sys
from pathlib import Path

import pytest

from fakes.waiting import PATIENCE_S

CODE = """
import os, time
from intaglio.base.paths import built_folder
from intaglio.inference.runtime import Runtime

Runtime(built_folder("model"), 256).vector("hello")
time.sleep(2)
held = []
for name in os.listdir("/proc/self/fd"):
    try:
        held.append(os.readlink("/proc/self/fd/" + name))
    except OSError:
        pass
assert not [one for one in held if one.startswith("socket:")], held
assert os.environ["ORT_DISABLE_TELEMETRY"] == "1"
"""


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs Linux's /proc")
def test_loading_and_running_the_model_opens_no_socket() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert done.returncode == 0, done.stderr
