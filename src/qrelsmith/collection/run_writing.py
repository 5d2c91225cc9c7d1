"""Runs as the content of files: the same run always gives the same bytes."""

from __future__ import annotations

from qrelsmith.collection.runs import Run
from qrelsmith.io.text import FilePath
from qrelsmith.io.writing import check_ids, write_text


def write_run(run: Run, path: FilePath) -> None:
    """Write TREC's six columns, topics sorted; the same run always gives the same bytes.

    Raises
    ------
    InputError
        If the name of the run, a topic or a doc could not be read back, for example because it is
        empty or contains a blank.
    """
    write_text(path, run_text(run, path=path))


def run_text(run: Run, *, path: FilePath | None = None) -> str:
    """Return the run as the content of a file; errors name the file `path`."""
    check_ids([run.name], what="name of the run", path=path)
    check_ids(run.docs, what="topic", path=path)
    lines = []
    for topic in sorted(run.docs):
        check_ids(run.docs[topic], what="doc", path=path)
        pairs = zip(run.docs[topic], run.scores[topic].tolist(), strict=True)
        lines += [
            f"{topic} Q0 {doc} {rank} {score!r} {run.name}\n"
            for rank, (doc, score) in enumerate(pairs, start=1)
        ]
    return "".join(lines)
