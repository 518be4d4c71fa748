"""The process that computes layouts, where the library for UMAP can't be loaded."""

import os
from dataclasses import replace
from pathlib import Path

from intaglio.projection.compute.process import WorkerProgram, worker_program


def without_umap(folder: Path, fault: str = "raise ImportError") -> WorkerProgram:
    """Return the program with a module in the library's place, written into the folder."""
    (folder / "umapers.py").write_text(f"{fault}\n", encoding="utf-8")
    usual = worker_program()
    path = os.pathsep.join([str(folder), usual.environment.get("PYTHONPATH", "")])
    return replace(usual, environment=dict(usual.environment) | {"PYTHONPATH": path})
