"""A repository with code in it, and memories about it."""

from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from fakes.code_bench import CodeBench
from fakes.git import repository
from fakes.store import bench

FILES = {
    "shop/cart.py": (
        "MAX_ITEMS = 20\n\n\nclass Cart:\n    def add_item(self, item):\n"
        "        check(item)\n        self.items.append(item)\n        self.total += item.price\n"
        "        return self.total\n\n\ndef empty_cart(cart):\n    cart.items = []\n"
        '    raise ValueError("the cart of this customer is locked")\n'
    ),
    "shop/views.py": "from shop.cart import Cart\n\n\ndef show_cart(request):\n    return Cart()\n",
    "admin/views.py": "def show_admin(request):\n    return None\n",
    "tests/test_cart.py": (
        "from shop.cart import Cart\nfrom shop import views\n\n\ndef test_add(): ...\n"
    ),
    "ui/cart.ts": "export function drawCart(items: Item[]) {\n  return items;\n}\n",
    "ui/cart.test.ts": (
        'import { drawCart } from "./cart";\n\nit("draws an empty cart", () => {});\n'
    ),
    "README.md": "# Shop\n\nA shop.\n",
}


@pytest.fixture
async def code(tmp_path: Path) -> AsyncGenerator[CodeBench]:
    root = repository(tmp_path / "shop")
    async with bench(tmp_path) as opened:
        made = CodeBench(opened, root)
        made.write(FILES)
        made.commit()
        await made.read()
        yield made
