"""What holds of the graph whatever the user changes in it, and undoing a change."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from fakes.edited_graph import GraphStore, graph_store
from fakes.random_edits import TEXTS, Chooser
from intaglio.domain.reader import USER
from intaglio.graph.edits import change_rows
from intaglio.graph.edits.merge import merge
from intaglio.graph.edits.outcomes import EntityEdited
from intaglio.graph.edits.undo import undo

PROJECTS = ("/work/shop", "/work/other", None)


def chooser(graph: GraphStore, data: st.DataObject) -> Chooser:
    return Chooser(graph, lambda number: int(data.draw(st.integers(0, number - 1))))


@settings(max_examples=40)
@given(st.data())
def test_an_undone_change_leaves_the_graph_as_it_was(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder, graph_store(Path(folder)) as graph:
        choose = chooser(graph, data)
        for text in data.draw(st.lists(st.sampled_from(TEXTS), min_size=1, unique=True)):
            graph.remember(text, PROJECTS[choose.of(3)])
        for _ in range(choose.of(5)):
            choose.change()
        graph.check()
        before = graph.dump()
        outcome = choose.change()
        graph.check()
        if isinstance(outcome, EntityEdited) and outcome.change_id is not None:
            assert graph.dump() != before
            assert graph.undo(outcome)
            graph.check()
        assert graph.dump() == before


class Steps:
    """Steps of the user and of memories; after each, the graph is checked."""

    def __init__(self, graph: GraphStore, choose: Chooser) -> None:
        self.graph = graph
        self.choose = choose
        self.memories: list[str] = []

    def remember(self, number: int) -> None:
        text = f"{self.choose.text()} with `svc-{number}-api`"
        saved = self.graph.remember(text, PROJECTS[self.choose.of(3)])
        self.memories += [saved] if saved else []

    def change_memory(self, number: int) -> None:
        if not self.memories:
            return
        memory = self.memories[self.choose.of(len(self.memories))]
        match self.choose.of(4):
            case 0:
                self.graph.forget(memory)
            case 1:
                self.graph.recover(memory)
            case 2:
                self.graph.erase(memory)
            case _:
                self.graph.modify(memory, f"{self.choose.text()} since {number}")

    def change_entity(self, _: int) -> None:
        if self.graph.entities():
            self.choose.change()

    def undo(self, _: int) -> None:
        changes = self.graph.tx.column(str, "SELECT id FROM entity_changes ORDER BY seq")
        if changes:
            undo(self.graph.tx, changes[self.choose.of(len(changes))], USER, self.graph.edit)

    def pin(self, _: int) -> None:
        if self.graph.entities():
            change_rows.set_pinned(
                self.graph.tx, self.choose.entity().seq, None, self.graph.edit.at
            )


@settings(max_examples=40)
@given(st.data())
def test_the_graph_stays_consistent_after_random_changes(data: st.DataObject) -> None:
    with tempfile.TemporaryDirectory() as folder, graph_store(Path(folder)) as graph:
        steps = Steps(graph, chooser(graph, data))
        several = (
            *(steps.remember, steps.remember, steps.change_memory, steps.change_entity),
            *(steps.change_entity, steps.change_entity, steps.undo, steps.pin),
        )
        for number, step in enumerate(
            data.draw(st.lists(st.sampled_from(several), min_size=5, max_size=25))
        ):
            step(number)
            graph.check()


def test_a_fact_read_while_two_were_one_outlives_the_name_that_only_an_erased_memory_had() -> None:
    with tempfile.TemporaryDirectory() as folder, graph_store(Path(folder)) as graph:
        only = graph.remember("Marco Rossi maintains `billing-api`.")
        merged = merge(
            graph.tx, graph.entity("billing-api"), graph.entity("Marco Rossi"), graph.edit
        )
        graph.remember("`billing-api` stores invoices in Postgres.")
        assert graph.undo(merged)
        assert only is not None
        graph.erase(only)
        graph.check()
        assert [each.name for each in graph.entities()] == ["billing-api", "PostgreSQL"]
