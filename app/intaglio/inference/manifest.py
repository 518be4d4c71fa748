"""The built model's files: what they are, and whether they are still what was built."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

import msgspec

_MAX_BYTES = 10_000


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The description that set-up wrote beside the model."""

    name: str
    dimensions: int
    max_tokens: int
    quantisation: str
    sha256: Mapping[str, str]

    @property
    def model_sum(self) -> str:
        """The SHA-256 that names this model's vectors."""
        return self.sha256.get("model.onnx", "")


def read_manifest(folder: Path) -> Manifest | str:
    """Read the description; returns what is wrong when there is none to be had."""
    file = folder / "manifest.json"
    try:
        with file.open("rb") as stream:
            return msgspec.json.decode(stream.read(_MAX_BYTES), type=Manifest)
    except OSError as error:
        return f"{file} cannot be read: {error.strerror}"
    except msgspec.DecodeError as error:
        return f"{file} is damaged: {error}"


def damage(folder: Path, manifest: Manifest) -> str:
    """Hold the files against the description; returns what is wrong, or nothing."""
    for name in ("model.onnx", "tokenizer.json"):
        try:
            with (folder / name).open("rb") as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            return f"{name} cannot be read: {error.strerror}"
        if found != manifest.sha256.get(name):
            return f"{name} is not what was installed"
    return ""
