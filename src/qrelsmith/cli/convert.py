"""`qrelsmith convert`."""

from __future__ import annotations

import click

from qrelsmith.cli.actions import action
from qrelsmith.cli.options import check_outputs
from qrelsmith.formats import FILE_FORMATS, KINDS
from qrelsmith.forms.reading import parsed_columns, reading
from qrelsmith.io.format_marks import Kind


@action(
    "convert",
    "convert",
    everyday=True,
    example="qrelsmith convert scifact/qrels/test.tsv scifact.qrels --kind qrels"
    " --from beir --to trec",
)
@click.argument("source", type=click.Path(), metavar="IN")
@click.argument("output", type=click.Path(), metavar="OUT")
@click.option("--kind", type=click.Choice(KINDS), required=True, help="What the file holds.")
@click.option("--from", "of", metavar="FORM", help="The form of IN; default: as its content says.")
@click.option("--columns", metavar="ROLE=NAME,…", help="Columns of IN, such as topic=query.")
@click.option(
    "--to", type=click.Choice(FILE_FORMATS.names()), required=True, help="The format of OUT."
)
@click.option(
    "--topics", type=click.Path(), help="The topics, for formats that hold their words, not ids."
)
@click.option(
    "--documents", type=click.Path(), help="The docs, for formats that hold their texts, not ids."
)
@click.option("--quiet", is_flag=True, help="Say nothing on stderr but errors.")
def command(
    source: str,
    output: str,
    kind: Kind,
    of: str | None,
    columns: str | None,
    to: str,
    topics: str | None,
    documents: str | None,
    quiet: bool,
) -> None:
    """Convert files of other programs: BEIR, MS MARCO, Quepid, Label Studio, ….

    What OUT cannot hold is said in a line on stderr.
    """
    from qrelsmith.formats.convert import convert

    check_outputs({"output": output, "source": source, "topics": topics, "documents": documents})
    with reading(columns=None if columns is None else parsed_columns(columns)):
        lost = convert(source, output, kind=kind, to=to, of=of, topics=topics, documents=documents)
    if lost and not quiet:
        click.echo(f"qrelsmith: note: {lost}", err=True)
