"""The columns of a map and its edges."""

import struct
from array import array
from collections.abc import Iterator, Mapping, Sequence

import pytest

from intaglio.projection.binary_map import PackedPoints, edges, pack
from intaglio.projection.reading_rows import PointColumns


def chunk(first: int, projects: Sequence[str | None]) -> PointColumns:
    """Return points from a row number on, one in each of these projects."""
    count = len(projects)
    numbers = range(first, first + count)
    return PointColumns(
        memory=numbers,
        id=[f"00000000-0000-7000-8000-{number:012x}" for number in numbers],
        x=[-32_767] * count,
        y=[32_767] * count,
        solid_x=[1] * count,
        solid_y=[2] * count,
        solid_z=[3] * count,
        created=[20_000] * count,
        changed=[0] * count,
        ended=[65_535] * count,
        type=["fact"] * count,
        origin=["manual"] * count,
        agent=["default"] * count,
        project=projects,
        importance=[255] * count,
        flags=[63] * count,
    )


def column(packed: PackedPoints, name: str) -> bytes:
    (found,) = [each for each in packed.columns if each.name == name]
    assert found.offset % 8 == 0
    return packed.body[found.offset : found.offset + found.length]


def test_chunks_of_points_become_columns() -> None:
    packed = pack([chunk(1, [None] * 3), chunk(7, ["/a"])], {}, solid=True)
    assert list(packed.seqs) == [1, 2, 3, 7]
    assert column(packed, "ids")[48:] == bytes.fromhex("00000000000070008000000000000007")
    assert struct.unpack("<8h", column(packed, "xy")) == (-32_767, 32_767) * 4
    assert struct.unpack("<12h", column(packed, "xyz")) == (1, 2, 3) * 4
    assert struct.unpack("<4H", column(packed, "ended")) == (65_535,) * 4
    assert packed.projects == [None, "/a"]
    assert column(packed, "project") == bytes([0, 0, 0, 1])
    assert sum(each.length for each in packed.columns) == 39 * 4


def test_a_flat_map_has_no_third_dimension() -> None:
    assert "xyz" not in {each.name for each in pack([chunk(1, [None])], {}, solid=False).columns}


def test_no_points_make_empty_columns() -> None:
    packed = pack([], {}, solid=True)
    assert {each.length for each in packed.columns} == {0}
    assert packed.types == packed.projects == []


def test_the_last_number_stands_for_what_a_full_table_lacks() -> None:
    often = [f"/often{number}" for number in range(255)] * 2
    packed = pack([chunk(1, ["/once", *often])], {1: None, 2: 0, 4: 253}, solid=False)
    assert len(packed.projects) == 255
    assert "/once" not in packed.projects
    assert column(packed, "project")[0] == 255
    # Entities are numbered from 1.
    assert list(column(packed, "entity")[:5]) == [255, 1, 0, 254, 0]


def near(of: Mapping[int, tuple[int, ...]]) -> Iterator[tuple[int, bytes]]:
    return ((memory, struct.pack(f"<{len(others)}q", *others)) for memory, others in of.items())


@pytest.mark.parametrize(
    ("neighbours", "expected"),
    [
        ({}, []),
        ({10: ()}, []),
        ({10: (20,), 20: (10,)}, [(0, 1)]),
        # First come those to the nearest of each.
        ({10: (20, 30), 20: (30,), 30: (40, 10)}, [(0, 1), (1, 2), (2, 3), (0, 2)]),
        # 11 and 12 aren't shown, and the next ones take their places.
        ({10: (11, 20, 12, 30, 40)}, [(0, 1), (0, 2), (0, 3)]),
        ({10: (20, 30, 40, 50)}, [(0, 1), (0, 2), (0, 3)]),
        ({11: (10, 20)}, []),
    ],
)
def test_edges_lead_to_the_nearest_points_that_are_shown(
    neighbours: dict[int, tuple[int, ...]], expected: list[tuple[int, int]]
) -> None:
    found = edges(array("q", [10, 20, 30, 40, 50]), near(neighbours), 3)
    assert list(zip(found[::2], found[1::2], strict=True)) == expected
