"""`qrelsmith convert`."""

from __future__ import annotations

from typing import Annotated

import click

from qrelsmith.base.options import Option, Source
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Quiet
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
def command(
    *,
    source: Annotated[str, Source("Source.", "IN", many=False, required=True)],
    output: Annotated[str, Source("Output.", "OUT", many=False, required=True)],
    kind: Annotated[Kind, Option("Content of the file.", choices=KINDS)],
    of: Annotated[str | None, Option(
        "Format of IN; default: detected from its content.", ("--from",), metavar="FORM")] = None,
    columns: Annotated[str | None, Option(
        "Column names in IN, such as topic=query.", metavar="ROLE=NAME,…")] = None,
    to: Annotated[str, Option("The format of OUT.", choices=FILE_FORMATS.names)],
    topics: Annotated[str | None, Option(
        "File of topics, for formats that contain the texts of topics instead of ids.",
        file=True)] = None,
    documents: Annotated[str | None, Option(
        "File of docs, for formats that contain the texts of docs instead of ids.", file=True)] =
        None,
    quiet: Quiet = False,
) -> None:  # fmt: skip
    """Convert files of other programs: BEIR, MS MARCO, Quepid, Label Studio, ….

    A note on stderr lists content that the format of OUT does not support.
    """
    from qrelsmith.formats.convert import convert

    check_outputs({"output": output, "source": source, "topics": topics, "documents": documents})
    with reading(columns=None if columns is None else parsed_columns(columns)):
        lost = convert(source, output, kind=kind, to=to, of=of, topics=topics, documents=documents)
    if lost and not quiet:
        click.echo(f"qrelsmith: note: {lost}", err=True)
