"""Finds commits: by the beginning of their hash, by their words, and in one project by meaning."""

from collections.abc import Sequence
from typing import Final

from intaglio.base.text import clip, storage_form
from intaglio.commits import listing_rows
from intaglio.commits.search import CommitQuestion
from intaglio.commits.values import StoredCommit
from intaglio.domain.short_hash import SHORT_HASH
from intaglio.fence.characters import visible
from intaglio.finding.matching import QuestionMatcher
from intaglio.finding.values import TITLE_CHARS, Found
from intaglio.inference.ports import QuestionVector
from intaglio.recall.commits.commit_recall import CommitMatch, CommitRecall
from intaglio.store.tx import ReadTx

_LOOKED_AT: Final = 24
_LEAST: Final = 0.25
_HASH_DIGITS: Final = 4
_MEANING: Final = 0.6
_LEAST_MEANING: Final = 0.45
_MOST_MEANING: Final = 0.9


def find_commits(  # noqa: PLR0913, PLR0917 - each is a part of the request
    tx: ReadTx,
    matcher: QuestionMatcher,
    project: str | None,
    without_projects: tuple[str, ...],
    recall: CommitRecall,
    vector: QuestionVector | None,
    limit: int,
) -> list[Found]:
    """Return the best of what matches, best first."""
    question = matcher.question
    page = listing_rows.matching(tx, project, question.content, _LOOKED_AT)
    begun: Sequence[StoredCommit] = ()
    if question.start:
        begun = listing_rows.beginning(
            tx, project, question.whole_words, question.start, _LOOKED_AT
        )
    near: list[CommitMatch] = []
    if project is not None:
        near = recall.find(tx, CommitQuestion(question.content, {}), project, vector)
    meanings = {each.commit.seq: _of_meaning(each) for each in near}
    every = {each.seq: each for each in (*page.commits, *begun, *(each.commit for each in near))}
    scored = [
        (_score(each, matcher, meanings.get(each.seq, 0.0)), each)
        for each in every.values()
        if each.project not in without_projects
    ]
    best = sorted(
        (each for each in scored if each[0] >= _LEAST),
        key=lambda each: (each[0], each[1].committed_at),
        reverse=True,
    )
    return [_found(commit, score, matcher) for score, commit in best[:limit]]


def _of_meaning(match: CommitMatch) -> float:
    meaning = match.signals.meaning
    if meaning is None:
        return 0.0
    near = (meaning.match - _LEAST_MEANING) / (_MOST_MEANING - _LEAST_MEANING)
    return _MEANING * min(1.0, max(0.0, near))


def _score(commit: StoredCommit, matcher: QuestionMatcher, meaning: float) -> float:
    asked = matcher.question.content.lower()
    if len(asked) >= _HASH_DIGITS and commit.hash.startswith(asked):
        return 1.0
    return max(
        matcher.measure(commit.subject).as_title, matcher.measure(_whole(commit)).as_text, meaning
    )


def _whole(commit: StoredCommit) -> str:
    return f"{commit.subject}\n{commit.body}"


def _found(commit: StoredCommit, score: float, matcher: QuestionMatcher) -> Found:
    subject, whole = matcher.measure(commit.subject), matcher.measure(_whole(commit))
    said = storage_form(visible(commit.subject))
    shows_body = whole.share > subject.share or len(said) > TITLE_CHARS
    return Found(
        kind="commit",
        id=commit.hash,
        title=clip(said, TITLE_CHARS),
        text=matcher.passage(commit.body or commit.subject) if shows_body else "",
        detail=commit.hash[:SHORT_HASH],
        words=tuple(dict.fromkeys((*subject.words, *whole.words))),
        project=commit.project,
        at=commit.committed_at,
        score=round(score, 3),
    )
