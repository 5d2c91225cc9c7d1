"""`qrelsmith init`."""

from __future__ import annotations

import click

from qrelsmith.cli.actions import action
from qrelsmith.judgments.run_options import check_named_once, run_words


@action(
    "init",
    "convert",
    everyday=True,
    example="qrelsmith init my-judges --runs runs --qrels nist.qrels",
)
@click.argument("folder", type=click.Path())
@click.argument("files", nargs=-1, type=click.Path(), metavar="[FILE]...")
@click.option(
    "--qrels", "qrels", multiple=True, type=click.Path(),
    help="A label set, or a folder of them; repeat for more.",
)  # fmt: skip
@click.option(
    "--runs", "runs", multiple=True, type=click.Path(),
    help="A run, or a folder of runs; repeat for more.",
)  # fmt: skip
@click.option(
    "--answers", multiple=True, type=click.Path(),
    help="Answers of systems in place of runs, or MTRAG's JSON, which has labels too; repeat.",
)  # fmt: skip
@click.option(
    "--aspects", multiple=True, type=click.Path(),
    help="What the answers are judged for; --qrels are labels of these aspects; repeat.",
)  # fmt: skip
@click.option("--topics", type=click.Path(), help="The topics.")
@click.option("--documents", type=click.Path(), help="The docs.")
@click.option("--from", "from_", metavar="FORM", help="Form of the files, where several fit.")
@click.option("--columns", metavar="ROLE=NAME,…", help="Columns of the files, such as topic=query.")
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    folder: str,
    qrels: tuple[str, ...],
    runs: tuple[str, ...],
    answers: tuple[str, ...],
    aspects: tuple[str, ...],
    topics: str | None,
    documents: str | None,
    files: tuple[str, ...],
    from_: str | None,
    columns: str | None,
    quiet: bool,
) -> None:
    """Create a campaign folder from loose files.

    FOLDER gets copies of the files and a campaign.toml in which scale, reference and teams, guessed
    from the files, stand as comments. A FILE can be labels, a run, topics or docs in any form: its
    content says what it is. Comments say how it was read.
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
            if not label_files:
                raise UsageError("no labels; expected --qrels, or a FILE of labels")
            path = init_campaign(
                folder,
                runs=[*run_files, *sorted_files["runs"]],
                qrels=label_files,
                topics=topics or next(iter(sorted_files["topics"]), None),
                documents=documents or next(iter(sorted_files["documents"]), None),
            )
    if not quiet:
        click.echo(f"qrelsmith: note: look at what is guessed in {path}", err=True)
