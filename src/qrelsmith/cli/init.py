"""`qrelsmith init`."""

from __future__ import annotations

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
        "A label set, or a folder of them; repeat for more.", file=True)] = (),
    runs: Annotated[tuple[str, ...], Option(
        "A run, or a folder of runs; repeat for more.", file=True)] = (),
    answers: Annotated[tuple[str, ...], Option(
        "Answers of systems in place of runs, or MTRAG's JSON, which has labels too; repeat.",
        file=True)] = (),
    aspects: Annotated[tuple[str, ...], Option(
        "Aspects by which the answers are judged; --qrels has their labels; repeat.",
        file=True)] = (),
    topics: Annotated[str | None, Option("The topics.", file=True)] = None,
    documents: Annotated[str | None, Option("The docs.", file=True)] = None,
    from_: Annotated[str | None, Option(
        "Format of the files, if several fit.", ("--from",), metavar="FORM")] = None,
    columns: Annotated[str | None, Option(
        "Columns of the files, such as topic=query.", metavar="ROLE=NAME,…")] = None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Create a campaign folder from loose files.

    FOLDER gets copies of the files and a campaign.toml, with scale, reference and teams guessed
    from the files as comments. A FILE can be labels, a run, topics or docs in any format, which is
    detected from its content. Comments state how it was read. Topics and docs without labels become
    a campaign to judge.
    """
    from qrelsmith.base.errors import UsageError
    from qrelsmith.formats.answer_campaign import init_answers
    from qrelsmith.formats.file_kinds import files_by_kind
    from qrelsmith.formats.new_campaign import init_campaign
    from qrelsmith.forms.reading import parsed_columns, reading

    run_files, label_files = run_words(runs), run_words(qrels)
    check_named_once(run_files)
    if answers or aspects:
        if run_files or topics:
            raise UsageError("expected --answers or --runs and --topics, not both")
        path = init_answers(folder, answers, labels=label_files, aspects=aspects)
    else:
        with reading(from_, None if columns is None else parsed_columns(columns)):
            sorted_files = files_by_kind(run_words(files))
            label_files += sorted_files["qrels"]
            path = init_campaign(
                folder,
                runs=[*run_files, *sorted_files["runs"]],
                qrels=label_files,
                topics=topics or next(iter(sorted_files["topics"]), None),
                documents=documents or next(iter(sorted_files["documents"]), None),
            )
    if not quiet:
        click.echo(f"qrelsmith: note: look at what is guessed in {path}", err=True)
