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
    old: Annotated[str, Option("The judged docs.", ("--old-docs",), file=True)],
    new: Annotated[str, Option("The current docs.", ("--new-docs",), file=True)],
    passages: Annotated[str | None, Option(
        "A table topic,doc,start,end of the characters that support each doc's grade.",
        file=True)] = None,
    write_report: Annotated[str | None, Option(
        "Write topic,doc,new_doc,status,start,end of every label.",
        ("--report",), file=True)] = None,
) -> None:  # fmt: skip
    """Carry labels over to re-chunked or edited docs.

    Unchanged docs keep their labels. Other labels go to the docs that contain their passages, or
    the doc's whole text, verbatim. Labels without such a doc stay open, and --report lists them for
    another round of judging.
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
