from __future__ import annotations

import base64
import hashlib
import json
import math
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from qrelsmith import agree
from qrelsmith.base.content import AUDIT, Figure, Finding, NamedTable, Report, Section, Verdict
from qrelsmith.base.questions import Asked
from qrelsmith.base.tables import Cell, Table
from qrelsmith.report import write_report
from qrelsmith.report.shown_tables import MOST_ROWS

from .test_plots import HOSTILE, drawings

VOID = {"meta", "input", "link", "br", "wbr", "img", "hr"}
URL_ATTRIBUTES = {"href", "src", "action", "formaction", "data", "poster", "srcset", "xlink:href"}


@dataclass
class Element:
    tag: str
    attributes: dict[str, str]
    parent: Element | None
    children: list[Element | str] = field(default_factory=list)

    def all(self, *tags: str) -> list[Element]:
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if not tags or child.tag in tags:
                    found.append(child)
                found += child.all(*tags)
        return found

    def one(self, tag: str) -> Element:
        return self.all(tag)[0]

    def text(self) -> str:
        return " ".join(self.raw().split())

    def raw(self) -> str:
        parts = (child if isinstance(child, str) else child.raw() for child in self.children)
        return "".join(parts)


class Tree(HTMLParser):
    """The page as a tree; every element must be closed by its own end tag."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.root = self._here = Element("root", {}, None)
        self.feed(text)
        self.close()
        assert self._here is self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(set(names)) == len(names)
        element = Element(tag, {name: value or "" for name, value in attrs}, self._here)
        self._here.children.append(element)
        if tag not in VOID:
            self._here = element

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._here.tag == tag
        assert self._here.parent is not None
        self._here = self._here.parent

    def handle_data(self, data: str) -> None:
        self._here.children.append(data)


def parsed(text: str) -> Element:
    return Tree(text).root


def written(audit: Report, folder: Path) -> str:
    write_report(audit, folder)
    return (folder / "audit.html").read_text(encoding="utf-8")


def with_tables(*tables: NamedTable) -> Report:
    return Report("T", "", (), (Section("s", "S", tables=tables),), "{}\n")


@pytest.fixture(scope="session")
def tree(page: str) -> Element:
    return parsed(page)


# Permissions of the page.


def test_the_page_makes_no_requests(tree: Element) -> None:
    for element in tree.all():
        for name in URL_ATTRIBUTES & set(element.attributes):
            value = element.attributes[name]
            assert value.startswith("#") or re.fullmatch(
                r"(tables|figures)/[a-z0-9-]+\.(csv|md|tex|svg|pdf)|manifest\.json", value
            )
    assert not tree.all("link", "img", "iframe", "object", "embed", "base", "form")
    style = tree.one("style").text()
    assert "url(" not in style
    assert "@import" not in style


def test_the_policy_allows_only_the_style_and_script_in_the_page(page: str, tree: Element) -> None:
    (policy,) = (
        element.attributes["content"]
        for element in tree.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["base-uri"] == rules["form-action"] == "'none'"
    assert set(rules) == {"default-src", "base-uri", "form-action", "style-src", "script-src"}
    for tag in ("style", "script"):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert rules[f"{tag}-src"] == f"'sha256-{digest}'"


def test_the_policy_comes_before_the_content(page: str) -> None:
    assert page.startswith("<!DOCTYPE html>")
    assert page.index("Content-Security-Policy") < page.index("<style")
    assert page.index('charset="utf-8"') < 200


def test_the_page_has_no_inline_styles_or_scripts(tree: Element) -> None:
    for element in tree.all():
        assert "style" not in element.attributes
        assert not [name for name in element.attributes if name.startswith("on")]


# Elements of the page.


def test_every_link_has_a_target(tree: Element, folder: Path) -> None:
    ids = [element.attributes["id"] for element in tree.all() if "id" in element.attributes]
    assert len(set(ids)) == len(ids)
    links = [element.attributes["href"] for element in tree.all("a", "use")]
    assert links
    for link in links:
        assert link[1:] in ids if link.startswith("#") else (folder / link).is_file()


def test_every_reference_to_an_element_has_a_target(tree: Element) -> None:
    ids = {element.attributes.get("id") for element in tree.all()}
    for element in tree.all():
        for name in ("aria-labelledby", "aria-describedby", "aria-controls", "for"):
            assert set(element.attributes.get(name, "").split()) <= ids


def test_headings_are_in_order(tree: Element) -> None:
    levels = [int(element.tag[1]) for element in tree.all("h1", "h2", "h3", "h4", "h5", "h6")]
    assert levels.count(1) == 1
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_landmark_is_unique_and_the_contents_can_be_skipped(tree: Element) -> None:
    assert len(tree.all("main")) == len(tree.all("nav")) == 1
    assert tree.one("html").attributes["lang"] == "en"
    first = tree.one("body").all("a")[0]
    assert first.attributes["href"] == "#" + tree.one("main").attributes["id"]
    assert tree.one("nav").attributes["aria-label"]
    for section in tree.one("main").all("section"):
        assert section.attributes["aria-labelledby"]


def test_the_contents_list_every_section(tree: Element, audit: Report) -> None:
    links = tree.one("nav").all("a")
    assert [link.attributes["href"] for link in links] == [
        "#summary",
        *(f"#section-{section.key}" for section in audit.sections),
        "#manifest",
    ]


def test_every_table_header_has_a_scope(tree: Element) -> None:
    for table in tree.all("table"):
        for head in table.one("thead").all("th"):
            assert head.attributes["scope"] == "col"
            assert head.one("button").attributes["type"] == "button"
            assert head.text()
        for head in table.one("tbody").all("th"):
            assert head.attributes["scope"] == "row"
        assert table.attributes["aria-labelledby"]


def test_every_button_and_field_has_a_name(tree: Element) -> None:
    for button in tree.all("button"):
        assert button.text()
    for entry in tree.all("input"):
        assert entry.parent is not None
        assert entry.parent.tag == "label"
        assert entry.parent.text()


def test_every_drawing_has_a_title_or_is_hidden(tree: Element, audit: Report) -> None:
    titles = [figure.title for section in audit.sections for figure in section.figures]
    shown = [svg for svg in tree.all("svg") if svg.attributes.get("aria-hidden") != "true"]
    assert [svg.one("title").text() for svg in shown] == titles
    assert all(svg.one("desc").text() for svg in shown)
    assert all(svg.attributes["role"] == "img" for svg in shown)


def test_a_link_to_a_file_names_its_table_for_screen_readers(tree: Element) -> None:
    for paragraph in tree.all("p"):
        if paragraph.attributes.get("class") == "files" and len(paragraph.all("a")) > 1:
            assert re.match(r"Files of (table|figure) \d+:", paragraph.text())


# Text of the page.


def test_verdicts_are_words_and_icons_and_link_to_their_numbers(
    tree: Element, audit: Report
) -> None:
    summary = next(s for s in tree.all("section") if s.attributes["id"] == "summary")
    findings = next(u for u in summary.all("ul") if u.attributes["class"] == "findings")
    items = [child for child in findings.children if isinstance(child, Element)]
    words = {
        Verdict.GOOD: "Good",
        Verdict.DOUBTFUL: "Doubtful",
        Verdict.BAD: "Bad",
        Verdict.CANNOT_TELL: "Cannot tell",
        Verdict.FACT: "Fact",
    }
    assert len(items) == len(audit.summary())
    icons = set()
    for item, finding in zip(items, audit.summary(), strict=True):
        assert item.one("span").text() == words[finding.verdict]
        assert finding.sentence in item.one("p").text()
        assert item.one("a").attributes["href"] == f"#section-{finding.section}"
        icons.add((finding.verdict, item.one("use").attributes["href"]))
    assert len(icons) == len({verdict for verdict, _ in icons}) == len(words)


def test_verdicts_are_counted(tree: Element) -> None:
    counts = next(u for u in tree.all("ul") if u.attributes.get("class") == "counts")
    assert [item.text() for item in counts.all("li")] == [
        "1 bad",
        "1 doubtful",
        "1 cannot tell",
        "3 good",
        "1 fact",
    ]


def test_the_counts_link_to_the_first_finding_of_each_verdict(tree: Element) -> None:
    counts = next(u for u in tree.all("ul") if u.attributes.get("class") == "counts")
    items = {item.attributes["id"]: item for item in tree.all("li") if "id" in item.attributes}
    for link in counts.all("a"):
        word = link.one("span").text()
        assert items[link.attributes["href"][1:]].one("span").text().lower() == word


def test_the_summary_of_an_audit_begins_with_the_most_important_finding(tmp_path: Path) -> None:
    said = [
        Finding("a", Verdict.FACT, "told.", "s"),
        Finding("b", Verdict.GOOD, "well.", "s"),
        Finding("c", Verdict.BAD, "badly.", "s"),
        Finding("d", Verdict.CANNOT_TELL, "perhaps.", "s"),
        Finding("e", Verdict.FACT, "first of all.", "s", opens=True),
        Finding("f", Verdict.DOUBTFUL, "hardly.", "s"),
        Finding("g", Verdict.BAD, "worse.", "s"),
    ]
    audit = Report("T", "", (), (Section("s", "S", findings=tuple(said)),), "{}\n")
    assert [one.rule for one in audit.summary()] == ["e", "c", "g", "f", "d", "b", "a"]
    assert [line.split()[-1] for line in str(audit).splitlines()[1:]] == [
        "all.", "badly.", "worse.", "hardly.", "perhaps.", "well.", "told.",
    ]  # fmt: skip
    # The count of facts skips the fact that begins the summary.
    items = {
        item.attributes["id"]: item.text()
        for item in parsed(written(audit, tmp_path / "x")).all("li")
        if "id" in item.attributes
    }
    assert items["first-fact"].startswith("Fact: told.")
    assert items["first-bad"].startswith("Bad: badly.")
    # Pages without an audit keep the order of their sections.
    assert replace(audit, kind="A paper").summary() == tuple(said)


def test_a_section_names_the_rule_behind_each_finding(tree: Element, audit: Report) -> None:
    rules = [code.text() for code in tree.all("code")]
    assert rules == [f"Rule {finding.rule}" for finding in audit.findings()]


def test_notices_are_at_the_top_and_on_every_printed_page(page: str, tree: Element) -> None:
    (notice,) = (p for p in tree.all("p") if p.attributes.get("role") == "note")
    assert notice.text().startswith("These data are simulated")
    assert page.index('role="note"') < page.index('id="summary"')
    assert r'@page{@top-left{content:"These data are simulated\3a  three' in page


def test_a_section_without_input_names_the_missing_data(tree: Element) -> None:
    section = next(s for s in tree.all("section") if s.attributes["id"] == "section-efficiency")
    assert section.text() == (
        "6. Efficiency of the assessors Needs judgments.csv with the columns shown_at and"
        " judged_at."
    )
    (link,) = (a for a in tree.all("a") if a.attributes["href"] == "#section-efficiency")
    assert "no data" in link.text()


def test_a_number_is_shown_with_four_decimals_and_stored_with_eight_digits(tmp_path: Path) -> None:
    cells: list[Cell] = [0.1 + 0.2, 0.5, 1e-9, -0.00001, 0.0, math.nan, math.inf, 1e15, 12345.678]
    tree = parsed(
        written(
            with_tables(NamedTable("t", "T", Table.of(("v",), [(cell,) for cell in cells]))),
            tmp_path / "out",
        )
    )
    shown = [(cell.text(), cell.attributes.get("data-v")) for cell in tree.all("td")]
    assert shown == [
        ("0.3000", "0.3"),
        ("0.5000", None),
        ("1.00e-09", None),
        ("−1.00e-05", None),
        ("0.0000", None),
        ("not defined", None),
        ("inf", None),
        ("1.00e+15", None),
        ("12345.6780", None),
    ]
    assert all("n" in cell.attributes["class"].split() for cell in tree.all("td"))


def test_whole_numbers_are_shown_without_decimals_and_seconds_with_one(tmp_path: Path) -> None:
    columns = ("rank", "tied", "share", "seconds")
    rows = [(1.0, 1.5, 0.25, 12.3456), (2.0, 3.0, 1.0, 40.0), (-0.0, math.nan, 0.5, 0.04)]
    named = NamedTable("t", "T", Table.of(columns, rows), decimals={"seconds": 1})
    tree = parsed(written(with_tables(named), tmp_path / "out"))
    cells = [(cell.text(), cell.attributes.get("data-v")) for cell in tree.all("td")]
    assert [cells[place::4] for place in range(4)] == [
        [("1", None), ("2", None), ("0", None)],
        [("1.5", None), ("3.0", None), ("not defined", None)],
        [("0.2500", None), ("1.0000", None), ("0.5000", None)],
        [("12.3", "12.3456"), ("40.0", None), ("0.0400", None)],
    ]
    # The file contains every digit.
    assert "12.3456" in (tmp_path / "out" / "tables" / "t.csv").read_text()


def test_columns_of_numbers_are_right_aligned_and_others_left_aligned(tmp_path: Path) -> None:
    table = Table.of(
        ("name", "n", "some", "mixed", "flag", "none"),
        [("a", 1, None, 1, True, None), ("b", 2, 0.5, "x", False, None)],
    )
    tree = parsed(written(with_tables(NamedTable("t", "T", table)), tmp_path / "out"))
    heads = tree.one("thead").all("th")
    assert [head.attributes.get("class", "") for head in heads] == ["", "n", "n", "", "", ""]
    assert [cell.text() for cell in tree.one("tbody").all("th")] == ["a", "b"]
    assert [cell.text() for cell in tree.one("tbody").all("td")][:5] == ["1", "", "1", "True", ""]


def test_only_a_long_table_can_be_collapsed_and_filtered(tmp_path: Path) -> None:
    tables = [
        NamedTable(f"t{count}", "T", Table.of(("a", "b"), [(f"r{i}", i) for i in range(count)]))
        for count in (15, 16, 20, 21, 41)
    ]
    tree = parsed(written(with_tables(*tables), tmp_path / "out"))
    blocks = [div for div in tree.all("div") if div.attributes.get("class") == "table"]
    assert [bool(block.all("input")) for block in blocks] == [False, True, True, True, True]
    folds = ["data-folds" in block.one("table").attributes for block in blocks]
    assert folds == [False, False, False, True, True]
    assert ["Rows 1 to" in block.text() for block in blocks] == [False] * 4 + [True]


def test_a_very_long_table_is_truncated_with_a_note(tmp_path: Path) -> None:
    rows = [(f"r{place}", place) for place in range(MOST_ROWS + 1)]
    page = written(with_tables(NamedTable("t", "T", Table.of(("a", "b"), rows))), tmp_path / "out")
    tree = parsed(page)
    assert len(tree.one("tbody").all("tr")) == MOST_ROWS
    assert f"The first {MOST_ROWS} of {MOST_ROWS + 1} rows" in page
    assert (tmp_path / "out" / "tables" / "t.csv").read_text().count("\n") == MOST_ROWS + 2


def test_the_rows_collapsed_by_the_style_sheet_are_those_named_on_the_page(page: str) -> None:
    assert 'data-folds="15"' in page
    assert "data-folded] tbody tr:nth-child(n+16){display:none}" in page
    assert "Rows 1 to 40 of" in page
    assert "nth-child(n+41){display:none}" in page


def test_a_table_without_rows_or_columns_is_shown_as_empty(tmp_path: Path) -> None:
    audit = with_tables(
        NamedTable("rows", "No rows", Table.of(("a", "b"), [])),
        NamedTable("columns", "No columns", Table.of((), [])),
        NamedTable("unnamed", "No name", Table.of(("",), [(1,)])),
    )
    tree = parsed(written(audit, tmp_path / "out"))
    assert [body.text() for body in tree.all("tbody")] == ["No rows.", "No rows.", "1"]
    assert tree.all("thead")[2].text() == "(no name)"


def test_an_audit_without_content_is_still_a_page(tmp_path: Path) -> None:
    tree = parsed(written(Report("", "", (), (), ""), tmp_path / "out"))
    assert "No findings." in tree.text()


def test_a_report_without_findings_has_no_summary(tmp_path: Path) -> None:
    paper = Report("T", "", (), (Section("s", "S", paragraphs=("P",)),), "{}\n", kind="A paper")
    tree = parsed(written(paper, tmp_path / "out"))
    assert [link.attributes["href"] for link in tree.one("nav").all("a")] == [
        "#section-s",
        "#manifest",
    ]
    assert "summary" not in {element.attributes.get("id") for element in tree.all()}
    assert "audit" not in tree.text().lower()


def test_a_report_that_is_not_an_audit_summarises_its_findings(tmp_path: Path) -> None:
    finding = Finding("r", Verdict.GOOD, "As published.", "s")
    paper = Report("T", "", (), (Section("s", "S", findings=(finding,)),), "{}\n", kind="A paper")
    tree = parsed(written(paper, tmp_path / "out"))
    assert tree.one("nav").all("a")[0].attributes["href"] == "#summary"


def test_the_tables_of_a_paper_are_not_numbered_by_the_page(tmp_path: Path) -> None:
    named = NamedTable("t", "Means", Table.of(("a",), [(1.0,)]))
    section = Section("s", "Table 7: means", tables=(named,))
    for kind, heading in (("A paper", "Means"), (AUDIT, "Table 1: Means")):
        report = Report("T", "", (), (section,), "{}\n", kind=kind)
        tree = parsed(written(report, tmp_path / kind))
        assert tree.one("h3").text() == heading


def test_figures_and_intervals_are_not_split_across_lines(tmp_path: Path) -> None:
    finding = Finding("r", Verdict.GOOD, "τ = −0.5 [-0.6, −0.4] of 12 % of 3 runs", "s")
    audit = Report("T", "", (), (Section("s", "S", findings=(finding,)),), "{}\n")
    page = written(audit, tmp_path / "out")
    assert "τ\xa0=\xa0−0.5 [−0.6,\xa0−0.4] of 12\xa0% of 3 runs" in page


# Text from users.


def named(word: str) -> Report:
    """Return an audit in which every name from a user is the given word."""
    table = Table.of((word, "v"), [(word, 1.0), (word + '" onclick="x()', 2.0)])
    section = Section(
        key=word,
        title=word,
        paragraphs=(word,),
        tables=(NamedTable(word, word, table, word),),
        figures=(Figure(word, word, drawings([word, "other"])["intervals"], word),),
        findings=(Finding(word, Verdict.BAD, word, word),),
    )
    lacking = Section(key="l", title=word, missing=word)
    return Report(word, word, (word,), (section, lacking), json.dumps({word: word}))


def shape(element: Element) -> object:
    """Return the element without its text, breaks and drawings, which depend on names."""
    inside = (child for child in element.children if isinstance(child, Element))
    return (
        element.tag,
        sorted(element.attributes),
        [
            shape(child)
            for child in inside
            if child.tag != "wbr" and child.attributes.get("role") != "img"
        ],
    )


@pytest.mark.parametrize("name", [name or "-" for name in HOSTILE])
def test_the_structure_of_the_page_does_not_depend_on_names(tmp_path: Path, name: str) -> None:
    hostile = written(named(name), tmp_path / "hostile")
    harmless = written(named("x"), tmp_path / "harmless")
    assert shape(parsed(hostile)) == shape(parsed(harmless))
    tags = {element.tag for svg in parsed(hostile).all("svg") for element in svg.all()}
    assert not tags & {"script", "b", "foreignobject", "a", "style"}
    assert "\x00" not in hostile


def test_a_script_end_tag_in_a_manifest_or_notice_ends_nothing(tmp_path: Path) -> None:
    word = "</script></style><!--<script>\\\"';}"
    page = written(Report(word, word, (word,), (), word), tmp_path / "out")
    tree = parsed(page)
    assert len(tree.all("script")) == len(tree.all("style")) == 1
    assert tree.one("pre").text() == word
    assert tree.one("h1").text() == word


def test_a_finding_of_a_missing_section_has_no_link(audit: Report, tmp_path: Path) -> None:
    finding = Finding("r", Verdict.FACT, "A fact.", "nowhere")
    section = replace(audit.sections[-1], missing="", findings=(finding,))
    tree = parsed(written(replace(audit, sections=(section,)), tmp_path / "out"))
    links = [a.attributes["href"] for a in tree.one("main").all("a")]
    assert not [link for link in links if "nowhere" in link]


def test_a_table_of_an_answer_names_the_command_for_its_numbers(tmp_path: Path) -> None:
    class Answered:
        asked = Asked(agree.__name__, {"by": "pair", "label_set": ["<a>", "b c"]}, {})

        def table(self) -> Table:
            return table

    table = Table.of(["a"], [[1]])
    more = Table.of(["a", "share", "rank"], [[1, 0.5, 2], [1, math.nan, 1]])
    tables = (
        NamedTable("k", "K", table, answer=Answered()),
        NamedTable("l", "L", table),
        NamedTable("m", "M", more, answer=Answered()),
    )
    element = parsed(written(with_tables(*tables), tmp_path / "out"))
    asked = "qrelsmith agree CAMPAIGN --by pair --label-set '<a>' --label-set 'b c'"
    notes = [e.text() for e in element.all("p") if "Command" in e.text()]
    assert notes == [
        f"Command: {asked}", f"Command for all columns except ‘share’ and ‘rank’: {asked}",
    ]  # fmt: skip
