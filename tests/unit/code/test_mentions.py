"""What a memory's text names in code."""

import pytest

from intaglio.code.mentions import named_in_code

NOTHING: set[str] = set()


@pytest.mark.parametrize(
    ("text", "paths", "symbols"),
    [
        ("See shop/cart.py:12 and README.md.", {"shop/cart.py", "README.md"}, NOTHING),
        (
            "Call `retry` in retry_upload, then drawCart()",
            {"retry"},
            {"retry", "retry_upload", "drawCart"},
        ),
        (
            "Cart.add_item and net::client::Client",
            NOTHING,
            {"Cart.add_item", "net::client::Client"},
        ),
        ("We deploy on Fridays and not before noon", NOTHING, NOTHING),
        ("`Makefile` runs `make deploy`", {"Makefile"}, {"Makefile", "make", "deploy"}),
    ],
)
def test_names_in_the_form_of_code(text: str, paths: set[str], symbols: set[str]) -> None:
    found = named_in_code(text)
    assert paths <= set(found.paths)
    assert set(found.symbols) - {"README.md", "cart.py", "py"} >= symbols
    if not symbols:
        assert [each for each in found.symbols if "_" in each or "::" in each] == []


def test_a_long_text_names_a_limited_number() -> None:
    found = named_in_code(" ".join(f"`name_{number}` a/b{number}.py" for number in range(900)))
    assert (len(found.paths), len(found.symbols)) == (40, 40)
