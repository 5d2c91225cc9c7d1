"""A campaign: the folder with the topics, docs, runs, pools and judgments of one collection.

`campaign.toml` contains the settings of the campaign. Unknown or invalid settings are errors, and
the same settings are always written as the same bytes. All other files are found by name on demand.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.aspect_settings import aspects_toml, parsed_aspects
from qrelsmith.campaign.campaign_folder import SETTINGS, CampaignFolder
from qrelsmith.campaign.hit_terms import HitTerms, hit_terms_toml, parsed_hit_terms
from qrelsmith.campaign.judging_settings import Judging, judging_toml, parsed_judging
from qrelsmith.campaign.label_sources import Group, ModelRecord, QrelsSource
from qrelsmith.campaign.preference_settings import (
    PreferenceJudging,
    parsed_preference_judging,
    preference_judging_toml,
)
from qrelsmith.campaign.sample_settings import SampleJudging
from qrelsmith.campaign.scale_settings import Level, parsed_levels, scale_toml
from qrelsmith.campaign.server_settings import ServerSettings, check_no_password
from qrelsmith.io.given_values import as_path
from qrelsmith.io.text import FilePath
from qrelsmith.io.toml_settings import Settings, read_toml, toml_array, toml_key, toml_text
from qrelsmith.io.toml_tables import parse_table, parse_tables, write_table
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
_OWN = ("format", "title", "measures")
_TABLES = (
    "scale",
    "aspects",
    "judging",
    "preferences",
    "sample",
    "teams",
    "seeds",
    "hits",
    "server",
)


# The tables with a row for each name, and the corresponding attributes of the campaign.
_ROWS = {"groups": "groups", "qrels": "qrels_of", "models": "models"}


@dataclass(frozen=True)
class Campaign(CampaignFolder):
    """The settings of a campaign, and the paths of its files.

    Attributes
    ----------
    folder : path
        The campaign's folder.
    title : str
        The campaign's title.
    levels : tuple of Level
        The scale, lowest level first; empty if undefined.
    groups : mapping of str to Group
        The groups of assessors.
    qrels_of : mapping of str to QrelsSource
        The sources of the files in `qrels/`, by file name.
    models : mapping of str to ModelRecord
        The models that graded label sets, by the name of the label set.
    teams : mapping of str to str
        The team of each run, by the run's tag.
    seeds : mapping of str to int
        The seeds, by purpose.
    measures : tuple of str
        The measures that are shown in tables.
    hits : HitTerms or None
        The terms of crowd work, if defined.
    judging : Judging
        How assessors judge in the app.
    preference_judging : PreferenceJudging or None
        How assessors judge pairs of docs in the app, if they do.
    server : ServerSettings
        Database and address of the app.
    sampling : SampleJudging or None
        How a sample of docs is judged in the app, if there is one.
    aspect_levels : mapping of str to tuple of Level
        The scales of aspects of answers, by kind: `nugget`, `criterion.faithfulness`.
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
    server: ServerSettings = field(default_factory=ServerSettings)
    sampling: SampleJudging | None = None
    aspect_levels: Mapping[str, tuple[Level, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if self.levels:
            Scale(tuple(level.grade for level in self.levels))
        for source in self.qrels_of.values():
            _check_groups([source.group] if source.group else [], self.groups)
        if self.preference_judging is not None:
            _check_groups(self.preference_judging.groups, self.groups)

    @property
    def scale(self) -> Scale | None:
        """The scale, if defined."""
        return Scale(tuple(level.grade for level in self.levels)) if self.levels else None


def read_campaign(folder: FilePath) -> Campaign:
    """Read the settings of a campaign; all other files are found on demand.

    Parameters
    ----------
    folder : path
        The campaign's folder, with a `campaign.toml`.

    Raises
    ------
    InputError
        If the file does not exist or is newer than this program, a key or value is unknown, or it
        names qrels that are not in the folder.
    """
    path = Path(as_path(folder, "the path of a campaign's folder")) / SETTINGS
    if not Path(folder).is_dir():
        problem = "is no folder" if Path(folder).exists() else "no such folder"
        raise InputError(f"{problem}; expected a campaign folder with {SETTINGS}", path=folder)
    if not path.exists():
        raise InputError(
            f"the folder has no {SETTINGS}; expected a campaign folder; `qrelsmith init` creates"
            " one from loose files",
            path=folder,
        )
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
        If a text is not valid Unicode.
    """
    write_text(campaign.settings if path is None else path, campaign_toml(campaign))


def campaign_toml(campaign: Campaign) -> str:
    """Format the settings of a campaign as TOML, without empty settings and with sorted tables."""
    blocks = [f"format = {FORMAT}\ntitle = {toml_text(campaign.title)}\n"]
    if campaign.measures:
        blocks[0] += f"measures = {toml_array(campaign.measures)}\n"
    if campaign.levels:
        blocks.append(scale_toml(campaign.levels))
    blocks += aspects_toml(campaign.aspect_levels)
    blocks += [judging_toml(campaign.judging)] if campaign.judging != Judging() else []
    if campaign.preference_judging is not None:
        blocks.append(preference_judging_toml(campaign.preference_judging))
    blocks += [] if campaign.sampling is None else [write_table("sample", campaign.sampling)]
    for key, attribute in _ROWS.items():
        rows = getattr(campaign, attribute)
        blocks += [write_table(f"{key}.{toml_key(name)}", rows[name]) for name in sorted(rows)]
    if campaign.teams:
        lines = [
            f"{toml_key(tag)} = {toml_text(team)}\n" for tag, team in sorted(campaign.teams.items())
        ]
        blocks.append("[teams]\n" + "".join(lines))
    if campaign.seeds:
        lines = [f"{toml_key(name)} = {seed}\n" for name, seed in sorted(campaign.seeds.items())]
        blocks.append("[seeds]\n" + "".join(lines))
    if campaign.server != ServerSettings():
        blocks.append(write_table("server", campaign.server))
    blocks += [] if campaign.hits is None else [hit_terms_toml(campaign.hits)]
    return "\n".join(blocks)


def _campaign(top: Settings, folder: Path) -> Campaign:
    number = top.get("format", int, f"a whole number such as {FORMAT}")
    if number is None:
        raise top.fault(f"the key format is missing; expected format = {FORMAT}")
    if number > FORMAT:
        raise top.fault(f"found format {number}; expected {FORMAT}. Update qrelsmith", "format")
    if number != FORMAT:
        raise top.fault(f"format is {number}; expected {FORMAT}", "format")
    top.check_keys([*_OWN, *_ROWS, *_TABLES])
    groups = parse_tables(top.table("groups"), Group)
    sources = parse_tables(top.table("qrels"), QrelsSource)
    for file, source in sources.items():
        with top.table("qrels").table(file).placing("group"):
            _check_groups([source.group] if source.group else [], groups)
    pairs = None
    if "preferences" in top.values:
        pairs = parsed_preference_judging(top.table("preferences"))
        with top.table("preferences").placing("groups"):
            _check_groups(pairs.groups, groups)
    server = parse_table(top.table("server"), ServerSettings)
    with top.table("server").placing("database"):
        check_no_password(server)
    sampling = None
    if "sample" in top.values:
        sampling = parse_table(top.table("sample"), SampleJudging)
        with top.table("sample").placing("group"):
            _check_groups([sampling.group], groups)
    teams, seeds = top.table("teams"), top.table("seeds")
    return Campaign(
        folder,
        title=top.text("title"),
        levels=parsed_levels(top.table("scale")),
        groups=groups,
        qrels_of=sources,
        teams={tag: teams.text(tag) for tag in teams.values},
        seeds={name: seeds.get(name, int, "a whole number") for name in seeds.values},
        measures=top.texts("measures"),
        hits=parsed_hit_terms(top.table("hits")) if "hits" in top.values else None,
        judging=parsed_judging(top.table("judging")),
        preference_judging=pairs,
        models=parse_tables(top.table("models"), ModelRecord),
        server=server,
        sampling=sampling,
        aspect_levels=parsed_aspects(top.table("aspects")),
    )


def _check_groups(names: Iterable[str], groups: Mapping[str, object]) -> None:
    for name in names:
        if name not in groups:
            there = ", ".join(groups) or "there are none"
            raise UsageError(f"{quoted(name)} is not a group (groups: {there})")
