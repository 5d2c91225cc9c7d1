"""Comparison of the app's hash chains with those in a kept copy: an export or a backup.

A chain proves that none of its events was changed. But someone with write access to the database
can also cut off the end of a chain or recompute it. Only a copy kept elsewhere reveals this.
"""

from __future__ import annotations

import re
import sqlite3
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path

from django.db import connection

from qrelsmith.base.errors import InputError
from qrelsmith.campaign.campaign_folder import MANIFEST, RECORDS_FOLDER
from qrelsmith.io.manifest import read_manifest
from qrelsmith.web.core.campaign_chain import DESK_HEAD
from qrelsmith.web.core.checks import Check
from qrelsmith.web.core.event_lines import DESK
from qrelsmith.web.core.lines import Kind, link, read_records
from qrelsmith.web.judging.kinds import KINDS
from qrelsmith.web.maintenance.backup import backup_uri
from qrelsmith.web.maintenance.postgresql import program_lines

# The digests of a stream's events in order, by the names of the stream.
_Key = tuple[str, ...]
_Streams = Mapping[_Key, Sequence[str]]
_Rows = Mapping[str, Sequence[tuple[str, ...]]]

_PREFIX = "qrelsmith_web_"
_COLUMNS = {
    "assessor": ("id", "name"),
    "topic": ("id", "name"),
    "deskevent": ("id", "digest"),
    "organiseraction": ("id", "digest"),
}
_DESK, _ACTIONS = "desk", "actions"
_COPY = re.compile(r"COPY (?:\w+\.)?qrelsmith_web_(\w+) \((.*)\) FROM stdin;")
_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v"}


def check_against_copy(path: Path) -> Check:
    """Check that every stream of a copy exists here, and begins with the same events.

    Raises
    ------
    InputError
        If the copy cannot be read, is neither an export nor a backup, or was itself changed.
    """
    there = _export_streams(path) if path.is_dir() else _streams(_backup_rows(path))
    here = _streams(_live_rows())
    check = Check(f"logs begin as in {path.name}")
    for key, digests in there.items():
        check.rows += 1
        ours = here.get(key, ())
        same = next(
            (
                place
                for place, pair in enumerate(zip(digests, ours, strict=False))
                if len({*pair}) > 1
            ),
            min(len(digests), len(ours)),
        )
        if same == len(digests):
            continue
        if not ours:
            check.fault(f"{_name(key)}: all {len(digests)} events of the copy are missing")
        elif same == len(ours):
            check.fault(
                f"{_name(key)}: the last {len(digests) - same} of {len(digests)} events of the copy"
                " are missing"
            )
        else:
            check.fault(f"{_name(key)}: event {same + 1} differs from the copy")
    return check


def _name(key: _Key) -> str:
    for kind in KINDS:
        if key[0] == kind.name:
            return kind.name_with(dict(zip(kind.stream_names, key[1:], strict=True)))
    return "adjudication" if key[0] == _DESK else "actions of organisers"


def _columns() -> dict[str, tuple[str, ...]]:
    """Return the columns from which the streams are computed, by table."""
    columns: dict[str, tuple[str, ...]] = dict(_COLUMNS)
    for kind in KINDS:
        named = (path.replace("__name", "_id") for path in kind.stream_names.values())
        columns[kind.streams._meta.model_name] = ("id", *named)
        columns[kind.events._meta.model_name] = ("id", f"{kind.stream}_id", "digest")
    return columns


def _streams(rows: _Rows) -> _Streams:
    """Return the streams of a database, given its tables."""
    assessors = {pk: name for pk, name in rows["assessor"]}  # noqa: C416 - rows of any length
    topics = {pk: name for pk, name in rows["topic"]}  # noqa: C416 - rows of any length
    names_of = {"assessor__name": assessors, "topic__name": topics}
    streams: defaultdict[_Key, list[str]] = defaultdict(list)
    for kind in KINDS:
        paths = kind.stream_names.values()
        names: dict[str, _Key] = {
            pk: (
                kind.name,
                *(names_of[path][cell] if path in names_of else cell
                  for path, cell in zip(paths, cells, strict=True)),
            )
            for pk, *cells in rows[kind.streams._meta.model_name]
        }  # fmt: skip
        for _, stream, digest in sorted(rows[kind.events._meta.model_name], key=_number):
            streams[names[stream]].append(digest)
    for table, name in (("deskevent", _DESK), ("organiseraction", _ACTIONS)):
        for _, digest in sorted(rows[table], key=_number):
            streams[name,].append(digest)
    return streams


def _number(row: tuple[str, ...]) -> int:
    return int(row[0])


def _live_rows() -> _Rows:
    """Return the tables of the app's own database."""
    rows = {}
    with connection.cursor() as cursor:
        for table, columns in _columns().items():
            cursor.execute(f"SELECT {', '.join(columns)} FROM {_PREFIX}{table}")  # noqa: S608 - ours
            rows[table] = [tuple(map(str, row)) for row in cursor.fetchall()]
    return rows


def _backup_rows(path: Path) -> _Rows:
    """Return the tables of a backup, of SQLite or PostgreSQL."""
    try:
        with path.open("rb") as stream:
            is_dump = stream.read(5) == b"PGDMP"
        return _dump_rows(path) if is_dump else _sqlite_rows(path)
    except (OSError, sqlite3.DatabaseError, KeyError, ValueError) as error:
        raise InputError(
            f"the file has no log of an app ({error}); expected an export's folder, or "
            "a backup of 0.2.0 or later",
            path=path,
        ) from None


def _sqlite_rows(path: Path) -> _Rows:
    rows: dict[str, list[tuple[str, ...]]] = {}
    with closing(sqlite3.connect(backup_uri(path), uri=True)) as backup:
        tables = {name for (name,) in backup.execute("SELECT name FROM sqlite_master")}
        for table, columns in _columns().items():
            if table not in _COLUMNS and _PREFIX + table not in tables:
                rows[table] = []  # a kind of judgment unknown to the version of the copy
                continue
            found = backup.execute(f"SELECT {', '.join(columns)} FROM {_PREFIX}{table}")  # noqa: S608
            rows[table] = [tuple(map(str, row)) for row in found]
    return rows


def _dump_rows(path: Path) -> _Rows:
    """Return the tables of a dump, as printed by pg_restore without a database."""
    columns = _columns()
    tables = [f"--table={_PREFIX}{table}" for table in columns]
    rows: dict[str, list[tuple[str, ...]]] = {}
    pick: Callable[[list[str]], tuple[str, ...]] | None = None
    for line in program_lines("pg_restore", "--data-only", "--file=-", *tables, str(path)):
        begins = _COPY.match(line)
        if begins:
            places = [begins[2].split(", ").index(name) for name in columns[begins[1]]]
            kept = rows.setdefault(begins[1], [])
            pick = _picker(places)
        elif line == r"\.":
            pick = None
        elif pick is not None:
            kept.append(pick(line.split("\t")))
    # A kind of judgment unknown to the version of the copy has no table there.
    return {table: rows[table] if table in _COLUMNS else rows.get(table, []) for table in columns}


def _picker(places: Sequence[int]) -> Callable[[list[str]], tuple[str, ...]]:
    """Return a function that selects the cells of a row at the given positions."""
    return lambda cells: tuple(_ESCAPE.sub(_unescape, cells[place]) for place in places)


def _unescape(escape: re.Match[str]) -> str:
    return _ESCAPED.get(escape[1], escape[1])


def _export_streams(folder: Path) -> _Streams:
    """Return the streams of an export, computed from its events.

    Raises
    ------
    InputError
        If the folder is not an export, or its events do not match the heads in its manifest.
    """
    manifest = folder / MANIFEST
    named = read_manifest(manifest).parameters
    streams: defaultdict[_Key, list[str]] = defaultdict(list)
    kept: list[tuple[Kind, _Key]] = [(DESK.kind, (_DESK,))]
    kept += [(kind.lines.kind, (kind.name, *kind.stream_names)) for kind in KINDS]
    for kind, key_of in kept:
        for key, record in _records(folder / RECORDS_FOLDER, kind, key_of):
            stream = streams[key]
            stream.append(link(stream[-1] if stream else "", record, kind))
    desk = streams.get((_DESK,), [""])[-1]
    heads = sorted(stream[-1] for key, stream in streams.items() if key != (_DESK,))
    head = sha256("".join(f"{digest}\n" for digest in heads).encode()).hexdigest()
    for name, computed in (("head", head), (DESK_HEAD, desk)):
        if named.get(name, computed) != computed:
            raise InputError(
                f"{name} is {named[name]}; expected {computed}, computed from the "
                "events. This export was changed",
                path=manifest,
            )
    return streams


def _records(
    folder: Path, kind: Kind, key_of: tuple[str, ...]
) -> Iterator[tuple[tuple[str, ...], dict[str, str]]]:
    for record in read_records(folder, kind):
        cells = {key: record.text(key) for key in kind.keys}
        yield (key_of[0], *(cells[name] for name in key_of[1:])), cells
