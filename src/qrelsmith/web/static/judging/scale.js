// The scale of the campaign: valid labels, and their names.

import { say } from "../page/words.js";

export class Scale {
  /** @param {object} content the scale in the server's format. */
  constructor(content) {
    this.version = content.version;
    this.control = content.control;
    this.levels = content.levels;
    this.errors = content.errors;
    this.#wishes = { note: content.note, excerpt: content.excerpt };
    const first = this.levels[0]?.grade ?? 0;
    const last = this.levels.at(-1)?.grade ?? 100;
    this.range = { first, last };
  }

  #wishes;

  /** Whether a label needs a note or an excerpt: none, optional or required. */
  wish(name, value) {
    return this.#level(value)?.[name] || this.#wishes[name];
  }

  /** Whether a value is one of the error codes. */
  isError(value) {
    return this.errors.some((error) => error.code === value);
  }

  /** Whether a value is a grade. */
  isGrade(value) {
    if (!Number.isFinite(value)) return false;
    return this.control === "number" ? value > 0 : this.#level(value) !== undefined;
  }

  /** The field that a label still lacks: "note", "excerpt" or "". */
  lacks(value, { note, excerpt, passages }) {
    if (this.isError(value)) return "";
    if (this.wish("note", value) === "required" && !note.trim()) return "note";
    if (this.wish("excerpt", value) === "required" && !excerpt.trim() && !passages.length) return "excerpt";
    return "";
  }

  /** The message for a value that is not a grade. */
  asks(value) {
    if (this.control === "number") return say("gradePositive");
    return value === null ? say("gradeMissing") : say("gradeRange", this.range);
  }

  /** A value in the words of the scale. */
  label(value) {
    if (value === null) return "";
    const error = this.errors.find((each) => each.code === value);
    return error?.label ?? (this.#level(value)?.label || String(value));
  }

  /** A value in as few characters as possible. */
  short(value) {
    if (value === null) return "";
    return this.isError(value) ? "!" : String(Math.round(value * 1000) / 1000);
  }

  /** The level of a key between 0 and 9; 0 is the tenth level if keys count levels. */
  byDigit(digit) {
    if (this.control !== "buttons") return undefined;
    const isDirect = this.levels.every(
      ({ grade }) => Number.isInteger(grade) && grade >= 0 && grade <= 9,
    );
    return isDirect
      ? this.levels.find(({ grade }) => grade === digit)
      : this.levels[(digit + 9) % 10];
  }

  /** The digit of a level, or undefined. */
  digitOf(grade) {
    return [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].find((digit) => this.byDigit(digit)?.grade === grade);
  }

  #level(value) {
    return this.levels.find(({ grade }) => grade === value);
  }
}
