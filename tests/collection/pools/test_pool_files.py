import pytest
from hypothesis import given
from hypothesis import strategies as st

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.collection.pools import order_docs, pool_rankings
from qrelsmith.collection.pools.pool_files import Pools, pools_text, read_pools, write_pools

HEADER = "# pool format=1 ordering=randomised depth=3 seed=-7\n"

ids = st.text(st.characters(exclude_categories=("Z", "C")), min_size=1, max_size=4)
topics = ids.filter(lambda name: not name.startswith(("#", "\ufeff", "<SYSDESC>")))
pools = st.builds(
    Pools,
    st.sampled_from(["prioritised", "randomised", "docno"]),
    st.integers(1, 10**9),
    st.none() | st.integers(-(10**50), 10**50),
    st.dictionaries(
        topics, st.lists(ids, unique=True, min_size=1, max_size=5).map(tuple), min_size=1
    ),
)


@pytest.fixture
def file(tmp_path):
    def write(text):
        path = tmp_path / "some.pool"
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return write


def test_a_pool_file_may_have_its_lines_in_any_order(file):
    found = read_pools(file(HEADER + "2 a 1\r\n\n1\td2  2\n# a comment\n1 d1 1"))
    assert (found.ordering, found.depth, found.seed) == ("randomised", 3, -7)
    assert found.docs == {"2": ("a",), "1": ("d1", "d2")}
    assert list(found.rows()) == [("1", "d1", 1), ("1", "d2", 2), ("2", "a", 1)]
    assert pools_text(found) == HEADER + "1 d1 1\n1 d2 2\n2 a 1\n"


@given(pools)
def test_written_pools_are_read_and_written_again_byte_for_byte(tmp_path_factory, some):
    path = tmp_path_factory.mktemp("pools") / "p"
    write_pools(some, path)
    first = path.read_bytes()
    again = read_pools(path)
    assert again == some
    write_pools(again, path)
    assert path.read_bytes() == first


@pytest.mark.parametrize(
    ("text", "place", "problem"),
    [
        ("1 d1 1\n", ":1", "the first line is '1 d1 1'; expected a header such as # pool format=1"),
        ("", ":1", "expected a header"),
        ("# pool format=1 ordering=docno seed=3\n", ":1", "expected a header"),
        ("# pool format=1 ordering=docno depth=3 seed=0 seed=1\n", ":1", "expected a header"),
        (HEADER.replace("seed", "sed"), ":1", "expected a header"),
        (HEADER.replace("=3", "=x"), ":1", "depth is 'x'; expected a whole number"),
        (HEADER.replace("=3", "=0"), ":1", "depth=0; expected 1 or more"),
        (HEADER.replace("=1 ", "=2 "), ":1", "has format 2 (it is newer than this qrelsmith)"),
        (HEADER.replace("randomised", "random"), ":1", "did you mean randomised"),
        (HEADER, "", "the file has no docs"),
        (HEADER + "1 d1\n", ":2", "found 2 fields in '1 d1'; expected 3: topic doc position"),
        (HEADER + "1 d1 0\n", ":2", "the position is '0'; expected a whole number, 1 or more"),
        (HEADER + "1 d1 1.0\n", ":2", "the position is '1.0'"),
        (HEADER + "1 d1 1\n1 d1 2\n", ":3", "doc 'd1' appears twice in topic '1'"),
        (HEADER + "1 d1 1\n1 d2 1\n", ":3", "position 1 of topic '1' is taken"),
        (HEADER + "1 d1 1\n1 d2 3\n", "", "has 2 docs but no doc at position 2"),
        (HEADER + "1 d1 1\x0b\n", ":2", "control character"),
    ],
)
def test_a_malformed_file_is_an_error_with_its_place(file, text, place, problem):
    path = file(text)
    with pytest.raises(InputError) as caught:
        read_pools(path)
    assert str(caught.value).startswith(f"{path}{place}: ")
    assert problem in str(caught.value)


def test_ids_that_could_not_be_read_back_are_refused(tmp_path):
    for docs in ({"#1": ("a",)}, {"1": ("a b",)}, {"": ("a",)}):
        with pytest.raises(InputError, match="cannot be written"):
            write_pools(Pools("docno", 1, 0, docs), tmp_path / "p")
    assert list(tmp_path.iterdir()) == []


def test_an_order_that_is_not_that_of_one_seed_has_no_seed(file, tmp_path):
    path = file("# pool format=1 ordering=randomised depth=3\n1 b 1\n1 a 2\n")
    found = read_pools(path)
    assert found == Pools("randomised", 3, None, {"1": ("b", "a")})
    write_pools(found, tmp_path / "again.pool")
    assert (tmp_path / "again.pool").read_bytes() == path.read_bytes()


def test_invalid_pools_are_errors():
    with pytest.raises(UsageError, match="contains a doc twice"):
        Pools("docno", 1, 0, {"1": ("a", "a")})
    with pytest.raises(UsageError, match="contains no doc"):
        Pools("docno", 1, 0, {"1": ()})
    with pytest.raises(UsageError, match="unknown ordering"):
        Pools("alphabetical", 1, 0, {})


def test_an_assessor_sees_the_order_of_the_runs_or_of_a_seed():
    pool = pool_rankings([["c", "a", "b"], ["c", "b"]], depth=3)
    prioritised = Pools(
        "prioritised", 3, 0, {"1": order_docs(pool, "prioritised", topic="1", seed=0)}
    )
    assert prioritised.order_docs("1", ordering="prioritised", seed=9) == ("c", "b", "a")
    for seed in range(5):
        assert prioritised.order_docs("1", ordering="randomised", seed=seed) == order_docs(
            pool, "randomised", topic="1", seed=seed
        )
    randomised = Pools("randomised", 3, 0, {"1": ("a", "b", "c")})
    with pytest.raises(UsageError, match="expected pools created in prioritised order"):
        randomised.order_docs("1", ordering="prioritised", seed=0)
    with pytest.raises(UsageError, match="the topic '2' has no pool"):
        randomised.order_docs("2", ordering="docno", seed=0)
