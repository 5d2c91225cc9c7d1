"""The texts by which labels of an export were given: whether the app can have accepted them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from qrelsmith.base.errors import quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.web.core.lines import Record
from qrelsmith.web.graded.scale import ShownScale
from qrelsmith.web.models import DocVersion, Event, TopicVersion

_SHA256 = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class LabelTexts:
    """The texts that labels can have been given by: versions of the scale and of topics."""

    scales: Mapping[int, ShownScale]
    topics: Mapping[str, set[int]]

    def check(self, record: Record, shown: Collection[str]) -> None:
        """Raise at a label that the app cannot have accepted; `shown`: its doc's known digests."""
        value = record.number("value")
        if value is None:
            if record.text("kind") == Event.Kind.JUDGE:
                raise record.fault("the key value is missing; expected it, as kind is 'judge'")
            return
        topic, version = record.text("topic"), record.need("topic_version")
        known = self.topics.get(topic, set())
        if version not in known:
            raise record.fault(
                f"topic_version is {version}; expected a version of topic {quoted(topic)}"
                f" ({_version_list(known)})"
            )
        scale = self.scales.get(record.need("scale_version"))
        if scale is None:
            raise record.fault(
                f"scale_version is {record.need('scale_version')}; expected a version of the scale"
                f" ({_version_list(self.scales)})"
            )
        if not scale.has(value):
            levels = ", ".join(grade_text(level) for level in sorted(scale.levels))
            codes = ", ".join(grade_text(code) for code in sorted(scale.errors))
            expected = "a positive number" if scale.control == "number" else f"a level of {levels}"
            expected += f" or a code of {codes}" if codes else ""
            raise record.fault(
                f"value is {value:g}; expected {expected} (version {scale.version} of the scale)"
            )
        if not _SHA256.fullmatch(record.text("sha256")):
            raise record.fault(
                f"sha256 is {quoted(record.text('sha256'))}; expected the 64 digits of a doc's"
                " version"
            )
        if shown and record.text("sha256") not in shown:
            others = ", ".join(sorted(digest[:12] for digest in shown))
            raise record.fault(
                f"sha256 begins with {record.text('sha256')[:12]}, which is no version of the doc"
                f" {quoted(record.text('doc'))}; expected {others}"
            )


def doc_versions(docs: Collection[str], digests: Mapping[str, str]) -> dict[str, set[str]]:
    """The digests of the known versions of some docs."""
    versions = {name: {digests[name]} for name in docs if name in digests}
    known = DocVersion.objects.filter(doc__name__in=sorted(docs))
    for name, sha256 in known.values_list("doc__name", "sha256"):
        versions.setdefault(name, set()).add(sha256)
    return versions


def topic_versions() -> dict[str, set[int]]:
    """The versions of every topic, by its name."""
    versions: dict[str, set[int]] = {}
    for name, version in TopicVersion.objects.values_list("topic__name", "version"):
        versions.setdefault(name, set()).add(version)
    return versions


def _version_list(versions: Iterable[int]) -> str:
    return ", ".join(map(str, sorted(versions))) or "there is none"
