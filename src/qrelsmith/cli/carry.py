"""`qrelsmith carry`."""

from __future__ import annotations

from typing import Annotated

from qrelsmith.base.options import Option
from qrelsmith.cli.actions import action
from qrelsmith.cli.declared_options import Argument
from qrelsmith.cli.options import Common, common_options


@action(
    "carry",
    "convert",
    example="qrelsmith carry gold.qrels --old-docs docs-2024.jsonl --new-docs docs-2025.jsonl"
    " -o gold-2025.qrels --report carried.csv",
    renamed={"--from": "--old-docs", "--to": "--new-docs"},
)
@common_options()
def command(
    common: Common,
    qrels: Argument,
    old: Annotated[str, Option("File or folder with the judged docs.", ("--old-docs",), file=True)],
    new: Annotated[str, Option("File or folder with the current docs.", ("--new-docs",),
        file=True)],
    passages: Annotated[str | None, Option(
        "Table with the columns topic,doc,start,end: the characters that support each doc's grade.",
        file=True)] = None,
    write_report: Annotated[str | None, Option(
        "Write a table of all labels to this file: topic,doc,new_doc,status,start,end.",
        ("--report",), file=True)] = None,
) -> None:  # fmt: skip
    """Transfer labels to re-chunked or edited docs.

    Unchanged docs keep their labels. Other labels are transferred to the new docs that contain the
    label's passages, or the old doc's whole text, verbatim. Labels that cannot be transferred stay
    open, and --report lists them for another round of judging.
    """
    from qrelsmith.collection.documents import read_documents
    from qrelsmith.collection.qrels import qrels_text
    from qrelsmith.io.writing import write_text, write_together
    from qrelsmith.judgments.carry import carry, read_passages
    from qrelsmith.judgments.given_labels import read_qrels

    carried = carry(
        read_qrels(qrels),
        read_documents(old),
        read_documents(new),
        passages=None if passages is None else read_passages(passages),
    )
    counts = carried.counts
    with write_together():
        if write_report is not None:
            write_text(write_report, carried.table().text("csv"))
        common.put(qrels_text(carried.qrels).encode("utf-8"))
    common.say([", ".join(f"{status}: {count}" for status, count in counts.items())])
