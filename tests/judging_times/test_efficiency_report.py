from __future__ import annotations

import numpy as np

from qrelsmith.base.content import Boxes, Lines
from qrelsmith.judging_times.efficiency_report import efficiency_section, position_counts
from qrelsmith.judging_times.judging_efficiency import compared_groups, judging_efficiency
from qrelsmith.judgments.judgment_files import Judgments

START = 1_700_000_000_000


def positions(*rows: str) -> Judgments:
    """Return judgments from rows `topic doc assessor grade group position`; `-`: an empty cell."""
    names = ("topic", "doc", "assessor", "grade", "group", "position")
    cells = [["" if cell == "-" else cell for cell in row.split()] for row in rows]
    return Judgments.from_columns(dict(zip(names, zip(*cells, strict=True), strict=True)))


def test_relevant_docs_by_position_are_as_counted_by_hand() -> None:
    data = positions(
        "1 a x 2 gold 1", "1 b x 1 gold 2", "1 c x 0 gold 3", "2 a x 2 gold 1", "2 b x 2 gold 2",
        "1 a y 1 bronze 2", "1 b y -2 bronze 1", "1 c y 1 bronze 3",
    )  # fmt: skip
    found = {one.environment: one for one in position_counts(data, relevant=1, high=2)}
    # The shortest session is x on topic 2, with two docs: later positions are not counted.
    assert found["gold"].high.tolist() == [2, 1]
    assert found["gold"].relevant.tolist() == [0, 1]
    assert found["gold"].sessions == 2
    assert found["bronze"].high.tolist() == [0, 0]
    assert found["bronze"].relevant.tolist() == [0, 1]


def test_judgments_without_positions_do_not_count() -> None:
    data = positions("1 a x 2 gold 1", "1 b x 2 gold -", "1 a y 2 bronze -")
    (found,) = position_counts(data, relevant=1, high=2)
    assert (found.environment, found.high.tolist(), found.sessions) == ("gold", [1], 1)
    assert list(position_counts(positions("1 a x 2 gold -"), relevant=1, high=2)) == []


def campaign(assessors: int, *, groups: int = 2, topics: int = 3) -> Judgments:
    rng = np.random.default_rng(0)
    columns: dict[str, list[object]] = {
        name: []
        for name in (
            "topic",
            "doc",
            "assessor",
            "grade",
            "group",
            "position",
            "shown_at",
            "judged_at",
        )
    }
    for who in range(assessors):
        for topic in range(topics):
            now = START + topic * 3_600_000
            for place in range(4):
                then = now + int(rng.integers(5_000, 60_000))
                row = (
                    topic,
                    place,
                    who,
                    int(rng.integers(0, 3)),
                    who % groups,
                    place + 1,
                    now,
                    then,
                )
                for column, cell in zip(columns.values(), row, strict=True):
                    column.append(cell if cell is then or cell is now else str(cell))
                now = then
    return Judgments.from_columns(columns)


def test_every_assessor_has_a_box_in_the_colour_of_the_group() -> None:
    data = campaign(5)
    found = judging_efficiency(data, high=2)
    compared = list(compared_groups(found, by="group"))
    section = efficiency_section(found, data, compared, by="group")
    figures = {figure.key: figure.drawing for figure in section.figures}
    boxes = figures["efficiency-atbj"]
    assert isinstance(boxes, Boxes)
    assert list(boxes.names) == ["0", "2", "4", "1", "3"]
    assert list(boxes.groups) == ["0", "0", "0", "1", "1"]
    assert [len(values) for values in boxes.values] == [3] * 5
    # Without revisions there is no NREJ to draw.
    assert "efficiency-nrej" not in figures
    lines = figures["efficiency-positions-2"]
    assert isinstance(lines, Lines)
    assert [line.name for line in lines.lines] == ["highly relevant", "relevant"]
    assert [len(line.y) for line in lines.lines] == [4, 4]
    tables = {table.key: table.table for table in section.tables}
    assert len(tables["efficiency-sessions"].rows) == 15
    assert {row[1] for row in tables["efficiency-groups"].rows} == {"0", "1"}
    assert {row[0] for row in tables["efficiency-comparison"].rows} == {
        "TJ1D",
        "TF1RH",
        "TF1H",
        "ATBJ",
    }


def test_a_crowd_has_a_box_for_each_environment() -> None:
    data = campaign(41, topics=1)
    section = efficiency_section(judging_efficiency(data, high=2), data)
    boxes = next(f.drawing for f in section.figures if f.key == "efficiency-tj1d")
    assert isinstance(boxes, Boxes)
    assert list(boxes.names) == ["0", "1"]


def test_a_single_group_is_not_compared() -> None:
    data = campaign(2, groups=1)
    section = efficiency_section(judging_efficiency(data, high=2), data)
    assert [table.key for table in section.tables] == ["efficiency-groups", "efficiency-sessions"]
    assert "efficiency-means" not in {figure.key for figure in section.figures}
