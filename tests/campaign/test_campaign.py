"""Campaigns: their settings, checked key by key, and the files in their folder."""

from __future__ import annotations

import tempfile
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.examples import examples
from tests.faults import assert_refused

from qrelsmith.base.errors import InputError, UsageError
from qrelsmith.base.scales import Scale
from qrelsmith.campaign.campaign import (
    Campaign,
    Group,
    Level,
    ModelRecord,
    QrelsSource,
    campaign_toml,
    read_campaign,
    write_campaign_toml,
)
from qrelsmith.campaign.label_sources import ROLES
from qrelsmith.collection.pools.policies import policies

TOML = """\
format = 1
title = "A \\"small\\" campaign"
measures = ["nDCG@10", "RBP(p=0.8)"]

[scale]
levels = [
  { grade = 0, label = "no", text = "Not relevant." },
  { grade = 1, label = "some", gain = 0.5 },
  { grade = 2.5, label = "highly" },
]

[groups.Crowd]
assessors = ["w1", "w2"]
ordering = "prioritised"
per_doc = 10
hit_size = 8

[groups.Gold]
role = "gold"
ordering = "balanced"

[qrels."gold.qrels"]
group = "Gold"
assessor = "ann"

[teams]
run-2 = "team B"
"run.1" = "team A"

[seeds]
pools = 7
"""


def folder(path: Path, content: bytes | str = TOML) -> Path:
    path.mkdir(exist_ok=True)
    content = content if isinstance(content, bytes) else content.encode()
    (path / "campaign.toml").write_bytes(content)
    return path


def small(path: Path) -> Campaign:
    return Campaign(
        path,
        title='A "small" campaign',
        levels=(Level(0, "no", "Not relevant."), Level(1, "some", gain=0.5), Level(2.5, "highly")),
        groups={
            "Gold": Group("gold", ordering="balanced"),
            "Crowd": Group("", ("w1", "w2"), ordering="prioritised", per_doc=10, hit_size=8),
        },
        qrels_of={"gold.qrels": QrelsSource("Gold", "ann")},
        teams={"run.1": "team A", "run-2": "team B"},
        seeds={"pools": 7},
        measures=("nDCG@10", "RBP(p=0.8)"),
    )


def refused(path: Path, line: int | None, words: str) -> None:
    assert_refused(lambda: read_campaign(path), path / "campaign.toml", line, words)


def test_the_settings_are_read_and_written(tmp_path: Path) -> None:
    campaign = read_campaign(folder(tmp_path))
    assert campaign == small(tmp_path)
    assert campaign.scale == Scale((0, 1, 2.5))
    assert campaign_toml(campaign) == TOML
    write_campaign_toml(campaign)
    assert campaign.settings.read_text(encoding="utf-8") == TOML
    write_campaign_toml(campaign, tmp_path / "other.toml")
    assert (tmp_path / "other.toml").read_text(encoding="utf-8") == TOML


def test_only_the_format_is_required(tmp_path: Path) -> None:
    campaign = read_campaign(folder(tmp_path, "\ufeffformat = 1\r\n# nothing else"))
    assert campaign == Campaign(tmp_path)
    assert campaign.scale is None
    assert campaign_toml(campaign) == 'format = 1\ntitle = ""\n'


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("", 1, "the key format is missing; expected format = 1"),
        ("title = 'x'\nformat = 2\ncolour = 1", 2, "found format 2; expected"),
        ("format = 0", 1, "format is 0; expected 1"),
        ("format = '1'", 1, "format is '1'; expected a whole number such as 1"),
        ("format = true", 1, "format is 'True'; expected a whole number"),
        ("format = 1\n\ntitel = 'x'", 3, "unknown key 'titel'; did you mean title? (choices: form"),
        ("format = 1\ntitle = 1", 2, "title is '1'; expected text"),
        ("format = 1\nmeasures = 'P@5'", 2, "measures is 'P@5'; expected a list of strings"),
        ("format = 1\nmeasures = [1]", 2, "measures is '[1]'; expected a list of strings"),
        ("format = 1\n[measures]\n", 2, "measures is '{}'; expected a list of strings"),
        ("format = 1\nscale = '0..3'", 2, "scale is '0..3'; expected a table"),
        ("format = 1\n[scale]\nlevel = []", 3, "unknown key 'level'; did you mean levels?"),
        ("format = 1\n[scale]\nlevels = [1]", 3, "levels is '[1]'; expected a list of tables"),
        (
            "format = 1\n[scale]\nlevels = [\n  {grade = 0},\n  {grade = 1, gian = 2},\n]",
            5,
            "did you mean gain? (choices: grade, label, text, gain, note, excerpt) in",
        ),
        ("format = 1\n[scale]\nlevels = [{}]", 3, "the grade is missing in [scale.levels[0]]"),
        ("format = 1\n[scale]\nlevels = [{grade = 'L1'}]", 3, "grade is 'L1'; expected a number"),
        ("format = 1\n[scale]\nlevels = [{grade = nan}]", 3, "expected a finite number"),
        (f"format = 1\n[scale]\nlevels = [{{grade = 1{'0' * 999}}}]", 3, "a finite number"),
        ("format = 1\n[scale]\nlevels = [{grade = 0, gain = -1}]", 3, "the gain is -1; expected"),
        ("format = 1\n[scale]\nlevels = [{grade = 0, gain = inf}]", 3, "a finite number"),
        (
            "format = 1\n[scale]\nlevels = [\n{grade = 1},\n{grade = 0}]",
            3,
            "the levels 1,0 must ascend in [scale]",
        ),
        ("format = 1\n[scale]\nlevels = [{grade = -1}]", 3, "must be finite and 0 or more"),
        ("format = 1\n[groups]\nGold = 'gold'", 3, "Gold is 'gold'; expected a table"),
        (
            "format = 1\n[groups.Gold]\nrole = 'golden'",
            3,
            "expected one of gold, silver, bronze, llm, or no role in [groups.Gold]",
        ),
        ("format = 1\n[groups.Gold]\nroles = 'gold'", 3, "unknown key 'roles'; did you mean role?"),
        ("format = 1\n[groups.'a b']\nper_doc = 0", 3, "per_doc is 0; expected a whole number"),
        ("format = 1\n[groups.G]\nper_doc = 1.5", 3, "per_doc is '1.5'; expected a whole number"),
        ("format = 1\n[groups.G]\n\nhit_size = 0", 4, "hit_size is 0; expected a whole number"),
        (
            "format = 1\n[groups.G]\nordering = 'PRI'",
            3,
            "'PRI' is not an ordering policy (choices: prioritised, randomised, ",
        ),
        ("format = 1\n[groups.G]\nassessors = 'a'", 3, "assessors is 'a'; expected a list"),
        ("format = 1\n[groups.G]\nassessors = ['a', '']", 3, "assessors: found ''; expected"),
        ('format = 1\n[groups.G]\nassessors = ["a\\n"]', 3, "expected names without control cha"),
        (
            "format = 1\n[groups.G]\n[qrels.'a.qrels']\ngroup = 'H'",
            4,
            "'H' is not a group (groups: G) in [qrels.a.qrels]",
        ),
        ("format = 1\n[teams]\n'a b' = 1", 3, "a b is '1'; expected text in [teams]"),
        ("format = 1\n[seeds]\npools = 'x'", 3, "pools is 'x'; expected a whole number"),
        ("format = 1\ntitle = 'a\n", 2, "invalid TOML: "),
        ("format = 1\ntitle = 'a'\ntitle = 'b'", 3, "invalid TOML: Cannot overwrite a value"),
        ('format = 1\ntitle = """a\n\n', 2, "invalid TOML: "),
        (b"format = 1\ntitle = '\xff'", 2, "the line is not UTF-8"),
        (b"format = 1\n\x00", 2, "the line contains a NUL character"),
        ("format = 1\nmeasures = " + "[" * 100_000, None, "invalid TOML: nested too deeply"),
        ("format = 1" + "0" * 10_000, None, "invalid TOML: Exceeds the limit"),
    ],
)
def test_an_error_names_its_line_and_table(
    tmp_path: Path, content: str | bytes, line: int | None, words: str
) -> None:
    refused(folder(tmp_path, content), line, words)


def test_a_campaign_is_a_folder_with_settings(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"the folder has no campaign\.toml; expected a camp"):
        read_campaign(tmp_path)
    for path, problem in ((tmp_path / "none", "no such folder"), (tmp_path / "f", "is no folder")):
        (tmp_path / "f").touch()
        with pytest.raises(InputError) as caught:
            read_campaign(path)
        assert str(caught.value) == (
            f"{path}: {problem}; expected a campaign folder with campaign.toml"
        )


def test_files_are_found_by_their_names(tmp_path: Path) -> None:
    names = (
        *("topics.xml", "judgments.csv.gz", "preferences.jsonl", "documents.jsonl"),
        *("assignments.csv", "manifest.json"),
        *("runs/b", "runs/a.gz", "pools/p1", "qrels/gold.qrels", "qrels/notes.txt"),
    )
    strange = (".hidden", "README.md", "archive", "runs/.a.part", "runs/old", "topic.tsv")
    for name in ("runs", "pools", "qrels", "archive", "runs/old"):
        (tmp_path / name).mkdir()
    for name in (*names, ".hidden", "README.md", "runs/.a.part", "topic.tsv"):
        (tmp_path / name).touch()
    campaign = read_campaign(folder(tmp_path))
    assert campaign.topics == tmp_path / "topics.xml"
    assert campaign.judgments == tmp_path / "judgments.csv.gz"
    assert campaign.preferences == tmp_path / "preferences.jsonl"
    assert campaign.documents == tmp_path / "documents.jsonl"
    assert campaign.assignments == tmp_path / "assignments.csv"
    assert campaign.runs == (tmp_path / "runs/a.gz", tmp_path / "runs/b")
    assert campaign.pools == (tmp_path / "pools/p1",)
    assert campaign.qrels == (tmp_path / "qrels/gold.qrels", tmp_path / "qrels/notes.txt")
    assert campaign.strangers == tuple(sorted(tmp_path / name for name in strange))


def test_missing_files_are_none(tmp_path: Path) -> None:
    nowhere = Campaign(tmp_path / "none")
    assert nowhere.topics is None
    assert nowhere.runs == nowhere.strangers == ()
    campaign = read_campaign(folder(tmp_path))
    assert campaign.topics is campaign.judgments is campaign.documents is None
    assert campaign.runs == campaign.qrels == campaign.pools == campaign.strangers == ()
    (tmp_path / "documents").mkdir()
    (tmp_path / "topics.tsv").touch()
    assert campaign.documents == tmp_path / "documents"
    assert campaign.topics == tmp_path / "topics.tsv"
    assert campaign.strangers == ()


def test_two_files_for_the_same_purpose_are_refused(tmp_path: Path) -> None:
    for name in ("topics.tsv", "topics.jsonl"):
        (tmp_path / name).touch()
    with pytest.raises(InputError) as caught:
        _ = Campaign(tmp_path).topics
    expected = (
        f"{tmp_path}: found two files named topics: topics.jsonl and topics.tsv; expected one"
    )
    assert str(caught.value) == expected


def test_settings_are_checked_on_creation(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="the levels 1,0 must ascend"):
        Campaign(tmp_path, levels=(Level(1), Level(0)))
    with pytest.raises(UsageError, match="the role is 'x'; expected one of gold"):
        Campaign(tmp_path, groups={"A": Group("x")})
    with pytest.raises(UsageError, match="'PRI' is not an ordering policy"):
        Campaign(tmp_path, groups={"A": Group(ordering="PRI")})
    with pytest.raises(UsageError, match="'B' is not a group"):
        Campaign(tmp_path, groups={"A": Group()}, qrels_of={"q": QrelsSource("B")})
    with pytest.raises(UsageError, match="an unpaired surrogate"):
        campaign_toml(Campaign(tmp_path, title="\ud800"))


TEXT = st.text(st.characters(exclude_categories=["Cs"]))
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1)
GRADES = st.lists(st.floats(0, 1e15).map(abs), unique=True, max_size=4)
LEVELS = GRADES.flatmap(
    lambda grades: st.tuples(
        *(
            st.builds(
                Level,
                st.just(grade),
                TEXT,
                TEXT,
                st.none() | st.floats(0, allow_nan=False, allow_infinity=False),
            )
            for grade in sorted(grades)
        )
    )
)
GROUPS = st.dictionaries(
    TEXT,
    st.builds(
        Group,
        role=st.sampled_from(("", *ROLES)),
        assessors=st.lists(NAMES).map(tuple),
        ordering=st.sampled_from(("", *policies())),
        per_doc=st.none() | st.integers(1, 2**63 - 1),
        hit_size=st.none() | st.integers(1, 2**63 - 1),
    ),
    max_size=3,
)


@given(
    TEXT,
    LEVELS,
    GROUPS,
    st.dictionaries(TEXT, TEXT),
    st.dictionaries(TEXT, st.integers(-(2**63), 2**63 - 1)),
    st.lists(TEXT).map(tuple),
    st.data(),
)
@examples(100)
def test_all_settings_survive_writing(
    title: str,
    levels: tuple[Level, ...],
    groups: dict[str, Group],
    teams: dict[str, str],
    seeds: dict[str, int],
    measures: tuple[str, ...],
    data: st.DataObject,
) -> None:
    scales = st.sampled_from([None, Scale.parse("0..100"), Scale.parse("0,1,2.5")])
    kinds = st.sampled_from(["", "people", "model"])
    sources = st.builds(QrelsSource, st.sampled_from(["", *groups]), TEXT, kinds, scales)
    records = st.builds(ModelRecord, TEXT, st.lists(TEXT, max_size=2).map(tuple))
    models = data.draw(st.dictionaries(TEXT, records, max_size=2))
    qrels_of = data.draw(st.dictionaries(TEXT, sources, max_size=3))
    with tempfile.TemporaryDirectory() as name:
        path = Path(name)
        campaign = Campaign(
            path, title, levels, groups, qrels_of, teams, seeds, measures, models=models
        )
        text = campaign_toml(campaign)
        assert tomllib.loads(text)["title"] == title
        write_campaign_toml(campaign)
        again = read_campaign(path)
        assert again == campaign
        assert campaign_toml(again) == text


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[qrels.q]\nkind = 'robot'\n", 3, "the kind is 'robot'; expected one of people, model"),
        ("[qrels.q]\nscale = '3..0'\n", 3, "is empty"),
        ("[models.q]\nfamilly = 'gpt'\n", 3, "familly"),
    ],
)
def test_the_source_of_a_label_set_is_parsed_strictly(
    tmp_path: Path, text: str, line: int, words: str
) -> None:
    (tmp_path / "campaign.toml").write_text(f"format = 1\n{text}", encoding="utf-8")
    refused(tmp_path, line, words)


def test_qrels_that_the_settings_mention_must_exist(tmp_path: Path) -> None:
    text = "format = 1\n[groups.G]\n[qrels.people]\ngroup = 'G'\n"
    (tmp_path / "campaign.toml").write_text(text, encoding="utf-8")
    assert read_campaign(tmp_path).qrels_of.keys() == {"people"}  # an export without its qrels
    (tmp_path / "qrels").mkdir()
    (tmp_path / "qrels" / "people.qrels").write_text("1 0 a 1\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"toml:3: qrels/ has no file 'people'; expected one of"):
        read_campaign(tmp_path)
    (tmp_path / "campaign.toml").write_text(text.replace("people", "'people.qrels'"))
    assert read_campaign(tmp_path).qrels_of.keys() == {"people.qrels"}


def test_an_absurdly_large_level_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "campaign.toml").write_text(
        "format = 1\n[scale]\nlevels = [{ grade = 0 }, { grade = 1e23 }]\n", encoding="utf-8"
    )
    with pytest.raises(
        InputError, match=r"campaign.toml.*too large; expected 1,000,000,000,000,000"
    ):
        read_campaign(tmp_path)
