"""The pages of a draft: the form fields for its choices, and how they are read."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.campaign.campaign import Level
from qrelsmith.campaign.judging_settings import WISHES
from qrelsmith.campaign.label_sources import ROLES
from qrelsmith.collection.pools.policies import policies
from qrelsmith.web.core.names import check_assessor
from qrelsmith.web.setup.choices import INVITES, KINDS, ChosenGroup, DraftChoices

Form = Mapping[str, str]
MOST_LEVELS, MOST_GROUPS = 12, 8
_ROW = re.compile("[0-9]{1,2}")
_ADDRESS = re.compile(r"[^@\s,;<>\"]+@[^@\s,;<>\"]+\.[^@\s,;<>\".]+")
_LONGEST = {"title": 200, "instructions": 100_000, "mail": 10_000}


@dataclass(frozen=True)
class DraftStep:
    """A page of a draft.

    Attributes
    ----------
    name : str
        Its name in addresses and of its template.
    title : str
        Its heading.
    owns : tuple of str
        The choices set by its form.
    fields : callable
        Returns the fields of the form for some choices.
    read : callable
        Returns the choices, updated from a form; raises `UsageError`.
    """

    name: str
    title: Promise
    owns: tuple[str, ...] = ()
    fields: Callable[[DraftChoices], dict[str, str]] = lambda _: {}
    read: Callable[[Form, DraftChoices], DraftChoices] = lambda _, choices: choices


def rows(form: Form, name: str, columns: tuple[str, ...], *, most: int) -> list[dict[str, str]]:
    """Return the rows of a form's fields `NAME-0-COLUMN`, and one empty row."""
    numbers = sorted({
        int(part[1]) for key in form
        if len(part := key.split("-")) == 3 and part[0] == name and _ROW.fullmatch(part[1])
    })  # fmt: skip
    found = [
        {each: form.get(f"{name}-{number}-{each}", "") for each in columns} for number in numbers
    ]
    filled = [row for row in found if any(row[each].strip() for each in columns[:2])]
    if len(filled) < most:
        filled.append(dict.fromkeys(columns, ""))
    return [{"row": str(number), **row} for number, row in enumerate(filled)]


LEVEL_COLUMNS = ("grade", "name", "text")
GROUP_COLUMNS = ("name", "people", "role")


def _question_fields(choices: DraftChoices) -> dict[str, str]:
    form = {
        "title": choices.title, "kind": choices.kind, "note": choices.note,
        "answers": str(choices.answers), "k": str(choices.k),
    }  # fmt: skip
    for number, level in enumerate(choices.levels):
        values = (grade_text(level.grade), level.label, level.text)
        form |= _row("level", number, LEVEL_COLUMNS, values)
    addresses = dict(choices.emails)
    for number, group in enumerate(choices.groups):
        people = [f"{who}, {addresses[who]}" if who in addresses else who for who in group.people]
        form |= _row("group", number, GROUP_COLUMNS, (group.name, "\n".join(people), group.role))
    return form


def _read_asked(form: Form, choices: DraftChoices) -> DraftChoices:
    levels = []
    for row in rows(form, "level", LEVEL_COLUMNS, most=MOST_LEVELS):
        if row["grade"].strip():
            grade = _number(row["grade"], gettext("Grade"), least=0)
            levels.append(Level(grade, row["name"].strip(), row["text"].strip()))
        elif row["name"].strip():
            raise UsageError(
                gettext("The grade %(name)s has no number.") % {"name": row["name"].strip()}
            )
    levels.sort(key=lambda level: level.grade)
    if len({level.grade for level in levels}) < len(levels):
        raise UsageError(gettext("Two grades have the same number."))
    groups: list[ChosenGroup] = []
    emails: dict[str, str] = {}
    overlap = {group.name: group.per_doc for group in choices.groups}
    for row in rows(form, "group", GROUP_COLUMNS, most=MOST_GROUPS):
        name = row["name"].strip()
        if name:
            people = tuple(_people(row["people"], name, emails))
            role = _one_of(row["role"], ("", *ROLES), gettext("Role"))
            groups.append(ChosenGroup(name, role, people, overlap.get(name, 1)))
        elif row["people"].strip():
            raise UsageError(gettext("A group of people has no name."))
    return replace(
        choices,
        title=_text(form, "title"),
        kind=_one_of(form.get("kind", ""), KINDS, gettext("Question")),
        note=_one_of(form.get("note", ""), WISHES, gettext("Note")),
        answers=int(_one_of(form.get("answers", ""), ("2", "3", "4", "5"), gettext("Answers"))),
        k=_whole(form.get("k", ""), gettext("Docs to find"), most=100),
        levels=tuple(levels),
        groups=tuple(groups),
        emails=tuple(emails.items()),
    )


def _people(text: str, group: str, emails: dict[str, str]) -> Iterator[str]:
    """Yield the pseudonyms of a group; store e-mail addresses in `emails`."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for number, line in enumerate(lines, start=1):
        name, _, address = (part.strip() for part in line.replace("\t", ",").partition(","))
        if "@" in name and not address:
            name, address = f"{group}-{number}", name
        if address and not _ADDRESS.fullmatch(address):
            raise UsageError(
                gettext("%(text)s is not an e-mail address.") % {"text": quoted(address)}
            )
        check_assessor(name, group=group)
        if address:
            emails[name] = address
        yield name


def _docs(choices: DraftChoices) -> dict[str, str]:
    form = {
        "pooled": "runs" if choices.depth else "all", "depth": str(choices.depth or 10),
        "ordering": choices.ordering, "seed": str(choices.seed),
        "seconds": f"{choices.seconds:g}", "wage": f"{choices.wage:g}",
    }  # fmt: skip
    return form | {f"per_doc-{each.name}": str(each.per_doc) for each in choices.groups}


def _read_docs(form: Form, choices: DraftChoices) -> DraftChoices:
    groups = []
    for group in choices.groups:
        most = max(1, len(group.people))
        text = form.get(f"per_doc-{group.name}", str(group.per_doc))
        what = gettext("Assessors per doc (%(group)s)") % {"group": group.name}
        groups.append(replace(group, per_doc=_whole(text, what, most=most)))
    depth = 0
    if _one_of(form.get("pooled", ""), ("runs", "all"), gettext("Docs")) == "runs":
        depth = _whole(form.get("depth", ""), gettext("Depth"), most=10_000)
    return replace(
        choices,
        depth=depth,
        ordering=_one_of(form.get("ordering", ""), ("", *policies()), gettext("Order")),
        seed=_whole(form.get("seed", ""), gettext("Random seed"), least=0, most=10**9),
        seconds=_number(form.get("seconds", ""), gettext("Seconds per doc"), least=0.1),
        wage=_number(form.get("wage", ""), gettext("Cost per hour"), least=0),
        groups=tuple(groups),
    )


def _people_fields(choices: DraftChoices) -> dict[str, str]:
    addresses = dict(choices.emails)
    form = {"invites": choices.invites, "mail": choices.mail}
    people = (who for group in choices.groups for who in group.people)
    return form | {f"email-{who}": addresses.get(who, "") for who in people}


def _read_people(form: Form, choices: DraftChoices) -> DraftChoices:
    emails = []
    for group in choices.groups:
        for who in group.people:
            address = form.get(f"email-{who}", "").strip()
            if address and not _ADDRESS.fullmatch(address):
                problem = gettext("%(text)s is not an e-mail address.")
                raise UsageError(problem % {"text": quoted(address)})
            if address:
                emails.append((who, address))
    invites = _one_of(form.get("invites", ""), INVITES, gettext("Invites"))
    mail = _text(form, "mail")
    if invites == "mail" and mail.strip() and "{link}" not in mail:
        raise UsageError(
            gettext("The mail does not contain {link}, the placeholder for the invite link.")
        )
    return replace(choices, emails=tuple(emails), invites=invites, mail=mail)


STEPS = (
    DraftStep("files", gettext_lazy("Files")),
    DraftStep(
        "asked", gettext_lazy("Question and people"),
        ("title", "kind", "note", "answers", "k", "levels", "groups", "emails"),
        _question_fields, _read_asked,
    ),
    DraftStep(
        "docs", gettext_lazy("Docs to judge"),
        ("depth", "ordering", "seed", "seconds", "wage", "groups"), _docs, _read_docs,
    ),
    DraftStep(
        "instructions", gettext_lazy("Instructions"), ("instructions",),
        lambda choices: {"instructions": choices.instructions},
        lambda form, choices: replace(choices, instructions=_text(form, "instructions")),
    ),
    DraftStep(
        "people", gettext_lazy("Invites"), ("emails", "invites", "mail", "groups"),
        _people_fields, _read_people,
    ),
    DraftStep("review", gettext_lazy("Review and start")),
)  # fmt: skip

# Names of choices, for the message about changes by another organiser.
FIELD_NAMES = {
    "title": gettext_lazy("name"), "kind": gettext_lazy("question"),
    "levels": gettext_lazy("grades"), "note": gettext_lazy("note"),
    "answers": gettext_lazy("answers"), "k": gettext_lazy("docs to find"),
    "groups": gettext_lazy("groups"), "emails": gettext_lazy("e-mail addresses"),
    "depth": gettext_lazy("depth"), "ordering": gettext_lazy("order"),
    "seed": gettext_lazy("random seed"), "seconds": gettext_lazy("seconds per doc"),
    "wage": gettext_lazy("cost per hour"), "instructions": gettext_lazy("instructions"),
    "invites": gettext_lazy("invites"), "mail": gettext_lazy("mail"),
}  # fmt: skip


def _row(
    name: str, number: int, columns: tuple[str, ...], values: tuple[str, ...]
) -> dict[str, str]:
    cells = zip(columns, values, strict=True)
    return {f"{name}-{number}-{column}": value for column, value in cells}


def _text(form: Form, name: str) -> str:
    text = form.get(name, "").replace("\r\n", "\n").strip()
    if len(text) > _LONGEST[name]:
        problem = gettext("%(name)s has more than %(most)s characters.")
        raise UsageError(problem % {"name": FIELD_NAMES[name], "most": f"{_LONGEST[name]:,}"})
    return text


def _one_of(text: str, choices: tuple[str, ...], what: str) -> str:
    if text not in choices:
        raise UsageError(gettext("%(what)s: choose one of the options.") % {"what": what})
    return text


def _number(text: str, what: str, *, least: float) -> float:
    try:
        number = float(text.strip())
    except ValueError:
        number = -1.0
    if not least <= number <= 10**6:
        raise UsageError(
            gettext("%(what)s: expected a number from %(least)s to %(most)s, found %(text)s.")
            % {"what": what, "text": quoted(text), "least": f"{least:g}", "most": "1,000,000"}
        )
    return number


def _whole(text: str, what: str, *, most: int, least: int = 1) -> int:
    text = text.strip()
    if not re.fullmatch("[0-9]{1,10}", text) or not least <= int(text) <= most:
        raise UsageError(
            gettext("%(what)s: expected a whole number from %(least)s to %(most)s, found %(text)s.")
            % {"what": what, "text": quoted(text), "least": least, "most": f"{most:,}"}
        )
    return int(text)
