"""Files of the included model that are gone while the daemon runs are named, and noticed back."""

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from intaglio.embedding.health.model_files import ModelFiles
from intaglio.inference.manifest import CROSS_ENCODER_FILE, MANIFEST_FILE, MODEL_FILES
from intaglio.inference.ports import EmbedderState


@dataclass
class Included:
    """The included model's folder, and the state that it is in."""

    folder: Path
    state: EmbedderState | None = field(default_factory=lambda: EmbedderState("ready"))
    rechecks: int = 0

    def __post_init__(self) -> None:
        for name in (MANIFEST_FILE, *MODEL_FILES):
            (self.folder / name).touch()
        self.files = ModelFiles(
            folder=self.folder, state=lambda: self.state, recheck=self.count_recheck
        )

    async def count_recheck(self) -> None:
        self.rechecks += 1

    async def issues(self) -> list[str]:
        return [issue.title for issue in (await self.files.check()).issues]


@pytest.fixture
def included(tmp_path: Path) -> Included:
    return Included(tmp_path)


async def test_a_file_that_is_gone_while_the_model_is_in_memory_is_named(
    included: Included,
) -> None:
    assert await included.issues() == []
    (included.folder / "model.onnx").unlink()
    (issue,) = (await included.files.check()).issues
    assert issue.title == "Files of the included model are missing"
    assert issue.text.startswith("model.onnx isn't in ")


async def test_several_files_are_listed_with_what_puts_them_back(included: Included) -> None:
    for name in ("model.onnx", "tokenizer.json", CROSS_ENCODER_FILE):
        (included.folder / name).unlink()
    (issue,) = (await included.files.check()).issues
    assert issue.text == (
        "model.onnx, tokenizer.json and cross_encoder.onnx aren't in "
        f"{included.folder}. Once the model is loaded again, search finds keywords only, and less "
        "is captured. Run `python3 app run`."
    )


async def test_it_is_named_too_if_another_model_embeds(included: Included) -> None:
    included.state = None
    (included.folder / "tokenizer.json").unlink()
    assert await included.issues() == ["Files of the included model are missing"]


async def test_a_model_that_could_not_be_loaded_says_so_itself(included: Included) -> None:
    (included.folder / "model.onnx").unlink()
    included.state = EmbedderState("damaged", "model.onnx can't be read")
    assert await included.issues() == []


async def test_files_that_are_back_have_the_model_tried_again(included: Included) -> None:
    await included.files.follow()
    (included.folder / "model.onnx").unlink()
    included.state = EmbedderState("damaged", "model.onnx can't be read")
    await included.files.follow()
    assert included.rechecks == 0
    (included.folder / "model.onnx").touch()
    await included.files.follow()
    await included.files.follow()
    assert included.rechecks == 1
    assert (await included.files.check()).penalty == 0.0


async def test_without_the_network_that_reads_pairs_search_is_as_before(included: Included) -> None:
    (included.folder / CROSS_ENCODER_FILE).unlink()
    (issue,) = (await included.files.check()).issues
    assert "Fewer changes of mind are noticed." in issue.text
    assert "search" not in issue.text
