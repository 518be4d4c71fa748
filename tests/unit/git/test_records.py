"""A stream is split into records, however it is cut into pieces."""

from hypothesis import given
from hypothesis import strategies as st

from intaglio.git.command import split_records


@given(
    st.lists(st.binary(max_size=20).map(lambda each: each.replace(b"\0", b"x"))),
    st.integers(1, 9),
    st.integers(1, 30),
)
def test_records_are_those_that_were_written_cut_at_the_limit(
    records: list[bytes], piece: int, most: int
) -> None:
    stream = b"".join(each + b"\0" for each in records) + b"not ended"
    chunks = [stream[start : start + piece] for start in range(0, len(stream), piece)]
    assert list(split_records(chunks, most)) == [each[:most] for each in records]
