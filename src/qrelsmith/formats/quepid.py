"""Quepid's ratings of a case: `query,docid,rating`, topics by their words."""

from __future__ import annotations

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.collection.qrels import stem
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.formats.tables import graded_rows
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_reading import Columns, TextTable, parse_table
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath, read_bytes

# A query without ratings stands in a row of its own, its other cells empty or left out.
_COLUMNS = Columns(("query",), ("docid", "rating"), ids=("docid",), may_end_early=True)
_NAMES = _COLUMNS.names


@FILE_FORMATS.add(
    "quepid",
    kinds=("qrels",),
    about="https://github.com/o19s/quepid/blob/main/"
    "app/assets/javascripts/components/import_ratings/_modal.html",
)
class Quepid:
    """CSV in which a topic is its words; docs that have no rating are passed over."""

    def read(self, path: FilePath, _: Kind, texts: Texts) -> Content:
        """Qrels; words become the ids of the topics that have them."""
        table = parse_table(read_bytes(path), _COLUMNS, path=path)
        missing = [name for name in _NAMES if name not in table.columns]
        if missing:
            raise InputError(
                f"the column {missing[0]} is missing; expected {', '.join(_NAMES)}", path=path
            )
        rated = [place for place, cell in enumerate(table.columns["rating"]) if cell]
        nameless = [table.lines[place] for place in rated if not table.columns["docid"][place]]
        if nameless:
            raise InputError("a rating of no doc; expected its docid", path=path, line=nameless[0])
        columns = {name: [table.columns[name][place] for place in rated] for name in _NAMES}
        try:
            topics = {query: _topic(query, texts) for query in dict.fromkeys(columns["query"])}
        except UsageError as error:
            raise InputError(str(error), path=path) from None
        columns["query"] = [topics[query] for query in columns["query"]]
        lines = [table.lines[place] for place in rated]
        return graded_rows(TextTable(path, columns, lines), _NAMES, name=stem(path))

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """Qrels with the words of their topics, or the ids where no topics are given.

        Raises
        ------
        UsageError
            If two topics have the same words: Quepid would take them for one.
        """
        titles = {topic: texts.title(topic) for topic in content.topics}
        same = {title: topic for topic, title in titles.items()}
        for topic, title in titles.items():
            if same[title] != topic:
                raise UsageError(
                    f"the topics {quoted(topic)} and {quoted(same[title])} have the same words,"
                    f" {quoted(title)}; Quepid would take them for one"
                )
        rows = [(titles[topic], doc, grade_text(grade)) for topic, doc, grade in content.rows()]
        cells = {name: [row[place] for row in rows] for place, name in enumerate(_NAMES)}
        write_table(path, cells, form="csv")
        return ""


def _topic(query: str, texts: Texts) -> str:
    if not texts.topics and not any(map(str.isspace, query)):
        return query
    return texts.topic_of(query)
