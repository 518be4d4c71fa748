"""Finds the commits that a prompt is told, and composes what is told of them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from intaglio.base.settings.values import Settings
from intaglio.base.text import clip, estimate_tokens
from intaglio.commits import rows as stored
from intaglio.commits import search_rows
from intaglio.commits.asked_names import asked_names
from intaglio.commits.named_files import named_files
from intaglio.commits.search import CommitQuestion
from intaglio.commits.settings import CommitSettings
from intaglio.commits.values import StoredCommit
from intaglio.language.overlap import overlap
from intaglio.language.topics import topic_words
from intaglio.recall.commits.commit_recall import CommitMatch, CommitRecall
from intaglio.recall.past.session_recall import PreparedQuestion
from intaglio.sessions.asked.words import AskedWords
from intaglio.sessions.commits import rows
from intaglio.sessions.commits.choose import (
    FIRST_PROMPT,
    CommitFloor,
    ScoredCommit,
    choose_commits,
    in_order,
)
from intaglio.sessions.commits.compose import commit_line
from intaglio.sessions.values import CommitCandidate, SessionRef
from intaglio.store.tx import ReadTx
from intaglio.terms.question_words import words_of

_SUBJECT: Final = 120
# Of the words of what is told of a commit, a memory that says it has so many.
_SAID: Final = 0.8
ALREADY_TOLD: Final = "This session was told of it already."
SAID_BY_MEMORY: Final = "A memory that is told says it already."
NO_ROOM: Final = "There is no room for it."


@dataclass(frozen=True, slots=True)
class FoundCommits:
    """The commits that a prompt was compared with, told ones first."""

    compared: tuple[CommitCandidate, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The lines that are told."""
        return tuple(each.line for each in self.compared if each.shown)

    @property
    def tokens(self) -> int:
        """What these lines take."""
        return sum(each.tokens for each in self.compared if each.shown)

    def without_said(self, contents: Iterable[str]) -> "FoundCommits":
        """Return the same without what memories say, whose contents are given."""
        said = [topic_words(content) for content in contents]
        return FoundCommits(
            tuple(
                replace(each, shown=False, line="", tokens=0, reason=SAID_BY_MEMORY)
                if each.shown and _is_said(each.line, said)
                else each
                for each in self.compared
            )
        )


NO_COMMITS: Final = FoundCommits()


@dataclass(frozen=True, slots=True)
class CommitFinder:
    """Finds and composes; ``sanitize`` cleans a line for the fence."""

    recall: CommitRecall
    settings: Callable[[], Settings]
    sanitize: Callable[[str], str]

    def find(  # noqa: PLR0913, PLR0917 - each is a part of the request
        self,
        tx: ReadTx,
        asked: AskedWords,
        session: SessionRef,
        project: str | None,
        prepared: PreparedQuestion,
        tokens: int,
        floor: CommitFloor,
    ) -> FoundCommits:
        """Return what is told within a number of tokens; ``prepared`` are the typed words."""
        words = len(words_of(tx, asked.typed)) if project is not None else 0
        if project is None or words < floor.least_words:
            return NO_COMMITS
        matches = self._matches(tx, prepared, asked.whole, project)
        if not matches:
            return NO_COMMITS
        known = rows.told_in(tx, *session.key)
        topics = topic_words(asked.typed)

        def why_silent(match: CommitMatch) -> str:
            return ALREADY_TOLD if match.commit.hash in known else ""

        choice = choose_commits(matches, words, floor, why_silent)
        reverts = search_rows.reverting(
            tx, project, [each.match.commit.hash for each in choice.told]
        )
        compared: list[CommitCandidate] = []
        # The best ones get the room, whatever order they are told in.
        for each in choice.told:
            commit = each.match.commit
            line = self.sanitize(commit_line(commit, topics, reverts.get(commit.hash)))
            size = estimate_tokens(line + "\n")
            if size > tokens:
                compared.append(_candidate(each, floor, NO_ROOM))
                continue
            tokens -= size
            compared.append(_candidate(each, floor, _reason(each.match), line, size))
        places = {each.match.commit.hash: at for at, each in enumerate(in_order(choice.told))}
        compared.sort(key=lambda each: places[each.hash])
        compared += [_candidate(each, floor, why) for each, why in choice.left_out]
        return FoundCommits(tuple(sorted(compared, key=lambda each: not each.shown)))

    def about(
        self, tx: ReadTx, prepared: PreparedQuestion, project: str | None, named: str
    ) -> list[tuple[StoredCommit, CommitCandidate]]:
        """Return the commits that a text is about, best first, and how they were found.

        ``named`` is what the reasons call the text, such as "the memory".
        """
        if project is None:
            return []
        text = prepared.question.text
        matches = self._matches(tx, prepared, text, project)
        words = len(words_of(tx, text))
        choice = choose_commits(matches, words, FIRST_PROMPT, lambda _: "")
        return [
            (
                each.match.commit,
                replace(_candidate(each, FIRST_PROMPT, _reason(each.match, named)), shown=True),
            )
            for each in choice.told
        ]

    def _matches(
        self, tx: ReadTx, prepared: PreparedQuestion, whole: str, project: str
    ) -> list[CommitMatch]:
        if not stored.is_read(tx, project, by_default=self.settings().of(CommitSettings).enabled):
            return []
        files = named_files(tx, project, asked_names(whole), whole)
        return self.recall.find(
            tx, CommitQuestion(prepared.question.text, files), project, prepared.vector
        )


def _is_said(line: str, said: Sequence[frozenset[str]]) -> bool:
    own = topic_words(line.partition(": ")[2])
    return any(overlap(own, each).share_of_left >= _SAID for each in said)


def _reason(match: CommitMatch, asked: str = "the prompt") -> str:
    """Say why a commit is told, as a whole sentence."""
    words = ", ".join(match.matched[:6])
    if match.path and words:
        return f"It touched {match.path}, which {asked} leads to, and shares the words {words}."
    if match.path:
        return f"It touched {match.path}, which {asked} leads to."
    return f"Its message shares the words {words}."


def _candidate(
    scored: ScoredCommit, floor: CommitFloor, reason: str, line: str = "", tokens: int = 0
) -> CommitCandidate:
    commit = scored.match.commit
    return CommitCandidate(
        project=commit.project,
        hash=commit.hash,
        at=commit.committed_at,
        subject=clip(commit.subject, _SUBJECT),
        score=round(scored.score, 3),
        floor=floor.score,
        shown=bool(line),
        reason=reason,
        line=line,
        tokens=tokens,
    )
