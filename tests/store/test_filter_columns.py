"""What a mask of marks promises: no row that passes is left out, whatever the marks are."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from intaglio.store.vectors.filter_columns import FilterColumns, seconds_of
from intaglio.store.vectors.values import FilterHints, FilterKey, VectorEntry

FACETS = FilterKey("default", "global", None, "fact", pinned=False)
NAMES = st.text(max_size=6)
MOMENTS = st.one_of(
    st.datetimes().map(lambda moment: moment.isoformat(timespec="milliseconds") + "Z"),
    st.sampled_from(["", "yesterday", "2026-01-31", "2026-02-30T08:00:00.000Z", "0000-01-01"]),
)
ENTRIES = st.builds(
    VectorEntry,
    seq=st.just(1),
    vector_id=st.just(1),
    key=st.just(FACETS),
    row=st.just(b""),
    tags=st.lists(NAMES, max_size=12).map(tuple),
    who=NAMES,
    created_at=MOMENTS,
    importance=st.floats(0, 1),
)


def marked(entries: list[VectorEntry]) -> FilterColumns:
    marks = FilterColumns(len(entries))
    marks.put(list(range(len(entries))), entries)
    return marks


@given(st.lists(ENTRIES, min_size=1, max_size=8), st.data())
def test_the_filter_columns_keep_every_matching_row(
    entries: list[VectorEntry], data: st.DataObject
) -> None:
    like = data.draw(st.sampled_from(entries))
    finer = FilterHints(
        tags=tuple(data.draw(st.lists(st.sampled_from(like.tags or ("",)), max_size=3))),
        who=data.draw(st.sampled_from([None, like.who])),
        since=data.draw(st.one_of(st.none(), MOMENTS, st.just(like.created_at))),
        until=data.draw(st.one_of(st.none(), MOMENTS, st.just(like.created_at))),
        importance_min=data.draw(st.sampled_from([None, like.importance, 0.5])),
    )
    mask = marked(entries).matching_slots(finer, len(entries))
    for place, entry in enumerate(entries):
        passes = (
            set(finer.tags) <= set(entry.tags)
            and finer.who in (None, entry.who)
            and (finer.since is None or entry.created_at >= finer.since)
            and (finer.until is None or entry.created_at <= finer.until)
            and entry.importance >= (finer.importance_min or 0)
        )
        assert not passes or mask is None or mask[place]


def test_the_filter_columns_drop_most_other_rows() -> None:
    entries = [
        VectorEntry(
            seq=number,
            vector_id=number,
            key=FACETS,
            row=b"",
            tags=(f"t{number % 100}", f"u{number % 7}"),
            who=f"agent-{number % 5}",
            created_at=f"2026-01-{number % 28 + 1:02d}T08:00:00.000Z",
            importance=number % 10 / 10,
        )
        for number in range(5_000)
    ]
    marks = marked(entries)

    def share(hints: FilterHints) -> float:
        mask = marks.matching_slots(hints, len(entries))
        assert mask is not None
        return float(np.mean(mask))

    # Marks of two names may fall together, by the hashes of this process: so many are averaged.
    assert np.mean([share(FilterHints(tags=(f"t{number}",))) for number in range(100)]) < 0.06
    assert (
        np.mean([share(FilterHints(tags=(f"nowhere {number}",))) for number in range(100)]) < 0.05
    )
    assert 0.2 <= share(FilterHints(who="agent-3")) < 0.5
    assert share(FilterHints(since="2026-01-28T00:00:00.000Z")) < 0.04
    assert share(FilterHints(until="2026-01-01T23:00:00.000Z")) < 0.04
    assert share(FilterHints(importance_min=0.9)) == 0.1


def test_an_empty_filter_needs_no_mask() -> None:
    marks = marked([VectorEntry(1, 1, FACETS, b"")])
    assert marks.matching_slots(FilterHints(), 1) is None
    assert marks.matching_slots(FilterHints(since="some day"), 1) is None


def test_filter_columns_follow_their_slot() -> None:
    entry = VectorEntry(1, 1, FACETS, b"", tags=("x",), created_at="2026-01-31T08:00:00.000Z")
    marks = marked([replace(entry, tags=("y",)), entry])
    marks.grow(10)
    marks.move(1, 0)
    mask = marks.matching_slots(FilterHints(tags=("x",)), 2)
    assert mask is not None
    assert mask.tolist() == [True, True]


def test_times_are_cut_to_seconds_and_invalid_ones_unknown() -> None:
    moments = ["1970-01-01T00:00:01.999Z", "2026-02-30T08:00:00.000Z", "", "2026-01-31 08:00:00"]
    assert seconds_of(moments).tolist() == [1, 0, 0, 0]
    assert len({*seconds_of(["2026-01-31T08:00:00.000Z", "2026-01-31T08:00:00Z"]).tolist()}) == 1
