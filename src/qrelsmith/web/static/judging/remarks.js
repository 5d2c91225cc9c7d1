// The note and passages of a label; unsaved input is stored.

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
   *   `take()` starts selecting a passage, `submit()`, `reveal(isShown)`.
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

  /** The values of the fields; fields that are not shown keep their old values. */
  get content() {
    const { note, excerpt } = this.#fields;
    return {
      note: note ? clean(note.value) : this.#saved.note,
      excerpt: excerpt ? clean(excerpt.value) : this.#saved.excerpt,
      passages: this.#passages?.value ?? this.#saved.passages,
    };
  }

  /** Show the note and passages of a doc's label, or unsaved input. */
  show(row) {
    this.#doc = row.doc;
    const { value: _, ...saved } = DOCS.said(row);
    this.#saved = saved;
    const draft = { ...saved, ...recall("drafts", {})[row.doc] };
    for (const name of ["note", "excerpt"]) {
      if (this.#fields[name]) this.#fields[name].value = draft[name];
    }
    if (this.#passages) this.#passages.value = draft.passages;
    // With JavaScript, passages are selected in the doc; this field is for old typed excerpts.
    const { excerpt } = this.#fields;
    if (excerpt) excerpt.parentElement.hidden = !excerpt.value;
    this.complain("");
  }

  /** Forget the input: it was saved with the label. */
  saved() {
    keepDraft(this.#doc, null);
  }

  /** Keep the input of an undone judgment, so that it need not be typed again. */
  rescue(doc, label) {
    const { value: _, ...remarks } = DOCS.said(label);
    if (isNoted(remarks)) keepDraft(doc, remarks);
  }

  /** Mark the missing field; "" removes the mark. */
  complain(name) {
    for (const [each, field] of Object.entries(this.#fields)) {
      field?.setAttribute("aria-invalid", String(each === name));
    }
  }

  /** Focus a field; false if it is not shown. */
  focus(name) {
    this.#reveal(true);
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
    const isEnter = event.key === "Enter" && !event.shiftKey;
    if (event.key !== "Escape" && !isEnter) return;
    event.preventDefault();
    event.target.blur();
    this.#reveal(false);
    if (isEnter) this.#submit();
  }
}

/** Text that databases can store: without NUL and lone surrogates. */
function clean(text) {
  return text.replaceAll("\0", "").replace(/\p{Surrogate}/gu, "\ufffd").trim();
}

/** Store the unsaved input for a doc; null: none. */
function keepDraft(doc, draft) {
  const drafts = recall("drafts", {});
  if (!draft && !(doc in drafts)) return;
  delete drafts[doc];
  if (draft) drafts[doc] = draft;
  for (const old of Object.keys(drafts).slice(0, -DRAFTS)) delete drafts[old];
  keep("drafts", drafts);
}
