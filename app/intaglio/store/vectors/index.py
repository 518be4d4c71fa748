"""Semantic search: uses the binary index if it is built, otherwise SQL, and keeps it up to date.

The table of vectors is the source of truth; everything here is derived from it. The binary index is
built when first needed, and numpy is imported only then.
"""

import threading
from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final

from intaglio.store.tx import QueryTimeout, ReadTx
from intaglio.store.vectors import quantization
from intaglio.store.vectors.entries import CHUNK, JOINED, column_chunks, entries_of
from intaglio.store.vectors.values import (
    IndexState,
    Model,
    VectorFilter,
    VectorMatches,
    VectorQuery,
)

if TYPE_CHECKING:
    from intaglio.store.vectors.binary_index import BinaryIndex

CANDIDATES: Final = 640
_MAX_CANDIDATES: Final = 10_240
_ROUGH: Final = 3
_GOOD_RECALL: Final = 0.99
_CHECKED: Final = 10
# A search applies at most this many changed rows; a background task applies the rest.
_MAX_APPLIED_BY_SEARCH: Final = 256
# With more pending rows than this, the binary index is rebuilt.
_MAX_PENDING: Final = 50_000
# Extra rows, because the 8-bit comparison in SQL may rank some a little too low.
_SLACK: Final = 30
_DEADLINE_S: Final = 1.0
_BUILD_TIMEOUT_S: Final = 2.0
_DISTANCE: Final = "vec_distance_cosine"


class VectorIndex:
    """The vector index of one database; every method may be called from any thread.

    ``record_commit`` must be called after each commit with the rows it wrote. A pending row carries
    its commit's number and is read only from a snapshot that contains that commit, so older data
    never replaces newer data.
    """

    def __init__(self, choose: Callable[[int], int], *, small: int = 0) -> None:
        """Take ``choose(n)``, which returns a random number below n, for the self-check.

        Up to ``small`` vectors, no binary index is built.
        """
        self._choose = choose
        self._small = small
        self._lock = threading.Lock()
        self._applying = threading.Lock()
        self._model: Model | None = None
        self._binary_index: BinaryIndex | None = None
        self._pending: dict[int, int] = {}
        self._building = False
        self._requested = False
        self._on_first_use: Callable[[], None] = lambda: None
        # The newest commit from which the binary index read anything.
        self._newest_applied = 0
        # The newest commit that wasn't recorded, since there was no binary index to update.
        self._newest_unrecorded = 0
        self._stale = False
        self._candidates = CANDIDATES
        self._recall: float | None = None

    @property
    def state(self) -> IndexState:
        """How vectors are searched now."""
        binary_index = self._binary_index
        return IndexState(
            method="mirror" if binary_index else "exact" if self._model else "none",
            vectors=len(binary_index) if binary_index else 0,
            waiting=len(self._pending),
            candidates=self._candidates,
            bytes=binary_index.bytes if binary_index else 0,
            recall=self._recall,
        )

    @property
    def model(self) -> Model | None:
        """The model whose vectors are searched."""
        return self._model

    def members(self) -> frozenset[int]:
        """Return the memories in the binary index, for comparison with the table."""
        with self._lock:
            return frozenset(self._binary_index.seqs() if self._binary_index else ())

    def request_build(self) -> None:
        """Have the binary index built and kept from now on, because vectors are searched."""
        if not self._requested:
            self._requested = True
            self._on_first_use()

    def on_first_use(self, tell: Callable[[], None]) -> None:
        """Call ``tell``, from any thread, when the binary index is first needed."""
        self._on_first_use = tell

    def set_model(self, model: Model | None) -> None:
        """Search the vectors of this model from now on; None disables search."""
        with self._lock:
            if model != self._model:
                self._model = model
                self._binary_index = None
                self._pending.clear()
                self._candidates, self._recall = CANDIDATES, None

    def record_commit(self, generation: int, seqs: frozenset[int] | None) -> None:
        """Record which memories a commit wrote; None if any may have changed."""
        with self._lock:
            if self._binary_index is None and not self._building:
                self._newest_unrecorded = generation
                return
            if seqs is not None:
                self._pending.update(dict.fromkeys(seqs, generation))
            if seqs is None or len(self._pending) > _MAX_PENDING:
                self._pending.clear()
                self._newest_unrecorded = generation
                self._stale = True

    def update(self, tx: ReadTx) -> bool:
        """Build the binary index or apply pending rows; return whether something is left to do."""
        model = self._model
        if model is None or not self._requested:
            return False
        if self._binary_index is None or self._stale:
            few = self._small and _count(tx, model) <= self._small
            if self._binary_index is None and few and tx.has_function(_DISTANCE):
                return False
            return not self.build(tx)
        self._apply_pending(tx, CHUNK)
        return bool(self._pending)

    def build(self, tx: ReadTx) -> bool:
        """Build the binary index from this snapshot; False if the snapshot is too old.

        A snapshot is also too old if the current binary index already contains a later commit.
        """
        from intaglio.store.vectors.binary_index import BinaryIndex  # noqa: PLC0415 - loads numpy, so only on need

        with self._applying:
            with self._lock:
                model = self._model
                if model is None or self._newest_complete() > tx.generation:
                    return model is None
                self._building = True
            try:
                binary_index = BinaryIndex(model.dimensions)
                for columns in column_chunks(tx, model):
                    binary_index.append(columns)
                return self._adopt(binary_index, model, tx.generation)
            finally:
                self._building = False

    def _adopt(self, binary_index: "BinaryIndex", model: Model, generation: int) -> bool:
        with self._lock:
            # During the build, the model may have changed or too much may have been written.
            if model != self._model or self._newest_complete() > generation:
                return False
            self._binary_index, self._stale = binary_index, False
            self._pending = {
                s: number for s, number in self._pending.items() if number > generation
            }
            return True

    def _newest_complete(self) -> int:
        """Return the newest commit without pending rows, which only newer snapshots contain."""
        return max(self._newest_unrecorded, self._newest_applied)

    def _apply_pending(self, tx: ReadTx, most: int) -> None:
        if not self._pending:
            return
        with self._applying:
            with self._lock:
                model, binary_index = self._model, self._binary_index
                due = [s for s, number in self._pending.items() if number <= tx.generation][:most]
            if model is None or binary_index is None or not due:
                return
            entries = entries_of(tx, model, due)
            missing = set(due).difference(entry.seq for entry in entries)
            with self._lock:
                if binary_index is not self._binary_index:
                    return
                binary_index.put(entries)
                binary_index.remove(missing)
                for seq in due:
                    if self._pending.get(seq, 0) <= tx.generation:
                        self._newest_applied = max(self._newest_applied, self._pending.pop(seq, 0))

    def search(self, tx: ReadTx, query: VectorQuery) -> VectorMatches:
        """Find the nearest vectors among the memories that match the filter."""
        model = self._comparable_model(query.vector, query.model)
        if model is None:
            return VectorMatches({}, "none")
        if not self._is_ready(model) or (query.exact and tx.has_function(_DISTANCE)):
            return _exact(tx, model, query)
        self._apply_pending(tx, _MAX_APPLIED_BY_SEARCH)
        seqs = _passing(tx, query) if query.filter.needs_sql else None
        with self._lock:
            binary_index = self._binary_index_of(model)
            if binary_index is None:
                return VectorMatches({}, "none")
            candidates = self._candidates // _ROUGH if query.rough else self._candidates
            wanted = len(binary_index) if query.exact else max(candidates, query.limit)
            pairs = _nearest(binary_index, query, seqs, wanted)
        return VectorMatches(
            _confirmed(tx, model, query, _scored(tx, model, query, pairs)), "mirror"
        )

    def _comparable_model(self, vector: Sequence[float], made_by: Model | None) -> Model | None:
        """Return the model whose vectors are searched, or None if this vector isn't comparable."""
        model = self._model
        if model is None or made_by not in (None, model):
            return None
        return None if quantization.fault(vector, model.dimensions) else model

    def _is_ready(self, model: Model) -> bool:
        """Check whether the binary index is ready, waiting briefly if it is being built.

        At 100,000 vectors, waiting costs no more than comparing with all of them.
        """
        if self._binary_index_of(model) is None:
            self.request_build()
            if self._building and self._applying.acquire(timeout=_BUILD_TIMEOUT_S):
                self._applying.release()
        return self._binary_index_of(model) is not None

    def cosines(
        self, tx: ReadTx, vector: Sequence[float], seqs: Sequence[int], made_by: Model | None = None
    ) -> dict[int, float]:
        """Return the cosine of each of these memories that has a vector."""
        model = self._comparable_model(vector, made_by)
        if model is None:
            return {}
        rows = tx.rows(
            tuple[int, bytes],
            f"SELECT m.seq, e.vector FROM {JOINED} "  # noqa: S608 - constants only
            "WHERE m.is_deleted = 0 AND m.seq IN (SELECT value FROM carray(?))",
            (model.id, model.dimensions, tx.bind_integers(array("q", seqs))),
        )
        kept = dict(rows)
        if not kept:
            return {}
        from intaglio.store.vectors.binary_index import cosines  # noqa: PLC0415 - loads numpy, so only on need

        return dict(zip(kept, cosines(vector, list(kept.values())), strict=True))

    def _binary_index_of(self, model: Model) -> "BinaryIndex | None":
        return self._binary_index if self._model == model else None

    def check(self, tx: ReadTx) -> float | None:
        """Compare the binary index with exact search for one stored vector; None if impossible.

        If it finds too few of the true neighbours, the number of candidates is doubled.
        """
        model = self._model
        with self._lock:
            count = len(self._binary_index) if self._binary_index else 0
            seq = (
                self._binary_index.seq_at(self._choose(count))
                if self._binary_index and count
                else -1
            )
        if model is None or seq < 0 or not tx.has_function(_DISTANCE):
            return None
        entries = entries_of(tx, model, [seq])
        if not entries:
            return None
        probe = VectorQuery(
            vector=quantization.unit(quantization.restore(entries[0].row, model.scale)),
            limit=_CHECKED + 1,
            filter=VectorFilter(condition="m.is_deleted = 0", params=(), passes=lambda _: True),
        )
        return self._compare(self.search(tx, probe), _exact(tx, model, probe))

    def _compare(self, found: VectorMatches, true: VectorMatches) -> float | None:
        if true.timed_out or not true.cosines:
            return None
        worst = min(true.cosines.values())
        hits = sum(cosine >= worst - 1e-5 for cosine in found.cosines.values())
        recall = min(1.0, hits / len(true.cosines))
        with self._lock:
            kept = recall if self._recall is None else self._recall
            # A running mean over about the last twenty checks.
            self._recall = kept + (recall - kept) / 20
            if self._recall < _GOOD_RECALL and self._candidates < _MAX_CANDIDATES:
                self._candidates, self._recall = self._candidates * 2, None
        return recall


def _count(tx: ReadTx, model: Model) -> int:
    return tx.count("SELECT count(*) FROM embeddings WHERE model = ?", (model.id,))


def _passing(tx: ReadTx, query: VectorQuery) -> "array[int]":
    passing = f"SELECT m.seq FROM memories m WHERE {query.filter.condition}"  # noqa: S608 - condition is built of constants
    return array("q", tx.column(int, passing, query.filter.params))


def _nearest(
    binary_index: "BinaryIndex", query: VectorQuery, seqs: "array[int] | None", wanted: int
) -> dict[int, int]:
    """Return candidates as vector by memory."""
    mask = (
        binary_index.matching_slots(query.filter.passes, query.filter.hints)
        if seqs is None
        else binary_index.slots_of(seqs)
    )
    found = binary_index.nearest(query.vector, mask, wanted)
    return dict(zip(found.seqs.tolist(), found.vector_ids.tolist(), strict=True))


def _scored(
    tx: ReadTx, model: Model, query: VectorQuery, pairs: dict[int, int]
) -> list[tuple[float, int, int]]:
    """Return (cosine, memory, vector) of the candidates, best first, from the stored rows."""
    from intaglio.store.vectors.binary_index import cosines  # noqa: PLC0415 - loaded when a binary_index is built

    if not pairs:
        return []
    rows = tx.rows(
        tuple[int, bytes],
        "SELECT e.id, e.vector FROM carray(?) c JOIN embeddings e ON e.id = c.value "
        "WHERE e.model = ?",
        (tx.bind_integers(array("q", sorted(set(pairs.values())))), model.id),
    )
    kept = dict(rows)
    if not kept:
        return []
    scores = dict(zip(kept, cosines(query.vector, list(kept.values())), strict=True))
    # Plain tuples, lowest first: sorting by a key would take as long as reading the rows.
    order = [(-scores[vector], seq, vector) for seq, vector in pairs.items() if vector in scores]
    return [(-score, seq, vector) for score, seq, vector in sorted(order)]


def _confirmed(
    tx: ReadTx, model: Model, query: VectorQuery, scored: list[tuple[float, int, int]]
) -> dict[int, float]:
    """Keep the best that match in this snapshot and still have the vector that was compared.

    The binary index may be a commit ahead of the snapshot or behind it.
    """
    sound: dict[int, float] = {}
    for start in range(0, len(scored), query.limit):
        part = scored[start : start + query.limit]
        rows = tx.rows(
            tuple[int, int],
            f"SELECT m.seq, e.id FROM {JOINED} "  # noqa: S608 - constants and see _passing
            f"WHERE m.seq IN (SELECT value FROM carray(?)) AND {query.filter.condition}",
            [
                model.id,
                model.dimensions,
                tx.bind_integers(array("q", [seq for _, seq, _ in part])),
                *query.filter.params,
            ],
        )
        passed = set(rows)
        for cosine, seq, vector in part:
            if (seq, vector) in passed and len(sound) < query.limit:
                sound[seq] = cosine
        if len(sound) == query.limit:
            break
    return sound


def _exact(tx: ReadTx, model: Model, probe: VectorQuery) -> VectorMatches:
    """Compare with every matching vector; SQL ranks with 8 bits, the best are rescored in full."""
    if not tx.has_function(_DISTANCE):
        return VectorMatches({}, "none")
    query = quantization.unit(probe.vector)
    try:
        with tx.deadline(_DEADLINE_S):
            rows = tx.rows(
                tuple[int, bytes, float],
                f"SELECT m.seq, e.vector, {_DISTANCE}(vec_int8(e.vector), vec_int8(?)) AS distance "  # noqa: S608 - see _confirmed
                f"FROM {JOINED} WHERE {probe.filter.condition} ORDER BY distance, m.seq LIMIT ?",
                [
                    quantization.quantise(query, model.scale),
                    model.id,
                    model.dimensions,
                    *probe.filter.params,
                    probe.limit + _SLACK,
                ],
            )
    except QueryTimeout:
        return VectorMatches({}, "exact", timed_out=True)
    scored = [(quantization.cosine(query, row), seq) for seq, row, _ in rows]
    best = sorted(scored, key=lambda each: (-each[0], each[1]))[: probe.limit]
    return VectorMatches({seq: cosine for cosine, seq in best}, "exact")
