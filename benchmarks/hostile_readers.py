"""What readers read: for each a file that is right, and the reader.

Readers that have a twin (the numpy reader of runs, sections of a run) are held against it: they
must read the same, or refuse with the same line.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from hostile_bodies import (
    DOCS,
    HTML,
    IN_FOLDERS,
    JUDGMENTS,
    POOL,
    PREFERENCES,
    PROMPT,
    QRELS,
    ROUNDS,
    ROWS,
    RUN,
    RUN_BY_TOPIC,
    SCORES,
    TABLES,
    TOML,
    TOPICS,
    TREC_TOPICS,
    XML,
    parquet_of,
    warc_of,
)
from qrelsmith.base.errors import QrelsmithError

Reader = Callable[[Path], Any]

TWINS = ("run-blocks", "run-sections")
Readers = dict[str, tuple[str, bytes, Reader]]


def all_readers() -> Readers:
    """A file that is right, and what reads it, by name."""
    import qrelsmith as qs

    text = {
        "qrels": ("x.qrels", QRELS, qs.read_qrels),
        "run": ("x.run", RUN, qs.read_run),
        "run-blocks": ("b.run", RUN_BY_TOPIC, run_in_blocks),
        "run-sections": ("s.run", RUN_BY_TOPIC, run_in_sections),
        "judgments": ("judgments.csv", JUDGMENTS, qs.read_judgments),
        "preferences": ("preferences.csv", PREFERENCES, qs.read_preferences),
        "documents-jsonl": ("d.jsonl", DOCS, _drained),
        "documents-html": ("d.html", HTML, _folder_of),
        "topics-jsonl": ("t.jsonl", TOPICS, qs.read_topics),
        "topics-xml": ("t.xml", XML, qs.read_topics),
        "topics-trec": ("t.txt", TREC_TOPICS, qs.read_topics),
        "scores": ("s.csv", SCORES, qs.read_scores),
        "campaign": ("campaign.toml.in", TOML, _campaign),
    }
    readers = {name: (file, body.encode(), read) for name, (file, body, read) in text.items()}
    for suffix, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        readers[f"qrels-{suffix}"] = (f"x.qrels.{suffix}", pack(QRELS.encode()), qs.read_qrels)
        readers[f"run-{suffix}"] = (f"x.run.{suffix}", pack(RUN.encode()), qs.read_run)
    readers["qrels-parquet"] = ("x.parquet", parquet_of(ROWS), of_format("parquet", "qrels"))
    readers["documents-warc"] = ("d.warc", warc_of(8), _drained)
    readers["documents-warc-gz"] = ("d.warc.gz", gzip.compress(warc_of(8)), _drained)
    return readers | _smaller_readers() | _format_readers()


def _smaller_readers() -> Readers:
    from qrelsmith.assigning.assignment_files import read_assignments
    from qrelsmith.collection.pools.pool_files import read_pools
    from qrelsmith.collection.teams import read_teams
    from qrelsmith.cuts.cut_tables import read_cut_table
    from qrelsmith.discrimination.grade_matrices import read_matrix
    from qrelsmith.estimation.sample_files import sample_rows
    from qrelsmith.judgments import carry, evidence_files, published_labels, rejudged_rounds
    from qrelsmith.judgments.topic_set import read_topic_set
    from qrelsmith.models.prompts import read_prompt
    from qrelsmith.pairs.drawn_pairs import read_drawn_pairs
    from qrelsmith.planning.campaign_designs import campaign_design_text, read_campaign_design
    from qrelsmith.planning.simulation.designs import DESIGNS
    from qrelsmith.pooling.found_docs import read_found_docs
    from qrelsmith.topk.crowd.hit_files import read_hits
    from qrelsmith.topk.crowd.known_answers import read_known_docs, read_known_pairs
    from qrelsmith.topk.crowd.platform_submissions import read_platform_submissions

    of_table: dict[str, Reader] = {
        "assignments": read_assignments,
        "cuts": read_cut_table,
        "hits": read_hits,
        "known-pairs": read_known_pairs,
        "known-docs": read_known_docs,
        "drawn-pairs": read_drawn_pairs,
        "carried-passages": carry.read_passages,
        "sample": sample_rows,
        "published": published_labels.read_published,
        "platform": read_platform_submissions,
        "matrix": read_matrix,
    }
    of_folder: dict[str, Reader] = {
        "passages.csv": evidence_files.read_passages,
        "adjudications.csv": evidence_files.read_adjudications,
        "pair_adjudications.csv": evidence_files.read_pair_adjudications,
    }
    design = campaign_design_text(DESIGNS.get(DESIGNS.names()[0])())
    text: dict[str, tuple[str, str, Reader]] = {
        "pool": ("x.pool", POOL, read_pools),
        "teams": ("teams.txt", "".join(f"run{n} team{n // 2}\n" for n in range(9)), read_teams),
        "topic-set": ("set.txt", "".join(f"t{n} words\n" for n in range(9)), read_topic_set),
        "found-docs": ("found.txt", "".join(f"t1 d{n}\n" for n in range(9)), read_found_docs),
        "prompt": ("own.toml", PROMPT, read_prompt),
        "design": ("design.toml", design, read_campaign_design),
    }
    for name, read in of_table.items():
        text[name] = (f"{name}.csv", _table(*TABLES[name], rows=2 if name == "matrix" else 9), read)
    for file, read in of_folder.items():
        text[file] = (file, _table(*IN_FOLDERS[file]), _in_folder(read))
    text["rejudging"] = ("rounds.csv", _table(*ROUNDS), _rejudging(rejudged_rounds))
    return {name: (file, body.encode(), read) for name, (file, body, read) in text.items()}


def _table(header: str, row: str, *, rows: int = 9) -> str:
    return "".join(
        [header + "\n", *(row.replace("{n}", str(n)) + "\n" for n in range(1, rows + 1))]
    )


def _format_readers() -> Readers:
    """Every kind in every format of `convert`, as its own writer writes it."""
    from qrelsmith.collection.document import Document
    from qrelsmith.collection.qrels import Qrels
    from qrelsmith.collection.runs import Run
    from qrelsmith.collection.topics import Topic
    from qrelsmith.formats import FILE_FORMATS
    from qrelsmith.formats.registry import Texts
    from qrelsmith.judgments.judgment_files import Judgments

    grades = {f"t{n}": {f"d{n}": 1.0, "d9": 0.0} for n in range(4)}
    contents = {
        "qrels": Qrels.from_dict(grades, name="gold"),
        "runs": (Run.from_dict({"t1": {"d1": 2.5, "d2": -1e-9}, "t2": {"d3": 0.1}}, name="a"),),
        "topics": tuple(Topic(f"t{n}", title="what is é", description="words") for n in range(4)),
        "documents": tuple(Document(f"d{n}", "text", "words é 語 " * 3) for n in range(4)),
        "judgments": Judgments.from_columns(
            {
                "topic": ["t1", "t1", "t2"],
                "doc": ["d1", "d2", "d1"],
                "assessor": ["ann"] * 3,
                "grade": [2.0, 0.0, 1.0],
            }
        ),
    }
    readers: Readers = {}
    with tempfile.TemporaryDirectory() as folder:
        for entry in FILE_FORMATS.entries():
            for kind in entry.about["kinds"]:
                path = Path(folder) / f"x.{entry.name}"
                entry.function().write(contents[kind], path, kind, Texts())
                read = of_format(entry.name, kind)
                readers[f"{entry.name}-as-{kind}"] = (path.name, path.read_bytes(), read)
    return readers


def _drained(path: Path) -> int:
    import qrelsmith as qs

    return sum(1 for _ in qs.read_documents(path))


def _folder_of(path: Path) -> int:
    folder = path.parent / "docs"
    folder.mkdir(exist_ok=True)
    path.replace(folder / path.name)
    return _drained(folder)


def _campaign(path: Path) -> Any:
    import qrelsmith as qs

    folder = path.parent / "campaign"
    folder.mkdir(exist_ok=True)
    (folder / "campaign.toml").write_bytes(path.read_bytes())
    return qs.read_campaign(folder)


def _in_folder(read: Reader) -> Reader:
    return lambda path: read(path.parent)


def _rejudging(module: Any) -> Reader:
    def read(path: Path) -> Any:
        folder = path.parent / module.FOLDER
        folder.mkdir(exist_ok=True)
        (folder / "round-2.csv").write_text(JUDGMENTS, encoding="utf-8")
        (folder / module.TABLE).write_bytes(path.read_bytes())
        return module.read_rejudged_rounds(path.parent)

    return read


def run_in_blocks(path: Path) -> None:
    """Read a run by numpy, in small blocks, in every order; hold it against the plain reader."""
    import qrelsmith as qs
    from qrelsmith.io import sizes

    for order in qs.RUN_ORDERS.names():
        with _sizes(sizes, PLAIN_RUN=1 << 30):
            plain = _result(qs.read_run, path, order=order)
        with _sizes(sizes, PLAIN_RUN=64, RUN_BLOCK=512):
            by_numpy = _result(qs.read_run, path, order=order)
        if plain != by_numpy:
            raise AssertionError(f"{order}: plain {plain!r:.200}, by numpy {by_numpy!r:.200}")
    if isinstance(plain, str):
        qs.read_run(path)


def run_in_sections(path: Path) -> None:
    """Join a run with qrels as processes do, section by section; hold it against the whole."""
    from qrelsmith.collection import run_parts
    from qrelsmith.collection.judged import judged_run, judged_section, merged_sections
    from qrelsmith.collection.qrels import Qrels
    from qrelsmith.io import sizes

    grades = {f"t{n}": {f"d{doc}": float(doc % 3) for doc in range(0, 40, 2)} for n in range(4)}
    qrels = Qrels.from_dict(grades, name="gold")
    whole = _result(judged_run, path, qrels)
    for condensed in (False, True):
        with _sizes(sizes, PLAIN_RUN=64, RUN_BLOCK=512):
            try:
                sections = [
                    judged_section(path, span, qrels, order="trec", condensed=condensed)
                    for span in run_parts.sections_of(path, 3)
                ]
            except run_parts.OddSectionError:
                continue
        merged = merged_sections(sections, path.name) if sections else None
        expected = _result(judged_run, path, qrels, condensed=condensed)
        if merged is not None and _columns(merged) != expected:
            raise AssertionError(f"whole {expected!r:.200}, in sections {merged!r:.200}")
    if isinstance(whole, str):
        judged_run(path, qrels)


def _result(read: Callable[..., Any], *given: Any, **options: Any) -> Any:
    """What is read, to compare it by, or the line that refuses it."""
    try:
        return _columns(read(*given, **options))
    except QrelsmithError as error:
        return str(error)


def _columns(read: Any) -> dict[str, Any]:
    """The fields of a run to compare it by."""
    names = read.__slots__ if hasattr(read, "__slots__") else ("name", "docs", "scores")
    columns = {name: getattr(read, name) for name in names}
    return {
        name: column.tolist()
        if isinstance(column, np.ndarray)
        else {topic: np.asarray(cells).tolist() for topic, cells in column.items()}
        if isinstance(column, dict)
        else column
        for name, column in columns.items()
    }


@contextmanager
def _sizes(module: Any, **sizes: int) -> Iterator[None]:
    """Other sizes of blocks for a while."""
    before = {name: getattr(module, name) for name in sizes}
    try:
        for name, size in sizes.items():
            setattr(module, name, size)
        yield
    finally:
        for name, size in before.items():
            setattr(module, name, size)


def of_format(name: str, kind: Any) -> Reader:
    """What reads a kind of file in a format of `convert`."""
    from qrelsmith.formats.convert import read_as

    def read(path: Path) -> Any:
        content = read_as(path, kind, of=name)
        return list(content) if kind == "documents" else content

    return read
