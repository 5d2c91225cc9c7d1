// The matrix on the screen: of many rows and columns only those in sight are made.
//
// Events: "sort" (key), "selected".

import { BASE } from "../page/base.js";
import { element } from "../page/elements.js";
import { say } from "../page/words.js";
import { leftOf, shareAlike } from "./model.js";

const MARGIN = 6;
const INFOS = ["group", "judged", "left", "pace", "alike", "flags"];

export class Grid extends EventTarget {
  #place;
  #table;
  #model;
  #rows = [];
  #columns = [];
  #window = "";
  #view = "progress";
  #sort = { by: "name", isDown: false };
  #active = [0, 0];

  /** Which assessors and topics are chosen, by their numbers. */
  chosen = { assessors: new Set(), topics: new Set() };

  /**
   * @param {HTMLElement} place what scrolls.
   * @param {Model} model the data.
   */
  constructor(place, model) {
    super();
    this.#place = place;
    this.#model = model;
    this.#table = element("table", { class: "matrix", "aria-label": place.getAttribute("aria-label") });
    place.replaceChildren(this.#table);
    place.addEventListener("scroll", () => this.#draw(), { passive: true });
    new ResizeObserver(() => this.#draw()).observe(place);
    this.#table.addEventListener("click", (event) => this.#clicked(event));
    this.#table.addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Show rows and columns, in a view: "progress" or "alike". */
  show(rows, columns, { view, sort }) {
    [this.#rows, this.#columns, this.#view, this.#sort] = [rows, columns, view, sort];
    this.#active = [0, 0];
    this.draw();
  }

  /** Draw what is in sight anew. */
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
    const focused = this.#table.contains(document.activeElement);
    this.#table.setAttribute("aria-rowcount", this.#rows.length + 1);
    this.#table.setAttribute("aria-colcount", this.#columns.length + INFOS.length + 1);
    this.#table.replaceChildren(head, body);
    // Not everybody has every topic: the Tab key needs a cell that is there.
    if (!body.querySelector("a[tabindex='0']")) body.querySelector("a")?.setAttribute("tabindex", "0");
    if (focused) this.#focus(false);
  }

  /** As in the style sheet. */
  #sizes() {
    const style = getComputedStyle(this.#place);
    const size = parseFloat(getComputedStyle(document.documentElement).fontSize);
    const of = (name) => parseFloat(style.getPropertyValue(name)) * size;
    return { row: of("--row"), column: of("--column"), info: of("--info") };
  }

  #head(columns, gaps, left) {
    const line = element("tr", { "aria-rowindex": 1 });
    line.append(this.#sorter("name", "corner"));
    for (const name of INFOS) line.append(this.#sorter(name, `info ${name}`));
    line.append(gap(gaps[0], "th"));
    columns.forEach((topic, place) => {
      const check = element("input", {
        type: "checkbox", "data-topic": topic.id, "aria-label": say("chooseTopic", { name: topic.name }),
      });
      check.checked = this.chosen.topics.has(topic.id);
      const name = element("span", { class: "topic-head", title: topic.title || topic.name }, topic.name);
      line.append(element("th", {
        scope: "col", "aria-colindex": left + place + INFOS.length + 2,
      }, name, check));
    });
    line.append(gap(gaps[1], "th"));
    return line;
  }

  #sorter(name, kind) {
    const isThis = this.#sort.by === name;
    const button = element("button", { type: "button", class: "quiet sorter", "data-sort": name }, say(`column_${name}`));
    const head = element("th", { scope: "col", class: kind }, button);
    if (isThis) head.setAttribute("aria-sort", this.#sort.isDown ? "descending" : "ascending");
    return head;
  }

  #row(row, place, columns, left, gaps) {
    const check = element("input", {
      type: "checkbox", "data-assessor": row.id, "aria-label": say("chooseAssessor", { name: row.name }),
    });
    check.checked = this.chosen.assessors.has(row.id);
    const name = element("label", { title: row.name }, check, ` ${row.name}`);
    const line = element("tr", { "aria-rowindex": place + 2 }, element("th", { scope: "row" }, name));
    const alike = shareAlike(row);
    const infos = {
      group: row.group,
      judged: say("judgedOf", { judged: row.judged + row.answered, total: row.total + row.pairs }),
      left: leftOf(row),
      pace: row.pace === null ? "–" : row.pace.toFixed(row.pace < 10 ? 1 : 0),
      alike: alike === null ? "–" : `${Math.round(100 * alike)} %`,
      flags: [...row.flags, ...(row.hasAccount ? [] : ["uninvited"])].map((flag) => say(`flag_${flag}`)).join(", "),
    };
    for (const info of INFOS) line.append(element("td", { class: `info ${info}` }, String(infos[info])));
    line.append(gap(gaps[0]));
    columns.forEach((topic, column) => line.append(this.#cell(row, topic, place, left + column)));
    line.append(gap(gaps[1]));
    return line;
  }

  #cell(row, topic, place, column) {
    const found = this.#model.cell(row.id, topic.id);
    const box = element("td", { "aria-colindex": column + INFOS.length + 2 });
    if (!found) return box;
    const [judged, total] = [found.judged + found.answered, found.total + found.pairs];
    const alike = shareAlike(found);
    const isProgress = this.#view === "progress";
    const share = isProgress ? judged / total : alike ?? 0;
    const words = isProgress ? `${judged}/${total}` : alike === null ? "–" : `${Math.round(100 * alike)}`;
    const isClosed = found.total > 0 && !found.open;
    const isActive = place === this.#active[0] && column === this.#active[1];
    const link = element("a", {
      href: `${BASE}/organiser/cells/${row.id}/${topic.id}`, tabindex: isActive ? 0 : -1, class: "cell",
      "data-place": `${place} ${column}`,
      "aria-label": say(isClosed ? "cellClosed" : "cell", {
        assessor: row.name, topic: topic.name, judged, total,
        alike: alike === null ? "–" : `${Math.round(100 * alike)} %`,
      }),
    }, words);
    link.style.setProperty("--share", `${(100 * share).toFixed(0)}%`);
    if (isClosed) link.classList.add("closed");
    else if (judged === total) link.classList.add("done");
    box.append(link);
    return box;
  }

  #clicked({ target }) {
    const sort = target.closest("[data-sort]")?.dataset.sort;
    if (sort) this.dispatchEvent(new CustomEvent("sort", { detail: sort }));
    for (const [kind, name] of [["assessors", "assessor"], ["topics", "topic"]]) {
      if (!(name in target.dataset)) continue;
      const id = Number(target.dataset[name]);
      if (target.checked) this.chosen[kind].add(id);
      else this.chosen[kind].delete(id);
      this.dispatchEvent(new CustomEvent("selected"));
    }
  }

  /** Arrow keys go from cell to cell. */
  #pressed(event) {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    const at = event.target.dataset?.place;
    if (!step || !at) return;
    event.preventDefault();
    const [row, column] = at.split(" ").map(Number);
    const most = [this.#rows.length - 1, this.#columns.length - 1];
    this.#active = [row + step[0], column + step[1]].map((each, n) => Math.min(Math.max(each, 0), most[n]));
    this.#focus(true);
  }

  #focus(isMoved) {
    const [row, column] = this.#active;
    if (isMoved) {
      const sizes = this.#sizes();
      const head = this.#table.tHead.offsetHeight;
      const [top, left] = [row * sizes.row, column * sizes.column + sizes.info];
      const place = this.#place;
      place.scrollTop = near(place.scrollTop, top, sizes.row, place.clientHeight - head);
      place.scrollLeft = near(place.scrollLeft, left, sizes.column, place.clientWidth, sizes.column * 3);
      this.draw();
    }
    this.#table.querySelector(`[data-place="${row} ${column}"]`)?.focus({ preventScroll: true });
  }
}

/** Which of many equal parts are in sight, and some more. */
function span(start, length, size, count) {
  const first = Math.max(Math.floor(start / size) - MARGIN, 0);
  return [Math.min(first, count), Math.min(Math.ceil((start + length) / size) + MARGIN, count)];
}

/** Where to scroll so that a part is in sight. */
function near(now, start, size, length, margin = 0) {
  if (start - margin < now) return Math.max(start - margin, 0);
  return start + size > now + length ? start + size - length : now;
}

function filler(height) {
  const line = element("tr", { class: "filler", "aria-hidden": "true" }, element("td", {}));
  line.style.height = `${height}px`;
  return line;
}

function gap(width, kind = "td") {
  const box = element(kind === "th" ? "td" : kind, { class: "gap", "aria-hidden": "true" });
  box.style.minWidth = `${width}px`;
  return box;
}
