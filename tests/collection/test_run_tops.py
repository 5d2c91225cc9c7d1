import gzip

import numpy as np
import pytest

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.collection.run_order import RUN_ORDERS
from qrelsmith.collection.run_tops import read_run_top
from qrelsmith.collection.runs import read_run
from qrelsmith.io import sizes


@pytest.fixture
def file(tmp_path):
    def write(text, name="some.run"):
        path = tmp_path / name
        path.write_text(text)
        return path

    return write


def test_the_top_with_a_tie_across_the_depth_is_as_computed_by_hand(file):
    path = file(
        "1 Q0 a 1 3 x\n1 Q0 b 2 2 x\n1 Q0 c 3 2 x\n2 Q0 d 1 1 x\n2 Q0 e 2 1 x\n3 Q0 f 1 1 x\n"
    )
    top = read_run_top(path, depth=2)
    assert top.name == "x"
    # Of docs with equal scores, the higher docno comes first; the tie of topic 2 is within the
    # depth.
    assert top.docs == {"1": ("a", "c"), "2": ("e", "d"), "3": ("f",)}
    assert top.tied == {"1"}
    assert read_run_top(path, depth=1).tied == {"2"}
    assert read_run_top(path, depth=2, order="file").docs["1"] == ("a", "b")
    assert read_run_top(path, depth=2, topics=["3", "9"]).docs == {"3": ("f",)}
    assert read_run_top(path, depth=2, topics=["3"]).tied == frozenset()


@pytest.mark.parametrize("order", RUN_ORDERS.names())
def test_the_top_is_the_beginning_of_the_whole_run_however_the_file_is_read(
    tmp_path, order, monkeypatch
):
    rng = np.random.default_rng(1)
    lines = [
        f"t{topic} Q0 d{doc} {rank} {rng.integers(0, 9)} tag\n"
        for topic in range(30)
        for rank, doc in enumerate(rng.permutation(25)[: rng.integers(1, 25)], start=1)
    ]
    path = tmp_path / "r.gz"
    path.write_bytes(gzip.compress("".join(lines).encode()))
    for plain, block in ((10**6, 10**6), (500, 400)):
        monkeypatch.setattr(sizes, "PLAIN_RUN", plain)
        monkeypatch.setattr(sizes, "RUN_BLOCK", block)
        whole = read_run(path, order=order)
        for depth in (1, 7, 100):
            top = read_run_top(path, depth=depth, order=order)
            assert top.docs == {topic: docs[:depth] for topic, docs in whole.docs.items()}
            assert top.tied == {
                topic
                for topic, scores in whole.scores.items()
                if len(scores) > depth and scores[depth - 1] == scores[depth]
            }


@pytest.mark.filterwarnings("ignore:.*5 columns")
def test_a_run_without_tag_goes_by_its_file_and_a_wrong_line_is_an_error(file):
    assert read_run_top(file("1 Q0 a 1 1\n", "five"), depth=1).name == "five"
    with pytest.warns(InputWarning, match="empty: the file has no docs"):
        assert read_run_top(file("", "empty"), depth=1).docs == {}
    with pytest.raises(InputError, match=":2: the score is 'x'"):
        read_run_top(file("1 Q0 a 1 1 t\n1 Q0 b 2 x t\n"), depth=1)
    with pytest.raises(UsageError, match="depth=0"):
        read_run_top(file(""), depth=0)
    with pytest.warns(InputWarning, match="2 different tags"):
        read_run_top(file("1 Q0 a 1 1 t\n2 Q0 a 1 1 u\n"), depth=1)
