"""The built model: what stands in the package, and what is refused on the way there."""

import hashlib
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from boot import model
from boot.cross_encoder import corrected
from boot.minilm import Floats, quantise
from boot.process import ROOT, StepFailed
from boot.token_table import word_rows, write_table
from intaglio.inference.manifest import MODEL_FILES

FOLDER = model.BUILT_MODEL


def test_the_manifest_describes_the_files_beside_it() -> None:
    manifest = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
    for name, wanted in manifest["sha256"].items():
        assert hashlib.sha256((FOLDER / name).read_bytes()).hexdigest() == wanted
    assert set(manifest["sha256"]) == set(MODEL_FILES)
    assert manifest["vectors"] == model.vectors_id() != manifest["former"]


def test_the_licence_and_what_was_changed_lie_beside_the_model() -> None:
    notice = (FOLDER / "NOTICE").read_text(encoding="utf-8")
    assert "Apache License" in notice
    assert "Changes made" in notice
    assert (FOLDER / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_an_existing_model_is_not_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    model.build_model()

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError

    monkeypatch.setattr(model, "run", refuse)
    model.build_model()


def test_a_file_with_another_checksum_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model.build_model()

    def write_other(line: list[str | Path], **_: object) -> None:
        if "download" not in line:
            Path(line[-1]).write_bytes(b"another graph")

    def nothing(*_: object) -> None:
        pass

    monkeypatch.setattr(model, "run", write_other)
    monkeypatch.setattr(model, "_fetch", nothing)
    monkeypatch.setattr(model, "BUILT_MODEL", tmp_path / "model")
    monkeypatch.setattr(model, "set_stamp", nothing)
    with pytest.raises(StepFailed, match=r"model\.onnx is not the expected file"):
        model.build_model()
    assert not (tmp_path / "model").exists()


def test_a_running_daemon_keeps_the_files_that_it_has_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built = Path(shutil.copytree(FOLDER, tmp_path / "model"))
    made = Path(shutil.copytree(FOLDER, tmp_path / "made"))
    (made / "tokens.rows.npy").write_bytes(b"others")
    monkeypatch.setattr(model, "BUILT_MODEL", built)
    before = (built / "tokens.rows.npy").read_bytes()
    with (built / "tokens.rows.npy").open("rb") as opened:
        model.place_model(made)
        assert opened.read() == before
    assert (built / "tokens.rows.npy").read_bytes() == b"others"
    assert sorted(each.name for each in built.iterdir()) == sorted(
        each.name for each in FOLDER.iterdir()
    )


def test_the_table_holds_the_mapped_words_of_the_model(tmp_path: Path) -> None:
    write_table(FOLDER / "model.onnx", ROOT / "app" / "boot" / "late_interaction.npz", tmp_path)
    whole, scales = np.load(tmp_path / "tokens.rows.npy"), np.load(tmp_path / "tokens.scales.npy")
    words = word_rows(FOLDER / "model.onnx")
    with np.load(ROOT / "app" / "boot" / "late_interaction.npz") as maps:
        wanted = words[[1_000, 30_521]] @ maps["We"].astype(np.float32) + maps["b"]
    assert whole.shape == words.shape == (30_522, 384)
    assert np.abs(whole[[1_000, 30_521]] * scales[[1_000, 30_521], None] - wanted).max() < 0.01


def test_other_maps_make_other_vectors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = model.vectors_id()
    (tmp_path / "maps.npz").write_bytes(b"others")
    monkeypatch.setattr(model, "_MAPS", tmp_path / "maps.npz")
    assert model.vectors_id() != before


ROWS = arrays(np.float32, (3, 8), elements=st.floats(-4, 4, width=32))


@given(ROWS, st.sampled_from([64, 127]))
def test_rounding_stays_within_the_limit_and_half_a_step(rows: Floats, limit: int) -> None:
    whole, scale = quantise(rows, limit)
    assert int(np.abs(whole.astype(int)).max()) <= limit
    error = np.abs(whole * scale[:, None] - rows)
    assert (error <= scale[:, None] * 0.5001 + 1e-30).all()


def test_corrections_of_low_rank_are_added_to_what_they_name() -> None:
    weights = {
        "layer.weight": np.eye(2, dtype=np.float32),
        "layer.bias": np.zeros(2, np.float32),
        "norm.weight": np.ones(2, np.float32),
    }
    fitted = {
        "layer.up": np.array([[2.0], [0.0]], np.float16),
        "layer.down": np.array([[0.0, 3.0]], np.float16),
        "layer.bias.added": np.array([1.0, -1.0], np.float16),
        "relation.output.bias": np.array([0.5], np.float16),
    }
    found = corrected(weights, fitted)
    assert found["layer.weight"].tolist() == [[1.0, 6.0], [0.0, 1.0]]
    assert found["layer.bias"].tolist() == [1.0, -1.0]
    assert found["norm.weight"].tolist() == [1.0, 1.0]
    assert found["relation.output.bias"].tolist() == [0.5]
    assert weights["layer.weight"].tolist() == [[1.0, 0.0], [0.0, 1.0]]
