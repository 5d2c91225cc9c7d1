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
from collections.abc import Iterator
from pathlib import Path

from hostile_bodies import JUDGMENTS, TOML, parquet_of, warc_of
from hostile_readers import TWINS, Reader, all_readers
from qrelsmith.base.errors import InputWarning, QrelsmithError

MB = 1 << 20
# What a file may take: seconds, bytes of memory.
SECONDS = (5.0, 1.0 / MB)
MEMORY = (300 * MB, 10)

# --- Damaged files ------------------------------------------------------------------------------

INSERTS = (
    b"\0", b"\r", b"\r\n", b"\xff\xfe", b"\xef\xbb\xbf", b'"', b",", b"\t", b"nan", b"inf", b"-0",
    b"1e999", b"\xe2\x80\xa8", b"\xc2\x85", b"\x1a", b"9" * 400, b"\xed\xa0\x80", b"<", b"&#0;",
    b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"{" * 2000, b"[" * 2000, b"=1+1", b"\\u0000", b" " * 5000,
    b"\n", b"\n\n# c\n", b"  ", b" \t", b"0", b"1e-7", b"-", b"0." + b"3" * 30,
)  # fmt: skip


def damaged(body: bytes, rng: random.Random) -> bytes:
    """A file with one or two damages."""
    data = bytearray(body)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(data) + 1)
        kind = rng.randrange(8)
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
        elif kind == 6 or not data:
            other = rng.randrange(len(data) + 1)
            data[other:other] = data[at:end]
        else:
            data[min(at, len(data) - 1)] = rng.choice(data)
    return bytes(data)


def mutate(number: int, seed: int) -> tuple[Counter[tuple[str, str]], list[str], float]:
    """Read so many damaged files: outcomes by reader, what was wrong, the longest time."""
    rng = random.Random(seed)
    logging.disable()
    readers = list(all_readers().items())
    # Readers that are held against a twin have more to lose.
    chances = readers + 5 * [reader for reader in readers if reader[0] in TWINS]
    outcomes: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        for label, (file, body, read) in readers:
            (Path(name) / file).write_bytes(body)
            if attempt(read, Path(name) / file) != ("read", ""):
                wrong.append(f"{label}: the undamaged file is not read")
        for _ in range(number):
            label, (file, body, read) = rng.choice(chances)
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
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        outcome, problem = _attempt(read, path)
    lines = [str(each.message) for each in told if issubclass(each.category, InputWarning)]
    broken = [line for line in lines if "\n" in line or "\r" in line]
    return ("wrong", f"a warning of several lines: {broken[0]!r}") if broken else (outcome, problem)


def _attempt(read: Reader, path: Path) -> tuple[str, str]:
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
        gzip.compress(warc_of(1) + b"x" * (200 * MB)),
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
    yield "parquet same doc", "x.parquet", parquet_of(6_000_000, doc="d" * 100), "qrels-parquet"
    yield "parquet long doc", "x.parquet", parquet_of(300, doc="d" * MB), "qrels-parquet"
    yield "trec topics open", "t.txt", b"<top>\n" * MB, "topics-trec"


def explode(body: bytes, file: str, reader: str) -> tuple[str, str, float, float]:
    """Read one bomb in a process of its own: outcome, problem, seconds, MB over the start."""
    out = mp.SimpleQueue()

    most_s = SECONDS[0] + SECONDS[1] * len(body)

    def child() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (int(10 * most_s), int(10 * most_s)))
        read = all_readers()[reader][2]
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
