from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from qrelsmith.base.content import Figure, NamedTable, Points, Report, Section
from qrelsmith.base.errors import InputError, MissingDependencyError, UsageError
from qrelsmith.base.tables import Table
from qrelsmith.report import check_folder, write_report
from qrelsmith.report.names import stem

SMALL = Report(
    title="Small",
    subtitle="",
    notices=(),
    sections=(
        Section(
            key="one",
            title="One",
            tables=(NamedTable("t", "A table", Table.of(("a", "b"), [("x", 0.1 + 0.2)])),),
            figures=(Figure("f", "A figure", Points(["a"], [1.0], [2.0], "x", "y"), "Caption"),),
        ),
    ),
    manifest='{"format": 1}\n',
)


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_every_table_and_figure_has_its_files(audit: Report, folder: Path) -> None:
    expected = {"audit.html", "manifest.json", "SHA256SUMS"}
    for section in audit.sections:
        expected |= {
            f"tables/{table.key}.{end}" for table in section.tables for end in ("csv", "md", "tex")
        }
        expected |= {f"figures/{figure.key}.svg" for figure in section.figures}
    assert set(files(folder)) == expected


def test_the_files_of_a_table_contain_its_text_in_three_formats(
    audit: Report, folder: Path
) -> None:
    for section in audit.sections:
        for named in section.tables:
            for end, form in (("csv", "csv"), ("md", "markdown"), ("tex", "latex")):
                data = (folder / "tables" / f"{named.key}.{end}").read_bytes()
                assert data == named.table.text(form).encode("utf-8")


def test_copies_for_spreadsheets_contain_no_formula(tmp_path: Path) -> None:
    table = Table.of(("run", "score"), [("=1+1", -0.5), ("@x", 1), ("a", None)])
    named = replace(SMALL.sections[0].tables[0], table=table)
    section = replace(SMALL.sections[0], tables=(named,))
    write_report(replace(SMALL, sections=(section,)), tmp_path / "out", spreadsheet=True)
    tables = tmp_path / "out" / "tables"
    assert (tables / "t.csv").read_text(encoding="utf-8") == table.text("csv")
    copy = (tables / "t-spreadsheet.csv").read_text(encoding="utf-8")
    assert copy == "run,score\n'=1+1,-0.5\n'@x,1\na,\n"


def test_the_manifest_is_written_unchanged(audit: Report, folder: Path) -> None:
    assert (folder / "manifest.json").read_text(encoding="utf-8") == audit.manifest
    assert json.loads(audit.manifest)["format"] == 1


def test_the_paths_are_returned_sorted(tmp_path: Path) -> None:
    paths = write_report(SMALL, tmp_path / "out", pdf=True)
    assert paths == sorted(paths)
    assert [path.relative_to(tmp_path / "out").as_posix() for path in paths] == [
        "SHA256SUMS",
        "audit.html",
        "figures/f.pdf",
        "figures/f.svg",
        "manifest.json",
        "tables/t.csv",
        "tables/t.md",
        "tables/t.tex",
    ]


def test_the_checksums_match_the_files(tmp_path: Path) -> None:
    write_report(SMALL, tmp_path / "out")
    found = files(tmp_path / "out")
    lines = found.pop("SHA256SUMS").decode().splitlines()
    assert lines == [f"{hashlib.sha256(found[n]).hexdigest()}  {n}" for n in sorted(found)]


def test_the_same_audit_gives_the_same_bytes(audit: Report, folder: Path, tmp_path: Path) -> None:
    write_report(audit, tmp_path / "again")
    assert files(tmp_path / "again") == files(folder)


def test_another_process_with_another_hash_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]);"
        "from qrelsmith.report import write_report;"
        "from test_files import SMALL; write_report(SMALL, sys.argv[2])"
    )
    for seed in "12":
        subprocess.run(
            [sys.executable, "-c", program, str(Path(__file__).parent), str(tmp_path / seed)],
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        )
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_an_earlier_audit_is_replaced_completely(tmp_path: Path) -> None:
    target = tmp_path / "out"
    write_report(SMALL, target)
    (target / ".DS_Store").write_bytes(b"litter")
    other = replace(SMALL, title="Other", sections=())
    write_report(other, target)
    assert set(files(target)) == {"audit.html", "manifest.json", "SHA256SUMS"}
    assert list(tmp_path.iterdir()) == [target]


def test_an_empty_folder_is_used_and_keeps_its_permissions(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.mkdir(mode=0o750)
    write_report(SMALL, target)
    assert target.stat().st_mode & 0o777 == 0o750
    assert (target / "audit.html").exists()


def test_parent_folders_are_created(tmp_path: Path) -> None:
    write_report(SMALL, tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b" / "audit.html").exists()


@pytest.mark.parametrize("name", ["mine.txt", "tables/mine.csv", "audit.html", "SHA256SUMS"])
def test_a_folder_with_another_file_is_refused_with_the_name_of_the_file(
    tmp_path: Path, name: str
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=f"'{name}', which is not part of a report"):
        write_report(SMALL, tmp_path)
    assert (tmp_path / name).read_text(encoding="utf-8") == "mine"


def test_a_file_added_to_an_audit_is_not_lost(tmp_path: Path) -> None:
    write_report(SMALL, tmp_path / "out")
    (tmp_path / "out" / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"'notes\.txt'"):
        write_report(SMALL, tmp_path / "out")


def test_a_file_that_was_changed_is_not_lost(tmp_path: Path) -> None:
    write_report(SMALL, tmp_path / "out")
    (tmp_path / "out" / "tables" / "t.csv").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=r"'tables/t\.csv' .* was changed"):
        write_report(SMALL, tmp_path / "out")


def test_a_link_in_the_folder_counts_as_another_file(tmp_path: Path) -> None:
    write_report(SMALL, tmp_path / "out")
    (tmp_path / "precious").write_text("mine", encoding="utf-8")
    (tmp_path / "out" / "manifest.json").unlink()
    (tmp_path / "out" / "manifest.json").symlink_to(tmp_path / "precious")
    with pytest.raises(UsageError, match=r"'manifest\.json'"):
        write_report(SMALL, tmp_path / "out")


def test_a_file_in_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="this is a file; expected a folder"):
        write_report(SMALL, tmp_path / "out")


def test_a_new_folder_can_be_checked_before_the_work(tmp_path: Path) -> None:
    check_folder(tmp_path / "out")
    check_folder(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs a folder that takes no file")
def test_a_folder_that_cannot_be_written_is_reported_before_the_work() -> None:
    with pytest.raises(InputError, match="cannot be written"):
        check_folder("/proc/report")


def test_no_file_is_left_if_a_figure_cannot_be_drawn(tmp_path: Path) -> None:
    wrong = Figure("f", "F", Points(["a"], [], [2.0], "x", "y"), "")
    audit = replace(SMALL, sections=(Section(key="s", title="S", figures=(wrong,)),))
    with pytest.raises(UsageError, match="0 values for 1 names"):
        write_report(audit, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_the_old_audit_is_kept_if_the_new_one_cannot_replace_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "out"
    write_report(SMALL, target)
    before = files(target)
    rename = Path.rename

    def broken(self: Path, to: Path) -> Path:
        if self.name.endswith(".part"):
            raise OSError(28, "No space left on device")
        return rename(self, to)

    monkeypatch.setattr(Path, "rename", broken)
    with pytest.raises(InputError, match="No space left"):
        write_report(replace(SMALL, title="Other"), target)
    assert files(target) == before
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("what", ["table", "figure", "section"])
def test_two_elements_with_the_same_key_are_refused(tmp_path: Path, what: str) -> None:
    section = SMALL.sections[0]
    other = Section(
        key="one" if what == "section" else "two",
        title="Two",
        tables=section.tables if what == "table" else (),
        figures=section.figures if what == "figure" else (),
    )
    with pytest.raises(UsageError, match=f"two {what}s have the key"):
        write_report(replace(SMALL, sections=(section, other)), tmp_path / "out")


KEYS = (
    *("", ".", "..", "-", "a/b", "a\\b", "A", "a", "é", "日本", "CON", "con", "nul"),
    *("../../etc/passwd", "x" * 300, "nDCG(dcg='exp')@10", "a\x00b", "a\nb", "<script>"),
)


def test_any_key_gives_a_name_allowed_by_every_file_system() -> None:
    names = [stem(key) for key in KEYS]
    assert len({name.lower() for name in names}) == len(KEYS)
    for name in names:
        assert name.replace("-", "").isalnum()
        assert name.isascii()
        assert len(name) <= 70
        assert name not in ("con", "nul")


def test_files_can_be_written_for_any_key(tmp_path: Path) -> None:
    tables = tuple(NamedTable(key, "T", Table.of(("a",), [(key,)])) for key in KEYS)
    figures = tuple(Figure(key, "F", Points([], [], [], "x", "y"), "") for key in KEYS)
    sections = tuple(Section(key=key, title="S") for key in KEYS)
    audit = replace(SMALL, sections=(*sections, Section("s", "S", (), tables, figures)))
    paths = write_report(audit, tmp_path / "deep" / "out")
    assert len(paths) == 4 * len(KEYS) + 3
    assert all((tmp_path / "deep" / "out") in path.parents for path in paths)


@pytest.mark.parametrize(
    ("module", "package"), [("matplotlib", "matplotlib"), ("jinja2", "Jinja2")]
)
def test_a_missing_package_is_reported_with_the_extra_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingDependencyError, match=rf"{package}: .*\[report\]"):
        write_report(SMALL, tmp_path / "out")
    assert list(tmp_path.iterdir()) == []


def test_importing_the_report_imports_neither_matplotlib_nor_jinja2() -> None:
    program = "import sys, qrelsmith.report; print({'matplotlib', 'jinja2'} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"


def test_reports_inside_a_report_belong_to_its_files(tmp_path: Path) -> None:
    index = replace(SMALL, title="Index")
    inside = {"first": ("page.html", SMALL), "second": ("page.html", replace(SMALL, title="B"))}
    write_report(index, tmp_path / "out", page="index.html", inside=inside)
    found = files(tmp_path / "out")
    assert {name for name in found if name.endswith(".html")} == {
        "index.html",
        "first/page.html",
        "second/page.html",
    }
    assert b"<h1>B</h1>" in found["second/page.html"]
    assert found["first/tables/t.csv"] == found["tables/t.csv"]
    named = {line.split("  ")[1] for line in found["SHA256SUMS"].decode().splitlines()}
    assert named == set(found) - {"SHA256SUMS"}
    # A report in that folder may be replaced, including files in its folders.
    check_folder(tmp_path / "out")
    write_report(index, tmp_path / "out", page="index.html")
    assert not (tmp_path / "out" / "first").exists()


def test_a_section_can_link_to_another_page(tmp_path: Path) -> None:
    (section,) = SMALL.sections
    linked = replace(SMALL, sections=(replace(section, page="pdp/reproduction.html"),))
    write_report(linked, tmp_path / "out")
    page = (tmp_path / "out" / "audit.html").read_text()
    assert '<a href="pdp/reproduction.html">' in page
