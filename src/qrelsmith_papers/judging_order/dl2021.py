"""TREC DL 2021 with NIST as Gold, and the most and least careful LLM as Bronze."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from qrelsmith.agreement.label_agreement import AgreementOptions, LabelAgreement, ScopedAgreement
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.team_names import team_in_name
from qrelsmith.evaluation.loaded_runs import load_runs
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.group_labels import label_set_of
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.studies.claims import ClaimKind
from qrelsmith.studies.registry import StudyInputs
from qrelsmith_papers.data_files import PASSAGES, passages_of_2021, qrels_file, run_files
from qrelsmith_papers.judging_order.collection import JudgedCollection
from qrelsmith_papers.judging_order.groups import CAREFUL, GOLD, HASTY

MISSING = (
    f"The data set {PASSAGES} is missing (a folder of this name in the folder given by --data), so"
    " results on TREC DL 2021 are left out."
)
# Labels on NIST's scale, by their source; the passes of an LLM are its assessors.
_NIST = "nist"
CANDIDATES: Mapping[str, tuple[str, ...]] = {
    "GPT-4": ("umbrela.gpt-4",),
    "GPT-4o": ("umbrela.gpt-4o",),
    "llama3.2": tuple(f"umbrela.llama3.2.run{number}" for number in range(1, 5)),
}
_FORMS = {
    _NIST: "TREC's qrels: Gold",
    **{
        name: f"TREC's qrels of {model}, a candidate for Bronze"
        for model, names in CANDIDATES.items()
        for name in names
    },
}
LLMS = passages_of_2021("another collection, on which the paper's conclusions are checked.", _FORMS)
_SCALE = Scale.parse("0..3")
_RELEVANT = 2.0  # TREC's threshold: grade 1 is on the topic but does not answer it
_DEPTH = 10  # depth to which NIST pooled the runs
# Runs of one team without a hyphen or underscore after the team's name.
_TEAMS_WITHOUT_MARK = ("uogTr", "watp", "WLUPassage")


@dataclass(frozen=True, eq=False)
class LlmLabels:
    """The collection, and the choice of its two Bronze groups.

    Attributes
    ----------
    collection : JudgedCollection
        The collection from which the tables are computed.
    agreement : mapping of str to ScopedAgreement
        Ordinal α of each candidate with NIST.
    careful, hasty : str
        The candidates with the highest and the lowest α.
    """

    collection: JudgedCollection
    agreement: Mapping[str, ScopedAgreement]
    careful: str
    hasty: str

    def note(self) -> str:
        """Return a sentence on the choice of the groups."""
        values = ", ".join(f"{name} {found.value:.3f}" for name, found in self.agreement.items())
        return (
            f"On TREC DL 2021 Gold is NIST, BronzeT {self.careful} and BronzeW {self.hasty}: of the"
            " LLMs whose UMBRELA labels are on NIST's scale, those with the highest and the lowest"
            f" ordinal α with NIST ({values}; several passes by their lower median). The order"
            " in which labels were given is unknown, and an LLM that is careful by this measure"
            " need not be slow."
        )


def note_of(inputs: StudyInputs) -> str:
    """Return a sentence on the choice of groups of TREC DL 2021, or on the missing data."""
    found = dl2021(inputs)
    return MISSING if found is None else found.note()


def dl2021(inputs: StudyInputs) -> LlmLabels | None:
    """Return the collection, or None if its data set is missing."""
    folder = LLMS.folder(inputs)
    return None if folder is None else _read(folder, inputs.seed)


@lru_cache(maxsize=1)  # shared by all artefacts
def _read(folder: Path, seed: int) -> LlmLabels:
    nist = read_qrels(qrels_file(folder, _NIST), scale=_SCALE)
    by_model = {
        model: {name: read_qrels(qrels_file(folder, name), scale=_SCALE) for name in names}
        for model, names in CANDIDATES.items()
    }
    agreement = {
        model: _agreement(nist, label_set_of(Judgments.from_qrels(sets), model), seed)
        for model, sets in by_model.items()
    }
    careful = max(agreement, key=lambda model: agreement[model].value)
    hasty = min(agreement, key=lambda model: agreement[model].value)
    runs = load_runs(run_files(folder), depth=_DEPTH)
    groups = {GOLD: {_NIST: nist}, HASTY: by_model[hasty], CAREFUL: by_model[careful]}
    return LlmLabels(
        JudgedCollection(
            key="dl2021",
            name="TREC DL 2021",
            kind=ClaimKind.OTHER_DATA,
            judgments=_judgments(groups, topics=nist.topics),
            scale=_SCALE,
            relevant=_RELEVANT,
            runs=runs,
            teams={run.name: _team(run.name) for run in runs},
            depth=_DEPTH,
            seed=seed,
        ),
        agreement,
        careful,
        hasty,
    )


def _agreement(nist: Qrels, labels: Qrels, seed: int) -> ScopedAgreement:
    judgments = Judgments.from_qrels({_NIST: nist, labels.name: labels})
    return LabelAgreement(judgments, AgreementOptions(scale=_SCALE, seed=seed)).overall()


def _judgments(groups: Mapping[str, Mapping[str, Qrels]], *, topics: tuple[str, ...]) -> Judgments:
    """Return the labels of every group, with one assessor per qrels file."""
    rows = [
        (topic, doc, assessor, grade, group)
        for group, sets in groups.items()
        for assessor, qrels in sets.items()
        for topic, doc, grade in qrels.restricted_to(topics).rows()
    ]
    names = ("topic", "doc", "assessor", "grade", "group")
    return Judgments.from_columns(dict(zip(names, zip(*rows, strict=True), strict=True)))


def _team(run: str) -> str:
    """Return the team of a run from its name."""
    known = (team for team in _TEAMS_WITHOUT_MARK if run.startswith(team))
    return next(known, team_in_name(run))
