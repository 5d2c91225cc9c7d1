"""The four papers: each is a package that fills its registry of artefacts on import."""

from __future__ import annotations

from collections.abc import Sequence

from qrelsmith.base.registry import Registry
from qrelsmith.studies.registry import PAPERS, ArtefactFunction
from qrelsmith.studies.wanted import WantedFolder
from qrelsmith_papers.artefacts import ORDERING, PDP, SCALES, TOPK


def _pdp_data() -> Sequence[WantedFolder]:
    from qrelsmith_papers.judgment_quality import label_data

    return label_data.WWW3.wanted, label_data.DL2021.wanted


def _ordering_data() -> Sequence[WantedFolder]:
    from qrelsmith_papers.judging_order import dl2021, www4

    return www4.WANTED, dl2021.LLMS.wanted


def _topk_data() -> Sequence[WantedFolder]:
    from qrelsmith_papers.topk_preferences import cast2019, dl2021

    return cast2019.CAST.wanted, dl2021.PASSAGES.wanted


def _scales_data() -> Sequence[WantedFolder]:
    from qrelsmith_papers.scale_transformation import dl2021, published_scales, truthfulness

    return published_scales.CROWDS.wanted, truthfulness.STATEMENTS.wanted, dl2021.PASSAGES.wanted


@PAPERS.add(
    "pdp",
    title="Evaluating Relevance Judgments with Pairwise Discriminative Power",
    source="Chu, Mao, Zhang, Liu, Sakai, Zhang and Ma, CIKM 2021",
    wanted=_pdp_data,
)
def judgment_quality() -> Registry[ArtefactFunction]:
    """Register the artefacts on label quality: agreement of grades with human preferences."""
    from qrelsmith_papers import judgment_quality  # noqa: F401 - fills the registry

    return PDP


@PAPERS.add(
    "topk",
    title="Assessing top-k preferences",
    source="Clarke, Vtyurina and Smucker, ACM TOIS",
    wanted=_topk_data,
)
def topk_preferences() -> Registry[ArtefactFunction]:
    """Register the artefacts on the top docs of a topic by preferences."""
    from qrelsmith_papers import topk_preferences  # noqa: F401 - fills the registry

    return TOPK


@PAPERS.add(
    "scales",
    title="On Transforming Relevance Scales",
    source="Han, Roitero, Maddalena, Mizzaro and Demartini, CIKM 2019",
    wanted=_scales_data,
)
def scale_transformation() -> Registry[ArtefactFunction]:
    """Register the artefacts on converting labels from one scale to another."""
    from qrelsmith_papers import scale_transformation  # noqa: F401 - fills the registry

    return SCALES


@PAPERS.add(
    "ordering",
    title="On the Ordering of Pooled Web Pages, Gold Assessments, and Bronze Assessments",
    source="Sakai, Tao, Chen, Li, Maistro, Chu and Ferro, ACM TOIS",
    wanted=_ordering_data,
)
def judging_order() -> Registry[ArtefactFunction]:
    """Register the artefacts on the order of docs and the kinds of assessors."""
    from qrelsmith_papers import judging_order  # noqa: F401 - fills the registry

    return ORDERING
