"""Quepid's ratings of a case: `query,docid,rating`, with topics identified by their texts."""

from __future__ import annotations

from qrelsmith.base.errors import UsageError, quoted
from qrelsmith.base.scales import grade_text
from qrelsmith.formats.registry import FILE_FORMATS, Content, Texts
from qrelsmith.io.format_marks import Kind
from qrelsmith.io.table_writing import write_table
from qrelsmith.io.text import FilePath

_NAMES = ("query", "docid", "rating")


@FILE_FORMATS.add(
    "quepid",
    kinds=("qrels",),
    about="https://github.com/o19s/quepid/blob/main/"
    "app/assets/javascripts/components/import_ratings/_modal.html",
)
class Quepid:
    """CSV with the text of each topic in place of its id."""

    def write(self, content: Content, path: FilePath, _: Kind, texts: Texts) -> str:
        """Write qrels with the texts of their topics, or with the ids if no topics are given.

        Raises
        ------
        UsageError
            If two topics have the same text: Quepid would merge them.
        """
        titles = {topic: texts.title(topic) for topic in content.topics}
        same = {title: topic for topic, title in titles.items()}
        for topic, title in titles.items():
            if same[title] != topic:
                raise UsageError(
                    f"the topics {quoted(topic)} and {quoted(same[title])} have the same text,"
                    f" {quoted(title)}; expected different texts, because Quepid would merge the"
                    " topics"
                )
        rows = [(titles[topic], doc, grade_text(grade)) for topic, doc, grade in content.rows()]
        cells = {name: [row[place] for row in rows] for place, name in enumerate(_NAMES)}
        write_table(path, cells, form="csv")
        return ""
