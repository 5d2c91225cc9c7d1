"""The folder of a report's files."""

from __future__ import annotations

import hashlib
import importlib
import re
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType

from qrelsmith.base.content import SCORECARD, Report
from qrelsmith.base.errors import InputError, MissingDependencyError, UsageError, quoted
from qrelsmith.io.text import FilePath
from qrelsmith.report.names import check_unique, stem

PAGE, MANIFEST, SUMS = "audit.html", "manifest.json", "SHA256SUMS"
# Suffix of a table's file, and its format for `Table.text`.
_FORMS = ((".csv", "csv"), (".md", "markdown"), (".tex", "latex"))
_SPREADSHEET = ("-spreadsheet.csv", "spreadsheet")
# Files left by file managers.
_LITTER = frozenset([".DS_Store", "Thumbs.db", "desktop.ini"])
_SUM = re.compile(r"([0-9a-f]{64})  (\S.*)")


def write_report(
    report: Report,
    folder: FilePath,
    *,
    page: str = PAGE,
    inside: Mapping[str, tuple[str, Report]] = MappingProxyType({}),
    beside: Mapping[str, str] = MappingProxyType({}),
    pdf: bool = False,
    spreadsheet: bool = False,
) -> list[Path]:
    """Write a report as a page, with files for its tables, figures and manifest.

    The folder is written atomically. The folder of an earlier report is replaced. The same report
    gives the same bytes.

    Parameters
    ----------
    report : Report
        The report.
    folder : path
        The target folder, which need not exist.
    page : str
        Name of the page.
    inside : mapping of str to (str, Report)
        Further reports by the name of their subfolder: the name of the page, and the report.
    beside : mapping of str to str
        Text of further files, by name.
    pdf : bool
        Whether figures are also written as PDF, which takes some seconds.
    spreadsheet : bool
        Whether each table gets a copy that is safe to open in a spreadsheet.

    Returns
    -------
    list of Path
        The files, sorted.

    Raises
    ------
    MissingDependencyError
        If matplotlib or Jinja2 is not installed.
    UsageError
        If two tables, figures or sections have the same key, or the folder contains a file that no
        report wrote or that was changed later.
    InputError
        If the folder cannot be written.
    """
    check_dependencies()
    check_folder(folder)
    contents = dict(_contents(report, page, pdf=pdf, spreadsheet=spreadsheet))
    contents |= {name: text.encode("utf-8") for name, text in beside.items()}
    for name, (its_page, other) in inside.items():
        files = _contents(other, its_page, pdf=pdf, spreadsheet=spreadsheet)
        contents |= {f"{stem(name)}/{file}": data for file, data in files}
    contents[SUMS] = "".join(
        f"{hashlib.sha256(data).hexdigest()}  {name}\n" for name, data in sorted(contents.items())
    ).encode("utf-8")
    try:
        _put(contents, Path(folder).resolve())
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=folder) from None
    return sorted(Path(folder) / name for name in contents)


def check_dependencies() -> None:
    """Raise an error early if a package that reports need is not installed.

    Raises
    ------
    MissingDependencyError
        If matplotlib or Jinja2 is not installed.
    """
    for module, package in (("matplotlib", "matplotlib"), ("jinja2", "Jinja2")):
        try:
            importlib.import_module(module)
        except ImportError:
            raise MissingDependencyError(package, extra="report", purpose="a report") from None


def check_folder(folder: FilePath) -> None:
    """Raise an error for a folder whose files would be lost.

    Raises
    ------
    UsageError
        If the folder contains a file that no report wrote, or that was changed later.
    InputError
        If the path is not a folder, or cannot be read or written.
    """
    path = Path(folder)
    _check_writable(path)
    try:
        if not path.exists():
            return
        if not path.is_dir():
            raise InputError("this is a file; expected a folder for the report", path=folder)
        files = {
            file.relative_to(path).as_posix(): file
            for file in sorted(path.rglob("*"))
            if (file.is_symlink() or not file.is_dir()) and file.name not in _LITTER
        }
        written = _sums(files[SUMS]) if SUMS in files else {}
        for name, file in files.items():
            if name == SUMS and written:
                continue
            if file.is_symlink() or not file.is_file() or name not in written:
                raise UsageError(
                    f"the folder {quoted(path)} contains {quoted(name)}, which is not part of a "
                    "report; expected a new or empty folder, or a folder with an earlier report"
                )
            if hashlib.sha256(file.read_bytes()).hexdigest() != written[name]:
                raise UsageError(
                    f"{quoted(name)} in the folder {quoted(path)} was changed after "
                    "the report was written; expected an unchanged report. Move the "
                    "file, or name another folder"
                )
    except OSError as error:
        raise InputError(f"cannot be read: {error.strerror or error}", path=folder) from None


def _check_writable(path: Path) -> None:
    """Check early that files can be created in a folder, or in the nearest existing parent.

    Raises
    ------
    InputError
        If files cannot be created.
    """
    try:
        above = next(one for one in (path.absolute(), *path.absolute().parents) if one.exists())
        if above.is_dir():
            with tempfile.TemporaryDirectory(prefix=".", dir=above):
                pass
    except OSError as error:
        raise InputError(f"cannot be written: {error.strerror or error}", path=path) from None


def _sums(path: Path) -> Mapping[str, str]:
    """Return the digests in a report's manifest, or {} for the manifest of another program."""
    lines = path.read_bytes().decode("utf-8", "replace").splitlines()
    matches = [_SUM.fullmatch(line) for line in lines]
    sums = {match[2]: match[1] for match in matches if match is not None}
    return sums if len(sums) == len(lines) and MANIFEST in sums else {}


def _contents(
    report: Report, page_name: str, *, pdf: bool, spreadsheet: bool
) -> Iterator[tuple[str, bytes]]:
    """Yield every file of the report with its bytes."""
    from qrelsmith.report.html import page
    from qrelsmith.report.picture import picture

    tables = [table for section in report.sections for table in section.tables]
    figures = [figure for section in report.sections for figure in section.figures]
    check_unique("section", (section.key for section in report.sections))
    check_unique("table", (SCORECARD, *(table.key for table in tables)))
    check_unique("figure", (figure.key for figure in figures))
    named = [(stem(table.key), table.table) for table in tables]
    if report.scorecard is not None:
        named = [(SCORECARD, report.scorecard.table()), *named]
    for name, table in named:
        for end, form in (*_FORMS, *((_SPREADSHEET,) if spreadsheet else ())):
            yield f"tables/{name}{end}", _bytes(table.text(form))
    drawings = {}
    for figure in figures:
        name = stem(figure.key)
        drawn = picture(figure, name=f"drawing-{name}", notices=report.notices)
        drawings[figure.key] = drawn.inline
        yield f"figures/{name}.svg", drawn.svg
        if pdf:
            yield f"figures/{name}.pdf", drawn.pdf
    yield page_name, _bytes(page(report, drawings, pdf=pdf))
    yield MANIFEST, _bytes(report.manifest)


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _put(contents: Mapping[str, bytes], target: Path) -> None:
    """Write the files to a new folder, and replace the target with it."""
    target.parent.mkdir(parents=True, exist_ok=True)
    mark = secrets.token_hex(4)
    part = target.with_name(f".{target.name}.{mark}.part")
    old = target.with_name(f".{target.name}.{mark}.old")
    try:
        for name, data in contents.items():
            file = part / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        if target.exists():
            part.chmod(target.stat().st_mode & 0o7777)
            target.rename(old)
            try:
                part.rename(target)
            except BaseException:
                old.rename(target)
                raise
            shutil.rmtree(old, ignore_errors=True)
        else:
            part.rename(target)
    except BaseException:
        shutil.rmtree(part, ignore_errors=True)
        raise
