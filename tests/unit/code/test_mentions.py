"""What a memory's text names in code."""

import pytest

from intaglio.code.mentions import named_in_code

NOTHING: set[str] = set()


@pytest.mark.parametrize(
    ("text", "paths", "symbols"),
    [
        ("See shop/cart.py:12 and README.md.", {"shop/cart.py", "README.md"}, {"README.md"}),
        (
            "Call `retry` in retry_upload, then drawCart()",
            {"retry"},
            {"retry", "retry_upload", "drawCart"},
        ),
        (
            "Cart.add_item and net::client::Client",
            {"Cart.add_item"},
            {"Cart.add_item", "net::client::Client"},
        ),
        ("We deploy on Fridays and not before noon", NOTHING, NOTHING),
        ("`Makefile` runs `make deploy`", {"Makefile"}, {"Makefile", "make", "deploy"}),
    ],
)
def test_names_in_the_form_of_code(text: str, paths: set[str], symbols: set[str]) -> None:
    found = named_in_code(text)
    assert set(found.paths) == paths
    assert set(found.symbols) == symbols


def test_a_long_text_names_a_limited_number() -> None:
    found = named_in_code(" ".join(f"`name_{number}` a/b{number}.py" for number in range(900)))
    assert (len(found.paths), len(found.symbols)) == (40, 40)
