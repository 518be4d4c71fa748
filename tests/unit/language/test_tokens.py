"""Texts are split into words, one way for each script."""

import pytest

from intaglio.language.stems import stem
from intaglio.language.tokens import count_words, fold, is_cjk, pairs, words
from intaglio.language.topics import all_words, topic_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We don't log users, ever.", ["We", "don't", "log", "users", "ever"]),
        ("Run `make lint` -- or --fix it", ["Run", "make", "lint", "or", "--fix", "it"]),
        ("@types/node ./src/app.ts #123", ["@types/node", "./src/app.ts", "#123"]),
        ("Größe: 3.5 MB...", ["Größe", "3.5", "MB"]),
        ("Мы пишем тесты", ["Мы", "пишем", "тесты"]),
        ("테스트를 먼저 작성", ["테스트를", "먼저", "작성"]),
        ("用pytest写测试。", ["用", "pytest", "写测试"]),
        ("テストを書く", ["テスト", "を", "書", "く"]),
        ("a / b -> !?", ["a", "b"]),
    ],
)
def test_a_text_is_split_into_words(text: str, expected: list[str]) -> None:
    assert list(words(text)) == expected


def test_folding_keeps_what_is_no_accent() -> None:
    assert fold("ÉTÉ Straße don\u2019t") == "ete strasse don't"
    assert fold("ガーデン") == "ガーデン"


def test_two_characters_without_spaces_count_as_one_word() -> None:
    assert count_words("we don't 用测试的 ok") == 5
    assert (pairs("写测试"), pairs("写")) == (["写测", "测试"], ["写"])
    assert (is_cjk("写"), is_cjk("тест")) == (True, False)


@pytest.mark.parametrize(
    ("forms", "expected"),
    [
        ("test tests testing tested", "test"),
        ("deployment deployments", "deploy"),
        ("Leerzeichen", "leerzeich"),
        ("v1.2 snake_case", None),
    ],
)
def test_the_forms_of_a_word_have_one_stem(forms: str, expected: str | None) -> None:
    for form in forms.split():
        assert stem(fold(form)) == (expected or form)


def test_a_topic_is_what_function_words_leave() -> None:
    assert topic_words("We always use the Tabs, please") == {"tabs"}
    assert topic_words("Für die Prüfungen müssen wir pytest verwenden") == {"pruf", "pytest"}
    assert topic_words("我们用制表符缩进") >= {"缩进", "制表"}
    assert topic_words("Мы пишем тесты") == {"мы", "пишем", "тесты"}


def test_wordings_are_compared_by_every_word() -> None:
    assert all_words("We use .env, 用它") == ("we", "use", "env", "用", "它")
