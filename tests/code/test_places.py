"""Where memories stand in the code, and what is said of them once that has changed."""

import os
from collections.abc import Sequence

import pytest

from fakes.code_bench import CodeBench
from intaglio.code.values import MemoryPlace


def named(places: Sequence[MemoryPlace]) -> list[tuple[str, str]]:
    return [(each.path, each.symbol) for each in places]


async def test_a_memory_keeps_the_places_that_it_names(code: CodeBench) -> None:
    by_symbol = await code.remember("`add_item` rejects what is sold out")
    by_both = await code.remember("In shop/cart.py, empty_cart keeps the coupon")
    by_file = await code.remember("admin/views.py is for staff only")
    nothing = await code.remember("The customer wants carts to be emptied at night")
    assert named(await code.places(by_symbol)) == [("shop/cart.py", "add_item")]
    assert named(await code.places(by_both)) == [("shop/cart.py", "empty_cart")]
    assert named(await code.places(by_file)) == [("admin/views.py", "")]
    assert await code.places(nothing) == []
    (place,) = await code.places(by_symbol)
    assert (place.by_path, len(place.blob), len(place.commit), len(place.lines)) == (
        False,
        40,
        40,
        20,
    )


async def test_a_file_that_is_gone_is_marked(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py is for staff only")
    assert await code.mark(memory) is None
    (code.root / "admin/views.py").unlink()
    mark = await code.mark(memory)
    assert mark is not None
    assert (mark.text, mark.kind, mark.path) == ("file gone since", "gone", "admin/views.py")


async def test_a_renamed_file_is_marked_once_git_knows(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py: show_admin is for staff only")
    (code.root / "admin/views.py").rename(code.root / "admin/pages.py")
    code.commit()
    await code.follow()
    mark = await code.mark(memory)
    assert mark is not None
    assert (mark.text, mark.now_path) == ("file renamed since", "admin/pages.py")
    assert mark.where == "show_admin in admin/views.py, now admin/pages.py"


async def test_a_symbol_that_is_gone_is_marked(code: CodeBench) -> None:
    memory = await code.remember("shop/views.py: show_cart answers in JSON")
    code.write({"shop/views.py": "def list_carts(request):\n    return []\n"})
    mark = await code.mark(memory)
    assert mark is not None
    assert (mark.text, mark.symbol) == ("symbol gone since", "show_cart")


async def test_a_symbol_named_alone_is_followed_to_another_file(code: CodeBench) -> None:
    memory = await code.remember("`show_admin` is for staff only")
    code.write({"shop/staff.py": (code.root / "admin/views.py").read_text()})
    (code.root / "admin/views.py").unlink()
    code.commit()
    await code.follow()
    assert await code.mark(memory) is None


async def test_code_that_changed_much_is_marked_and_a_small_change_is_not(code: CodeBench) -> None:
    memory = await code.remember("`add_item` rejects what is sold out")
    text = (code.root / "shop/cart.py").read_text()
    code.write({"shop/cart.py": text.replace("check(item)", "verify(item)")})
    assert await code.mark(memory) is None
    changed = text.replace("        check(item)\n        self.items.append(item)\n", "")
    changed = changed.replace("self.total += item.price", "self.count += 1")
    code.write({"shop/cart.py": changed.replace("return self.total", "return self.count")})
    mark = await code.mark(memory)
    assert mark is not None
    assert mark.text == "code changed since"


async def test_what_is_as_before_has_no_mark_any_more(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py: show_admin is for staff only")
    text = (code.root / "admin/views.py").read_text()
    (code.root / "admin/views.py").unlink()
    await code.follow()
    assert await code.mark(memory) is not None
    code.write({"admin/views.py": text})
    assert await code.mark(memory) is None


async def test_nothing_is_left_only_if_two_places_at_least_are_gone(code: CodeBench) -> None:
    both = await code.remember("admin/views.py and shop/views.py share a template")
    one = await code.remember("admin/views.py is for staff only")
    (code.root / "admin/views.py").unlink()
    marks = await code.marks().of([both, one], code.project)
    assert [marks[each].nothing_left for each in (both, one)] == [False, False]
    (code.root / "shop/views.py").unlink()
    marks = await code.marks().of([both, one], code.project)
    assert [marks[each].nothing_left for each in (both, one)] == [True, False]


async def test_an_uncommitted_file_counts(code: CodeBench) -> None:
    code.write({"shop/new_file.py": "def brand_new():\n    return 1\n"})
    memory = await code.remember("shop/new_file.py has brand_new")
    (place,) = await code.places(memory)
    assert (place.path, place.symbol, place.commit) == ("shop/new_file.py", "brand_new", "")


async def test_places_follow_a_new_wording(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py is for staff only")
    await code.reword(memory, "shop/views.py is for customers only")
    assert named(await code.places(memory)) == [("shop/views.py", "")]


async def test_memories_from_before_the_index_get_their_places(code: CodeBench) -> None:
    memory = await code.save("admin/views.py is for staff only")
    assert await code.places(memory) == []
    await code.follow()
    assert named(await code.places(memory)) == [("admin/views.py", "")]


async def test_without_time_nothing_is_marked(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py is for staff only")
    (code.root / "admin/views.py").unlink()
    assert await code.marks(check_ms=0).of([memory], code.project) == {}


async def test_an_absent_folder_says_nothing(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py is for staff only")
    code.root.rename(code.root.with_name("elsewhere"))
    assert await code.mark(memory) is None
    await code.follow()
    (place,) = await code.places(memory)
    assert place.state == "there"


async def test_a_sparse_checkout_lacks_files_on_purpose(code: CodeBench) -> None:
    memory = await code.remember("admin/views.py is for staff only")
    (code.root / ".git/info").mkdir(exist_ok=True)
    (code.root / ".git/info/sparse-checkout").write_text("/shop/\n")
    (code.root / "admin/views.py").unlink()
    assert await code.mark(memory) is None


@pytest.mark.parametrize("what", ["link", "folder link", "pipe", "huge", "forbidden"])
async def test_what_is_no_plain_file_is_neither_read_nor_marked(code: CodeBench, what: str) -> None:
    memory = await code.remember("shop/views.py: show_cart answers in JSON")
    outside = code.root.parent / "secret.py"
    outside.write_text("def other():\n    return 1\n")
    file = code.root / "shop/views.py"
    file.unlink()
    match what:
        case "link":
            file.symlink_to(outside)
        case "folder link":
            (code.root / "shop").rename(code.root.parent / "moved")
            (code.root / "shop").symlink_to(code.root.parent / "moved")
            (code.root.parent / "moved/views.py").write_text("def other():\n    return 1\n")
        case "pipe":
            os.mkfifo(file)
        case "huge":
            file.write_bytes(b"x" * 600_000)
        case _:
            file.write_text("def other():\n    return 1\n")
            file.chmod(0)
            if os.access(file, os.R_OK):
                pytest.skip("the administrator may read every file")
    await code.follow()
    assert await code.mark(memory) is None
