"""Parameters of questions about PDP: how docs are compared and what is computed of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from qrelsmith.base.options import Drawing, Jobs, Option
from qrelsmith.discrimination.plackett_luce import EXACT_DOCS
from qrelsmith.discrimination.preferences.options import Mode, Strength, Untested
from qrelsmith.judgments.label_options import ErrorCode, OnlyTopics
from qrelsmith.judgments.run_options import RunOrder, distinct_runs
from qrelsmith.pairs.outcomes import Sign, Way

Tests = Annotated[
    Any,
    Option("A file of preferences that tell how docs of two grades compare; repeat for more."
           " Default: those of a campaign.", file=True, many=True),
]  # fmt: skip
RankedDocs = Annotated[
    Any,
    Option("A run, or a folder of runs: the docs are the first graded ones of each run. Repeat for"
           " more. Default: those of a campaign that has runs; to compare, else lists of --depth"
           " docs drawn at random.", metavar="RUN", file=True, many=True, gather=distinct_runs),
]  # fmt: skip
OutcomeSign = Annotated[
    Sign, Option("What a preference below 0 or above 0 says.", default="negative-left")
]
OutcomeWay = Annotated[
    Way | None, Option("How outcomes are written, where more than one way fits.")
]
SettingReference = Annotated[
    str | None,
    Option("The label set of a campaign, or the setting, with which the others are compared.",
           metavar="NAME"),
]  # fmt: skip
BootstrapSamples = ("-B", "--resamples")


class PdpOptions(Drawing, total=False):
    """How PDP is computed."""

    depth: Annotated[int, Option("How many docs of each run.", default=5, least=1)]
    within: Annotated[
        int | None,
        Option("Only docs among so many first of a run; default: all, of a campaign's runs 10.",
               least=1),
    ]  # fmt: skip
    order: RunOrder
    mode: Annotated[
        Mode | None,
        Option(
            "Compare docs assessor by assessor, or by their median grades; default: individual,"
            " of a campaign's label sets and to compare settings both."
        ),
    ]
    untested: Annotated[
        Untested,
        Option("What is taken for a pair of grades that no preference compares.", default="error"),
    ]
    sign: OutcomeSign
    outcomes: OutcomeWay
    strength: Annotated[
        Strength, Option("Whether -2 and 2 count like -1 and 1, or more.", default="sign")
    ]
    batches: Annotated[
        Literal["assessors", "all"] | None,
        Option(
            "A grade matrix for each batch of topics that share assessors, or one for all"
            " topics; default: assessors, of a campaign all where batches have too few tests."
        ),
    ]
    exact_docs: Annotated[
        int,
        Option("Up to how many docs a PDP is computed exactly.", default=EXACT_DOCS, least=1,
               most=20),
    ]  # fmt: skip
    sampled_rankings: Annotated[
        int,
        Option("Rankings that are sampled for more docs.", default=10_000, least=2,
               was={"samples": {}}),
    ]  # fmt: skip
    errors: ErrorCode
    topic_set: OnlyTopics
    off_scale: Annotated[
        Literal["error", "missing"], Option("Treatment of a grade off the scale.", default="error")
    ]
    jobs: Jobs
