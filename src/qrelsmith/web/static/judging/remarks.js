// The note and the passage that come with a label; what is typed is kept until it is saved.

import { keep, recall } from "../page/stored.js";
import { DOCS } from "../sending/kinds.js";
import { isNoted } from "./noted.js";

const DRAFTS = 200;

export class Remarks {
  #fields;
  #submit;
  #reveal;
  #doc = null;
  #passages;
  #take;
  #saved = DOCS.blank;

  /**
   * @param {object} parts the fields `note` and `excerpt` and the list `passages` (or null),
   *   `take()` begins to choose a passage, `submit()`, `reveal()`.
   */
  constructor({ note, excerpt, passages, take, submit, reveal }) {
    this.#take = take;
    this.#fields = { note, excerpt };
    this.#passages = passages;
    passages?.addEventListener("change", () => this.#draft());
    this.#submit = submit;
    this.#reveal = reveal;
    for (const field of this.#present()) {
      field.addEventListener("input", () => this.#draft());
      field.addEventListener("keydown", (event) => this.#pressed(event));
    }
  }

  /** What they hold; what is not asked for stays as it was. */
  get content() {
    const { note, excerpt } = this.#fields;
    return {
      note: note ? clean(note.value) : this.#saved.note,
      excerpt: excerpt ? clean(excerpt.value) : this.#saved.excerpt,
      passages: this.#passages?.value ?? this.#saved.passages,
    };
  }

  /** Show those of a doc's label, or what was typed and not saved. */
  show(row) {
    this.#doc = row.doc;
    const { value: _, ...saved } = DOCS.said(row);
    this.#saved = saved;
    const draft = { ...saved, ...recall("drafts", {})[row.doc] };
    for (const name of ["note", "excerpt"]) {
      if (this.#fields[name]) this.#fields[name].value = draft[name];
    }
    if (this.#passages) this.#passages.value = draft.passages;
    // With a script passages are taken in the doc; this one is what older ones were typed into.
    const { excerpt } = this.#fields;
    if (excerpt) excerpt.parentElement.hidden = !excerpt.value;
    this.complain("");
  }

  /** The label was saved with them. */
  saved() {
    keepDraft(this.#doc, null);
  }

  /** Keep what came with a judgment of a doc that is taken back: it was work to write. */
  rescue(doc, label) {
    const { value: _, ...remarks } = DOCS.said(label);
    if (isNoted(remarks)) keepDraft(doc, remarks);
  }

  /** Say which field is missing; "" takes it back. */
  complain(name) {
    for (const [each, field] of Object.entries(this.#fields)) {
      field?.setAttribute("aria-invalid", String(each === name));
    }
  }

  /** Go to a field; false where it is not asked for. */
  focus(name) {
    this.#reveal();
    if (name === "excerpt" && this.#passages) this.#take();
    else if (this.#fields[name]) this.#fields[name].focus();
    else return false;
    return true;
  }

  #present() {
    return Object.values(this.#fields).filter(Boolean);
  }

  #draft() {
    this.complain("");
    const { content } = this;
    keepDraft(this.#doc, DOCS.isSame(content, this.#saved) ? null : content);
  }

  /** Enter saves, Shift+Enter starts a line, Escape leaves. */
  #pressed(event) {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      event.target.blur();
    } else if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      event.target.blur();
      this.#submit();
    }
  }
}

/** Text as a database takes it: without NUL and halves of characters. */
function clean(text) {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd").trim();
}

/** Keep what was typed for a doc and not saved; null: nothing. */
function keepDraft(doc, draft) {
  const drafts = recall("drafts", {});
  if (!draft && !(doc in drafts)) return;
  delete drafts[doc];
  if (draft) drafts[doc] = draft;
  for (const old of Object.keys(drafts).slice(0, -DRAFTS)) delete drafts[old];
  keep("drafts", drafts);
}
