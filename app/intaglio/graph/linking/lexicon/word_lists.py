"""Reads the word lists of ``word_lists/``: one file for each module, one section for each list."""

from functools import partial
from pathlib import Path
from typing import Final

from intaglio.language.word_lists import word_list

FOLDER: Final = Path(__file__).parents[1] / "word_lists"
words: Final = partial(word_list, folder=FOLDER)
"""Return the words of these sections of a file."""
