"""Which files the index finds for what a prompt names."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest

from fakes.code_bench import CodeBench
from intaglio.code import lookup
from intaglio.store.tx import ReadTx

T = TypeVar("T")


async def read(code: CodeBench, ask: Callable[[ReadTx], T]) -> T:
    return await code.bench.db.read(ask)


async def defining(code: CodeBench, *names: str) -> Mapping[str, tuple[str, ...]]:
    return await read(code, lambda tx: lookup.files_defining(tx, code.project, names))


async def named(code: CodeBench, *names: str) -> Mapping[str, tuple[str, ...]]:
    return await read(code, lambda tx: lookup.files_named(tx, code.project, names))


async def imported(code: CodeBench, *paths: str) -> Mapping[str, tuple[str, ...]]:
    return await read(code, lambda tx: lookup.files_imported_by(tx, code.project, paths))


async def test_names_lead_to_the_files_that_define_them(code: CodeBench) -> None:
    assert await defining(code, "Cart", "MAX_ITEMS", "drawCart", "cart", "unknown") == {
        "Cart": ("shop/cart.py",),
        "MAX_ITEMS": ("shop/cart.py",),
        "drawCart": ("ui/cart.ts",),
    }


async def test_a_title_of_a_test_leads_to_the_test(code: CodeBench) -> None:
    assert await defining(code, "draws an empty cart") == {
        "draws an empty cart": ("ui/cart.test.ts",)
    }


async def test_a_qualified_name_is_found_where_both_parts_are(code: CodeBench) -> None:
    others = {f"lib/m{n}.py": "def add_item():\n    return 1\n" for n in range(12)}
    code.write(others)
    code.commit()
    await code.read()
    found = await defining(code, "add_item", "Cart.add_item", "cart.empty_cart", "Other.Cart")
    assert found == {
        "Cart.add_item": ("shop/cart.py",),
        "cart.empty_cart": ("shop/cart.py",),
        "Other.Cart": ("shop/cart.py",),
    }


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("shop/cart.py", ("shop/cart.py",)),
        ("./shop/cart.py:12", ("shop/cart.py",)),
        ("cart.py", ("shop/cart.py",)),
        ("views.py", ("admin/views.py", "shop/views.py")),
        ("admin/views.py:3:5", ("admin/views.py",)),
        ("{root}/admin/views.py", ("admin/views.py",)),
        ("/srv/app/releases/9/admin/views.py", ("admin/views.py",)),
        ("/srv/app/README.md", None),
        ("other/views.py", None),
        ("art.py", None),
        ("", None),
    ],
)
async def test_paths_lead_to_files(
    code: CodeBench, asked: str, expected: tuple[str, ...] | None
) -> None:
    asked = asked.format(root=code.root)
    assert await named(code, asked) == ({} if expected is None else {asked: expected})


async def test_a_name_that_many_files_have_says_nothing(code: CodeBench) -> None:
    code.write({f"app{n}/models.py": f"def common():\n    return {n}\n" for n in range(9)})
    code.commit()
    await code.read()
    assert await named(code, "models.py") == {}
    assert await named(code, "app3/models.py") == {"app3/models.py": ("app3/models.py",)}
    assert await defining(code, "common") == {}


async def test_tests_lead_to_what_they_import_and_are_named_after(code: CodeBench) -> None:
    assert await imported(code, "tests/test_cart.py", "ui/cart.test.ts", "shop/cart.py") == {
        "tests/test_cart.py": ("shop/cart.py", "shop/views.py"),
        "ui/cart.test.ts": ("ui/cart.ts",),
    }


@pytest.mark.parametrize(
    ("test", "text", "target"),
    [
        ("pkg/store_test.go", "package pkg\n", "pkg/store.go"),
        ("src/test/java/a/CartTest.java", "import a.b.Basket;\n", "src/main/java/a/b/Basket.java"),
        ("tests/it_works.rs", "use crate::net::client::Client;\n", "src/net/client.rs"),
        ("spec/cart_spec.rb", 'require_relative "../lib/basket"\n', "lib/basket.rb"),
        ("tests/parse.test.js", "const p = require('../lib/parse');\n", "lib/parse/index.js"),
        ("tests/util_test.c", '#include "util/list.h"\n', "src/util/list.h"),
        (
            "tests/test_deep.py",
            "from deep.inner import (\n    first,  # the one\n    second,\n)\n",
            "deep/inner/second.py",
        ),
        ("deep/tests/test_rel.py", "from ..inner import first\n", "deep/inner/first.py"),
    ],
)
async def test_imports_of_many_languages(
    code: CodeBench, test: str, text: str, target: str
) -> None:
    code.write({test: text, target: "x\n"})
    code.commit()
    await code.read()
    assert (await imported(code, test)).get(test) == (target,)


async def test_an_error_message_leads_to_the_file_that_raises_it(code: CodeBench) -> None:
    code.write({"shop/stock.py": 'raise OutOfStock(f"only {left} pieces are left of {name!r}")\n'})
    code.commit()
    await code.read()

    async def with_message(text: str) -> tuple[str, ...]:
        return await read(code, lambda tx: lookup.files_with_message(tx, code.project, text))

    asked = "ValueError: the cart of this customer is locked\n  at line 3"
    assert await with_message(asked) == ("shop/cart.py",)
    assert await with_message("OutOfStock: only 3 pieces are left of 'tea'") == ("shop/stock.py",)
    assert await with_message("the customer is locked in the shop") == ()


async def test_another_project_is_not_read(code: CodeBench) -> None:
    other = await read(code, lambda tx: lookup.files_defining(tx, "/work/other", ["Cart"]))
    assert other == {}
