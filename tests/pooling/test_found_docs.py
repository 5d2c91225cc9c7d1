import pytest

from qrelsmith.base.errors import InputError
from qrelsmith.pooling.found_docs import read_found_docs


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "found"
        path.write_text(text)
        return path

    return write


def test_pairs_of_topic_and_doc_are_read(file):
    assert read_found_docs(file("2 b\n1 z\n2\ta\n")) == {"2": ("b", "a"), "1": ("z",)}
    assert read_found_docs(file("")) == {}


def test_a_run_without_meaningful_ranks_can_be_used(file):
    text = "1 Q0 b 1 0 ORG\n2 Q0 c 1 0 ORG\n1 Q0 a 9 5 ORG\n"
    assert read_found_docs(file(text)) == {"1": ("b", "a"), "2": ("c",)}


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("1 a\n1\n", ":2", "found 1 fields in '1'; expected 2 (topic doc), or a run"),
        ("1 0 a 2\n", ":1", "found 4 fields in '1 0 a 2'; expected 2 (topic doc), or a run"),
        ("1 a\n2 a\n1 a\n", ":3", "doc 'a' appears twice in topic '1'"),
        ("1 Q0 a 1 x ORG\n", ":1", "the score is 'x'"),
    ],
)
def test_a_malformed_file_is_an_error(file, text, place, problem):
    path = file(text)
    with pytest.raises(InputError) as caught:
        read_found_docs(path)
    assert str(caught.value).startswith(f"{path}{place}: {problem}")
