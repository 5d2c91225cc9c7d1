from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from qrelsmith.base.errors import InputError, InputWarning, UsageError
from qrelsmith.campaign.campaign import read_campaign
from qrelsmith.cli import run
from qrelsmith.collection.topics import read_topics
from qrelsmith.formats.new_campaign import init_campaign
from qrelsmith.judgments.judgment_files import read_judgments


def files(folder: Path) -> dict[str, Path]:
    texts = {
        "gpt.qrels": "1 0 d1 1\n1 0 d2 0\n",
        "nist.qrels": "1 0 d1 3\n1 0 d2 0\n",
        "bm25.run": "1 Q0 d1 1 2.0 x-bm25\n",
        "topics.tsv": "1\tcats\n",
    }
    for name, text in texts.items():
        (folder / name).write_text(text)
    return {name: folder / name for name in texts}


def test_the_guesses_in_a_new_campaign_are_comments(tmp_path: Path) -> None:
    given = files(tmp_path)
    settings = init_campaign(
        tmp_path / "c",
        runs=[given["bm25.run"]],
        qrels=[given["gpt.qrels"], given["nist.qrels"]],
        topics=given["topics.tsv"],
    )
    campaign = read_campaign(tmp_path / "c")
    assert [path.name for path in campaign.qrels] == ["gpt.qrels", "nist.qrels"]
    assert [path.name for path in campaign.runs] == ["bm25.run"]
    assert campaign.topics is not None
    assert (campaign.title, campaign.levels, campaign.teams) == ("c", (), {})
    guessed_at_once = campaign.qrels_of["nist.qrels"].group  # the only name of people
    # The guesses without their comment marks are the right settings here.
    text = settings.read_text()
    settings.write_text(
        "\n".join(
            line.removeprefix("# ") if "=" in line or "[" in line else line
            for line in text.splitlines()
        )
    )
    assert guessed_at_once == "gold"
    assert tomllib.loads(settings.read_text())["scale"] == {"range": "0..3"}
    guessed = read_campaign(tmp_path / "c")
    assert guessed.qrels_of["nist.qrels"].group == "gold"
    assert guessed.teams == {"x-bm25": "x"}


def test_words_of_topics_are_found_in_the_topics(tmp_path: Path) -> None:
    given = files(tmp_path)
    (tmp_path / "quepid.csv").write_text("query,docid,rating\ncats,d1,2\n")
    with pytest.warns(InputWarning, match="read as quepid: topic from query"):
        init_campaign(
            tmp_path / "c", runs=[], qrels=[tmp_path / "quepid.csv"], topics=given["topics.tsv"]
        )
    assert (tmp_path / "c/qrels/quepid.qrels").read_text() == "1 0 d1 2\n"


def test_a_bad_file_leaves_no_campaign_folder(tmp_path: Path) -> None:
    given = files(tmp_path)
    given["gpt.qrels"].write_text("1 0 d1\nx\n")
    with pytest.raises(InputError, match=r"gpt\.qrels"):
        init_campaign(tmp_path / "c", runs=[], qrels=[given["gpt.qrels"]])
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(given)


def test_a_folder_that_is_not_empty_is_unchanged(tmp_path: Path) -> None:
    given = files(tmp_path)
    with pytest.raises(UsageError, match="already exists"):
        init_campaign(tmp_path, runs=[], qrels=[given["gpt.qrels"]])


def test_files_with_the_same_name_are_refused(tmp_path: Path) -> None:
    given = files(tmp_path)
    (tmp_path / "other").mkdir()
    twin = tmp_path / "other" / "gpt.qrels"
    twin.write_text("1 0 d1 1\n")
    with pytest.raises(UsageError, match=r"two files have the name 'qrels/gpt\.qrels'"):
        init_campaign(tmp_path / "c", runs=[], qrels=[given["gpt.qrels"], twin])


def test_the_command_expands_folders_of_runs(tmp_path: Path) -> None:
    given = files(tmp_path)
    (tmp_path / "runs").mkdir()
    given["bm25.run"].rename(tmp_path / "runs" / "bm25.run")
    words = ["init", str(tmp_path / "c"), "--runs", str(tmp_path / "runs")]
    assert run([*words, "--qrels", str(given["nist.qrels"])]) == 0
    assert (tmp_path / "c" / "runs" / "bm25.run").exists()


@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_files_of_people_and_a_model_become_a_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("people.csv").write_text(
        "query,doc_id,relevance,annotator,colour\ntea cups,d1,2,ann,r\ntea cups,d2,0,bob,r\n"
    )
    Path("model.jsonl").write_text('{"query": "tea cups", "docno": "d1", "label": 2}\n')
    Path("corpus.jsonl").write_text('{"_id": "d1", "text": "A leaf."}\n')
    assert run(["init", "c", "people.csv", "model.jsonl", "corpus.jsonl"]) == 0
    campaign = read_campaign("c")
    assert campaign.judgments is not None
    assert read_judgments(campaign.judgments).assessors == ("ann", "bob")
    assert [path.read_text() for path in campaign.qrels] == ["tea_cups 0 d1 2\n"]
    assert campaign.topics is not None
    assert [topic.title for topic in read_topics(campaign.topics)] == ["tea cups"]
    assert [level.grade for level in campaign.levels] == [0, 1, 2]
    settings = Path("c/campaign.toml").read_text()
    assert "people.csv: read as csv: topic from query" in settings
    assert campaign.groups["people"].role == "gold"  # two assessors, and a name of people
    assert "ignored: colour" in settings


@pytest.mark.parametrize(
    ("files", "reference"),
    [
        ({"a.csv": ("judge", "x y"), "b.csv": ("judge", "z")}, "a"),  # several assessors
        ({"a.csv": ("model", "x y"), "b.csv": ("judge", "z")}, None),  # several models
        ({"a.csv": ("model", "x y"), "trec.csv": ("judge", "z")}, "trec"),
        ({"a.csv": ("judge", "x y"), "b.csv": ("judge", "v w")}, None),
        ({"human.csv": ("judge", "x y")}, None),  # no other label set for a comparison
    ],
)
@pytest.mark.filterwarnings("ignore::qrelsmith.base.errors.InputWarning")
def test_labels_that_are_certainly_by_people_are_the_reference(
    tmp_path: Path, files: dict[str, tuple[str, str]], reference: str | None
) -> None:
    for name, (column, assessors) in files.items():
        rows = [f"t1,d{n},1,{who}" for n, who in enumerate(assessors.split())]
        (tmp_path / name).write_text("\n".join([f"topic,doc,grade,{column}", *rows, ""]))
    init_campaign(tmp_path / "c", runs=[], qrels=[tmp_path / name for name in files])
    gold = [n for n, group in read_campaign(tmp_path / "c").groups.items() if group.role == "gold"]
    assert gold == ([] if reference is None else [reference])
