// The matrix as a heat map; only the visible rows and columns are in the page.
//
// Events: "sort" (key), "selected", "pointed" (text of the active cell; empty for none).

import { BASE } from "../page/base.js";
import { element } from "../page/elements.js";
import { say } from "../page/words.js";
import { flagsOf, shareAlike } from "./model.js";

const MARGIN = 6;
const INFOS = ["judged", "pace", "alike", "flags"];
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
const LEAST_PX = 17, TOUCH_PX = 24, MOST_PX = 56, WORDS_PX = 44, ROOMY_ROWS = 20;
// Maximum length of a topic's header shown in full, and the width of a letter.
const HEAD_PX = 128, LETTER_PX = 7.5;

export class Grid extends EventTarget {
  #place;
  #table;
  #model;
  #rows = [];
  #columns = [];
  #window = "";
  #view = "progress";
  #sort = { by: "name", isDown: false };
  /** The active row and column; -1: their headers. */
  #active = [0, 0];

  /** The selected assessors and topics, by number. */
  chosen = { assessors: new Set(), topics: new Set() };

  /**
   * @param {HTMLElement} place the scrolling container.
   * @param {Model} model the data.
   */
  constructor(place, model) {
    super();
    this.#place = place;
    this.#model = model;
    this.#table = element("table", {
      class: "matrix", role: "grid", tabindex: 0, "aria-label": place.dataset.label, "aria-multiselectable": "true",
    });
    place.replaceChildren(this.#table);
    place.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(place);
    this.#table.addEventListener("click", (event) => this.#clicked(event));
    this.#table.addEventListener("keydown", (event) => this.#pressed(event));
    this.#table.addEventListener("pointerover", ({ target }) => this.#point(target.closest("[data-place]")));
    this.#table.addEventListener("pointerleave", () => this.#point(null));
    this.#table.addEventListener("focus", () => this.#hold(false));
    this.#table.addEventListener("blur", () => this.#point(null));
  }

  /** Show rows and columns, in a view: "progress" or "alike". */
  show(rows, columns, { view, sort }) {
    [this.#rows, this.#columns, this.#view, this.#sort] = [rows, columns, view, sort];
    this.#active = [0, 0];
    this.draw();
  }

  /** Draw the visible part again. */
  draw() {
    this.#window = "";
    this.#draw();
  }

  #draw() {
    const { row, column, info } = this.#sizes();
    const { scrollTop, scrollLeft, clientHeight, clientWidth } = this.#place;
    const [top, bottom] = span(scrollTop, clientHeight, row, this.#rows.length);
    const [left, right] = span(Math.max(scrollLeft - info, 0), clientWidth, column, this.#columns.length);
    const window = [top, bottom, left, right].join();
    if (window === this.#window) return;
    this.#window = window;
    const columns = this.#columns.slice(left, right);
    const gaps = [left * column, (this.#columns.length - right) * column];
    const head = element("thead", {}, this.#head(columns, gaps, left));
    const body = element("tbody", {});
    body.append(filler(top * row));
    this.#rows.slice(top, bottom).forEach((each, place) => {
      body.append(this.#row(each, top + place, columns, left, gaps));
    });
    body.append(filler((this.#rows.length - bottom) * row));
    this.#table.setAttribute("aria-rowcount", this.#rows.length + 1);
    this.#table.setAttribute("aria-colcount", this.#columns.length + INFOS.length + 1);
    this.#table.classList.toggle("worded", column >= WORDS_PX);
    this.#table.replaceChildren(head, body);
    // A cell out of sight does not exist: none is active until the next key.
    if (!document.getElementById(idOf(...this.#active))) this.#table.removeAttribute("aria-activedescendant");
    else if (document.activeElement === this.#table) this.#hold(false);
  }

  /** Cells are as large as possible, but large enough to see or touch. */
  #sizes() {
    const style = getComputedStyle(this.#place);
    const info = parseFloat(style.getPropertyValue("--info")) * parseFloat(getComputedStyle(document.documentElement).fontSize);
    const least = matchMedia("(pointer: coarse)").matches ? TOUCH_PX : LEAST_PX;
    const room = Math.floor((this.#place.clientWidth - info - 1) / (this.#columns.length || 1));
    const column = Math.min(Math.max(room, least), MOST_PX);
    const row = this.#rows.length > ROOMY_ROWS ? Math.max(least, LEAST_PX + 1) : 28;
    const longest = Math.max(3, ...this.#columns.map(({ name }) => name.length));
    const head = Math.min(longest * LETTER_PX + 8, HEAD_PX);
    for (const [name, size] of Object.entries({ row, column, head })) this.#place.style.setProperty(`--${name}`, `${size}px`);
    return { row, column, info };
  }

  #head(columns, gaps, left) {
    const line = element("tr", { "aria-rowindex": 1 });
    const groups = this.#rows.some(({ group }) => group) ? ["group"] : [];
    line.append(this.#sorters("corner", "name", ...groups));
    for (const name of INFOS) line.append(this.#sorters(`info ${name}`, name));
    line.append(gap(gaps[0]));
    columns.forEach((topic, place) => line.append(this.#choosable("topics", topic, -1, left + place, {
      scope: "col", class: "topic-head", "aria-colindex": left + place + INFOS.length + 2,
      title: topic.title || topic.name,
    }, element("span", {}, topic.name))));
    line.append(gap(gaps[1]));
    return line;
  }

  #sorters(kind, ...names) {
    const head = element("th", { scope: "col", class: kind });
    for (const name of names) {
      head.append(element("button", { type: "button", class: "quiet sorter", "data-sort": name }, say(`column_${name}`)));
      if (this.#sort.by !== name) continue;
      head.setAttribute("aria-sort", this.#sort.isDown ? "descending" : "ascending");
      head.lastChild.classList.add(this.#sort.isDown ? "down" : "up");
    }
    return head;
  }

  /** A header that is selected by a click or the space bar. */
  #choosable(kind, { id }, row, column, attributes, ...children) {
    return element("th", {
      ...attributes, id: idOf(row, column), "data-place": `${row} ${column}`, "data-choose": kind, "data-id": id,
      "aria-selected": String(this.chosen[kind].has(id)),
    }, ...children);
  }

  #row(row, place, columns, left, gaps) {
    const names = [row.name, ...(row.group ? [" ", element("span", { class: "id" }, row.group)] : [])];
    const line = element("tr", { "aria-rowindex": place + 2 }, this.#choosable(
      "assessors", row, place, -1, { scope: "row", title: [row.name, row.group].filter(Boolean).join(", ") }, ...names,
    ));
    const [judged, total] = [row.judged + row.answered, row.total + row.pairs];
    const infos = {
      judged: say("fraction", { judged, total }),
      pace: row.pace === null ? "–" : row.pace.toFixed(row.pace < 10 ? 1 : 0),
      alike: percent(shareAlike(row)),
      flags: flagLink(row, "acts" in this.#place.dataset),
    };
    for (const info of INFOS) line.append(element("td", { class: `info ${info}` }, infos[info]));
    line.querySelector(".judged").style.setProperty("--share", `${total ? (100 * judged) / total : 0}%`);
    line.append(gap(gaps[0]));
    columns.forEach((topic, column) => line.append(this.#cell(row, topic, place, left + column)));
    line.append(gap(gaps[1]));
    return line;
  }

  #cell(row, topic, place, column) {
    const found = this.#model.cell(row.id, topic.id);
    const box = element("td", { id: idOf(place, column), "data-place": `${place} ${column}`, "aria-colindex": column + INFOS.length + 2 });
    if (!found) return box;
    const [judged, total] = [found.judged + found.answered, found.total + found.pairs];
    const isProgress = this.#view === "progress";
    const share = isProgress ? judged / total : shareAlike(found);
    const words = isProgress ? `${judged}/${total}` : percent(share);
    const link = element("a", { href: `${BASE}/organiser/cells/${row.id}/${topic.id}`, tabindex: -1, class: "cell" }, words);
    if (share === null) link.classList.add("unknown");
    else link.style.setProperty("--share", percent(share));
    if (isClosed(found)) {
      link.classList.add("closed");
      link.setAttribute("aria-label", this.#says(row, topic));
    }
    box.append(link);
    return box;
  }

  /** The contents of a cell in words. */
  #says(row, topic) {
    if (!row || !topic) return row ? say("chooseAssessor", row) : say("chooseTopic", topic);
    const names = { assessor: row.name, topic: topic.name };
    const found = this.#model.cell(row.id, topic.id);
    if (!found) return say("cellEmpty", names);
    return say(isClosed(found) ? "cellClosed" : "cell", {
      ...names, judged: found.judged + found.answered, total: found.total + found.pairs, alike: percent(shareAlike(found)),
    });
  }

  #clicked({ target }) {
    const sort = target.closest("[data-sort]")?.dataset.sort;
    if (sort) this.dispatchEvent(new CustomEvent("sort", { detail: sort }));
    this.#choose(target.closest("[data-choose]"));
  }

  #choose(head) {
    if (!head) return;
    const set = this.chosen[head.dataset.choose];
    const id = Number(head.dataset.id);
    if (!set.delete(id)) set.add(id);
    head.setAttribute("aria-selected", String(set.has(id)));
    this.dispatchEvent(new CustomEvent("selected"));
  }

  /** Arrow keys move between cells and headers; Enter opens, the space bar selects. */
  #pressed(event) {
    if (event.target !== this.#table) return;
    const step = STEPS[event.key];
    const held = document.getElementById(idOf(...this.#active));
    if (step) {
      const most = [this.#rows.length - 1, this.#columns.length - 1];
      this.#active = this.#active.map((each, n) => Math.min(Math.max(each + step[n], -1), most[n]));
      if (Math.max(...this.#active) < 0) this.#active = [0, -1];
      this.#hold(true);
    } else if (event.key === "Enter") (held?.querySelector("a") ?? held?.parentNode.querySelector(".flags a"))?.click();
    else if (event.key === " ") this.#choose(held);
    else return;
    event.preventDefault();
  }

  /** Mark the active cell. */
  #hold(isMoved) {
    const [row, column] = this.#active;
    if (isMoved) {
      const sizes = this.#sizes();
      const head = this.#table.tHead.offsetHeight;
      const place = this.#place;
      if (row >= 0) place.scrollTop = near(place.scrollTop, row * sizes.row, sizes.row, place.clientHeight - head);
      if (column >= 0) place.scrollLeft = near(place.scrollLeft, column * sizes.column, sizes.column, place.clientWidth - sizes.info);
      this.#draw();
    }
    const held = document.getElementById(idOf(row, column));
    if (!held) return;
    for (const other of this.#table.querySelectorAll(".held")) other.classList.remove("held");
    held.classList.add("held");
    this.#table.setAttribute("aria-activedescendant", held.id);
    this.#point(held);
  }

  /** Show the text of a cell, and mark its headers. */
  #point(cell) {
    for (const head of this.#table.querySelectorAll(".pointed")) head.classList.remove("pointed");
    let says = "";
    if (cell) {
      const [row, column] = cell.dataset.place.split(" ").map(Number);
      says = this.#says(this.#rows[row], this.#columns[column]);
      for (const id of [idOf(row, -1), idOf(-1, column)]) document.getElementById(id)?.classList.add("pointed");
    }
    this.dispatchEvent(new CustomEvent("pointed", { detail: says }));
  }
}

function idOf(row, column) {
  return `at-${row}-${column}`;
}

function isClosed({ total, open, answers, openAnswers }) {
  return total + answers > 0 && !open && !openAnswers;
}

function percent(share) {
  return share === null ? "–" : `${Math.round(100 * share)}%`;
}

/** A quality alert, with a link to its page. */
function flagLink(row, isLinked) {
  const flags = flagsOf(row);
  const [first, ...more] = flags.map((flag) => say(`flag_${flag}`));
  if (!first) return "";
  const about = `${BASE}/organiser/alerts/${row.id}/${flags[0] === "uninvited" ? "unopened" : flags[0]}`;
  const words = more.length ? `${first} +${more.length}` : first;
  if (!isLinked) return words;
  return element("a", { href: about, tabindex: -1, title: [first, ...more].join(", ") }, words);
}

/** The range of equal parts in sight, with a margin. */
function span(start, length, size, count) {
  const first = Math.max(Math.floor(start / size) - MARGIN, 0);
  return [Math.min(first, count), Math.min(Math.ceil((start + length) / size) + MARGIN, count)];
}

/** The scroll position at which a part is in sight. */
function near(now, start, size, length) {
  if (start < now) return start;
  return start + size > now + length ? start + size - length : now;
}

function filler(height) {
  const line = element("tr", { class: "filler", "aria-hidden": "true" }, element("td", {}));
  line.style.height = `${height}px`;
  return line;
}

function gap(width) {
  const box = element("td", { class: "gap", "aria-hidden": "true" });
  box.style.minWidth = `${width}px`;
  return box;
}
