"""What files of the usual languages define."""

import pytest

from intaglio.code.definitions import MOST_DEFINITIONS, definitions, lines_defining


def names(path: str, text: str) -> list[str]:
    return [each.name for each in definitions(path, text.split("\n"))]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        (
            "a.py",
            (
                "MAX_SIZE: int = 3\n_LIMIT = 4\nclass Cart(Base):\n    async def add(self): ...\n"
                "def test_adds():\n    inner = call(1)\nif x == Y: pass\n"
            ),
            ["MAX_SIZE", "_LIMIT", "Cart", "add", "test_adds"],
        ),
        (
            "a.ts",
            (
                "export default class Cart {\n  private async add(item: Item): Promise<void> {\n"
                "    if (item) {\n  }\n}\nexport const LIMIT = 3;\ninterface Item {\n"
                "export function draw() {\nconst later = async (x) => {\n  handle: function () {\n"
                "  for (const x of y) {\n  return call(x, {\nit('adds an item', () => {\n"
            ),
            ["Cart", "add", "LIMIT", "Item", "draw", "later", "handle", "adds an item"],
        ),
        (
            "a.go",
            (
                "package a\nfunc (s *Server) Start(port int) error {\nfunc New() *Server {\n"
                "type Server struct {\nconst (\n\tMaxConns = 10\n)\nvar Default = New()\n"
            ),
            ["Start", "New", "Server", "MaxConns", "Default"],
        ),
        (
            "a.rs",
            (
                "pub(crate) async fn read(x: u8) {\npub struct Reader {\nconst MAX: usize = 3;\n"
                "impl Reader {\n    pub const fn size(&self) -> u8 {\nmacro_rules! check {\n"
                "    let fnord = 1;\n"
            ),
            ["read", "Reader", "MAX", "size", "check"],
        ),
        (
            "A.java",
            (
                "public abstract class Cart extends Base {\n"
                "    private static final int MAX_ITEMS = 20;\n"
                "    public List<Item> findItems(String name) throws IOException {\n"
                "        return new ArrayList<>(items);\n    enum Kind {\n"
            ),
            ["Cart", "MAX_ITEMS", "findItems", "Kind"],
        ),
        (
            "a.kt",
            (
                "data class Cart(val x: Int)\nenum class Kind {\n"
                "override suspend fun <T> load(id: T): Cart {\nfun String.shout() = 1\n"
            ),
            ["Cart", "Kind", "load", "shout"],
        ),
        (
            "a.cs",
            "public sealed class Cart : Base\n    public async Task<int> AddAsync(Item item)\n",
            ["Cart", "AddAsync"],
        ),
        (
            "a.swift",
            "final class Cart {\n    func add(_ x: Int) {\nprotocol Payable {\n",
            ["Cart", "add", "Payable"],
        ),
        ("a.scala", "case class Cart(x: Int)\n  def add(x: Int): Unit = {\n", ["Cart", "add"]),
        (
            "a.c",
            (
                "#define MAX_LEN 10\nstatic int read_all(int fd)\n{\n    return call(fd);\n"
                "struct reader {\n    struct other *next;\nint Reader::size() const {\n"
            ),
            ["MAX_LEN", "read_all", "reader", "size"],
        ),
        (
            "a.rb",
            (
                "module Shop\n  class Cart < Base\n    MAX = 3\n    def self.find(id)\n"
                "    def empty?\n  it 'adds an item' do\n"
            ),
            ["Shop", "Cart", "MAX", "find", "empty?", "adds an item"],
        ),
        (
            "a.php",
            "final class Cart {\n    public static function find($id) {\n    const LIMIT = 3;\n",
            ["Cart", "find", "LIMIT"],
        ),
        (
            "a.sh",
            "deploy() {\nfunction roll_back {\nexport REGION=eu\nx=1\n",
            ["deploy", "roll_back", "REGION"],
        ),
        (
            "a.sql",
            "CREATE TABLE IF NOT EXISTS shop.carts (\ncreate or replace view open_carts as\n",
            ["carts", "open_carts"],
        ),
        ("a.txt", "def nothing():\n", []),
    ],
)
def test_definitions_of_a_language(path: str, text: str, expected: list[str]) -> None:
    assert names(path, text) == expected


def test_a_file_defines_at_most_so_many() -> None:
    text = "\n".join(f"def f_{number}(): ..." for number in range(MOST_DEFINITIONS + 9))
    assert len(names("a.py", text)) == MOST_DEFINITIONS


def test_lines_that_define_a_name_are_found_beyond_the_limit() -> None:
    lines = [f"def f_{number}(): ..." for number in range(MOST_DEFINITIONS)]
    lines += ["wanted(1)", "def wanted(x):", "    return wanted(x)", "def wanted(y):"]
    assert lines_defining("a.py", lines, "wanted") == [MOST_DEFINITIONS + 1, MOST_DEFINITIONS + 3]


def test_a_very_long_line_defines_nothing() -> None:
    assert names("a.py", f"def f(): return {'x' * 2_000}") == []
