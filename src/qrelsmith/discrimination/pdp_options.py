"""Parameters of commands about PDP: comparison of docs, and options of the computation."""

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
    Option("File of preferences; repeatable. Default: the campaign's preferences.", file=True,
        many=True),
]  # fmt: skip
RankedDocs = Annotated[
    Any,
    Option("Run, or folder of runs, whose top-ranked graded docs are used; repeatable. Default:"
        " the campaign's runs, or random lists of --depth docs.", metavar="RUN", file=True,
        many=True, gather=distinct_runs),
]  # fmt: skip
OutcomeSign = Annotated[
    Sign, Option("Meaning of negative and positive outcomes.", default="negative-left")
]
OutcomeWay = Annotated[
    Way | None, Option("Notation of the outcomes; needed only if several notations fit.")
]
SettingReference = Annotated[
    str | None,
    Option("Label set or setting with which all other label sets or settings are compared.",
           metavar="NAME"),
]  # fmt: skip
BootstrapSamples = ("-B", "--resamples")


class PdpOptions(Drawing, total=False):
    """How PDP is computed."""

    depth: Annotated[int, Option("Number of docs from each run.", default=5, least=1)]
    within: Annotated[
        int | None,
        Option("Use only the first N docs of a run; default: 10 for a campaign's runs, otherwise"
            " all.",
               least=1),
    ]  # fmt: skip
    order: RunOrder
    mode: Annotated[
        Mode | None,
        Option(
            "Compare docs by each assessor's grades or by median grades; default:"
            " `individual`, or both for a campaign's label sets and for settings."
        ),
    ]
    untested: Annotated[
        Untested, Option("Treatment of grade pairs without a preference test.", default="error")
    ]
    sign: OutcomeSign
    outcomes: OutcomeWay
    strength: Annotated[
        Strength, Option("Whether -2 and 2 count as much as -1 and 1, or more.", default="sign")
    ]
    batches: Annotated[
        Literal["assessors", "all"] | None,
        Option(
            "Topics that share a grade matrix: topics with the same assessors, or all topics."
            " Default: `assessors`, or `all` if a campaign has too few tests for each matrix."
        ),
    ]
    exact_docs: Annotated[
        int,
        Option("Maximum number of docs for exact computation.", default=EXACT_DOCS, least=1,
               most=20),
    ]  # fmt: skip
    sampled_rankings: Annotated[
        int,
        Option("Number of sampled rankings for more docs than --exact-docs.", default=10_000,
               least=2, was={"samples": {}}),
    ]  # fmt: skip
    errors: ErrorCode
    topic_set: OnlyTopics
    off_scale: Annotated[
        Literal["error", "missing"],
        Option("Treatment of a grade outside the scale.", default="error"),
    ]
    jobs: Jobs
