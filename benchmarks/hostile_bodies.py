"""Files that are right, for the readers of `hostile_readers.py`, before something damages them."""

from __future__ import annotations

import io
import json

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


RUN_BY_TOPIC = "".join(
    f"t{topic} Q0 d{n * 7 % 31}é {n + 1} {'-' * (n % 2)}{(31 - n) / 8}e0 tag\n"
    if n % 9 == 8
    else f"t{topic} Q0 d{n * 7 % 31} {n + 1} {(40 - n) * 0.3:.{n % 19}f} tag\n"
    for topic in range(5)
    for n in range(20)
)
POOL = "# pool format=1 ordering=randomised depth=5 seed=7\n" + "".join(
    f"t{n % 4} d{n} {n // 4 + 1}\n" for n in range(ROWS)
)
# Small tables: what stands in front of a line's number, and behind it.
TABLES = {
    "assignments": ("topic,assessor,group,ordering,seed", "t{n},a{n},gold,randomised,{n}"),
    "cuts": ("topic,cuts,alpha,tied,degenerate,units", "t{n},28:58:9{n},0.5,0,0,9"),
    "hits": ("hit,position,topic,round,left,right,challenge", "h{n},1,t1,1,a{n},b{n},left"),
    "known-pairs": ("topic,left,right,answer,feedback", "t1,a{n},b{n},left,since it is so"),
    "known-docs": ("topic,doc,lowest,highest", "t1,d{n},0,{n}"),
    "drawn-pairs": ("topic,left,right", "t1,a{n},b{n}"),
    "carried-passages": ("topic,doc,start,end", "t1,d{n},{n},9{n}"),
    "sample": ("topic,doc,wave,probability,check", "t1,d{n},1,0.5,"),
    "published": (
        "topic_id,unit_id,document_id,worker_id,relevance_score,gold",
        "t1,u{n},d{n},w{n},{n},False",
    ),
    "platform": ("WorkerId,AssignmentId,Answer.code", "w{n},a{n},c{n}"),
    "matrix": ("0.5,0.25,0.25", "0.{n},0.5,1"),
}
IN_FOLDERS = {
    "passages.csv": (
        "topic,doc,assessor,start,quote,text_sha256",
        "t1,d{n},a1,{n},what stands there," + "0" * 64,
    ),
    "adjudications.csv": ("topic,doc,grade,by,blind,revision", "t1,d{n},1,gold,1,1"),
    "pair_adjudications.csv": ("topic,left,right,before,after,outcome", "t1,a{n},b{n},-1 1,1,1"),
}
ROUNDS = ("round,reason,rule,reference,labels,assigned", "{n},again,all,gold,shown,5")
PROMPT = (
    'name = "own"\nversion = 1\nkind = "grade"\nsystem = "Judge."\n'
    'user = "{topic} {levels} {doc}"\n'
)


def parquet_of(rows: int, *, doc: str = "") -> bytes:
    """Qrels as Parquet."""
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


def warc_of(records: int) -> bytes:
    """Pages in a WARC file."""
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
