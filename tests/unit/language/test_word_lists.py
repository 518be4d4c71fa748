"""Word lists are files of words in sections."""

from pathlib import Path

import pytest

from intaglio.language.word_lists import DATA, sections, word_list


def test_a_list_is_read_whole_or_by_section(tmp_path: Path) -> None:
    (tmp_path / "colours.txt").write_text(
        "# Of paints.\nbeige\n[en]\nred green\nblue\n[de]\nrot red\n", encoding="utf-8"
    )
    assert word_list("colours", folder=tmp_path) == {"beige", "red", "green", "blue", "rot"}
    assert word_list("colours", "de", folder=tmp_path) == {"rot", "red"}
    with pytest.raises(KeyError):
        word_list("colours", "fr", folder=tmp_path)


def test_lines_keep_their_order_and_their_blanks(tmp_path: Path) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("[one]\nin place of\n\nrather\n[two]\n", encoding="utf-8")
    assert sections(file) == {"one": ("in place of", "rather"), "two": ()}


# Lists of phrases, one a line.
PHRASES = frozenset({"proposals", "for_now"})


@pytest.mark.parametrize("file", sorted(DATA.glob("*.txt")), ids=lambda file: file.stem)
def test_no_section_of_a_shared_list_says_a_word_twice(file: Path) -> None:
    for lines in sections(file).values():
        # A line is a phrase, or several words.
        words = lines if file.stem in PHRASES else [word for line in lines for word in line.split()]
        assert sorted(set(words)) == sorted(words)
