"""Vectors as they are stored: what is refused, what 8 bits keep, and how the scale is chosen."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intaglio.store.vectors import quantization

components = st.floats(-1, 1, allow_nan=False, width=32)
vectors = st.lists(components, min_size=8, max_size=8).filter(
    lambda vector: math.fsum(value * value for value in vector) > 1e-6
)


@pytest.mark.parametrize(
    ("vector", "fault"),
    [
        ([1.0, 0.0], "2 dimensions instead of 3"),
        ([1.0, math.nan, 0.0], "a component isn't a finite number"),
        ([1.0, -math.inf, 0.0], "a component isn't a finite number"),
        ([1e200, 1e200, 0.0], "a component isn't a finite number"),
        ([0.0, 0.0, 0.0], "the vector has length zero"),
        ([0.0, -2.0, 0.0], ""),
    ],
)
def test_an_unusable_vector_is_refused_with_a_reason(vector: list[float], fault: str) -> None:
    assert quantization.fault(vector, 3) == fault


@given(vectors)
def test_a_normalised_vector_has_length_one_and_the_same_direction(vector: list[float]) -> None:
    made = quantization.unit(vector)
    assert math.isclose(math.hypot(*made), 1, rel_tol=1e-5)
    biggest = max(range(8), key=lambda place: abs(vector[place]))
    assert math.copysign(1, made[biggest]) == math.copysign(1, vector[biggest])


@given(vectors, st.floats(0.05, 1))
def test_a_stored_component_is_off_by_half_a_step_at_most_or_cut_at_the_scale(
    vector: list[float], scale: float
) -> None:
    true = quantization.unit(vector)
    kept = quantization.restore(quantization.quantise(true, scale), scale)
    for a, b in zip(true, kept, strict=True):
        within = max(-scale, min(scale, a))
        assert abs(within - b) <= scale / quantization.LEVELS / 2 + 1e-6


@given(vectors)
def test_the_cosine_of_a_vector_and_its_row_is_nearly_one(vector: list[float]) -> None:
    true = quantization.unit(vector)
    assert quantization.cosine(true, quantization.quantise(true, 1.0)) > 0.999


def test_a_zero_row_is_similar_to_nothing() -> None:
    assert quantization.cosine([1.0, 0.0], bytes(2)) == 0.0


def test_a_small_sample_gets_the_scale_typical_of_its_dimensions() -> None:
    flat = [quantization.unit([1.0] * 384)]
    assert quantization.scale_for(flat) == pytest.approx(0.25, abs=0.001)


def test_an_outlier_does_not_coarsen_the_quantisation() -> None:
    odd = [quantization.unit([1.0, *[0.001] * 383])]
    assert quantization.scale_for(odd) == pytest.approx(0.5, abs=0.001)


def test_the_scale_follows_a_sample_with_larger_components() -> None:
    spread = [quantization.unit([0.35, *[0.05] * 383]) for _ in range(100)]
    assert 0.25 < quantization.scale_for(spread) < 0.5
