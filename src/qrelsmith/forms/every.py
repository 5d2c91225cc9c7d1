"""All formats that readers recognise; importing this module fills the registry."""

from qrelsmith.forms import (  # noqa: F401
    annotation_tools,
    answer_labels,
    json_numbers,
    judge_columns,
    label_studio,
    listed_docs,
    quepid,
    search_engines,
    tables,
    text_lines,
    topic_lists,
    umbrela,
)
from qrelsmith.forms.registry import FORMS

__all__ = ["FORMS"]
