"""Execution of a question by its command: keywords, progress, notes, files and the result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import Any

import click
from click.core import ParameterSource

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.options import FigureFile, Option, OutputFile, PythonOnly, ReportFolder, Source
from qrelsmith.base.questions import Question
from qrelsmith.base.registry import split_names
from qrelsmith.base.results import Result
from qrelsmith.cli.declared_options import is_several
from qrelsmith.cli.notes import notes
from qrelsmith.cli.options import Common, check_outputs, take_reading
from qrelsmith.cli.progress import progress
from qrelsmith.cli.sweeping import Sweeper
from qrelsmith.forms.reading import reading
from qrelsmith.io.writing import replacing, write_together

_PICTURES = (".svg", ".pdf")


def ask(question: Question, values: dict[str, Any]) -> None:
    """Run a question with the values of its command's arguments, and write its answer."""
    form, output, quiet = (values.pop(name) for name in ("form", "output", "quiet"))
    common = Common(form, output, values.get("seed", 0), values.get("jobs"), quiet)
    read = take_reading(values)
    check_outputs({"output": output, **values})
    files = {name: values.pop(name) for name in question.writes}
    files = {name: path for name, path in files.items() if path is not None}
    with notes().hold(quiet=quiet), write_together(), reading(*read):
        for name, path in files.items():
            check_file(question.writes[name], path)
        result = _answer(question, values, common)
        common.say(result.notes)
        for name, path in files.items():
            common.say(write_file(question.writes[name], result, path, _inputs(values)))
        _emit(result, common)
    if result.exit_status():
        click.get_current_context().exit(result.exit_status())


def _answer(question: Question, values: dict[str, Any], common: Common) -> Result:
    """Compute the result of the question, with progress if the question reports it."""
    cluster, folder = values.pop("dask", None), values.pop("cells", None)
    keywords = keywords_of(question, values)
    if cluster is not None or keeps_cells(question):
        from qrelsmith.sweep import Parts

        kept = None if folder is None else Parts(folder)
        keywords["sweep"] = Sweeper(kept, common.jobs, cluster, common.quiet, question.doing)
    result: Result
    if any(parameter.name == "advance" for parameter in question.parameters):
        quiet = common.quiet or cluster is not None
        with progress(question.doing, None, quiet=quiet) as advance:
            result = question.function(**keywords, advance=advance)
    else:
        result = question.function(**keywords)
    return result


def keeps_cells(question: Question) -> bool:
    """Return whether the command of a question can store the computed cells of a sweep."""
    notes_on = [parameter.declared for parameter in question.parameters]
    return any(isinstance(note, PythonOnly) and note.keeps for note in notes_on)


def _emit(result: Result, common: Common) -> None:
    if common.output is not None:
        common = replace(common, output=result.output_file(str(common.output)))
    content = result.file_content(common.form, common.output)
    if content is not None:
        common.put(content)
    else:
        common.emit(result.table(), on_terminal=result.terminal_table())


def keywords_of(question: Question, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the keywords of a question that are set on the command line."""
    context = click.get_current_context()
    declared = {parameter.name: parameter.declared for parameter in question.parameters}
    keywords: dict[str, Any] = {}
    for name, value in values.items():
        option = declared.get(name)
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            keywords[name] = _read(option, value) if isinstance(option, Option) else value
    for name, source in declared.items():
        if not isinstance(source, Source):
            continue
        keywords.pop(name, None)
        words = values[name] if source.many else [word for word in [values[name]] if word]
        try:
            taken = {name: words[0]} if words else {}
            keywords |= taken if source.take is None else source.take(words, keywords)
        except UsageError as error:
            raise click.UsageError(str(error)) from None
    return keywords


def _inputs(values: Mapping[str, Any]) -> list[str]:
    """Return the input files and folders of the command."""
    paths = []
    for parameter in click.get_current_context().command.params:
        value = values.get(parameter.name or "")
        if isinstance(parameter.type, click.Path) and value:
            paths += [value] if isinstance(value, str) else list(value)
    return paths


def _read(option: Option, value: Any) -> Any:
    """Convert a value of the command line for the question."""
    if option.split:
        value = tuple(split_names(value if is_several(value) else [value]))
    if option.gather is not None:
        return option.gather(value)
    if option.read is None:
        return value
    return [option.read(text) for text in value] if is_several(value) else option.read(value)


def check_file(kind: OutputFile | ReportFolder | FigureFile, path: str) -> None:
    """Check before the computation that its result can be written to a file.

    Raises
    ------
    UsageError, InputError
        If the name or the folder of the file is invalid.
    MissingDependencyError
        If the package that draws the figure is not installed.
    """
    if isinstance(kind, OutputFile):
        if kind.check is not None:
            kind.check(path)
        return
    from qrelsmith.report import check_dependencies, check_folder

    if isinstance(kind, FigureFile) and PurePath(path).suffix.lower() not in _PICTURES:
        raise UsageError(
            f"the figure {quoted(path)} cannot be written; expected a name that ends "
            "in .svg or .pdf"
        )
    check_dependencies()
    if isinstance(kind, ReportFolder):
        check_folder(path)


def write_file(
    kind: OutputFile | ReportFolder | FigureFile, result: Any, path: str, inputs: Sequence[str]
) -> Sequence[str]:
    """Write a result to a file, and return notes on the file."""
    if isinstance(kind, OutputFile):
        return kind.write(result, path, inputs) or ()
    if isinstance(kind, ReportFolder):
        from qrelsmith.report import write_report

        write_report(kind.report(result, inputs), path, page=kind.page)
        return [kind.said.format(folder=path, page=kind.page)]
    from qrelsmith.report.picture import picture

    drawn = picture(result.figure(), name="plan", notices=(kind.notice,))
    with replacing(path) as out:
        out.write(drawn.pdf if PurePath(path).suffix.lower() == ".pdf" else drawn.svg)
    return ()
