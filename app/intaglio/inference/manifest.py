"""The built model's files: their description, and whether they are still unchanged."""

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from intaglio.base.files.regular_file import open_regular, read_regular

_MAX_BYTES = 10_000
MANIFEST_FILE: Final = "manifest.json"
ROWS_FILE: Final = "tokens.rows.npy"
SCALES_FILE: Final = "tokens.scales.npy"
CONTEXT_FILE: Final = "tokens.context.npy"
MODEL_FILE: Final = "model.onnx"
CROSS_ENCODER_FILE: Final = "cross_encoder.onnx"
"""The cross-encoder, which reads two statements together; all else works without it."""
EMBEDDING_FILES: Final = (MODEL_FILE, "tokenizer.json", ROWS_FILE, SCALES_FILE, CONTEXT_FILE)
MODEL_FILES: Final = (*EMBEDDING_FILES, CROSS_ENCODER_FILE)


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """The description that setup wrote next to the model.

    ``vectors`` identifies the vectors that it computes; another file may compute the same ones.
    ``former`` identifies those that it computes of a text without its context.
    """

    name: str
    dimensions: int
    max_tokens: int
    quantisation: str
    vectors: str
    former: str
    sha256: Mapping[str, str]


def read_manifest(folder: Path) -> Manifest | str:
    """Read the description; return an error text if that fails."""
    file = folder / MANIFEST_FILE
    try:
        return msgspec.json.decode(read_regular(file, _MAX_BYTES), type=Manifest)
    except OSError as error:
        return f"{file} can't be read: {error.strerror or error}"
    except msgspec.DecodeError as error:
        return f"{file} is damaged: {error}"


def damage(folder: Path, manifest: Manifest, names: Sequence[str] = EMBEDDING_FILES) -> str:
    """Compare files with the description; return what is wrong, or nothing."""
    for name in names:
        try:
            with open_regular(folder / name) as stream:
                found = hashlib.file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            return f"{name} can't be read: {error.strerror or error}"
        if found != manifest.sha256.get(name):
            return f"{name} has changed since it was installed"
    return ""
