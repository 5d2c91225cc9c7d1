"""The label sets of a campaign folder, and the topics and scales for comparing them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Any, TypeVar

from qrelsmith.base.errors import InputError, UnknownNameError, quoted
from qrelsmith.base.items import MARK
from qrelsmith.base.scales import Scale, levels_seen
from qrelsmith.campaign.campaign import Campaign, Group, ModelRecord, QrelsSource
from qrelsmith.collection.pools.pool_sets import PoolSet, read_pool_set
from qrelsmith.collection.qrels import Qrels
from qrelsmith.collection.subtopics import are_of_subtopics, highest_of_subtopics
from qrelsmith.judgments import references
from qrelsmith.judgments.given_labels import read_qrels
from qrelsmith.judgments.group_labels import label_set_of, topics_by_ordering
from qrelsmith.judgments.item_scales import ItemScales
from qrelsmith.judgments.judgment_events import Judgments
from qrelsmith.judgments.judgment_files import read_judgments
from qrelsmith.judgments.label_parts import read_label_sets
from qrelsmith.judgments.missing_labels import no_labels
from qrelsmith.judgments.off_scale_grades import OffScaleGrades, first_off_scale
from qrelsmith.pairs.preference_files import read_preferences
from qrelsmith.pairs.preferences import Preferences

T = TypeVar("T")

MOST_LEVELS = 10_000  # for a scale of whole numbers
NO_GROUP = "assessors"  # the label set of judgments without a group


class CampaignLabels(ItemScales):
    """The labels of a campaign, read or computed once.

    A label set is a qrels file of the campaign, or a group of assessors in the judgments. If a
    group has several grades of a doc, the lower median is used. Labels of answers may be in one
    file per kind (see `parts_of_label_sets`).

    Parameters
    ----------
    campaign : Campaign
        The campaign.
    reference : str, optional
        The label set with which the other label sets are compared; by default the label set of a
        group with the role `gold`, else the label set called `gold`, else the only label set by
        people. Else the label set most likely by people; `reference_notice` then says so.
    aspect : str
        Use only the labels of this aspect of answers, or kind of aspects, and of whole answers.

    Raises
    ------
    InputError
        If a file is malformed, or there are no labels.
    UsageError
        If there is no such label set.
    """

    # Whether the export's labels corrected by adjudication are a label set of their own.
    _has_adjudicated = True

    def __init__(
        self, campaign: Campaign, *, reference: str | None = None, aspect: str = ""
    ) -> None:
        self.campaign = campaign
        self.aspect = aspect
        self._made: dict[tuple[Hashable, ...], Any] = {}
        # With all grades of the files, unchecked.
        self._files, self._qrels_as_read = self._read_files()
        if not self._has_adjudicated and reference != references.ADJUDICATED:
            for name, path in tuple(self._files.items()):
                if references.is_adjudicated(campaign, path):
                    del self._files[name], self._qrels_as_read[name]
        if not self.label_sets:
            raise InputError(no_labels(campaign), path=campaign.folder)
        if reference is not None:
            self.check(reference)
        for name in campaign.models:
            if name not in self.label_sets:
                raise InputError(
                    f"[models] names {quoted(name)}; expected a label set (choices:"
                    f" {', '.join(self.label_sets)})",
                    path=campaign.settings,
                )
        kinds = {name: self.kind(name) for name in self.label_sets}
        declared = reference or references.known_reference(campaign, kinds, self._files)
        self.reference = declared or references.guessed_reference(self.label_sets, kinds)
        self._is_reference_declared = declared is not None

    def _read_files(self) -> tuple[dict[str, Path], dict[str, Qrels]]:
        """Return the qrels file and the labels of each label set that is stored as a file."""
        return read_label_sets(self.campaign.qrels, self.only)

    def once(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """Return a cached value, or compute the value and cache it with the campaign.

        Parameters
        ----------
        key : tuple
            The kind of value, and everything that it depends on besides this campaign.
        make : callable
            Computes the value.
        """
        if key not in self._made:
            self._made[key] = make()
        made: T = self._made[key]
        return made

    @property
    def folder(self) -> Path:
        """The folder of the campaign."""
        return self.campaign.folder

    @cached_property
    def judgments(self) -> Judgments | None:
        """The current judgments without grades outside the scale; None if no judgments exist."""
        if self._as_read is None:
            return None
        return self.on_scales(self._as_read, self.campaign.scale)

    @cached_property
    def preferences(self) -> Preferences | None:
        """The preferences of the campaign, if it has any."""
        path = self.campaign.preferences
        return None if path is None else read_preferences(path)

    @cached_property
    def groups(self) -> Mapping[str, Judgments]:
        """The judgments of each group; judgments without a group are in the group `assessors`."""
        found = self.judgments.by_group() if self.judgments is not None else {}
        return {group or NO_GROUP: judgments for group, judgments in found.items()}

    @cached_property
    def label_sets(self) -> Mapping[str, Qrels]:
        """The label sets, sorted by name; grades outside the scale are treated as missing."""
        read = self._qrels_as_read.items()
        sets = {name: highest_of_subtopics(self._clean(name, qrels)) for name, qrels in read}
        for name, judgments in self.groups.items():
            if name in sets:
                raise InputError(
                    f"the group {quoted(name)} of the judgments has the name of a "
                    "qrels file; expected different names",
                    path=self.campaign.judgments,
                )
            sets[name] = label_set_of(judgments, name)
        return dict(sorted(sets.items()))

    @property
    def subtopics(self) -> dict[str, Qrels]:
        """The label sets with labels of subtopics."""
        read = self._qrels_as_read.items()
        return {name: self._clean(name, qrels) for name, qrels in read if are_of_subtopics(qrels)}

    @cached_property
    def pools(self) -> PoolSet | None:
        """The pool files, if the campaign has them."""
        return read_pool_set(self.campaign.pools) if self.campaign.pools else None

    @cached_property
    def off_scale(self) -> Mapping[str, OffScaleGrades]:
        """The grades outside the declared scale, for each label set that has such grades."""
        wrong: dict[str, OffScaleGrades] = {}

        def count(name: str, labels: Qrels | Judgments, read: Callable[..., object]) -> None:
            scale = self.declared_scale(name)
            held = self.are_on_scale(labels, scale)
            if not held.all():
                topic, key = (int(of[~held][0]) for of in (labels.topic, labels.doc))
                first = f"topic {quoted(labels.topics[topic])} doc {quoted(labels.docs[key])}"
                if scale is not None and MARK not in labels.docs[key]:
                    first = first_off_scale(partial(read, scale=scale))
                total = int((labels.grade >= 0).sum())
                wrong[name] = OffScaleGrades(int((~held).sum()), total, first)

        for name, path in self._files.items():
            if not self.is_real(name):
                count(name, self._qrels_as_read[name], partial(read_qrels, path))
        path_of_judgments = self.campaign.judgments
        if self._as_read is not None and path_of_judgments is not None:
            of_judgments = partial(read_judgments, path_of_judgments)
            for group, judgments in self._as_read.current().by_group().items():
                count(group or NO_GROUP, judgments, of_judgments)
        return wrong

    def off_scale_sentences(self) -> dict[str, str]:
        """Return notes on the grades outside the scale, by label set."""
        return {
            name: wrong.sentence(name, self.declared_scale(name))
            for name, wrong in self.off_scale.items()
        }

    def declared_scale(self, name: str) -> Scale | None:
        """Return the scale that campaign.toml declares for a label set; None if undeclared."""
        source = self._source(name)
        if source.real or self.aspect:
            return None if source.real else self.aspect_scale
        return self.campaign.scale if source.scale is None else source.scale

    def is_real(self, name: str) -> bool:
        """Return whether campaign.toml declares a continuous scale for a label set."""
        return self._source(name).real

    def _source(self, name: str) -> QrelsSource:
        path = self._files.get(name)
        source = None if path is None else self.campaign.qrels_of.get(path.name)
        return QrelsSource() if source is None else source

    def kind(self, name: str) -> str:
        """Return the kind of judge of a label set: `people`, a `model`, or empty if unknown."""
        source = self._source(name)
        if source.kind:
            return source.kind
        group = self.campaign.groups.get(source.group or name, Group())
        return "model" if name in self.campaign.models or group.role == "llm" else ""

    def family(self, name: str) -> str:
        """Return the family of the model behind a label set; empty if unknown."""
        return self.campaign.models.get(name, ModelRecord()).family

    @cached_property
    def topics(self) -> tuple[str, ...]:
        """The topics that all label sets have in common, possibly none."""
        shared = set.intersection(*(set(qrels.topics) for qrels in self.label_sets.values()))
        return tuple(sorted(shared))

    def topics_with_reference(self, name: str) -> tuple[str, ...]:
        """Return the topics that a label set has in common with the reference, possibly none."""
        return tuple(t for t in self.label_sets[name].topics if t in self._reference_topics)

    def check_topics(self) -> None:
        """Raise `InputError` unless another label set has a topic in common with the reference."""
        references.check_common_topics(
            {name: qrels.topics for name, qrels in self.label_sets.items()},
            self.reference,
            lambda name: self._files.get(name, self.campaign.folder),
        )

    @property
    def _reference_topics(self) -> frozenset[str]:
        return frozenset(self.label_sets[self.reference].topics)

    @cached_property
    def orderings(self) -> Mapping[str, tuple[str, ...]]:
        """The common topics, grouped by the order in which the reference's assessors saw docs."""
        if self.judgments is None or self.reference not in self.groups:
            return {}
        found = topics_by_ordering(self.judgments, self.reference)
        common = {
            ordering: tuple(topic for topic in topics if topic in self.topics)
            for ordering, topics in found.items()
        }
        return {ordering: topics for ordering, topics in common.items() if topics}

    @property
    def others(self) -> tuple[str, ...]:
        """The label sets other than the reference."""
        return tuple(name for name in self.label_sets if name != self.reference)

    @property
    def reference_notice(self) -> str:
        """A notice that names the assumed reference, or no text if a reference is declared."""
        if self._is_reference_declared or not self.others:
            return ""
        return (
            "No label set is declared as the reference, so there are no verdicts. Tables that need"
            f" a reference use {self.reference}, a guess from its name. Choose a reference with"
            " --reference, or with the role “gold” for its group in campaign.toml"
        )

    def check(self, name: str) -> None:
        """Raise `UnknownNameError` unless there is a label set with this name."""
        if name not in self.label_sets:
            raise UnknownNameError("label set", name, self.label_sets)

    def judgments_of(self, name: str) -> Judgments:
        """Return a group's judgments, or a qrels file's labels as judgments of one assessor."""
        if name in self.groups:
            return self.groups[name]
        return Judgments.from_qrels({name: self.label_sets[name]})

    def scale_text(self, name: str) -> str:
        """Return the declared scale of a label set, else the scale inferred from its grades.

        The scale is, for instance, `0..3`, or `real` for a continuous scale, which has fractions or
        more than `MOST_LEVELS` whole numbers.
        """
        if self.is_real(name):
            return "real"
        scale = self.declared_scale(name)
        levels = levels_seen(self.label_sets[name].grade) if scale is None else scale.levels
        if not levels or any(level != int(level) for level in levels) or levels[-1] >= MOST_LEVELS:
            return "real"
        return f"0..{int(levels[-1])}"

    def is_on_reference_scale(self, name: str) -> bool:
        """Return whether the grades of a label set have the same meaning as in the reference.

        Without declared scales, two label sets with levels are assumed to have the same levels.
        """
        if self.is_real(name) or self.is_real(self.reference):
            return name == self.reference
        return self.declared_scale(name) == self.declared_scale(self.reference)

    def top(self, name: str) -> float | None:
        """Return a label set's highest declared level, or None if no scale is declared."""
        scale = self.declared_scale(name)
        return None if scale is None else scale.top

    def _clean(self, name: str, qrels: Qrels) -> Qrels:
        if name not in self.off_scale:
            return qrels
        return self.on_scales(qrels, self.declared_scale(name))

    @cached_property
    def _as_read(self) -> Judgments | None:
        """The judgments with all grades in the file, including grades outside the scale."""
        path = self.campaign.judgments
        return None if path is None else self.only(read_judgments(path))
