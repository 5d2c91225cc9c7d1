from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from qrelsmith.base.errors import UnknownNameError, UsageError
from qrelsmith.base.registry import REQUIRED, Registry


@pytest.fixture(scope="module")
def things() -> Registry:
    registry: Registry = Registry(
        "thing", arguments=("values",), context=("known",), facts={"shy": False}
    )

    @registry.add("Plain", formula="1", source="nobody")
    def plain(values: list[float]) -> list[float]:
        """Return the values as they are.

        And more about it.
        """
        return values

    @registry.add("Cut", aliases=("Chop",), always=("p",))
    def cut(
        values: list[float],
        *,
        cutoff: int | None = None,
        known: int = 0,
        p: float = 0.5,
        style: str = "soft",
        limit: float | None = None,
    ) -> tuple[object, ...]:
        """Cut."""
        return values, cutoff, known, p, style, limit

    @registry.add("Whole")
    def whole(values: list[float], *, least: int = 2) -> int:
        return least

    @registry.add("Level", needs_cutoff=True, cutoff_is_recall=True)
    def level(values: list[float], *, cutoff: float | None = None) -> float | None:
        return cutoff

    return registry


def test_entries_are_listed_in_the_order_of_registration(things: Registry) -> None:
    assert things.names() == ("Plain", "Cut", "Whole", "Level")
    assert [entry.name for entry in things.entries()] == ["Plain", "Cut", "Whole", "Level"]


def test_an_entry_refers_to_its_function(things: Registry) -> None:
    plain, cut, _, level = things.entries()
    assert (plain.formula, plain.source) == ("1", "nobody")
    assert plain.summary == "Return the values as they are."
    assert not plain.cutoff
    assert dict(cut.parameters) == {"p": 0.5, "style": "soft", "limit": None}
    assert cut.takes == {"cutoff", "known", "p", "style", "limit"}
    assert level.about == {
        "needs_cutoff": True,
        "cutoff_is_recall": True,
        "placed": "",
        "shy": False,
    }
    assert level.summary == ""


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("Plain", "Plain"),
        (" plain ( ) ", "Plain"),
        ("Cut", "Cut(p=0.5)"),
        ("CHOP @ 7", "Cut(p=0.5)@7"),
        ("Cut@007", "Cut(p=0.5)@7"),
        ("Cut(p=.25)@3", "Cut(p=0.25)@3"),
        ("Cut(p=1.0)", "Cut(p=1)"),
        ("Cut(style='soft',limit=2.0)", "Cut(limit=2,p=0.5)"),
        ('Cut( style = "hard" , limit=-1e-3)', "Cut(limit=-0.001,p=0.5,style='hard')"),
        ("Cut(style='a)@3(b')@4", "Cut(p=0.5,style='a)@3(b')@4"),
        ("Level@.5", "Level@0.5"),
        ("Level@1.0", "Level@1"),
        ("Level@1e-1", "Level@0.1"),
    ],
)
def test_names_are_printed_in_full(things: Registry, text: str, label: str) -> None:
    assert things.label(text) == label
    assert things.label(label) == label
    assert things.get(label) == things.get(text)


@settings(deadline=None)
@given(
    p=st.floats(-1e9, 1e9),
    limit=st.integers(-(2**53), 2**53),
    style=st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    cutoff=st.integers(1, 2**53),
)
def test_every_value_survives_its_label(
    things: Registry, p: float, limit: int, style: str, cutoff: int
) -> None:
    named = things.get(f"Cut(p={p!r},limit={limit},style={style!r})@{cutoff}")
    assert named.parameters == {"p": p, "limit": limit, "style": style}
    assert named.cutoff == cutoff
    assert things.get(named.label) == named
    assert things.get(named.label).label == named.label


def test_functions_are_called_with_parameters_and_the_context_they_take(things: Registry) -> None:
    named = things.get("Cut(p=0.1)@3")
    assert named("v", known=9, unknown=1) == ("v", 3, 9, 0.1, "soft", None)
    assert things.get("Cut")("v") == ("v", None, 0, 0.5, "soft", None)
    assert things.get("Plain")("v", known=9) == "v"
    assert things.get("Level@0.25")("v") == 0.25
    assert repr(things.get("Whole(least=3.0)")("v")) == "3"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "'' is not a valid thing"),
        ("Cut@", "'Cut@' is not a valid thing"),
        ("Cut)@3", "is not a valid thing"),
        ("@3", "is not a valid thing"),
        ("Plain@3", "the thing Plain takes no cutoff; found @3"),
        ("Level", "the thing Level needs a cutoff: Level@10"),
        ("Level@1.5", "expected a recall level from 0 to 1"),
        ("Level@-0.5", "expected a recall level from 0 to 1"),
        ("Level@e", "expected a recall level from 0 to 1"),
        ("Cut@0", "expected a whole number of ranks, 1 or more"),
        ("Cut@-3", "expected a whole number of ranks, 1 or more"),
        ("Cut@2.5", "expected a whole number of ranks, 1 or more"),
        ("Cut@1e3", "expected a whole number of ranks, 1 or more"),
        ("Cut@" + "9" * 400, "expected a whole number of ranks, 1 or more"),
        ("Cut@10^20", "the cutoff is '10^20'; expected a number, as in Cut@10"),
        ("Cut@" + "9" * 5000, "expected a whole number of ranks, 1 or more"),
        ("Cut(q=1)", "the thing Cut has no parameter 'q' (choices: limit, p, style)"),
        ("Cut(cutoff=1)", "the thing Cut has no parameter 'cutoff'"),
        ("Cut(known=1)", "the thing Cut has no parameter 'known'"),
        ("Plain(p=1)", "the thing Plain has no parameter 'p' (choices: none)"),
        ("Cut(p='1')", "Cut(p='1'); expected a number for p"),
        ("Cut(p=True)", "Cut(p=True); expected a number for p"),
        ("Cut(p=None)", "Cut(p=None); expected a number for p"),
        ("Cut(p=1e999)", "Cut(p=inf); expected a number for p"),
        ("Whole(least=2.5)", "Whole(least=2.5); expected a whole number for least"),
        ("Cut(p=1j)", "expected a number for p"),
        ("Cut(p=[1])", "expected a number for p"),
        ("Cut(limit='a')", "expected a number for limit"),
        ("Cut(style=1)", "Cut(style=1); expected a quoted string for style"),
        ("Cut(style=soft)", "the parameters 'style=soft' of the thing Cut cannot be read"),
        ("Cut(0.5)", "cannot be read"),
        ("Cut(p=0.5", "is not a valid thing"),
        ("Cut(p=)", "cannot be read"),
        ("Cut(p=0.1)(p=0.2)", "cannot be read"),
        ("Cut(p=0.1,p=0.2)", "cannot be read"),
        ("Cut(**{'p': 0.1})", "cannot be read"),
        ("Cut(*[1])", "cannot be read"),
        ("Cut(p=__import__('os').sep)", "cannot be read"),
        ("Cut(p=(lambda: 1)())", "cannot be read"),
        ("Cut(p=" + "(" * 500 + ")", "cannot be read"),
        ("Cut(style='a\x00')", "cannot be read"),
    ],
)
def test_wrong_names_are_one_line_usage_errors(things: Registry, text: str, message: str) -> None:
    with pytest.raises(UsageError) as caught:
        things.get(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_unknown_name_is_reported_with_the_nearest_name(things: Registry) -> None:
    with pytest.raises(UnknownNameError, match="did you mean Plain") as caught:
        things.get("Plian@3")
    assert caught.value.choices == ("Plain", "Cut", "Whole", "Level")
    assert "choices: Plain, Cut, Whole, Level" in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_a_name_can_be_registered_only_once(things: Registry) -> None:
    for name in ("Plain", "pLAIN", "chop"):
        with pytest.raises(UsageError, match="is registered twice; expected different names"):
            things.add(name)(print)
    assert things.names() == ("Plain", "Cut", "Whole", "Level")


def test_an_alias_must_be_free() -> None:
    registry: Registry = Registry("thing")
    registry.add("One")(lambda: 1)
    with pytest.raises(UsageError, match="is registered twice; expected different names"):
        registry.add("Two", aliases=("one",))(lambda: 2)
    assert registry.names() == ("One",)
    assert registry.get("one")() == 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda: 0, r"the thing New takes \(\) by position; expected \(values\)"),
        (lambda values, more: 0, r"takes \(values, more\) by position; expected \(values\)"),
        (lambda values, **more: 0, r"takes \*\*more; expected named keywords"),
        (lambda *values: 0, r"takes \(\) by position"),
        (lambda values, *, scale: 0, r"the keyword scale, .* \(passed: cutoff, known\)"),
        (lambda values, *, p=(1, 2): 0, "the keyword p, which qrelsmith does not pass"),
    ],
)
def test_a_function_that_could_not_be_called_is_refused(
    things: Registry, function: Callable[..., int], message: str
) -> None:
    with pytest.raises(UsageError, match=message):
        things.add("New")(function)
    assert "New" not in things.names()


def test_only_requested_facts_are_returned() -> None:
    registry: Registry = Registry("thing", facts={"place": REQUIRED})
    with pytest.raises(UsageError, match="the thing New lacks the attribute place"):
        registry.add("New")(lambda: 0)
    with pytest.raises(UsageError, match="the thing New has the unknown attribute palce"):
        registry.add("New", palce=1)(lambda: 0)
    registry.add("New", place=1)(lambda: 0)
    assert registry.get("New").entry.about["place"] == 1


def test_shared_contracts_are_added_to_docstrings() -> None:
    def contract() -> None:
        """Count.

        Parameters
        ----------
        rows : list
            All rows.
        seed : int
            Of the draws.
        no : int
            Absent.

        Raises
        ------
        ShapeError
            If rows differ.
        UsageError
            If none is there.
        """

    kin: Registry = Registry("kin", arguments=("rows",), context=("seed",), contract=contract)

    @kin.add("one")
    def one(rows: list[int], *, seed: int = 0, by: int = 1) -> int:
        """Count.

        Parameters
        ----------
        by : int
            The step.

        Raises
        ------
        UsageError
            If the step is 0.

        Examples
        --------
        >>> 1
        1
        """
        return len(rows) // by + seed

    @kin.add("bare")
    def bare(rows: list[int]) -> int:
        return len(rows)

    assert one.__doc__ == (
        "Count.\n\n"
        "Parameters\n----------\nrows : list\n    All rows.\nseed : int\n    Of the draws.\n"
        "by : int\n    The step.\n\n"
        "Raises\n------\nUsageError\n    If the step is 0.\nShapeError\n    If rows differ.\n\n"
        "Examples\n--------\n>>> 1\n1"
    )
    assert bare.__doc__ is None
