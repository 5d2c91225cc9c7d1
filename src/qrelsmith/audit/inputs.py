"""The inputs shared by the sections of an audit, read or computed once."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.base.errors import InputError
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
from qrelsmith.judgments.item_scales import kinds_of_items
from qrelsmith.judgments.label_sets import CampaignLabels
from qrelsmith.judgments.rejudged_rounds import RejudgedRound, read_rejudged_rounds

R = TypeVar("R", bound=Result)
AskedQuestions = dict[tuple[object, ...], tuple[Result, tuple[Any, ...]]]

# Number of docs at the top of a run that the audit examines.
TOP = 10
# Number of graded docs in a list whose PDP is computed (K in the paper).
LIST = 5
# The measure, with this list length as its cutoff, whose discriminative power is shown with PDP.
LIST_MEASURE = f"nDCG@{LIST}"
_DEFAULT_MEASURES = ("nDCG@10",)


class AuditInputs(CampaignLabels):
    """A campaign as input of the audit: the labels, and the scores of the runs under these labels.

    Parameters
    ----------
    measures : sequence of str
        Measures that rank the systems; by default those of campaign.toml, else nDCG@10. The summary
        uses the first measure.
    reference : str, optional
        See `CampaignLabels`.
    order : str
        How the docs of a run are ranked: one of `RUN_ORDERS`.
    seed : int
        Random seed.
    jobs : int, optional
        Threads that read runs. With two or more, a second process computes some sections of a
        large audit.
    calibrated : bool
        Whether to measure what the verdicts detect on this campaign, which takes minutes.
    properties : sequence of str
        Doc fields to test for a relation to errors.

    Attributes
    ----------
    options : mapping of str to object
        The values chosen for these parameters.

    Raises
    ------
    InputError, UsageError
        See `CampaignLabels`. Also if a file of the campaign is invalid, or no other label set has
        a topic in common with the reference.
    """

    # Labels corrected by adjudication are not independent of the assessors' labels.
    _has_adjudicated = False

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
        # Options passed to every question that accepts them, unless the section sets them.
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
        """Return the answer to a question about this campaign; each answer is computed once.

        Parameters
        ----------
        function : callable
            A question; its first input is this campaign.
        *inputs
            The other inputs of the question; by default, the campaign's.
        **options
            The options of the question. The audit's seed, order and jobs are always passed; the
            reference and the measures are passed if they were chosen.
        """
        bound = inspect.signature(function).bind_partial(self, *inputs, **options)
        taken = inspect.signature(function).parameters
        told = {
            keyword: value
            for keyword, value in self._told.items()
            if keyword in taken and keyword not in bound.arguments
        }
        options = told | options
        # Names are compared by value, data by identity.
        asked_of = (entry if _is_words(entry) else id(entry) for entry in inputs)
        key = (function.__name__, *asked_of, repr(sorted(options.items())))
        if key not in self._asked:
            # The inputs are kept with the result, so that no other object can get the same id.
            self._asked[key] = function(self, *inputs, **options), inputs
        result: Any = self._asked[key][0]
        return result  # type: ignore[no-any-return]

    @property
    def asked(self) -> Mapping[tuple[object, ...], tuple[Result, tuple[Any, ...]]]:
        """The questions asked so far, each with the answer and the inputs."""
        return self._asked

    def keep(self, questions: AskedQuestions) -> None:
        """Put the given questions and answers before the questions that were asked so far."""
        self._asked = questions | self._asked

    @property
    def answers(self) -> tuple[Result, ...]:
        """The answers to all questions asked so far, in order."""
        return tuple(result for result, _ in self._asked.values())

    @cached_property
    def rejudged_rounds(self) -> tuple[RejudgedRound, ...]:
        """The rounds of judging after the first round."""
        return read_rejudged_rounds(self.campaign.folder) if self.campaign.is_folder else ()

    @property
    def pool_depth(self) -> int:
        """The depth of the pools; without pool files, the number of top docs examined."""
        return TOP if self.pools is None else self.pools.depth

    @cached_property
    def runs(self) -> tuple[Run, ...]:
        """The runs, cut at the depth that the measures and the inventory need."""
        rank = deepest_rank(self.measures)
        depth = None if rank is None else max(TOP, self.pool_depth, rank)
        if depth is not None:
            # The test for damages needs more depth; each file is read once, for both depths.
            campaign_runs(self, depth=max(DEPTH, depth), order=self.order, jobs=self._jobs)
        return campaign_runs(self, depth=depth, order=self.order, jobs=self._jobs)

    @cached_property
    def teams(self) -> Mapping[str, str]:
        """The team of every run: from campaign.toml or, by default, from the run's name."""
        runs = [run.name for run in self.runs]
        teams, of = team_numbers(runs, teams_of_runs(runs, self.campaign.teams))
        return {run: teams[team] for run, team in zip(runs, of.tolist(), strict=True)}

    @property
    def about(self) -> str:
        """The judged items: `docs` or `answers`."""
        return "answers" if self.is_of_answers else "docs"

    @property
    def teams_guessed(self) -> bool:
        """Whether the teams are guessed because the campaign does not declare teams."""
        return not self.campaign.teams

    @property
    def teams_source(self) -> str:
        """The source of the teams."""
        return "the runs' names" if self.teams_guessed else "campaign.toml"

    @property
    def notes(self) -> tuple[str, ...]:
        """Assumptions made by the audit."""
        lacking = "campaign.toml has no [teams]: " if self.campaign.is_folder else ""
        teams = f"{lacking}teams are guessed from the names of the runs, so verdicts ignore teams"
        notes = (self.reference_notice, teams if self.campaign.runs and self.teams_guessed else "")
        return tuple(note for note in notes if note)

    @cached_property
    def _scored(self) -> ScoredSets:
        """The scores of every run under every label set."""
        compared = compared_sets(self, None, self.measures, order=self.order)
        return scored_sets(compared, jobs=self._jobs)

    @property
    def missing_to_rank(self) -> str:
        """The missing inputs of rankings under several label sets; empty if none is missing."""
        runs = len(self.runs)
        topics = max(len(self.topics_with_reference(n)) for n in self.others or (self.reference,))
        if runs >= 2 and topics >= 2:
            return ""
        return (
            f"at least two runs, and two topics in common between {self.reference} and another"
            f" label set; found {runs} and {topics}"
        )

    def check_scores(self) -> None:
        """Raise `InputError` if one of the measures has no score under a label set of answers."""
        if not self.is_of_answers or self.missing_to_rank:
            return
        for name, measures in self._scored.matrices.items():
            for measure, matrix in measures.items():
                if not matrix.topics:
                    kinds = sorted(set(kinds_of_items(self.label_sets[name], self.aspects)))
                    raise InputError(
                        f"{measure} cannot be computed from the labels ({', '.join(kinds)}); "
                        "expected labels of every kind that it uses. Files such as “gpt-nuggets” "
                        "and “gpt-citations” are read as one label set, “gpt”",
                        path=self._files.get(name, self.campaign.judgments),
                    )

    def scores_beside(self, name: str, measure: str) -> tuple[ScoreMatrix, ScoreMatrix]:
        """Return the scores under the reference and under a label set, on their common topics."""
        return self._scored.pair(self.reference, name, measure)

    def scores(self, name: str, measure: str) -> ScoreMatrix:
        """Return the scores of the runs under a label set, on topics shared with the reference."""
        return self._scored.pair_with_reference(name, measure)

    def inputs(self) -> tuple[Path, ...]:
        """Every file read by the audit."""
        again = (each.judgments for each in self.rejudged_rounds if each.judgments is not None)
        return (*self.campaign.files, *again)


def _is_words(entry: object) -> bool:
    """Return whether an input is a name or a sequence of names."""
    return isinstance(entry, str) or (
        isinstance(entry, tuple) and all(isinstance(part, str) for part in entry)
    )
