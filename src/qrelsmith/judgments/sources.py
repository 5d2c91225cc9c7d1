"""The labels for a command: from a campaign, objects, data frames, mappings, or paths.

Every command reads its labels through these functions. All commands therefore interpret a
campaign's label sets, reference, groups and scale in the same way. `run_sources`,
`preference_sources` and `topic_sources` read the other inputs of a command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, TypeAlias

from qrelsmith.base.errors import InputError, QrelsmithError, UsageError, quoted
from qrelsmith.base.named_rows import columns_of_rows
from qrelsmith.base.scales import Scale
from qrelsmith.collection.qrels import Qrels, stem
from qrelsmith.io.given_values import is_frame, is_nested
from qrelsmith.judgments.campaign_sources import campaign_of
from qrelsmith.judgments.given_labels import read_qrels

if TYPE_CHECKING:
    from qrelsmith.io.cells import OffScale
    from qrelsmith.judgments.judgment_events import Judgments

# The functions below describe these types, which mypy cannot express. Slow imports are inside the
# functions that need them, so that `evaluate` starts without them.
QrelsLike: TypeAlias = Any
LabelSets: TypeAlias = Any
JudgmentsLike: TypeAlias = Any

_ASSESSOR = "assessor"


def qrels_of(
    source: QrelsLike,
    *,
    name: str | None = None,
    reference: str | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
) -> Qrels:
    """Return qrels from Qrels, path, {topic: {doc: grade}}, data frame, or a campaign's reference.

    Parameters
    ----------
    source : Qrels, path, mapping, data frame, or campaign
        The grades.
    name : str, optional
        The name of the qrels of a mapping or a frame.
    reference : str, optional
        The label set of a campaign; by default its reference.
    scale, off_scale
        As in `judgments_of`; they do not affect a campaign's labels.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the source is none of these.
    """
    campaign = campaign_of(source)
    if campaign is not None:
        if reference is not None:
            campaign.check(reference)
        return campaign.label_sets[reference or campaign.reference]
    called = None if isinstance(source, str | PathLike | Qrels) else name or "qrels"
    return read_qrels(source, name=called, scale=scale, off_scale=off_scale)


def label_sets_of(
    source: LabelSets, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> dict[str, Qrels]:
    """Return label sets by name from a campaign (the reference first) or from other inputs.

    Judgments of several assessors (an object, a file, or a data frame with the column `assessor`)
    give a label set for each assessor. A judgments file among several files gives one label set,
    with the lower median of each doc's grades. In a mapping, the keys name the label sets; in a
    list, label sets have the names of the files or qrels.

    Parameters
    ----------
    source : label sets
        Any of these.
    scale, off_scale
        As in `qrels_of`.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If two label sets have the same name, or the source is none of these.
    """
    source = columns_of_rows(source)
    campaign = campaign_of(source)
    if campaign is not None:
        names = (campaign.reference, *campaign.others)
        return {name: campaign.label_sets[name] for name in names}
    if isinstance(source, Qrels) or (isinstance(source, Mapping) and is_nested(source)):
        qrels = qrels_of(source, scale=scale, off_scale=off_scale)
        return {qrels.name: qrels}
    if isinstance(source, Mapping) and source and not is_frame(source):
        return {
            str(name): qrels_of(each, name=str(name), scale=scale, off_scale=off_scale)
            for name, each in source.items()
        }
    if isinstance(source, Sequence) and not isinstance(source, str):
        return _label_sets_of(source, scale, off_scale)
    return _sets_of_assessors(source, scale, off_scale)


def judgments_of(
    source: JudgmentsLike, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Return judgments from Judgments, path, data frame, campaign, or the qrels of each assessor.

    For a campaign without judgments, each of its label sets counts as an assessor.

    Parameters
    ----------
    source : Judgments, path, data frame, campaign, qrels, or several qrels
        The grades.
    scale : Scale, optional
        The levels that a grade can have; by default those of the campaign.
    off_scale : {'error', 'missing'}
        Whether a grade outside the scale is an error, or treated as missing, with a warning.

    Raises
    ------
    InputError
        If a file is malformed.
    UsageError
        If the source is none of these, or a grade is not on the scale.
    """
    from qrelsmith.judgments.given_labels import on_scale
    from qrelsmith.judgments.judgment_files import Judgments, read_judgments

    source = columns_of_rows(source)
    campaign = campaign_of(source)
    if campaign is not None:
        judgments = campaign.judgments
        if judgments is None:
            judgments = Judgments.from_qrels(label_sets_of(campaign))
        return on_scale(judgments, scale, off_scale=off_scale)
    if isinstance(source, Sequence) and not isinstance(source, str):
        if source and all(isinstance(each, str | PathLike) for each in source):
            return read_judgments(*source, scale=scale, off_scale=off_scale)
        source = _label_sets_of(source)
    return read_judgments(source, scale=scale, off_scale=off_scale)


def labels_of(
    source: QrelsLike | JudgmentsLike,
    *,
    label_set: str | None = None,
    scale: Scale | None = None,
    off_scale: OffScale = "error",
) -> Qrels | Judgments:
    """Return judgments if the input names assessors, else qrels.

    For a campaign, the labels are its judgments or, if there are none, its reference.

    Parameters
    ----------
    source, scale, off_scale
        As in `judgments_of`.
    label_set : str, optional
        For a campaign, the label set of this name: the judgments of a group, or qrels.

    Raises
    ------
    InputError, UsageError
        As in `judgments_of`.
    """
    from qrelsmith.collection.frames import columns_of
    from qrelsmith.judgments.given_labels import on_scale
    from qrelsmith.judgments.judgment_files import labels_form

    source = columns_of_rows(source)
    campaign = campaign_of(source)
    if label_set is not None:
        if campaign is None:
            raise UsageError(f"the label set {quoted(label_set)} can only be used with a campaign")
        campaign.check(label_set)
        if label_set in campaign.groups:
            return on_scale(campaign.groups[label_set], scale, off_scale=off_scale)
        return on_scale(campaign.label_sets[label_set], scale, off_scale=off_scale)
    if campaign is not None:
        is_qrels = campaign.judgments is None
    elif isinstance(source, str | PathLike):
        is_qrels = labels_form(source) == "qrels"
        if is_qrels:
            return read_qrels(source, scale=scale, off_scale=off_scale)
    else:
        is_columns = is_frame(source) and _ASSESSOR not in columns_of(source)
        is_qrels = isinstance(source, Qrels) or is_columns or is_nested(source)
    if is_qrels:
        return on_scale(qrels_of(source), scale, off_scale=off_scale)
    return judgments_of(source, scale=scale, off_scale=off_scale)


def as_judgments(
    source: QrelsLike | JudgmentsLike, *, scale: Scale | None = None, off_scale: OffScale = "error"
) -> Judgments:
    """Return labels as judgments of assessors; labels without assessors get one assessor.

    Raises
    ------
    InputError, UsageError
        As in `judgments_of`.
    """
    from qrelsmith.judgments.judgment_events import Judgments

    source = columns_of_rows(source)
    if isinstance(source, list | tuple):
        return judgments_of(source, scale=scale, off_scale=off_scale)
    labels = labels_of(source, scale=scale, off_scale=off_scale)
    return Judgments.from_qrels({labels.name: labels}) if isinstance(labels, Qrels) else labels


def check_any(judgments: Judgments, source: Any) -> None:
    """Raise an error with the file's name if there are no judgments.

    Raises
    ------
    InputError, UsageError
        If there are no judgments in a file or in an object.
    """
    if not len(judgments):
        raise fault("no judgments found; expected at least one", source)


def with_files(source: Any, files: Sequence[Any]) -> Any:
    """Return an input with additional files of label sets.

    Raises
    ------
    UsageError
        If the input does not consist of files or qrels in a list.
    """
    if not files:
        return source
    sources = [source] if isinstance(source, str | PathLike) else source
    if not isinstance(sources, list | tuple):
        raise UsageError(
            "label_set can be used only with a campaign or files; found neither. Pass all label"
            " sets as labels"
        )
    return [*sources, *files]


def fault(error: object, source: object) -> QrelsmithError:
    """Return an error about an input, with the file's name if the input is a file.

    Parameters
    ----------
    error : object
        The problem.
    source : object
        The input, or a list of files, the first of which is named.
    """
    first = source[0] if isinstance(source, list | tuple) and source else source
    first = getattr(getattr(first, "campaign", None), "folder", first)
    if isinstance(first, str | PathLike):
        return InputError(str(error), path=first)
    return UsageError(str(error))


def _sets_of_assessors(
    source: LabelSets, scale: Scale | None, off_scale: OffScale
) -> dict[str, Qrels]:
    """Return the label set of each named assessor, or one label set if no assessor is named."""
    from qrelsmith.collection.frames import columns_of
    from qrelsmith.judgments.judgment_files import Judgments, labels_form, read_judgments

    named = isinstance(source, Judgments)
    if isinstance(source, str | PathLike):
        named = labels_form(source) != "qrels"
    elif is_frame(source):
        named = _ASSESSOR in columns_of(source)
    if named:
        judgments = read_judgments(source, scale=scale, off_scale=off_scale)
        return {who: judgments.to_qrels(assessor=who) for who in judgments.assessors}
    qrels = qrels_of(source, scale=scale, off_scale=off_scale)
    return {stem(source) if isinstance(source, str | PathLike) else qrels.name: qrels}


def _label_sets_of(
    sources: Sequence[Any], scale: Scale | None = None, off_scale: OffScale = "error"
) -> dict[str, Qrels]:
    named: dict[str, Qrels] = {}
    for each in sources:
        qrels = qrels_of(each, scale=scale, off_scale=off_scale)
        label = stem(each) if isinstance(each, str | PathLike) else qrels.name
        if label in named:
            raise UsageError(
                f"two label sets are called {quoted(label)}; use different names: {{name: qrels}}"
            )
        named[label] = qrels
    if not named:
        raise UsageError("found an empty list; expected at least one label set")
    return named
