"""`qrelsmith init`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Argument, Quiet
from qrelsmith.judgments.run_options import check_named_once, run_words


@action(
    "init",
    "convert",
    everyday=True,
    example="qrelsmith init my-judges --runs runs --qrels nist.qrels",
)
def command(
    folder: Argument,
    files: Annotated[tuple[str, ...], Source("Files.", "[FILE]...")] = (),
    qrels: Annotated[tuple[str, ...], Option(
        "Label set, or a folder of label sets; repeatable.", file=True)] = (),
    runs: Annotated[tuple[str, ...], Option(
        "Run, or a folder of runs; repeatable.", file=True)] = (),
    answers: Annotated[tuple[str, ...], Option(
        "File with systems' answers instead of runs, or MTRAG's JSON, which also contains labels;"
        " repeatable.",
        file=True)] = (),
    aspects: Annotated[tuple[str, ...], Option(
        "File with the aspects by which the answers are judged; pass the labels with --qrels;"
        " repeatable.",
        file=True)] = (),
    topics: Annotated[str | None, Option("The topics.", file=True)] = None,
    documents: Annotated[str | None, Option("The docs.", file=True)] = None,
    from_: Annotated[str | None, Option(
        "Format of the files; needed only if several formats fit.", ("--from",), metavar="FORM")]
        = None,
    columns: Annotated[str | None, Option(
        "Column names in the files, such as topic=query.", metavar="ROLE=NAME,…")] = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Create a campaign folder from loose files.

    FOLDER gets copies of the files and a campaign.toml. Comments in campaign.toml show how each
    file was read, and the scale, reference and teams that were guessed from the files. A FILE can
    be labels, a run, topics, docs, answers or aspects in any format, which is detected from the
    content. If there are topics and docs but no labels, the campaign is ready for judging.
    """
    from qrelsmith.base.errors import UsageError
    from qrelsmith.collection.documents import folder_form
    from qrelsmith.formats.answer_campaign import init_answers
    from qrelsmith.formats.file_kinds import files_by_kind
    from qrelsmith.formats.new_campaign import init_campaign
    from qrelsmith.forms.reading import parsed_columns, reading

    run_files, label_files = run_words(runs), run_words(qrels)
    check_named_once(run_files)
    with reading(from_, None if columns is None else parsed_columns(columns)):
        folders = [file for file in files if Path(file).is_dir() and folder_form(file)]
        loose = run_words(file for file in files if file not in folders)
        sorted_files = files_by_kind([*folders, *loose], "answers", "aspects")
        label_files += sorted_files["qrels"]
        answers += tuple(sorted_files["answers"])
        aspects += tuple(sorted_files["aspects"])
        if answers or aspects:
            if (
                run_files
                or topics
                or documents
                or any(sorted_files[kind] for kind in ("runs", "topics", "documents"))
            ):
                raise UsageError("expected either answers, or runs, topics and docs; found both")
            path = init_answers(folder, answers, labels=label_files, aspects=aspects)
        else:
            path = init_campaign(
                folder,
                runs=[*run_files, *sorted_files["runs"]],
                qrels=label_files,
                topics=topics or next(iter(sorted_files["topics"]), None),
                documents=documents or next(iter(sorted_files["documents"]), None),
            )
    if not quiet:
        click.echo(f"qrelsmith: note: check the guesses in {path}", err=True)
