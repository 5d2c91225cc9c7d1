"""Remarks of tables in the language of the page: computed elsewhere, in English."""

from __future__ import annotations

import re
from functools import cache

from django import template
from django.utils.translation import gettext, override

register = template.Library()

_SLOT = re.compile(r"\\\{(\w+)\\\}")


@register.filter
def remark(text: str) -> str:
    """A remark in the language of the page; what is not known stays as it is."""
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
    """Nouns of a remark in the language of the page; a number or a name as it is."""
    names = {
        "topic": gettext("topic"),
        "topics": gettext("topics"),
        "assessor": gettext("assessor"),
        "assessors": gettext("assessors"),
        "value": gettext("value"),
        "values": gettext("values"),
        "interval": gettext("interval"),
        "intervals": gettext("intervals"),
    }
    return names.get(value, value)


def _sentences() -> tuple[str, ...]:
    """Remarks on agreement and on times of judging."""
    return (
        gettext("undefined in {lost} of {all} topics, which the mean leaves out"),
        gettext("no interval over topics: without topic {topic} the coefficient is undefined"),
        gettext(
            "no interval over assessors: without the one in row {row} the coefficient is"
            " undefined"
        ),
        gettext(
            "no interval over {over}: {count} {things}; expected {least} or more, since fewer"
            " say too little of how they differ"
        ),
        gettext(
            "a mean over pairs of assessors, for which no interval is computed; between"
            " groups --by group-pair has one, over topics"
        ),
        gettext("no pair of assessors has a value"),
        gettext("the mean leaves out {lost} of {all} pairs of assessors, which have no value"),
        gettext("there is no label"),
        gettext("there is only one assessor"),
        gettext("no unit has two labels"),
        gettext("no disagreement is expected (0/0): every label that counts is the same"),
        gettext("{lost} of {all} (assessor, topic) have no judgment; first: {first}"),
        gettext(
            "{lost} of {all} (assessor, topic) lack the time of a judgment, and so have no"
            " times at all; first: {first}"
        ),
        gettext(
            "{lost} of {all} (assessor, topic) have a clock that goes backwards, and so no"
            " times at all; first: {first}"
        ),
        gettext(
            "{lost} of {all} (assessor, topic) do not say when the topic was opened, so that"
            " there is no TJ1D, TF1RH and TF1H; first: {first}"
        ),
        gettext("there is no column revision: nobody knows how often labels were changed"),
        gettext(
            "judgments whose earlier revisions are not there: {count}; what was judged then"
            " counts nowhere"
        ),
        gettext(
            "{whose}: {lost} of {all} {things} above {cap} s, dropped; that is more than a"
            " third: what is left speaks for the fast ones only"
        ),
        gettext("{whose}: {lost} of {all} {things} above {cap} s, dropped"),
    )  # fmt: skip
