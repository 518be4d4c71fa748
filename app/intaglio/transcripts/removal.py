"""Takes words out of stored messages again: of forgotten memories, and of forgotten sessions.

What a forgotten memory takes with it comes back with it; what an erased one takes is gone.
"""

import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, groupby, pairwise
from operator import itemgetter
from typing import Final, TypeAlias

from intaglio.language.tokens import count_words
from intaglio.store.batches import in_batches
from intaglio.store.database import Database
from intaglio.store.tx import ReadTx, Row, WriteTx
from intaglio.terms.question_words import words_of
from intaglio.transcripts import cut_rows, rows, title_rows
from intaglio.transcripts.cut_rows import Cut
from intaglio.transcripts.preparation import pairs_of
from intaglio.transcripts.related import rows as related
from intaglio.transcripts.vectors.job_types import queue_transcript

REMOVED: Final = "[…]"
"""What stands in a message for words that were taken out of it."""
# A shorter phrase says too little to be taken out wherever it occurs.
_FEWEST_TERMS: Final = 2
_SHORTEST: Final = 12
_MOST_TERMS: Final = 12
_MOST_MESSAGES: Final = 500
_FEWEST_WORDS: Final = 3
_GAP: Final = " "
_UNSPACED: Final = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]")
_TOKEN: Final = re.compile(
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]|"
    r"[^\W_\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)
_SENTENCE_END: Final = re.compile("[.!?\u3002\uff01\uff1f\n]")
_MARKS: Final = f"{REMOVED} \n.,;:!?*-"

_Token: TypeAlias = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class SaidSentence:
    """A sentence, and the message that it was said in."""

    harness: str
    message_id: str
    sentence: str


def take_out(
    tx: WriteTx,
    memory_id: str,
    said: Sequence[SaidSentence],
    texts: Iterable[str],
    at: str,
    *,
    is_erased: bool = False,
) -> None:
    """Take a memory's sentences out of the user's messages, and its texts out of any message.

    A message in which its own sentence isn't found as it was recorded goes as a whole, and so do
    the agent's: those with the text, those next to the user's messages, and those of the same
    sessions that share its words. An erased memory also leaves what others would put back.
    What remains is embedded and compared anew: ``at`` is now. About 3 ms for each message.
    """
    phrases = {*texts, *(each.sentence for each in said)} - {""}
    own = {
        number: each.sentence
        for each in said
        for number in rows.numbers_with_id(tx, each.harness, each.message_id)
    }
    numbers = {*own, *(number for text in phrases for number in _containing(tx, text))}
    if is_erased:
        numbers |= cut_rows.messages(tx)
    found = {
        number: number in own and without(original, own[number]) == original
        for number in numbers
        if _without_all(original := _original(tx, number), phrases) != original or number in own
    }
    # Before anything is taken out of the index by which words are counted.
    agents = _agents_messages(tx, found, phrases)
    cut = {rows.transcript_of(number) for number in (*found, *agents)}
    title_rows.take_out_titles(tx, cut, phrases)
    for number in sorted({*found, *agents}):
        is_whole = number in agents or found[number]
        _take(tx, number, memory_id, () if is_whole else sorted(phrases), at)


def _original(tx: ReadTx, number: int) -> str:
    cuts = cut_rows.of_message(tx, number)
    return cuts[0].original if cuts else rows.text_of(tx, number)


def _take(tx: WriteTx, number: int, memory_id: str, phrases: Sequence[str], at: str) -> None:
    cut = Cut(number, memory_id, _original(tx, number), tuple(phrases))
    if cut.original:
        cut_rows.insert(tx, cut)
        _rewrite(tx, number, _left(cut.original, cut_rows.of_message(tx, number)), at)


def _agents_messages(tx: ReadTx, found: Collection[int], phrases: Iterable[str]) -> set[int]:
    """Return the agent's messages that tell what is taken out of some messages."""
    gone, left = set[int](), set(found)
    while left:
        turns = rows.turns(tx, min(left))
        roles = dict(turns)
        here = {number for number in left if number in roles}
        agents = {number for number, role in turns if role == "agent"}
        gone |= here & agents
        gone |= agents_around(turns, here - agents)
        for phrase in phrases:
            gone |= _sharing(tx, phrase, agents)
        left -= {*here, min(left)}
    return gone


def agents_around(turns: Sequence[tuple[int, str]], cut: Collection[int]) -> set[int]:
    """Return the agent's messages before and after the user's that are cut, in the same turns.

    ``turns`` are row and role of a session's messages, in the order they were said.
    """
    runs = [[number for number, _ in run] for _, run in groupby(turns, key=itemgetter(1))]
    around = set[int]()
    for one, other in (*pairwise(runs), *pairwise(reversed(runs))):
        if any(number in cut for number in one):
            around.update(other)
    return around


def _sharing(tx: ReadTx, phrase: str, messages: Collection[int]) -> set[int]:
    """Return those of a session's messages that contain half of a phrase's words, at least two."""
    terms = words_of(tx, phrase)
    enough = max(_FEWEST_TERMS, math.ceil(len(terms) / 2))
    if len(terms) < enough or not messages:
        return set()
    counts = Counter[int]()
    for word in terms.values():
        counts.update(rows.containing(tx, word, min(messages), max(messages)))
    for number in cut_rows.messages(tx).intersection(messages):
        # The index has no words of what is taken out already.
        counts[number] = len(terms.keys() & words_of(tx, _original(tx, number)).keys())
    return {number for number in messages if counts[number] >= enough}


def put_back(tx: WriteTx, memory_id: str, at: str) -> None:
    """Undo `take_out` for a memory that was restored."""
    for cut in cut_rows.of_memory(tx, memory_id):
        cut_rows.delete(tx, cut)
        _rewrite(tx, cut.message, _left(cut.original, cut_rows.of_message(tx, cut.message)), at)


def make_final(tx: WriteTx, memory_id: str) -> None:
    """Delete for good what `take_out` took for a memory that is gone."""
    for cut in cut_rows.of_memory(tx, memory_id):
        cut_rows.delete(tx, cut)
        original = _left(cut.original, [cut])
        if original:
            cut_rows.set_original(tx, cut.message, original)
        else:
            rows.remove_text(tx, cut.message)


def _left(original: str, cuts: Sequence[Cut]) -> str:
    """Return what several cuts leave of a message."""
    if any(not each.phrases for each in cuts):
        return ""
    return _without_all(original, {phrase for each in cuts for phrase in each.phrases})


def _without_all(text: str, phrases: Iterable[str]) -> str:
    # The longest first: a shorter one may be a part of it.
    for phrase in sorted(phrases, key=len, reverse=True):
        text = without(text, phrase)
    return text if text.strip(_MARKS) else ""


def without(text: str, phrase: str) -> str:
    """Return a text without a phrase; see `places`."""
    left, end = list[str](), 0
    for begin, stop in places(text, phrase):
        left += (text[end:begin], REMOVED)
        end = stop
    return "".join([*left, text[end:]])


def places(text: str, phrase: str) -> list[tuple[int, int]]:
    """Return where a text has a phrase, however its words are separated and whatever their case.

    Starts and ends; only of whole words, and a short phrase only where it is a whole sentence.
    Linear.
    """
    sought, words = _tokens(phrase), _tokens(text)
    if not sought:
        return []
    wanted, line, found = _line(sought), _line(words), list[tuple[int, int]]()
    is_short = _is_short(phrase, len(sought))
    numbers = {at: n for n, at in enumerate(accumulate(len(each[0]) + 1 for each in words), 1)}
    numbers[0] = 0
    at = line.find(wanted)
    while at >= 0:
        first = numbers[at]
        last = first + len(sought) - 1
        begin, stop = words[first][1], words[last][2]
        if not is_short or _is_sentence(text, words, first, last):
            found.append((begin, stop))
            at = line.find(wanted, at + len(wanted) - 1)
        else:
            at = line.find(wanted, at + 1)
    return found


def _is_short(phrase: str, words: int) -> bool:
    # A character of a script without spaces says as much as two letters.
    return words < _FEWEST_WORDS or len(phrase) + len(_UNSPACED.findall(phrase)) < _SHORTEST


def _is_sentence(text: str, words: Sequence[_Token], first: int, last: int) -> bool:
    """Whether a sentence, or a line, begins and ends with these words."""
    before = text[words[first - 1][2] : words[first][1]] if first else "\n"
    after = text[words[last][2] : words[last + 1][1]] if last + 1 < len(words) else "\n"
    return bool(_SENTENCE_END.search(before) and _SENTENCE_END.search(after))


def _tokens(text: str) -> list[_Token]:
    """Return the words of a text, case-folded, each with its start and end."""
    return [(each[0].casefold(), each.start(), each.end()) for each in _TOKEN.finditer(text)]


def _line(words: Sequence[_Token]) -> str:
    """Return words with a gap before, between and after them, so that only whole ones match."""
    return _GAP + "".join(f"{word}{_GAP}" for word, _, _ in words)


def _containing(tx: ReadTx, text: str) -> list[int]:
    words = sorted(words_of(tx, text).values(), key=len, reverse=True)[:_MOST_TERMS]
    if len(words) < _FEWEST_TERMS or len(text) < _SHORTEST:
        return []
    return rows.containing_all(tx, words, _MOST_MESSAGES)


def _rewrite(tx: WriteTx, number: int, text: str, at: str) -> None:
    transcript = rows.transcript_of(number)
    # Read first: with the text goes what is known of its transcript.
    for each in (transcript, *related.later_of(tx, transcript)):
        queue_transcript(tx, each, at)
    rows.rewrite(tx, number, text, pairs_of(text), count_words(text))


def left_over(tx: ReadTx, _before: str, _now: str, limit: int) -> Sequence[Row]:
    """List memories that are gone and of which words were kept to put them back."""
    return cut_rows.without_memory(tx, limit)


def purge_left_over(tx: WriteTx, key: Row, _before: str, _now: str) -> int:
    """Delete these words for good."""
    make_final(tx, str(key[0]))
    return 1


async def forget_session(db: Database, harness: str, session_id: str, at: str) -> int:
    """Remove all that was said in a session until now, for good; return how many messages."""
    await db.write(partial(rows.mark_forgotten, harness=harness, session_id=session_id, at=at))
    numbers = await db.read(lambda tx: rows.message_rows(tx, harness, session_id))
    await in_batches(db, numbers, rows.remove_text)
    # The log holds earlier versions of the pages.
    await db.write(WriteTx.empty_log_after_commit)
    return len(numbers)
