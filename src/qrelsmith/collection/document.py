"""A doc as it was read; the SHA-256 of the visible content shows whether the doc changed."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from qrelsmith.base.errors import InputError, UsageError, quoted
from qrelsmith.io.text import FilePath

# The forms that `pages.markup` renders.
FORMS = ("text", "html", "md", "json", "csv", "code")


# Browsers cannot show larger docs smoothly, and no assessor reads them.
LARGEST = 20_000_000


@dataclass(frozen=True, slots=True)
class Document:
    """A doc as it was read.

    Attributes
    ----------
    doc_id : str
        The doc's id: any text without blanks and control characters.
    form : {'text', 'html', 'md', 'json', 'csv', 'code'}
        The form of `content`; `md` is Markdown, `csv` a table with commas or tabs.
    content : str
        The text, the HTML or other content.
    title : str
        The doc's name in lists; may be empty.
    url : str
        The doc's address; may be empty.
    """

    doc_id: str
    form: str
    content: str
    title: str = ""
    url: str = ""

    def __post_init__(self) -> None:
        if not self.doc_id or any(c.isspace() or not c.isprintable() for c in self.doc_id):
            raise UsageError(
                f"the doc is {quoted(self.doc_id)}; expected an id without spaces or "
                "control characters"
            )
        if self.form not in FORMS:
            raise UsageError(f"the form is {quoted(self.form)}; expected one of {', '.join(FORMS)}")
        if len(self.content) > LARGEST:
            raise UsageError(f"the doc {quoted(self.doc_id)} has more than {LARGEST} characters")

    @property
    def fields(self) -> dict[str, str]:
        """The content and its form as fields of a record."""
        return form_fields(self.form, self.content)

    @property
    def sha256(self) -> str:
        """The digest of form, title and content, each preceded by its length."""
        digest = hashlib.sha256()
        for part in (self.form, self.title, self.content):
            raw = part.encode("utf-8")
            digest.update(f"{len(raw)}\n".encode())
            digest.update(raw)
        return digest.hexdigest()


def form_fields(form: str, content: str) -> dict[str, str]:
    """Return content as fields of a record: `text` or `html`, and `form` for other forms."""
    return {form: content} if form in ("text", "html") else {"text": content, "form": form}


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """The place of a doc, for errors.

    Attributes
    ----------
    path : path
        The file.
    line : int or None
        The line of the doc, if the file has lines.
    """

    path: FilePath
    line: int | None = None

    def fault(self, problem: str) -> InputError:
        """Return the error to raise for a problem with the doc at this place."""
        return InputError(problem, path=self.path, line=self.line)
