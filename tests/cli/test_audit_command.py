"""`qrelsmith audit` says on stderr and in its summary what its verdicts rest on."""

from __future__ import annotations

from pathlib import Path

import pytest

from qrelsmith.cli import run

GUESSED = (
    "No label set is named gold; alpha is the reference because it comes first by name; choose"
    " another with --reference"
)
WITH_ROLE = """format = 1
[groups.experts]
role = "gold"
[qrels."nist.qrels"]
group = "experts"
"""


def write_campaign(folder: Path, *label_sets: str, settings: str = "format = 1\n") -> Path:
    """Two topics of three docs under each label set."""
    (folder / "qrels").mkdir()
    for name in label_sets:
        rows = [f"{topic} 0 d{doc} {doc % 2}\n" for topic in (1, 2) for doc in range(3)]
        (folder / "qrels" / f"{name}.qrels").write_text("".join(rows))
    (folder / "campaign.toml").write_text(settings)
    return folder


def test_a_reference_that_nobody_chose_is_said_at_every_place(
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
        (
            ("nist", "alpha"),
            [],
            WITH_ROLE,
        ),
        (("alpha",), [], "format = 1\n"),
    ],
    ids=["named", "called gold", "role gold", "nothing to compare"],
)
def test_a_reference_that_is_told_or_alone_needs_no_notice(
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


def test_a_label_set_called_gold_is_the_reference_without_any_role(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = write_campaign(tmp_path, "alpha", "gold")
    assert run(["audit", str(folder), "--quiet"]) == 0
    assert '"reference": "gold"' in (folder / "audit" / "manifest.json").read_text()
