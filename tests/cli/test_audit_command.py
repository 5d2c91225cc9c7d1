"""`qrelsmith audit` reports on stderr and in its summary the basis of its verdicts."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest

from qrelsmith import agree
from qrelsmith.base.figure_text import short
from qrelsmith.cli import run

from ..audit.test_scorecard import gold_of, write

GUESSED = (
    "No label set is declared as the reference, so there are no verdicts. Tables that need a"
    " reference use nist, a guess from its name. Choose a reference with --reference,"
    " or with the role “gold” for its group in campaign.toml"
)
WITH_ROLE = """format = 1
[groups.experts]
role = "gold"
[qrels."nist.qrels"]
group = "experts"
"""


def write_campaign(folder: Path, *label_sets: str, settings: str = "format = 1\n") -> Path:
    """Write a campaign with two topics of three docs for each label set."""
    (folder / "qrels").mkdir()
    for name in label_sets:
        rows = [f"{topic} 0 d{doc} {doc % 2}\n" for topic in (1, 2) for doc in range(3)]
        (folder / "qrels" / f"{name}.qrels").write_text("".join(rows))
    (folder / "campaign.toml").write_text(settings)
    return folder


def test_a_reference_chosen_by_default_is_reported_everywhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_campaign(tmp_path, "nist", "alpha")
    assert run(["audit", str(folder)]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[0].split(maxsplit=1) == ["fact", f"{GUESSED}."]
    assert f"qrelsmith: note: {GUESSED}\n" in err
    page = (folder / "audit" / "audit.html").read_text()
    head = page[: page.index('id="scorecard"')]
    assert f"<span>{GUESSED}.</span>" in head


@pytest.mark.parametrize(
    ("label_sets", "options", "settings"),
    [
        (("nist", "alpha"), ["--reference", "alpha"], "format = 1\n"),
        (("gold", "alpha"), [], "format = 1\n"),
        (("nist", "alpha"), [], WITH_ROLE),
        (("alpha",), [], "format = 1\n"),
    ],
    ids=["named", "called gold", "role gold", "nothing to compare"],
)
def test_a_reference_that_is_given_or_the_only_label_set_needs_no_notice(
    label_sets: tuple[str, ...],
    options: list[str],
    settings: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    folder = write_campaign(tmp_path, *label_sets, settings=settings)
    assert run(["audit", str(folder), *options]) == 0
    assert "No label set is named gold" not in "".join(capsys.readouterr())
    assert "No label set is named gold" not in (folder / "audit" / "audit.html").read_text()


def test_a_label_set_with_the_name_gold_is_the_reference_without_a_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_campaign(tmp_path, "alpha", "gold")
    assert run(["audit", str(folder), "--quiet"]) == 0
    assert '"reference": "gold"' in (folder / "audit" / "manifest.json").read_text()


def loose(folder: Path) -> list[str]:
    """Two loose label files and a run, as arguments."""
    rows = [f"{topic} 0 d{doc} {doc % 2}\n" for topic in (1, 2) for doc in range(3)]
    for name in ("people", "model"):
        (folder / f"{name}.qrels").write_text("".join(rows))
    (folder / "a.run").write_text("1 Q0 d1 1 2.0 a\n2 Q0 d1 1 2.0 a\n")
    sets = [f"--qrels={folder / name}.qrels" for name in ("people", "model")]
    return [*sets, str(folder / "a.run"), "-o", str(folder / "out"), "--quiet"]


def test_loose_files_are_audited_under_their_names_and_no_other_file_is_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "topics.tsv").write_text("no topics\n")
    assert run(["audit", *loose(tmp_path), "--reference", "people"]) == 0
    out, _ = capsys.readouterr()
    assert {line.split()[0] for line in out.splitlines() if line} >= {"people", "model"}
    assert (tmp_path / "out" / "tables" / "scorecard.csv").exists()


def test_requirements_set_the_exit_status_and_failures_are_reported_even_with_quiet(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["audit", *loose(tmp_path), "--reference", "people"]
    assert run([*command, "--require=agrees=none:people"]) == 0
    assert capsys.readouterr().err == ""
    met = ("undamaged!=bad,fair:model", "agrees=good,probably-good:model", "agrees.value>=.6:model")
    assert run([*command, *(f"--require={text}" for text in met)]) == 0
    failing = ("agrees=bad:people", "undamaged=bad:model", "agrees.p_good<.5:model")
    assert run([*command, *(f"--require={text}" for text in failing)]) == 1
    assert capsys.readouterr().err == (
        "qrelsmith: error: required agrees=bad:people, but it is none (No verdict: people is the"
        " reference); undamaged=bad:model, but it is good;"
        " agrees.p_good<.5:model, but it is 1\n"
    )


def test_the_audit_never_recommends_a_models_label_set_as_reference(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    models = "".join(f'[qrels."{name}.qrels"]\nkind = "model"\n' for name in ("a", "people-like"))
    sets = ("a", "people-like", "x", "y")
    folder = write_campaign(tmp_path, *sets, settings=f"format = 1\n{models}")
    assert run(["audit", str(folder)]) == 0
    assert f"qrelsmith audit {folder} --reference x\n" in capsys.readouterr().out


def test_the_commands_of_the_page_work_in_sequence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (Path(__file__).parents[2] / "docs" / "audit.md").read_text("utf-8")
    _, _, after = page.partition("## Without a campaign, and in CI\n\n```sh\n")
    commands = after.partition("```")[0].splitlines()
    assert len(commands) == 3
    made = write(tmp_path, {"gold": gold_of(12), "gpt": gold_of(12)})
    shutil.copytree(made.folder / "qrels", tmp_path, dirs_exist_ok=True)
    (tmp_path / "gold.qrels").rename(tmp_path / "people.qrels")
    monkeypatch.chdir(tmp_path)
    for command in commands:
        assert run(shlex.split(command)[1:]) == 0, command
    assert run(["audit", "my-judges"]) == 0
    assert "people  Reference for the other label sets." in capsys.readouterr().out
    last = shlex.split(commands[-1].replace("=good", "=bad"))[1:]
    assert run([*last, "--quiet"]) == 1
    assert "required ranks-all=bad:gpt, but it is good" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--require", "agrees:people"], "expected QUESTION=VERDICT:LABEL_SET"),
        (
            ["--require", "agrees=fine:people"],
            "unknown verdict 'fine' (choices: good, probably good,",
        ),
        (["--require", "agrees>=good:people"], "before a verdict; expected = or !="),
        (
            ["--require", "agrees.mean>=.6:people"],
            "unknown column 'mean' (choices: value, low, high",
        ),
        (["--require", "agrees.value>=x:people"], "expected a number, found 'x'"),
        (["--require", "likes=good:people"], "unknown question of the scorecard 'likes'"),
        (["--require", "agrees=good:nobody"], "unknown label set 'nobody'"),
    ],
)
def test_a_requirement_that_cannot_be_met_is_refused_at_once(
    options: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["audit", *loose(tmp_path), *options]) == 2
    assert told in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def words_of(page: Path) -> str:
    """Return the visible words of a report's page."""
    seen = re.sub(r"<(style|script|svg)\b.*?</\1>", "", page.read_text("utf-8"), flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", seen).split())


def test_a_report_of_loose_files_mentions_no_other_file_and_its_commands_work(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "c", {"gold": gold_of(12), "flat": 0 * gold_of(12), "b": gold_of(12)})
    (tmp_path / "secret.log").write_text("mine\n")
    monkeypatch.chdir(tmp_path)
    labels = [f"--qrels=c/qrels/{name}.qrels" for name in ("b", "flat", "gold")]
    assert run(["audit", *labels, "c/runs", "-o", "out"]) == 0
    seen = words_of(tmp_path / "out" / "audit.html")
    assert "secret.log" not in seen
    assert "CAMPAIGN" not in seen
    assert "Audit of label sets" in seen
    assert '"--qrels=c/qrels/flat.qrels",' in (tmp_path / "out" / "manifest.json").read_text()
    out = capsys.readouterr().out
    commands = re.findall(r"^ +(qrelsmith .*)$", out, re.MULTILINE)
    assert commands[0] == "qrelsmith init campaign --qrels=c/qrels --runs=c/runs"
    assert commands[2] == "qrelsmith compare campaign --label-set b --label-set gold"
    for command in commands:
        assert run([*shlex.split(command)[1:], "--quiet"]) == 0, command


def test_one_label_set_is_not_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = write(tmp_path / "c", {"gold": gold_of(12)})
    qrels = f"--qrels={made.folder / 'qrels' / 'gold.qrels'}"
    assert run(["audit", qrels, str(made.folder / "runs"), "-o", str(tmp_path / "out")]) == 0
    seen = words_of(tmp_path / "out" / "audit.html")
    assert "Compare gold" not in seen
    assert "Reference for the other label sets" not in seen + capsys.readouterr().out
    assert "Audit of gold" in seen


def test_two_label_files_get_the_command_that_compares_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command works, and its report compares the people with each other."""
    monkeypatch.chdir(tmp_path)
    rows = [(topic, doc, (topic * doc) % 3) for topic in range(9) for doc in range(6)]
    people = "".join(f"t{t},d{d},{who},{(g + (d == 5) * (who == 'b')) % 3}\n"
                     for t, d, g in rows for who in "ab")  # fmt: skip
    Path("human.csv").write_text("topic,doc,assessor,grade\n" + people)
    Path("judge.qrels").write_text("".join(f"t{t} 0 d{d} {g}\n" for t, d, g in rows))
    assert run(["audit", "human.csv", "judge.qrels"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    command = "qrelsmith audit --qrels human.csv --qrels judge.qrels --reference human"
    assert f"If the files are label sets: {command} (see" in line
    assert run([*shlex.split(command)[1:], "--quiet"]) == 0
    alpha = next(iter(agree("human.csv").parts))
    page = Path("audit/audit.html").read_text("utf-8")
    assert f"Between the 2 assessors of human, α is {short(alpha.value)} [" in page
