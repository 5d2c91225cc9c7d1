"""Published tables of labels, as ratings[assessor, unit]."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from qrelsmith.agreement import COEFFICIENTS, AgreementResult, krippendorff_alpha
from qrelsmith.base.arrays import FloatArray

NAN = np.nan


@pytest.fixture
def plain_function(monkeypatch: pytest.MonkeyPatch) -> str:
    """A coefficient that is registered as a plain function by a plug-in."""
    for attribute in ("_entries", "_aliases"):
        monkeypatch.setattr(COEFFICIENTS, attribute, dict(getattr(COEFFICIENTS, attribute)))

    @COEFFICIENTS.add("own")
    def own(
        ratings: FloatArray, *, scale: FloatArray | None = None, undefined: str = "nan"
    ) -> AgreementResult:
        """Register a coefficient of a user under the name `own`."""
        return krippendorff_alpha(ratings, scale=scale, undefined=undefined)

    return "own"


@pytest.fixture(scope="session")
def krippendorff() -> FloatArray:
    """Krippendorff (2011), section C: 4 observers, 12 units, missing labels."""
    return np.array(
        [
            [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
            [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, NAN],
            [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 3],
            [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
        ]
    )


@pytest.fixture(scope="session")
def fleiss() -> FloatArray:
    """Fleiss (1971), table 1: 30 patients, 6 psychiatrists each, 5 diagnoses."""
    table = """
        00060 03003 01401 00006 03030 20400 00402 20310 20040 00006
        10050 11040 03300 10050 02031 00501 30012 51000 02040 10203
        00006 01050 02013 20040 10041 05010 40002 02040 10500 00006
    """
    counts = np.array([[int(digit) for digit in row] for row in table.split()])
    return np.array([np.repeat(np.arange(5.0), row) for row in counts]).T


@pytest.fixture(scope="session")
def abstractors() -> FloatArray:
    """Gwet (2014): two abstractors put 100 pregnancy visits into 3 classes."""
    return from_table([[13, 0, 0], [0, 20, 7], [0, 4, 56]])


@pytest.fixture(scope="session")
def figure1() -> tuple[FloatArray, FloatArray]:
    """Figure 1 of the paper on PDP: 5 docs, 3 assessors, on 4 grades and on 7 grades."""
    return (from_digits("333 233 222 333 333"), from_digits("565 455 353 666 554"))


@pytest.fixture(scope="session")
def dl21_with_topics(shared: Path) -> Callable[..., tuple[FloatArray, list[str]]]:
    """Return labels of TREC DL 2021 on the pairs that all given sets judged, and their topics."""
    folder = shared / "data" / "trec-dl-2021-passage" / "qrels"

    def read(*names: str) -> tuple[FloatArray, list[str]]:
        sets = [_read_qrels(folder / name) for name in names]
        pairs = sorted(set(sets[0]).intersection(*sets[1:]))
        ratings = np.array([[grades[pair] for pair in pairs] for grades in sets])
        return ratings, [topic for topic, _ in pairs]

    return read


@pytest.fixture(scope="session")
def dl21(
    dl21_with_topics: Callable[..., tuple[FloatArray, list[str]]],
) -> Callable[..., FloatArray]:
    """Return labels of TREC DL 2021 by some label sets on the pairs that all sets judged."""
    return lambda *names: dl21_with_topics(*names)[0]


def from_table(counts: list[list[int]]) -> FloatArray:
    """Return ratings of two assessors from a contingency table [first's level, second's level]."""
    table = np.array(counts)
    first, second = np.indices(table.shape)
    return np.array(
        [np.repeat(first.ravel(), table.ravel()), np.repeat(second.ravel(), table.ravel())],
        dtype=np.float64,
    )


def from_digits(docs: str) -> FloatArray:
    return np.array([[float(digit) for digit in doc] for doc in docs.split()]).T


def _read_qrels(path: Path) -> dict[tuple[str, str], float]:
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as lines:
        rows = (line.split() for line in lines)
        return {(topic, doc): float(grade) for topic, _, doc, grade in rows}
