"""What facets say of a filter is what its SQL condition says of the rows."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fakes.plain_store import plain_store
from intaglio.base.agents.reader import USER, GroupReader, IsolatedReader, SharedReader
from intaglio.memory import rows
from intaglio.memory.facets import is_narrow, passes
from intaglio.memory.values import Filter
from intaglio.store.tx import WriteTx
from intaglio.store.vectors.values import Facets

AGENTS, PROJECTS, TYPES = ("default", "ann", "bob"), (None, "", "/a", "/b"), ("fact", "rule")
READERS = (
    USER,
    SharedReader(),
    SharedReader("ann", without=("bob",)),
    SharedReader("ann", without=("ann",)),
    IsolatedReader("ann"),
    IsolatedReader("nobody"),
    GroupReader("ann", ("bob", "default")),
    GroupReader("nobody", ("ann",)),
    GroupReader("ann", ()),
)
INSERT = (
    "INSERT INTO memories(id, content, content_hash, type, importance, confidence, pinned, who, "
    "project, agent_id, visibility, source_type, created_at, updated_at, updated_by) "
    "VALUES (?, '', randomblob(32), ?, 0.8, 1, ?, 'w', ?, ?, ?, ?, '', '', '')"
)
FILTERS = st.builds(
    Filter,
    reader=st.sampled_from(READERS),
    agent=st.sampled_from([None, *AGENTS]),
    visibility=st.sampled_from([None, "global", "private"]),
    project=st.sampled_from(PROJECTS),
    exact_project=st.booleans(),
    global_only=st.booleans(),
    type=st.sampled_from([None, *TYPES]),
    pinned=st.sampled_from([None, True, False]),
    source_type=st.sampled_from([None, "s", "note", "none"]),
)


@pytest.fixture
def store(tmp_path: Path) -> object:
    with plain_store(tmp_path) as tx:
        everything = [
            (kind, pinned, project, agent, visibility, source)
            for kind in TYPES
            for pinned in (0, 1)
            for project in PROJECTS
            for agent in AGENTS
            for visibility in ("global", "private")
            for source in ("s", "note")
        ]
        for number, row in enumerate(everything):
            tx.execute(INSERT, (str(number), *row))
        yield tx


@given(FILTERS)
@settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])
def test_facets_and_sql_let_the_same_rows_through(store: WriteTx, wanted: Filter) -> None:
    assert not is_narrow(wanted)
    condition, params = rows.where(wanted)
    found = store.all(f"SELECT m.seq FROM memories m WHERE {condition}", params)  # noqa: S608 - a condition of constants
    told = store.all(
        "SELECT seq, agent_id, visibility, project, type, pinned, source_type FROM memories"
    )
    passed = {
        seq
        for seq, agent, visibility, project, kind, pinned, source in told
        if passes(
            wanted,
            Facets(
                str(agent),
                str(visibility),
                None if project is None else str(project),
                str(kind),
                pinned=bool(pinned),
                source_type=str(source),
            ),
        )
    }
    assert {seq for (seq,) in found} == passed


@pytest.mark.parametrize(
    "wanted",
    [
        Filter(tags=("a",)),
        Filter(who="w"),
        Filter(importance_min=0.0),
        Filter(since="2026"),
        Filter(until="2026"),
        Filter(importance_max=0.5),
        Filter(session_id="s"),
    ],
    ids=str,
)
def test_what_facets_cannot_tell_is_narrow(wanted: Filter) -> None:
    assert is_narrow(wanted)
