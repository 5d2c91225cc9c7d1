"""The inputs that the sections of an audit share, read or computed once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.base.results import Result
from qrelsmith.campaign.campaign import Campaign, read_campaign
from qrelsmith.collection.runs import Run
from qrelsmith.collection.team_names import teams_of_runs
from qrelsmith.collection.teams import team_numbers
from qrelsmith.damages.find_damages import DEPTH
from qrelsmith.evaluation import ScoreMatrix
from qrelsmith.evaluation.answer_scope import default_measures
from qrelsmith.evaluation.compared_sets import compared_sets
from qrelsmith.evaluation.held_runs import campaign_runs
from qrelsmith.evaluation.loaded_runs import deepest_rank
from qrelsmith.evaluation.measures import MEASURES
from qrelsmith.evaluation.scored_sets import ScoredSets, scored_sets
from qrelsmith.io.text import FilePath
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.rejudged_rounds import RejudgedRound, read_rejudged_rounds

R = TypeVar("R", bound=Result)
AskedQuestions = dict[tuple[object, ...], tuple[Result, tuple[Any, ...]]]

# The docs at the top of a run that the audit looks at.
TOP = 10
# Of these, so many with a grade make a list whose PDP is computed; K in the paper.
LIST = 5
# The measure, cut off at the length of such a list, whose discriminative power is set beside PDP.
LIST_MEASURE = f"nDCG@{LIST}"
_DEFAULT_MEASURES = ("nDCG@10",)


class AuditInputs(CampaignLabels):
    """A campaign as the audit sees it: its labels, and what its runs score under them.

    Parameters
    ----------
    measures : sequence of str
        Measures that rank the systems; those of campaign.toml, or nDCG@10, if there are none here.
        The first one is the one that the summary speaks of.
    reference : str, optional
        See `CampaignLabels`.
    order : str
        How the docs of a run are ranked: one of `RUN_ORDERS`.
    seed : int
        Random seed.
    jobs : int, optional
        Threads that read runs; from two on, a second process makes some sections of a large audit.
    calibrated : bool
        Whether the audit shows what its verdicts see here, which takes minutes.
    properties : sequence of str
        Fields of the docs that errors may follow.

    Attributes
    ----------
    options : mapping of str to object
        What was chosen of the above.

    Raises
    ------
    InputError, UsageError
        As of `CampaignLabels`; if a file of the campaign is not as it should be, or no other label
        set shares a topic with the reference.
    """

    def __init__(
        self,
        folder: FilePath | Campaign,
        *,
        measures: Sequence[str] = (),
        reference: str | None = None,
        order: str = "trec",
        seed: int = 0,
        jobs: int | None = None,
        calibrated: bool = False,
        properties: Sequence[str] = (),
    ) -> None:
        campaign = folder if isinstance(folder, Campaign) else read_campaign(folder)
        self.order = order
        self.seed = seed
        self.calibrated = calibrated
        self._jobs = jobs
        self.options: Mapping[str, object] = {
            "measures": tuple(measures), "reference": reference, "order": order, "seed": seed,
            "jobs": jobs,
        }  # fmt: skip
        # What the questions are told of these, where they take it and the section says nothing.
        self._told: dict[str, object] = {"order": order, "seed": seed, "jobs": jobs}
        if reference is not None:
            self._told["reference"] = reference
        if properties:
            self._told["properties"] = tuple(properties)
            self.options = {**self.options, "properties": tuple(properties)}
        self._asked: AskedQuestions = {}
        super().__init__(campaign, reference=reference)
        chosen = measures or campaign.measures or default_measures(self) or _DEFAULT_MEASURES
        self.measures = tuple(map(MEASURES.label, chosen))
        if measures:
            self._told["measures"] = self.measures
        self.check_topics()

    def ask(self, function: Callable[..., R], *inputs: Any, **options: Any) -> R:
        """Return the answer of a question about this campaign; each is computed once.

        Parameters
        ----------
        function : callable
            A question; its first input is this campaign.
        *inputs
            Its other inputs; where there are none, they are the campaign's.
        **options
            Its options. Seed, order, jobs, and the reference and the measures if they were chosen,
            are those of the audit.
        """
        bound = inspect.signature(function).bind_partial(self, *inputs, **options)
        taken = inspect.signature(function).parameters
        told = {
            keyword: value
            for keyword, value in self._told.items()
            if keyword in taken and keyword not in bound.arguments
        }
        options = told | options
        # Words are the same question however often they are written; data only as the same object.
        asked_of = (entry if _is_words(entry) else id(entry) for entry in inputs)
        key = (function.__name__, *asked_of, repr(sorted(options.items())))
        if key not in self._asked:
            # The inputs are kept beside the result, so that no other object takes their ids.
            self._asked[key] = function(self, *inputs, **options), inputs
        result: Any = self._asked[key][0]
        return result  # type: ignore[no-any-return]

    @property
    def asked(self) -> Mapping[tuple[object, ...], tuple[Result, tuple[Any, ...]]]:
        """The questions so far, each with its answer and what it was asked of."""
        return self._asked

    def keep(self, questions: AskedQuestions) -> None:
        """Have these stand first among the questions so far, as if they had been asked so."""
        self._asked = questions | self._asked

    @property
    def answers(self) -> tuple[Result, ...]:
        """The answers so far, in the order in which they were asked for."""
        return tuple(result for result, _ in self._asked.values())

    @cached_property
    def rejudged_rounds(self) -> tuple[RejudgedRound, ...]:
        """Rounds of judging after the first."""
        return read_rejudged_rounds(self.campaign.folder) if self.campaign.is_folder else ()

    @property
    def pool_depth(self) -> int:
        """The depth of the pools; that of the tops where there are no pool files."""
        return TOP if self.pools is None else self.pools.depth

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs, as deep as the measures and the inventory look."""
        rank = deepest_rank(self.measures)
        depth = None if rank is None else max(TOP, self.pool_depth, rank)
        if depth is not None:
            # The damages look deeper: files are read once, for both.
            campaign_runs(self, depth=max(DEPTH, depth), order=self.order, jobs=self._jobs)
        return campaign_runs(self, depth=depth, order=self.order, jobs=self._jobs)

    @cached_property
    def teams(self) -> Mapping[str, str]:
        """The team of every run: what campaign.toml says, else what the names begin with."""
        runs = [run.name for run in self.runs]
        teams, of = team_numbers(runs, teams_of_runs(runs, self.campaign.teams))
        return {run: teams[team] for run, team in zip(runs, of.tolist(), strict=True)}

    @property
    def about(self) -> str:
        """The judged items: `docs` or `answers`."""
        return "answers" if self.is_of_answers else "docs"

    @property
    def teams_guessed(self) -> bool:
        """Whether the campaign does not say of which teams its runs are."""
        return not self.campaign.teams

    @property
    def teams_source(self) -> str:
        """The source of the teams."""
        return "the runs' names" if self.teams_guessed else "campaign.toml"

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions that the audit had to make."""
        lacking = "campaign.toml has no [teams]: " if self.campaign.is_folder else ""
        teams = f"{lacking}teams are guessed from the names of the runs, so no verdict uses them"
        notes = (self.reference_notice, teams if self.campaign.runs and self.teams_guessed else "")
        return tuple(note for note in notes if note)

    @cached_property
    def _scored(self) -> ScoredSets:
        """Every run under every label set."""
        compared = compared_sets(self, None, self.measures, order=self.order)
        return scored_sets(compared, jobs=self._jobs)

    @property
    def missing_to_rank(self) -> str:
        """The inputs that rankings under several label sets need; empty where none is missing."""
        runs = len(self.runs)
        topics = max(len(self.topics_with_reference(n)) for n in self.others or (self.reference,))
        if runs >= 2 and topics >= 2:
            return ""
        return (
            f"at least two runs and two topics that {self.reference} shares with "
            f"another label set; found {runs} and {topics}"
        )

    def scores_beside(self, name: str, measure: str) -> tuple[ScoreMatrix, ScoreMatrix]:
        """Return scores under the reference and under a label set, on the topics that both have."""
        return self._scored.pair(self.reference, name, measure)

    def scores(self, name: str, measure: str) -> ScoreMatrix:
        """Get scores of the runs under a label set, on its topics in common with the reference."""
        return self._scored.pair_with_reference(name, measure)

    def inputs(self) -> tuple[Path, ...]:
        """Every file that the audit has read."""
        again = (each.judgments for each in self.rejudged_rounds if each.judgments is not None)
        return (*self.campaign.files, *again)


def _is_words(entry: object) -> bool:
    """Return whether an input is a name, or several."""
    return isinstance(entry, str) or (
        isinstance(entry, tuple) and all(isinstance(part, str) for part in entry)
    )
