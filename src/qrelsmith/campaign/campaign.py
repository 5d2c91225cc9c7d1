"""A campaign: the folder with the topics, docs, runs, pools and judgments of one collection.

`campaign.toml` holds its settings, read strictly and written so that the same settings give the
same bytes; everything else is found by its name when it is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign_folder import SETTINGS, CampaignFolder
from qrelsmith.campaign.hit_terms import HitTerms, hit_terms_toml, parsed_hit_terms
from qrelsmith.campaign.judging_settings import Judging, judging_toml, parsed_judging
from qrelsmith.campaign.preference_settings import (
    PreferenceJudging,
    parsed_preference_judging,
    preference_judging_toml,
)
from qrelsmith.campaign.sample_settings import (
    SampleJudging,
    parsed_sample_judging,
    sample_judging_toml,
)
from qrelsmith.campaign.scale_settings import Level, parsed_levels, scale_toml
from qrelsmith.collection.pools.policies import check_policy
from qrelsmith.io.table_reading import has_control
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import Settings, read_toml, toml_array, toml_key, toml_text
from qrelsmith.io.writing import write_text

__all__ = [
    "Campaign",
    "Group",
    "Level",
    "ModelRecord",
    "QrelsSource",
    "campaign_toml",
    "read_campaign",
    "write_campaign_toml",
]

FORMAT = 1
ROLES = ("gold", "silver", "bronze", "llm")
KINDS = ("people", "model")
_OWN = ("format", "title", "measures")


@dataclass(frozen=True, slots=True)
class Group:
    """A group of assessors.

    Attributes
    ----------
    role : str
        One of `ROLES`, or empty for a group of the user's own kind.
    assessors : tuple of str
        Its members, as far as they are known.
    ordering : str
        The policy by which docs are shown to them: the name of an ordering, `balanced`, or empty.
    per_doc : int or None
        How many of them judge a doc.
    hit_size : int or None
        How many docs they judge in one sitting; None: the whole pool of a topic.
    """

    role: str = ""
    assessors: tuple[str, ...] = ()
    ordering: str = ""
    per_doc: int | None = None
    hit_size: int | None = None


@dataclass(frozen=True, slots=True)
class QrelsSource:
    """Whose grades a qrels file holds; an empty text is not known.

    Attributes
    ----------
    group : str
        The group of assessors.
    assessor : str
        The assessor, if there is one only.
    kind : str
        One of `KINDS`: who gave the grades.
    scale : Scale or None
        Their scale, where it is not the campaign's.
    """

    group: str = ""
    assessor: str = ""
    kind: str = ""
    scale: Scale | None = None


@dataclass(frozen=True, slots=True)
class ModelRecord:
    """Which model gave the grades of a label set.

    Attributes
    ----------
    family : str
        The model or its family; passes of one family are one judge.
    teams : tuple of str
        The teams whose systems were built with it.
    """

    family: str = ""
    teams: tuple[str, ...] = ()


@dataclass(frozen=True)
class Campaign(CampaignFolder):
    """The settings of a campaign, and where its files are.

    Attributes
    ----------
    folder : path
        The campaign's folder.
    title : str
        What it is called.
    levels : tuple of Level
        Its scale, lowest first; empty if none is laid down.
    groups : mapping of str to Group
        The groups of assessors.
    qrels_of : mapping of str to QrelsSource
        Whose the files in `qrels/` are, by file name.
    models : mapping of str to ModelRecord
        The models that gave the grades of label sets, by the name of the set.
    teams : mapping of str to str
        The team of each run, by the run's tag.
    seeds : mapping of str to int
        The seeds, by what they are for.
    measures : tuple of str
        The measures that its tables show.
    hits : HitTerms or None
        The terms of crowd work, if they are laid down.
    judging : Judging
        How assessors judge in the app.
    preference_judging : PreferenceJudging or None
        How they judge pairs of docs there, if they do.
    sampling : SampleJudging or None
        How a sample of docs is judged there, if one is.
    """

    title: str = ""
    levels: tuple[Level, ...] = ()
    groups: Mapping[str, Group] = field(default_factory=dict, hash=False)
    qrels_of: Mapping[str, QrelsSource] = field(default_factory=dict, hash=False)
    teams: Mapping[str, str] = field(default_factory=dict, hash=False)
    seeds: Mapping[str, int] = field(default_factory=dict, hash=False)
    measures: tuple[str, ...] = ()
    hits: HitTerms | None = None
    judging: Judging = field(default_factory=Judging)
    preference_judging: PreferenceJudging | None = None
    models: Mapping[str, ModelRecord] = field(default_factory=dict, hash=False)
    sampling: SampleJudging | None = None

    def __post_init__(self) -> None:
        if self.levels:
            Scale(tuple(level.grade for level in self.levels))
        for name, group in self.groups.items():
            if group.role and group.role not in ROLES:
                raise UsageError(
                    f"the role of group {quoted(name)} is {quoted(group.role)}; expected one of"
                    f" {', '.join(ROLES)}, or none"
                )
            if group.ordering:
                check_policy(group.ordering)
        for file, source in self.qrels_of.items():
            if source.group and source.group not in self.groups:
                raise UsageError(
                    f"the qrels {quoted(file)} are of the group {quoted(source.group)}; expected"
                    f" one of {', '.join(self.groups) or 'the groups, of which there are none'}"
                )
            if source.kind and source.kind not in KINDS:
                raise UsageError(
                    f"the kind of the qrels {quoted(file)} is {quoted(source.kind)}; expected one"
                    f" of {', '.join(KINDS)}, or none"
                )
        if self.preference_judging is not None:
            for name in self.preference_judging.groups:
                if name not in self.groups:
                    there = ", ".join(self.groups) or "the groups, of which there are none"
                    raise UsageError(
                        f"the group {quoted(name)} is to judge preferences; expected one of {there}"
                    )

    @property
    def scale(self) -> Scale | None:
        """The scale, if one is laid down."""
        return Scale(tuple(level.grade for level in self.levels)) if self.levels else None


def read_campaign(folder: FilePath) -> Campaign:
    """Read the settings of a campaign; its other files are looked for when they are asked for.

    Parameters
    ----------
    folder : path
        The campaign's folder, with a `campaign.toml`.

    Raises
    ------
    InputError
        If there is no such file, it is newer than this program, a key or value is not known, or it
        speaks of qrels that are not among those of the folder.
    """
    path = Path(folder) / SETTINGS
    if not Path(folder).is_dir():
        problem = "is no folder" if Path(folder).exists() else "no such folder"
        raise InputError(f"{problem}; expected a campaign, a folder with {SETTINGS}", path=folder)
    top = read_toml(path)
    campaign = _campaign(top, Path(folder))
    files, sources = [each.name for each in campaign.qrels], top.table("qrels")
    for name in sources.values if files else ():
        if name not in files:
            there = ", ".join(files)
            raise sources.fault(f"qrels/ has no file {quoted(name)}; expected one of {there}", name)
    return campaign


def write_campaign_toml(campaign: Campaign, path: FilePath | None = None) -> None:
    """Write the settings of a campaign into its folder, or to a path.

    Raises
    ------
    UsageError
        If a text is no Unicode text.
    """
    write_text(campaign.settings if path is None else path, campaign_toml(campaign))


def campaign_toml(campaign: Campaign) -> str:
    """The settings of a campaign as TOML; what is empty is left out, tables are sorted."""
    blocks = [f"format = {FORMAT}\ntitle = {toml_text(campaign.title)}\n"]
    if campaign.measures:
        blocks[0] += f"measures = {toml_array(campaign.measures)}\n"
    if campaign.levels:
        blocks.append(scale_toml(campaign.levels))
    blocks += [judging_toml(campaign.judging)] if campaign.judging != Judging() else []
    if campaign.preference_judging is not None:
        blocks.append(preference_judging_toml(campaign.preference_judging))
    blocks += [] if campaign.sampling is None else [sample_judging_toml(campaign.sampling)]
    for name, group in sorted(campaign.groups.items()):
        lines = [f"role = {toml_text(group.role)}\n"] if group.role else []
        lines += [f"assessors = {toml_array(group.assessors)}\n"] if group.assessors else []
        lines += [f"ordering = {toml_text(group.ordering)}\n"] if group.ordering else []
        lines += [f"per_doc = {group.per_doc}\n"] if group.per_doc is not None else []
        lines += [f"hit_size = {group.hit_size}\n"] if group.hit_size is not None else []
        blocks.append(f"[groups.{toml_key(name)}]\n" + "".join(lines))
    for name, source in sorted(campaign.qrels_of.items()):
        lines = [f"group = {toml_text(source.group)}\n"] if source.group else []
        lines += [f"assessor = {toml_text(source.assessor)}\n"] if source.assessor else []
        lines += [f"kind = {toml_text(source.kind)}\n"] if source.kind else []
        lines += [f"scale = {toml_text(str(source.scale))}\n"] if source.scale else []
        blocks.append(f"[qrels.{toml_key(name)}]\n" + "".join(lines))
    for name, model in sorted(campaign.models.items()):
        lines = [f"family = {toml_text(model.family)}\n"] if model.family else []
        lines += [f"teams = {toml_array(model.teams)}\n"] if model.teams else []
        blocks.append(f"[models.{toml_key(name)}]\n" + "".join(lines))
    if campaign.teams:
        lines = [
            f"{toml_key(tag)} = {toml_text(team)}\n" for tag, team in sorted(campaign.teams.items())
        ]
        blocks.append("[teams]\n" + "".join(lines))
    if campaign.seeds:
        lines = [f"{toml_key(name)} = {seed}\n" for name, seed in sorted(campaign.seeds.items())]
        blocks.append("[seeds]\n" + "".join(lines))
    blocks += [] if campaign.hits is None else [hit_terms_toml(campaign.hits)]
    return "\n".join(blocks)


def _campaign(top: Settings, folder: Path) -> Campaign:
    number = top.get("format", int, f"a whole number such as {FORMAT}")
    if number is None:
        raise top.fault(f"the key format is missing; expected format = {FORMAT}")
    if number > FORMAT:
        raise top.fault(
            f"format {number} is newer than this qrelsmith, which knows {FORMAT}; update qrelsmith",
            "format",
        )
    if number != FORMAT:
        raise top.fault(f"format is {number}; expected {FORMAT}", "format")
    top.check_keys(
        [
            *_OWN,
            "scale",
            "judging",
            "preferences",
            "sample",
            "groups",
            "qrels",
            "models",
            "teams",
            "seeds",
            "hits",
        ]
    )
    groups, qrels, models = top.table("groups"), top.table("qrels"), top.table("models")
    teams, seeds = top.table("teams"), top.table("seeds")
    return Campaign(
        folder,
        title=top.text("title"),
        levels=parsed_levels(top.table("scale")),
        groups={name: _group(groups.table(name)) for name in groups.values},
        qrels_of={name: _source(qrels.table(name), groups.values) for name in qrels.values},
        teams={tag: teams.text(tag) for tag in teams.values},
        seeds={name: seeds.get(name, int, "a whole number") for name in seeds.values},
        measures=top.texts("measures"),
        hits=parsed_hit_terms(top.table("hits")) if "hits" in top.values else None,
        judging=parsed_judging(top.table("judging")),
        preference_judging=_preference_judging(top, groups.values),
        models={name: _model(models.table(name)) for name in models.values},
        sampling=_sampling(top, groups.values),
    )


def _sampling(top: Settings, groups: Mapping[str, object]) -> SampleJudging | None:
    if "sample" not in top.values:
        return None
    table = top.table("sample")
    found = parsed_sample_judging(table)
    if found.group not in groups:
        there = ", ".join(groups) or "there are none"
        raise table.fault(f"{quoted(found.group)} is none of the groups ({there})", "group")
    return found


def _preference_judging(top: Settings, groups: Mapping[str, object]) -> PreferenceJudging | None:
    if "preferences" not in top.values:
        return None
    table = top.table("preferences")
    found = parsed_preference_judging(table)
    for name in found.groups:
        if name not in groups:
            there = ", ".join(groups) or "there are none"
            raise table.fault(f"{quoted(name)} is none of the groups ({there})", "groups")
    return found


def _group(settings: Settings) -> Group:
    settings.check_keys([field.name for field in fields(Group)])
    role = settings.text("role")
    if "role" in settings.values and role not in ROLES:
        expected = f"one of {', '.join(ROLES)}, or no role"
        raise settings.fault(f"the role is {quoted(role)}; expected {expected}", "role")
    ordering = settings.text("ordering")
    if "ordering" in settings.values:
        try:
            check_policy(ordering)
        except UsageError as error:
            raise settings.fault(str(error), "ordering") from None
    numbers = []
    for key in ("per_doc", "hit_size"):
        number = settings.get(key, int, "a whole number from 1 on")
        if number is not None and number < 1:
            raise settings.fault(f"{key} is {number}; expected a whole number from 1 on", key)
        numbers.append(number)
    assessors = settings.texts("assessors")
    for name in assessors:
        if not name or has_control(name):
            expected = "expected a name without control characters"
            raise settings.fault(f"the assessor {quoted(name)} is none; {expected}", "assessors")
    return Group(role, assessors, ordering, *numbers)


def _source(settings: Settings, groups: Mapping[str, object]) -> QrelsSource:
    settings.check_keys([field.name for field in fields(QrelsSource)])
    group = settings.text("group")
    if group and group not in groups:
        there = ", ".join(groups) or "there are none"
        raise settings.fault(f"{quoted(group)} is none of the groups ({there})", "group")
    kind = settings.text("kind")
    if "kind" in settings.values and kind not in KINDS:
        raise settings.fault(
            f"the kind is {quoted(kind)}; expected one of {', '.join(KINDS)}", "kind"
        )
    try:
        scale = Scale.parse(settings.text("scale")) if "scale" in settings.values else None
    except UsageError as error:
        raise settings.fault(str(error), "scale") from None
    return QrelsSource(group, settings.text("assessor"), kind, scale)


def _model(settings: Settings) -> ModelRecord:
    settings.check_keys([field.name for field in fields(ModelRecord)])
    return ModelRecord(settings.text("family"), settings.texts("teams"))
