"""The sections on efficiency, disagreements, consistency and leaving out a team."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import qrelsmith.audit.sections  # noqa: F401 - fills the registry
from qrelsmith.audit.inputs import AuditInputs
from qrelsmith.audit.registry import SECTIONS
from qrelsmith.base.content import Section, Verdict
from qrelsmith.campaign.campaign import Campaign, Group, write_campaign_toml
from qrelsmith.collection.qrels import Qrels, write_qrels
from qrelsmith.collection.run_writing import write_run
from qrelsmith.collection.runs import Run

KEYS = (
    "efficiency", "group-agreement", "disagreements", "consistency", "orderings", "leave-team-out",
)  # fmt: skip


def section(inputs: AuditInputs, name: str) -> Section:
    found: Section = SECTIONS.get(name)(inputs)
    assert found.key == name
    return found


def rows(found: Section, key: str) -> list[tuple]:
    return list(next(table for table in found.tables if table.key == key).table.rows)


def write_judged(folder: Path, *, clock: str = "sound", docs: int = 12, assessors: int = 1) -> Path:
    """A campaign whose gold and bronze groups judged four topics, two per ordering."""
    lines = ["topic,doc,assessor,grade,group,ordering,position,shown_at,judged_at"]
    for topic in range(4):
        for letter, group, pace in (("g", "gold", 20), ("w", "bronze", 40)):
            number = topic % assessors
            who, seconds = f"{letter}{number or ''}", pace + number
            for place in range(docs):
                grade = place % 3 if group == "gold" else (place + (place % 5 == 0)) % 3
                start = topic * docs * 60 + place * seconds
                shown, judged = (
                    f"2024-01-08T{9 + at // 3600:02d}:{at // 60 % 60:02d}:{at % 60:02d}Z"
                    for at in (start, start + seconds - place % 3)
                )
                if clock == "backwards" and place == 3:
                    shown, judged = judged, shown
                if clock == "missing":
                    shown = judged = ""
                ordering = "prioritised" if topic % 2 or group == "bronze" else "randomised"
                cells = (f"t{topic}", f"d{place:02d}", who, grade, group, ordering, place + 1)
                lines.append(",".join(map(str, (*cells, shown, judged))))
    folder.mkdir(exist_ok=True)
    (folder / "judgments.csv").write_text("\n".join(lines) + "\n")
    write_campaign_toml(Campaign(folder=folder, title="x", groups={"gold": Group(role="gold")}))
    return folder


def labels_only(folder: Path) -> AuditInputs:
    (folder / "qrels").mkdir()
    write_qrels(Qrels.from_dict({"1": {"a": 1.0, "b": 0.0}}), folder / "qrels" / "only.qrels")
    write_campaign_toml(Campaign(folder=folder, title="labels only"))
    return AuditInputs(folder)


def test_every_section_names_its_missing_data(tmp_path: Path) -> None:
    inputs = labels_only(tmp_path)
    missing = {name: section(inputs, name).missing for name in KEYS}
    assert missing == {
        "efficiency": "judgments with the columns judged_at and shown_at; there are no judgments",
        "group-agreement": "judgments from two groups; there are no judgments",
        "orderings": "docs that the assessors of only saw in at least two orderings"
        " (found: no recorded ordering)",
        "disagreements": "a second label set on the scale 0..1 of only; none exists",
        "consistency": "at least two runs, and two topics in common between only and another label"
        " set; found 0 and 1",
        "leave-team-out": "runs from at least two teams; there are none",
    }


def test_judgments_without_times_have_no_efficiency(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path, clock="missing")), "efficiency")
    assert found.missing.endswith("the judgments have no times")


def test_groups_that_differ_more_than_their_assessors_are_named(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path, assessors=2)), "efficiency")
    assert "Significant differences: bronze is slower than gold." in found.findings[1].sentence


def test_efficiency_shows_the_time_per_judgment_and_the_slower_group(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path)), "efficiency")
    times, pace = found.findings
    assert (times.rule, times.verdict) == ("times", Verdict.FACT)
    assert "8 of 8 (assessor, topic)" in times.sentence
    assert pace.verdict is Verdict.FACT
    assert "39.8 s [39.8, 39.8] for bronze" in pace.sentence
    # One assessor per group is not evidence about other assessors.
    assert "slower" not in pace.sentence
    assert {row[1] for row in rows(found, "efficiency-groups")} == {
        "bronze/prioritised", "gold/prioritised", "gold/randomised",
    }  # fmt: skip


def test_timestamps_that_go_backwards_give_no_times(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path, clock="backwards")), "efficiency")
    (times,) = found.findings
    assert "0 of 8" in times.sentence
    assert any("timestamps that go backwards" in text for text in found.paragraphs)


def test_disagreements_of_groups_are_split_by_ordering(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path)), "disagreements")
    # Gold's docs 0, 3, 6, 9 of a topic have grade 0; bronze differs at 0, 5 and 10.
    counts = {row[:4]: row[4:6] for row in rows(found, "disagreements")}
    assert counts["not relevant", "prioritised", None, "any"] == (2, 8)
    assert counts["relevant", "randomised", None, "any"] == (2, 16)
    assert len(rows(found, "disagreements-orderings")) == 2


def test_additional_label_files_do_not_hide_the_ordering(tmp_path: Path) -> None:
    folder = write_judged(tmp_path)
    (folder / "qrels").mkdir()
    labels = {f"t{t}": {f"d{d:02d}": float(d % 3) for d in range(12)} for t in range(4)}
    write_qrels(Qrels.from_dict(labels), folder / "qrels" / "truth.qrels")
    found = section(AuditInputs(folder), "disagreements")
    assert {row[1] for row in rows(found, "disagreements")} == {"prioritised", "randomised"}


def test_groups_are_compared_by_topic_in_every_environment(tmp_path: Path) -> None:
    found = section(AuditInputs(write_judged(tmp_path)), "group-agreement")
    scopes = ["bronze/prioritised ~ gold/prioritised", "bronze/prioritised ~ gold/randomised"]
    means = rows(found, "group-agreement")
    assert [(row[0], row[1]) for row in means] == [(scope, 2) for scope in scopes]
    # All topics have the same grades, so nothing distinguishes them and there is no p-value.
    (test,) = rows(found, "group-agreement-test")
    assert (test[4], len({row[2] for row in means})) == (0, 1)
    assessors = [row[0] for row in rows(found, "group-agreement-assessors")]
    assert assessors == ["g ~ bronze", "w ~ gold"]
    (fact,) = found.findings
    assert "0 of 1 differences" in fact.sentence


def write_ranked(folder: Path) -> AuditInputs:
    """The same campaign with three runs, of which the best ranks by gold's grades."""
    write_judged(folder)
    (folder / "runs").mkdir()
    for name, worth in (("a-1", 1.0), ("b-1", 0.5), ("b-2", -1.0)):
        scores = {
            f"t{topic}": {f"d{d:02d}": worth * (d % 3) - 0.01 * d * (topic % 2) for d in range(12)}
            for topic in range(4)
        }
        write_run(Run.from_dict(scores, name=name), folder / "runs" / f"{name}.run")
    return AuditInputs(folder)


def test_orderings_split_the_topics_of_the_reference(tmp_path: Path) -> None:
    inputs = write_ranked(tmp_path)
    assert dict(inputs.orderings) == {"prioritised": ("t1", "t3"), "randomised": ("t0", "t2")}
    found = section(inputs, "orderings")
    assert (
        "2 topics in the ordering prioritised and 2 topics in the ordering randomised"
        in found.paragraphs[0]
    )
    grades = {row[0]: row[1:] for row in rows(found, "orderings-grades")}
    assert grades["gold/randomised"] == (8, 8, 8, 24)
    across = rows(found, "orderings-rankings")
    assert [row[:4] for row in across] == [
        (name, "nDCG@10", "prioritised", "randomised") for name in ("gold", "bronze")
    ]
    within = rows(found, "orderings-label-sets")
    assert [row[:4] for row in within] == [
        (ordering, "nDCG@10", "gold", "bronze") for ordering in ("prioritised", "randomised")
    ]
    halves = rows(found, "orderings-consistency")
    assert sorted(row[1:5] for row in halves) == [
        ("gold", "prioritised", "nDCG@10", 2), ("gold", "randomised", "nDCG@10", 2),
    ]  # fmt: skip
    assert {row[2] for row in rows(found, "orderings-consistency-2")} == {"randomised"}
    (fact,) = found.findings
    assert "prioritised and randomised" in fact.sentence


def test_teams_are_left_out_on_the_topics_of_each_ordering_too(tmp_path: Path) -> None:
    found = section(write_ranked(tmp_path), "leave-team-out")
    topics = ["all", "prioritised", "randomised"]
    docs = rows(found, "leave-team-out-docs")
    assert sorted({row[0] for row in docs}) == topics
    for team in "ab":
        whole, *parts = (next(r[3] for r in docs if r[:2] == (name, team)) for name in topics)
        assert whole == sum(parts)
    assert sorted({row[1] for row in rows(found, "leave-team-out-1")}) == topics
    (finding,) = found.findings
    assert "Without the" in finding.sentence


def test_docs_that_all_others_call_highly_relevant_are_listed(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    docs = [f"d{number:03d}" for number in range(200)]
    for name, grades in (
        ("gold", [0] * 150 + [2] * 50),
        ("x", [2] * 40 + [0] * 110 + [2] * 50),
        ("y", [1] * 40 + [0] * 110 + [2] * 50),
    ):
        labels = dict(zip(docs, map(float, grades), strict=True))
        write_qrels(Qrels.from_dict({"1": labels}), tmp_path / "qrels" / f"{name}.qrels")
    write_campaign_toml(Campaign(folder=tmp_path, title="contested"))
    found = section(AuditInputs(tmp_path), "disagreements")
    assert len(rows(found, "disagreements-serious")) == 40
    assert "disagreements-orderings" not in [table.key for table in found.tables]


def test_the_lack_of_docs_judged_by_all_is_reported(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    for name in "ab":
        labels = Qrels.from_dict({"1": {name: 1.0, f"{name}2": 0.0}})
        write_qrels(labels, tmp_path / "qrels" / f"{name}.qrels")
    write_campaign_toml(Campaign(folder=tmp_path, title="apart"))
    found = section(AuditInputs(tmp_path), "disagreements")
    assert found.missing == "docs that a and all of b judged; none exist"


def test_consistency_ranks_sound_labels_above_careless_ones(inputs: AuditInputs) -> None:
    found = section(inputs, "consistency")
    table = {row[1]: row for row in rows(found, "consistency")}
    assert table["gold"][7] > table["careless"][7]
    assert table["careless"][0] in table["gold"][9].split(",")
    fact = next(one for one in found.findings if one.verdict is Verdict.FACT)
    assert "less consistent under " in fact.sentence
    assert "careless" in fact.sentence
    figure = found.figures[0].drawing
    assert all(
        low <= value <= high
        for low, value, high in zip(figure.lows, figure.values, figure.highs, strict=True)
    )


def test_one_label_set_is_not_tested_against_itself(tmp_path: Path) -> None:
    (tmp_path / "qrels").mkdir()
    (tmp_path / "runs").mkdir()
    labels = Qrels.from_dict({str(t): {"a": 1.0, "b": 0.0, "c": 2.0} for t in range(6)})
    write_qrels(labels, tmp_path / "qrels" / "gold.qrels")
    for name, best in (("x-1", "a"), ("y-1", "b"), ("y-2", "c")):
        scores = {str(t): {best: 1.0} for t in range(6)}
        write_run(Run.from_dict(scores, name=name), tmp_path / "runs" / f"{name}.run")
    write_campaign_toml(Campaign(folder=tmp_path, title="one", measures=("P@1",)))
    found = section(AuditInputs(tmp_path), "consistency")
    (row,) = rows(found, "consistency")
    letter, name, _, measure, _, _, splits, mean, deviation, outperforms, *ends, over = row
    # No interval over 6 topics.
    assert all(map(math.isnan, ends))
    assert over == "topics"
    assert (letter, name, measure, splits, outperforms) == ("a", "gold", "P@1", 1000, "")
    assert (mean, deviation) == (1, 0)


def test_teams_guessed_from_the_names_of_runs_are_left_out_one_by_one(inputs: AuditInputs) -> None:
    found = section(inputs, "leave-team-out")
    assert "The 4 teams are read from the runs' names." in found.paragraphs[0]
    assert "top 10" in found.paragraphs[0]
    contributed = rows(found, "leave-team-out-docs")
    assert [row[1] for row in contributed] == ["team0", "team1", "team2", "team3"]
    for _, _, runs, unique, judged, relevant, left in contributed:
        assert runs in (5, 6)
        # Every doc of this campaign is judged.
        assert unique == judged >= relevant
        assert left == 3000 - judged
    assert {row[0] for row in rows(found, "leave-team-out-1")} == set(inputs.label_sets)
    (finding,) = found.findings
    assert finding.rule == "leave-team-out"
    assert "[" in finding.sentence
    assert "(teams guessed from the runs' names)" in finding.sentence
    assert "The team with the lowest τ" in finding.sentence
    assert any("[teams]" in note for note in inputs.notes)


def test_teams_are_those_of_the_campaign_and_pools_have_its_depth(
    campaign: Path, tmp_path: Path
) -> None:
    for name in ("runs", "qrels"):
        (tmp_path / name).symlink_to(campaign / name)
    (tmp_path / "pools").mkdir()
    (tmp_path / "pools" / "pri.pool").write_text(
        "# pool format=1 ordering=prioritised depth=25 seed=0\nt00 d000 1\n"
    )
    settings = Campaign(folder=tmp_path, title="x", measures=("nDCG@10",))
    tags = [path.name.removesuffix(".run") for path in settings.runs]
    teams = {tag: "first" if place < 11 else "second" for place, tag in enumerate(tags)}
    write_campaign_toml(replace(settings, teams=teams))
    found = section(AuditInputs(tmp_path), "leave-team-out")
    assert "top 25" in found.paragraphs[0]
    assert "The 2 teams are read from campaign.toml." in found.paragraphs[0]
    (finding,) = found.findings
    assert "guessed" not in finding.sentence
    assert AuditInputs(tmp_path).notes == ()
    write_campaign_toml(replace(settings, teams=dict.fromkeys(tags, "one")))
    alone = section(AuditInputs(tmp_path), "leave-team-out")
    assert alone.missing == "runs from at least two teams; there is one team"
