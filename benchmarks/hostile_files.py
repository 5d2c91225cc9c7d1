"""Readers against files that mean harm: bombs, and files with damaged bytes.

    python benchmarks/hostile_files.py bombs
    python benchmarks/hostile_files.py mutations --files 50000 --seed 0

A reader has to give a result or one line that names the file; within 5 s + 1 s/MB and 10 × the
file + 300 MB of memory over what the program takes by itself. Bombs run in a process each, which
is ended beyond that; damaged files are small, thousands in a process, and the slowest is shown.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import io
import json
import logging
import lzma
import multiprocessing as mp
import random
import resource
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from qrelsmith.base.errors import QrelsmithError

MB = 1 << 20
# What a file may take: seconds, bytes of memory.
SECONDS = (5.0, 1.0 / MB)
MEMORY = (300 * MB, 10)
Reader = Callable[[Path], Any]

ROWS = 40
QRELS = "".join(f"t{n % 4} 0 d{n} {n % 3}\n" for n in range(ROWS))
RUN = "".join(f"t{n % 4} Q0 d{n} {n // 4 + 1} {ROWS - n}.5 tag\n" for n in range(ROWS))
JUDGMENTS = "topic,doc,assessor,grade,group,judged_at\n" + "".join(
    f"t{n % 4},d{n},a{n % 3},{n % 3},gold,2026-01-01T00:00:{n % 60:02}Z\n" for n in range(ROWS)
)
PREFERENCES = "topic,left,right,outcome,assessor\n" + "".join(
    f"t{n % 4},d{n},d{n + 1},{(-1, 1)[n % 2]},a1\n" for n in range(ROWS)
)
DOCS = "".join(
    json.dumps({"doc_id": f"d{n}", "title": "A doc", "text": "words é 語 " * 5}) + "\n"
    for n in range(ROWS)
)
TOPICS = "".join(
    json.dumps({"topic": f"t{n}", "title": "what is é 語", "description": "words"}) + "\n"
    for n in range(4)
)
XML = (
    "<queries>"
    + "".join(
        f"<query><qid>{n}</qid><content>what is &#233; &amp; 語</content></query>" for n in range(4)
    )
    + "</queries>"
)
TREC_TOPICS = "".join(
    f"<top>\n<num> Number: {n}\n<title> words\n<desc> Description:\nmore\n</top>\n"
    for n in range(4)
)
SCORES = "run,topic,measure,score\n" + "".join(
    f"{run},t{n},AP,0.{n}5\n" for run in "AB" for n in range(8)
)
TOML = (
    'format = 1\ntitle = "c"\n[scale]\nlevels = [{ grade = 0 }, { grade = 1 }]\n'
    '[groups.gold]\nrole = "gold"\nassessors = ["g1"]\n[teams]\nrun = "x"\n'
)
HTML = "<!doctype html><meta charset=shift_jis><title>t</title><p>" + "w&eacute; " * 40


def _readers() -> dict[str, tuple[str, bytes, Reader]]:
    """A file that is right, and what reads it, by name."""
    import qrelsmith as qs

    def drained(path: Path) -> int:
        return sum(1 for _ in qs.read_documents(path))

    def folder_of(path: Path) -> int:
        folder = path.parent / "docs"
        folder.mkdir(exist_ok=True)
        path.replace(folder / path.name)
        return drained(folder)

    def campaign(path: Path) -> Any:
        folder = path.parent / "campaign"
        folder.mkdir(exist_ok=True)
        (folder / "campaign.toml").write_bytes(path.read_bytes())
        return qs.read_campaign(folder)

    text = {
        "qrels": ("x.qrels", QRELS, qs.read_qrels),
        "run": ("x.run", RUN, qs.read_run),
        "judgments": ("judgments.csv", JUDGMENTS, qs.read_judgments),
        "preferences": ("preferences.csv", PREFERENCES, qs.read_preferences),
        "documents-jsonl": ("d.jsonl", DOCS, drained),
        "documents-html": ("d.html", HTML, folder_of),
        "topics-jsonl": ("t.jsonl", TOPICS, qs.read_topics),
        "topics-xml": ("t.xml", XML, qs.read_topics),
        "topics-trec": ("t.txt", TREC_TOPICS, qs.read_topics),
        "scores": ("s.csv", SCORES, qs.read_scores),
        "campaign": ("campaign.toml.in", TOML, campaign),
    }
    readers = {name: (file, body.encode(), read) for name, (file, body, read) in text.items()}
    for suffix, pack in (("gz", gzip.compress), ("bz2", bz2.compress), ("xz", lzma.compress)):
        readers[f"qrels-{suffix}"] = (f"x.qrels.{suffix}", pack(QRELS.encode()), qs.read_qrels)
        readers[f"run-{suffix}"] = (f"x.run.{suffix}", pack(RUN.encode()), qs.read_run)
    readers["qrels-parquet"] = ("x.parquet", _parquet(ROWS), _of_format("parquet"))
    readers["documents-warc"] = ("d.warc", _warc(8), drained)
    readers["documents-warc-gz"] = ("d.warc.gz", gzip.compress(_warc(8)), drained)
    return readers


def _of_format(name: str) -> Reader:
    from qrelsmith.formats.convert import read_as

    return lambda path: read_as(path, "qrels", of=name)


def _parquet(rows: int, *, doc: str = "") -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(
        {
            "query_id": ["t1"] * rows,
            "doc_id": [doc or f"d{n}" for n in range(rows)],
            "relevance": [1] * rows,
        }
    )
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd")
    return out.getvalue()


def _warc(records: int) -> bytes:
    parts = []
    for n in range(records):
        page = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>doc {n}".encode()
        head = (
            f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Record-ID: <urn:uuid:{n:08d}-0000-0000-0000"
            f"-000000000000>\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n"
            f"WARC-Target-URI: http://x/{n}\r\nContent-Length: {len(page)}\r\n"
            "Content-Type: application/http; msgtype=response\r\n\r\n"
        )
        parts.append(head.encode() + page + b"\r\n\r\n")
    return b"".join(parts)


# --- Damaged files ------------------------------------------------------------------------------

INSERTS = (
    b"\0", b"\r", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b",", b"\t", b"nan", b"inf", b"-0",
    b"1e999", b"\xe2\x80\xa8", b"\xc2\x85", b"\x1a", b"9" * 400, b"\xed\xa0\x80", b"<", b"&#0;",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"{" * 2000, b"[" * 2000, b"=1+1", b"\\u0000", b" " * 5000,
)  # fmt: skip


def damaged(body: bytes, rng: random.Random) -> bytes:
    """A file with one or two damages."""
    data = bytearray(body)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(7)
        end = min(len(data), at + rng.randint(1, 60))
        if kind == 0 and data:
            data[min(at, len(data) - 1)] ^= 1 << rng.randrange(8)
        elif kind == 1:
            data[at:at] = rng.choice(INSERTS)
        elif kind == 2:
            del data[at:end]
        elif kind == 3:
            del data[at:]
        elif kind == 4:
            data[at:at] = data[at:end] * rng.randint(1, 50)
        elif kind == 5:
            data[at:end] = bytes(rng.randrange(256) for _ in range(end - at))
        else:
            other = rng.randrange(len(data) + 1)
            data[other:other] = data[at:end]
    return bytes(data)


def mutate(number: int, seed: int) -> tuple[Counter[tuple[str, str]], list[str], float]:
    """Read so many damaged files: outcomes by reader, what was wrong, the longest time."""
    rng = random.Random(seed)
    warnings.simplefilter("ignore")
    logging.disable()
    readers = list(_readers().items())
    outcomes: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        for label, (file, body, read) in readers:
            (Path(name) / file).write_bytes(body)
            if attempt(read, Path(name) / file) != ("read", ""):
                wrong.append(f"{label}: the undamaged file is not read")
        for _ in range(number):
            label, (file, body, read) = rng.choice(readers)
            path = Path(name) / file
            data = damaged(body, rng)
            path.write_bytes(data)
            began = time.process_time()
            outcome, problem = attempt(read, path)
            took = time.process_time() - began
            slowest = max(slowest, took)
            if took > SECONDS[0]:
                outcome, problem = "slow", f"{took:.1f} s"
            outcomes[label, outcome] += 1
            if problem:
                wrong.append(f"{label}: {problem}: {data[:300]!r}")
    return outcomes, wrong, slowest


def attempt(read: Reader, path: Path) -> tuple[str, str]:
    """`read`, `refused` or `wrong`, and what is wrong."""
    try:
        read(path)
    except QrelsmithError as error:
        line = str(error)
        if "\n" in line or "\r" in line:
            return "wrong", f"several lines: {line!r}"
        return ("refused", "") if path.name in line or "campaign" in line else ("wrong", line)
    except MemoryError:
        return "wrong", "MemoryError"
    except Exception:  # noqa: BLE001 - this is what is looked for
        return "wrong", traceback.format_exc().strip().splitlines()[-1]
    return "read", ""


# --- Bombs --------------------------------------------------------------------------------------


def bombs() -> Iterator[tuple[str, str, bytes, str]]:
    """Name, file, content and reader of files that become large, deep or slow."""
    packers = {"gz": gzip.compress, "bz2": bz2.compress, "xz": lzma.compress}
    fills = {
        "newlines": b"\n" * (200 * MB),
        "zeros": b"\0" * (200 * MB),
        "one-line": b"t1 0 " + b"d" * (200 * MB),
        "rows": b"t1 0 d 1\n" * (20 * MB),
        "blanks": b" " * (200 * MB),
    }
    for suffix, pack in packers.items():
        for fill, body in fills.items():
            packed = pack(body)
            yield f"qrels {fill} {suffix}", f"x.qrels.{suffix}", packed, "qrels"
            yield f"run {fill} {suffix}", f"x.run.{suffix}", packed, "run"
        doc = b'{"doc_id": "d", "text": "' + b"w" * (200 * MB) + b'"}\n'
        yield f"docs long {suffix}", f"d.jsonl.{suffix}", pack(doc), "documents-jsonl"
        twice = pack(pack(fills["zeros"]))
        yield f"qrels twice {suffix}", f"x.qrels.{suffix}", twice, "qrels"
    many = gzip.compress(b"t1 0 d 1\n") * 200_000
    yield "qrels 200,000 members gz", "x.qrels.gz", many, "qrels"
    yield (
        "warc long gz",
        "d.warc.gz",
        gzip.compress(_warc(1) + b"x" * (200 * MB)),
        "documents-warc-gz",
    )
    deep = b"[" * (4 * MB)
    yield "docs deep json", "d.jsonl", b'{"doc_id": "d", "text": ' + deep + b"\n", "documents-jsonl"
    yield "topics deep json", "t.jsonl", b'{"topic": ' + deep + b"\n", "topics-jsonl"
    entities = b"<!DOCTYPE t [<!ENTITY a 'aaaaaaaaaa'>" + b"".join(
        b"<!ENTITY %c '%s'>" % (98 + n, b"&%c;" % (97 + n) * 10) for n in range(9)
    )
    laughs = entities + b"]><queries><query><qid>1</qid><content>&j;</content></query></queries>"
    yield "topics entities", "t.xml", laughs, "topics-xml"
    yield "topics deep xml", "t.xml", b"<a>" * MB, "topics-xml"
    yield "html deep", "d.html", b"<div>" * (2 * MB), "documents-html"
    yield "html attributes", "d.html", b"<p " + b"a=b " * (2 * MB), "documents-html"
    yield "html open comment", "d.html", b"<!--" + b"-" * (8 * MB), "documents-html"
    yield "qrels long number", "x.qrels", b"t1 0 d " + b"9" * (8 * MB), "qrels"
    yield "run long number", "x.run", b"t Q0 d 1 " + b"9" * (8 * MB) + b" r", "run"
    yield "run one topic", "x.run", b"t Q0 d 1 1 r\n" * 600_000, "run"
    yield (
        "csv open quote",
        "judgments.csv",
        JUDGMENTS.encode() + b'"' + b"x" * (8 * MB),
        "judgments",
    )
    yield "csv quotes", "judgments.csv", JUDGMENTS.encode() + b'"' * (8 * MB), "judgments"
    yield "csv columns", "s.csv", b"topic" + b",t" * (2 * MB), "scores"
    yield (
        "csv names",
        "s.csv",
        b"topic," + b",".join(b"t%d" % n for n in range(400_000)),
        "scores",
    )
    yield "toml deep", "campaign.toml.in", b"a = " + b"[" * (1 * MB), "campaign"
    yield (
        "toml tables",
        "campaign.toml.in",
        TOML.encode() + b"".join(b"[groups.g%d]\n" % n for n in range(100_000)),
        "campaign",
    )
    yield "toml long key", "campaign.toml.in", b".".join([b"a"] * 200_000) + b" = 1", "campaign"
    yield "parquet same doc", "x.parquet", _parquet(6_000_000, doc="d" * 100), "qrels-parquet"
    yield "parquet long doc", "x.parquet", _parquet(300, doc="d" * MB), "qrels-parquet"
    yield "trec topics open", "t.txt", b"<top>\n" * MB, "topics-trec"


def explode(body: bytes, file: str, reader: str) -> tuple[str, str, float, float]:
    """Read one bomb in a process of its own: outcome, problem, seconds, MB over the start."""
    out = mp.SimpleQueue()

    most_s = SECONDS[0] + SECONDS[1] * len(body)

    def child() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(10 * most_s), int(10 * most_s)))
        read = _readers()[reader][2]
        with tempfile.TemporaryDirectory() as name:
            path = Path(name) / file
            path.write_bytes(body)
            before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            began = time.process_time()
            outcome, problem = attempt(read, path)
            seconds = time.process_time() - began
            after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        out.put((outcome, problem, seconds, (after - before) / 1024))

    process = mp.get_context("fork").Process(target=child)
    process.start()
    # The wall clock of a busy machine is slower than the processor's.
    process.join(100 * most_s)
    if process.is_alive():
        process.kill()
        process.join()
        return "wrong", "ended: too slow", float("nan"), float("nan")
    if process.exitcode:
        return "wrong", f"the process ended with {process.exitcode}", float("nan"), float("nan")
    return out.get()


def run_bombs() -> int:
    """Read all bombs; the number of those that went wrong."""
    failures = number = 0
    for name, file, body, reader in bombs():
        outcome, problem, seconds, memory = explode(body, file, reader)
        most_s = SECONDS[0] + SECONDS[1] * len(body)
        most_mb = (MEMORY[0] + MEMORY[1] * len(body)) / MB
        if outcome != "wrong" and not (seconds <= most_s and memory <= most_mb):
            outcome, problem = "wrong", f"more than {most_s:.1f} s or {most_mb:.0f} MB"
        number += 1
        failures += outcome == "wrong"
        print(
            f"{name:28} {len(body) / MB:7.2f} MB {outcome:8} {seconds:6.2f} s {memory:7.1f} MB"
            f" {problem[:200]}",
            flush=True,
        )
    print(f"{number} bombs, {failures} wrong")
    return failures


def run_mutations(number: int, seed: int, jobs: int) -> int:
    """Read so many damaged files; the number of those that went wrong."""
    share = -(-number // jobs)
    with mp.get_context("spawn").Pool(jobs) as pool:
        results = pool.starmap(mutate, [(share, seed * 1000 + n) for n in range(jobs)])
    outcomes: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    for counted, found, _ in results:
        outcomes += counted
        wrong += found
    for (label, outcome), count in sorted(outcomes.items()):
        print(f"{label:20} {outcome:8} {count}")
    for line in wrong[:40]:
        print(line)
    slowest = max(slowest for *_, slowest in results)
    print(f"{outcomes.total()} files, {len(wrong)} wrong, slowest {slowest:.2f} s")
    return len(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("bombs", "mutations"))
    parser.add_argument("--files", type=int, default=50_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    if given.what == "bombs":
        return int(run_bombs() > 0)
    return int(run_mutations(given.files, given.seed, given.jobs) > 0)


if __name__ == "__main__":
    sys.exit(main())
