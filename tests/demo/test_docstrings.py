from __future__ import annotations

import re
import subprocess
import sys
import warnings
import zlib

import pytest

from qrelsmith.demo import docstrings
from qrelsmith.demo.docstrings import DemoDoc, stdlib_docs

KEY_DOCS = [
    "argparse.ArgumentParser.add_argument",
    "asyncio.gather",
    "collections.Counter.most_common",
    "collections.OrderedDict.move_to_end",
    "concurrent.futures.ThreadPoolExecutor",
    "contextlib.ExitStack",
    "copy.deepcopy",
    "csv",
    "datetime.datetime.strptime",
    "functools.lru_cache",
    "hashlib.sha256",
    "heapq.nlargest",
    "itertools.islice",
    "json.dumps",
    "multiprocessing.Process",
    "open",
    "os.path.join",
    "os.walk",
    "pathlib.Path.read_text",
    "print",
    "random.choice",
    "re.sub",
    "set.copy",
    "smtplib.SMTP.send_message",
    "sqlite3.connect",
    "str.removeprefix",
    "str.split",
    "subprocess.run",
    "tarfile.TarFile.extractall",
    "typing.Optional",
    "unittest.mock.patch",
]


@pytest.fixture(scope="module")
def docs() -> list[DemoDoc]:
    return stdlib_docs()


@pytest.fixture(scope="module")
def by_id(docs: list[DemoDoc]) -> dict[str, DemoDoc]:
    return {doc.doc_id: doc for doc in docs}


def test_there_are_thousands_of_docs(docs: list[DemoDoc]) -> None:
    assert 4_500 < len(docs) < 9_000


def test_ids_are_unique_and_sorted(docs: list[DemoDoc]) -> None:
    ids = [doc.doc_id for doc in docs]
    assert ids == sorted(set(ids))


def test_texts_are_unique_and_not_empty(docs: list[DemoDoc]) -> None:
    assert len({doc.text for doc in docs}) == len(docs)
    assert all(re.search(r"[^\W\d_]", doc.text) for doc in docs)


@pytest.mark.parametrize("doc_id", KEY_DOCS)
def test_well_known_names_are_present(by_id: dict[str, DemoDoc], doc_id: str) -> None:
    assert doc_id in by_id


def test_names_are_public(docs: list[DemoDoc]) -> None:
    assert not [doc.doc_id for doc in docs if re.search(r"(^|\.)_", doc.doc_id)]


def test_an_object_has_only_one_name(by_id: dict[str, DemoDoc]) -> None:
    assert "io.open" not in by_id
    assert "codecs.open" in by_id  # another function
    assert "socket.error" not in by_id
    assert "IOError" not in by_id
    assert "OSError" in by_id


def test_titles_contain_name_and_signature(by_id: dict[str, DemoDoc]) -> None:
    assert by_id["str.split"].title == "str.split(sep=None, maxsplit=-1)"
    assert by_id["collections.Counter.most_common"].title.endswith("most_common(n=None)")
    assert by_id["datetime.datetime.now"].title == "datetime.datetime.now(tz=None)"
    assert by_id["typing.Optional"].title == "typing.Optional"


def test_titles_begin_with_the_id_and_are_one_line(docs: list[DemoDoc]) -> None:
    assert not [d.title for d in docs if not d.title.startswith(d.doc_id) or "\n" in d.title]


def test_no_text_reveals_this_process_or_machine(docs: list[DemoDoc]) -> None:
    assert not [doc.title for doc in docs if re.search(r"0x[0-9a-f]{5,}|<[^>]* at ", doc.title)]
    assert not [doc.doc_id for doc in docs if re.search(r" at 0x[0-9a-f]{5,}", doc.text)]
    assert not [doc.doc_id for doc in docs if sys.prefix in doc.title + doc.text]


def test_a_replaced_hook_changes_nothing(
    docs: list[DemoDoc], monkeypatch: pytest.MonkeyPatch
) -> None:
    def hook(*_: object) -> None:
        """Do something else."""

    monkeypatch.setattr(sys, "displayhook", hook)
    assert stdlib_docs() == docs


def test_modules_that_this_python_lacks_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docstrings, "MODULES", ("copy", "no_such_module"))
    assert {doc.doc_id.partition(".")[0] for doc in stdlib_docs()} == {"copy"}


def test_the_filters_for_warnings_stay_unchanged() -> None:
    before = list(warnings.filters)
    stdlib_docs()
    assert warnings.filters == before


def test_another_process_finds_the_same_docs_without_warnings(docs: list[DemoDoc]) -> None:
    program = (
        "import zlib; from qrelsmith.demo.docstrings import stdlib_docs;"
        "print(zlib.crc32(repr(stdlib_docs()).encode()))"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == str(zlib.crc32(repr(docs).encode()))
    assert done.stderr == ""
