// The list of docs with their labels. Only the visible rows are in the page.

import { element } from "../page/elements.js";
import { say } from "../page/words.js";
import { isNoted, remarksOf } from "./noted.js";

const BEYOND = 8;

export class DocList {
  #scroller;
  #list;
  #labels;
  #scale;
  #address;
  #open;
  #held;
  #positions = null;
  #current = 0;
  #rowHeight = 0;
  #drawn = 0;
  #isPressed = false;

  /**
   * @param {HTMLElement} scroller the scrolling container of the list.
   * @param {object} parts labels and scale; `address(position)`; `open(position)`: a doc was
   *   chosen; `held(position)`: whether a doc waits for a decision.
   */
  constructor(scroller, { labels, scale, address, open, held }) {
    this.#scroller = scroller;
    this.#list = scroller.querySelector("ol");
    this.#labels = labels;
    this.#scale = scale;
    this.#address = address;
    this.#open = open;
    this.#held = held;
    this.#list.removeAttribute("start");
    this.#list.classList.add("virtual");
    scroller.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.#measure()).observe(scroller);
    this.#list.addEventListener("click", (event) => this.#clicked(event));
    this.#list.addEventListener("keydown", (event) => this.#pressed(event));
    labels.addEventListener("change", () => this.draw());
    // A row that is replaced between press and release gets no click.
    this.#list.addEventListener("pointerdown", () => { this.#isPressed = true; });
    for (const type of ["pointerup", "pointercancel"]) {
      addEventListener(type, () => {
        if (!this.#isPressed) return;
        this.#isPressed = false;
        this.draw();
      });
    }
    this.#measure();
  }

  /** Show these positions only; null: all. */
  limit(positions) {
    this.#positions = positions;
    this.#scroller.scrollTop = 0;
    this.draw();
  }

  /** Number of docs in the list. */
  get length() {
    return this.#positions ? this.#positions.length : this.#labels.total;
  }

  /** Mark the doc on the screen, and scroll it into sight. */
  set current(position) {
    this.#current = position;
    this.#bring(position);
    this.draw();
  }

  /** Draw the rows in sight at the next frame, once for all changes. */
  draw() {
    if (this.#drawn) return;
    this.#drawn = requestAnimationFrame(() => {
      this.#drawn = 0;
      if (!this.#isPressed) this.#drawNow();
    });
  }

  #drawNow() {
    const height = this.#rowHeight;
    const first = Math.max(Math.floor(this.#scroller.scrollTop / height) - BEYOND, 0);
    const visible = Math.ceil(this.#scroller.clientHeight / height) + 2 * BEYOND;
    const last = Math.min(first + visible, this.length);
    const focused = this.#focused();
    const rows = [];
    for (let place = first; place < last; place += 1) rows.push(this.#row(place));
    this.#list.style.height = `${this.length * height}px`;
    this.#list.replaceChildren(...rows);
    if (focused) this.#link(focused)?.focus({ preventScroll: true });
  }

  #row(place) {
    const position = this.#positions ? this.#positions[place] : place + 1;
    const row = this.#labels.at(position);
    const isCurrent = position === this.#current;
    const link = element(
      "a",
      {
        href: this.#address(position),
        "data-position": position,
        "aria-current": isCurrent ? "true" : null,
        tabindex: isCurrent || (!this.#isShown(this.#current) && place === 0) ? 0 : -1,
      },
      element("span", { class: "number" }, String(position)),
      element("span", { class: "name", dir: "auto" }, row ? row.title || row.name : "…"),
      ...this.#mark(row, position),
    );
    const item = element(
      "li", { "aria-setsize": this.length, "aria-posinset": place + 1 }, link,
    );
    item.style.top = `${place * this.#rowHeight}px`;
    return item;
  }

  /** The label of a doc: one character to see, and words for screen readers. */
  #mark(row, position) {
    if (!row) return [];
    if (this.#held(position)) return [marked("held", "?", say("listHeld"))];
    if (row.value === null) return [element("span", { class: "words" }, say("listOpen"))];
    const isStale = row.stale.length > 0;
    const kind = this.#scale.isError(row.value) ? "error" : isStale ? "stale" : "judged";
    const label = this.#scale.label(row.value);
    const words = row.isPending ? say("listPending", { label })
      : isStale ? say("listStale", { label }) : label;
    const marks = [
      marked(row.isPending ? `${kind} pending` : kind, this.#scale.short(row.value), words),
    ];
    if (isNoted(row)) marks.unshift(marked("noted", "", say(`list${remarksOf(row)}`)));
    return marks;
  }

  #clicked(event) {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
    event.preventDefault();
    this.#open(Number(link.dataset.position));
  }

  #pressed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    const position = this.#focused();
    if (!step || !position) return;
    event.preventDefault();
    const place = this.#positions ? this.#positions.indexOf(position) : position - 1;
    const target = Math.min(Math.max(place + step, 0), this.length - 1);
    const next = this.#positions ? this.#positions[target] : target + 1;
    this.#bring(next);
    this.#drawNow();
    this.#link(next)?.focus({ preventScroll: true });
  }

  /** Scroll until a position and some of the following rows are in sight. */
  #bring(position) {
    if (!this.#isShown(position)) return;
    const place = this.#positions ? this.#positions.indexOf(position) : position - 1;
    const top = place * this.#rowHeight;
    const room = this.#scroller.clientHeight;
    const margin = Math.min(2 * this.#rowHeight, room / 3);
    if (top - margin < this.#scroller.scrollTop) this.#scroller.scrollTop = top - margin;
    const bottom = top + this.#rowHeight + margin;
    if (bottom > this.#scroller.scrollTop + room) this.#scroller.scrollTop = bottom - room;
  }

  #isShown(position) {
    return this.#positions ? this.#positions.includes(position) : position >= 1;
  }

  #focused() {
    const link = document.activeElement;
    return this.#list.contains(link) ? Number(link.dataset.position) : 0;
  }

  #link(position) {
    return this.#list.querySelector(`a[data-position="${position}"]`);
  }

  /** The row height of the style sheet, which depends on the text size. */
  #measure() {
    const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const rows = Number.parseFloat(getComputedStyle(this.#list).getPropertyValue("--row"));
    this.#rowHeight = Math.round((rows || 2) * rem);
    this.#list.style.setProperty("--row-height", `${this.#rowHeight}px`);
    if (this.#current) this.#bring(this.#current);
    this.draw();
  }
}

function marked(kind, text, words) {
  return element(
    "span",
    { class: `mark ${kind}`, title: words },
    element("span", { "aria-hidden": "true" }, text),
    element("span", { class: "words" }, words),
  );
}

/** A short list of judged items in groups, each with its label. */
export class GroupedList {
  #place;
  #show;

  /**
   * @param {HTMLElement} place
   * @param {object} show heading(group), text(row), more(row), label(row); open(row): a row was clicked.
   */
  constructor(place, show) {
    this.#place = place;
    this.#show = show;
  }

  /** Draw groups of rows, and mark the row of the item on the screen. */
  draw(groups, position) {
    this.#place.replaceChildren(...[...groups].map((group) => element(
      "section", {}, element("h2", {}, this.#show.heading(group)),
      element("ol", {}, ...group.map((row) => this.#item(row, position))),
    )));
    const current = this.#place.querySelector("[aria-current]")?.getBoundingClientRect();
    if (!current) return;
    // Not `scrollIntoView`: on low screens it would scroll the labels out of the rail, too.
    const room = this.#place.parentElement;
    const { top, bottom } = room.getBoundingClientRect();
    room.scrollTop += Math.min(current.top - top, 0) || Math.max(current.bottom - bottom, 0);
  }

  #item(row, position) {
    const given = row.value === null ? "" : this.#show.label(row);
    const button = element(
      "button", { type: "button", "aria-current": row.position === position && "true" },
      element("span", { class: "text", dir: "auto" }, this.#show.text(row)),
      element("span", { class: "id" }, this.#show.more(row)),
      element("span", { class: row.stale.length ? "given stale" : "given" }, given),
    );
    button.addEventListener("click", () => this.#show.open(row));
    return element("li", {}, button);
  }
}
