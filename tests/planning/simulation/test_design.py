import pytest

from qrelsmith.base.errors import UsageError
from qrelsmith.planning.simulation import Design


def test_the_defaults_are_those_of_the_paper():
    # Chu et al. (2021), 4.1.
    design = Design()
    assert (design.topics, design.batch_size, design.docs, design.assessors) == (10_000, 100, 5, 15)
    assert (design.shape, design.sigma, design.w) == ((2, 5), (0.001, 0.3), (-0.5, 0.5))
    assert design.batches == 100


def test_the_last_batch_may_be_smaller():
    design = Design(topics=250)
    assert [len(design.topics_of(batch)) for batch in range(design.batches)] == [100, 100, 50]
    assert design.topics_of(2) == range(200, 250)
    for batch in (-1, 3):
        with pytest.raises(UsageError, match="expected 0 to 2"):
            design.topics_of(batch)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"topics": 0}, "topics=0; expected a whole number from 1 to 1000000"),
        ({"assessors": 10**20}, f"assessors={10**20}; expected a whole number from 1 to 1000000"),
        ({"w": (0.0, 800.0)}, r"w=\(0.0, 800.0\); expected at most 700"),
        ({"batch_size": 0}, "batch_size=0"),
        ({"docs": 0}, "docs=0"),
        ({"assessors": 0}, "assessors=0"),
        ({"shape": (0.0, 5.0)}, r"shape=\(0.0, 5.0\); .* low above 0"),
        ({"sigma": (-0.1, 0.3)}, r"sigma=\(-0.1, 0.3\); .* low 0 or more"),
        ({"sigma": (0.3, 0.1)}, "low ≤ high"),
        ({"w": (float("nan"), 1.0)}, "finite"),
        ({"bias": "topic"}, "bias='topic'; expected one of assessor, assessor-topic, annotation"),
        ({"judging": "noisy"}, "judging='noisy'; expected one of perceived, random"),
    ],
)
def test_parameters_out_of_range_are_named(options, message):
    with pytest.raises(UsageError, match=message):
        Design(**options)
