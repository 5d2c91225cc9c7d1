"""Translation of English remarks and error messages of other packages."""

from __future__ import annotations

import re
from functools import cache

from django.utils.translation import gettext, override

_SLOT = re.compile(r"\\\{(\w+)\\\}")


def remark(text: str) -> str:
    """Translate a remark into the language of the page; unknown remarks stay as they are."""
    said, place = [], 0
    while place < len(text):
        for number, pattern in enumerate(_patterns()):
            found = pattern.match(text, place)
            if found:
                values = {name: _noun(value) for name, value in found.groupdict().items()}
                said.append(_sentences()[number].format(**values))
                place = found.end()
                break
        else:
            return text
    return "; ".join(said)


@cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    with override("en"):
        return tuple(
            re.compile(_SLOT.sub(r"(?P<\1>.+?)", re.escape(sentence)) + "(?:; |$)")
            for sentence in _sentences()
        )


def _noun(value: str) -> str:
    """Translate a noun of a remark; numbers and names stay as they are."""
    names = {
        "topic": gettext("topic"),
        "topics": gettext("topics"),
        "assessor": gettext("assessor"),
        "assessors": gettext("assessors"),
        "values": gettext("values"),
        "intervals": gettext("intervals"),
        "none": gettext("none"),
    }
    return names.get(value, value)


def _sentences() -> tuple[str, ...]:
    """Return the translated remarks on agreement, times, disagreements and waves."""
    return (
        gettext(
            "the mean leaves out {lost} of {all} topics, in which the coefficient is undefined"
        ),
        gettext("no interval over topics: without topic {topic} the coefficient is undefined"),
        gettext(
            "no interval over assessors: without the assessor in row {row} the coefficient is"
            " undefined"
        ),
        gettext(
            "no interval over {over}: found {count} {things}, expected {least} or more"
        ),
        gettext(
            "a mean over pairs of assessors has no interval; for groups, use --by group-pair, which"
            " has intervals over topics"
        ),
        gettext("no pair of assessors has a value"),
        gettext(
            "{lost} of {all} pairs of assessors have no value and are not in the mean"
        ),
        gettext("there are no labels"),
        gettext("there is only one assessor"),
        gettext("no unit has two labels"),
        gettext("no disagreement is expected (0/0): all counted labels are equal"),
        gettext("{lost} of {all} (assessor, topic) pairs have no judgment; first: {first}"),
        gettext(
            "{lost} of {all} (assessor, topic) pairs have a judgment without a timestamp, so no"
            " times are shown for them; first: {first}"
        ),
        gettext(
            "{lost} of {all} (assessor, topic) pairs have timestamps that go backwards, so no"
            " times are shown for them; first: {first}"
        ),
        gettext(
            "{lost} of {all} (assessor, topic) pairs lack the time at which the topic was opened,"
            " so TJ1D, TF1RH and TF1H are missing; first: {first}"
        ),
        gettext("the judgments have no revision column, so the number of label changes is unknown"),
        gettext(
            "{count} judgments lack their earlier revisions, so the first judgments of these docs"
            " are not counted"
        ),
        gettext(
            "{whose}: {things} above {cap} s are dropped ({lost} of {all}); more than a third is"
            " dropped, so the rest represents only fast judging"
        ),
        gettext("{whose}: {things} above {cap} s are dropped ({lost} of {all})"),
        gettext(
            "the condition {condition} cannot be read; expected 'gold', 'all' or 'any', then"
            " one of {operators}, then a grade, such as {example}"
        ),
        gettext(
            "the grade {grade} in the condition {condition} cannot be read; expected a number,"
            " {one} or {other}"
        ),
        gettext("{gold} has no docs in the ordering {ordering} (orderings: {names})"),
        gettext("no doc was judged by {gold} and by all of {others}; expected at least one"),
        gettext("the group {group} has no assessors; expected at least one to judge the sample"),
        gettext("{count} docs are already drawn; expected a budget larger than {budget}"),
        gettext(
            "the wave has {count} docs; expected at most {left}, the rest of a budget of {budget}"
        ),
    )  # fmt: skip
