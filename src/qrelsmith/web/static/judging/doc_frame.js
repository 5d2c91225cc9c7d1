// The frame in which an untrusted doc is looked at; frames of docs that come next are made before.

import { element } from "../page/elements.js";
import { heedPresses } from "./blink.js";

const KEPT = 5;
// A page that has not loaded by then may never do: pictures inside it can keep it from that.
const PATIENCE_MS = 8000;

/** The address of a doc in a view, with words to highlight and words that are looked for. */
export function frameAddress(doc, { view, terms, find, part }) {
  const address = new URL(doc.frame, location.origin);
  address.searchParams.set("view", view);
  address.searchParams.set("terms", terms.join(" "));
  if (part) address.searchParams.set("part", part);
  if (find) address.searchParams.set("find", find);
  return address.pathname + address.search;
}

export class DocFrame {
  #place;
  #frames = new Map();
  #shown = null;
  #step = 0;
  #base = "";
  #isDown = false;
  #heeded = new WeakSet();

  /** @param {HTMLElement} place where frames are put; one that came with the page is taken over. */
  constructor(place) {
    this.#place = place;
    const first = place.querySelector("iframe[src]");
    if (first) {
      const address = first.getAttribute("src");
      // With a script the keys scroll the doc, and the Tab key passes it by.
      first.tabIndex = -1;
      this.#frames.set(address, { frame: first, address, ready: begun(first, address) });
    }
    addEventListener("blur", () => setTimeout(() => this.#takeBack()));
    // Of more than 250 addresses a browser keeps no times unless it is told to forget.
    performance.addEventListener("resourcetimingbufferfull", () => {
      performance.clearResourceTimings();
    });
  }

  /** Show a doc, from a place with an id on; resolves to whether it is there. */
  async show(address, title, start = "") {
    const entry = this.#entry(address, start);
    for (const other of this.#frames.values()) {
      other.frame.classList.toggle("waiting", other !== entry);
    }
    entry.frame.title = title;
    this.#shown = entry;
    this.#step = 0;
    this.#base = "";
    const isThere = await entry.ready;
    if (isThere) this.#heed(entry.frame.contentDocument);
    if (!isThere) this.#drop(address);
    return isThere;
  }

  /** Make the frame of a doc that may come next. */
  prepare(address, start = "") {
    this.#entry(address, start);
  }

  /** No doc is shown in a frame now. */
  hide() {
    for (const { frame } of this.#frames.values()) {
      frame.classList.add("waiting");
    }
    this.#shown = null;
  }

  /** Scroll by steps, a fifth of the frame's height each; without an end, to the doc's own end. */
  scroll(steps) {
    if (steps === Infinity) {
      this.go("qrelsmith-end");
      return;
    }
    this.#step = steps === -Infinity ? 0 : this.#step + steps;
    if (steps === -Infinity) this.#base = "";
    if (!this.#base) this.#step = Math.max(this.#step, 0);
    this.go(`${this.#base || "qrelsmith-"}s${this.#step}`);
  }

  /** Scroll to a group of words; steps go on from there. */
  goCluster(number) {
    this.#base = `qrelsmith-c${number + 1}`;
    this.#step = 0;
    this.go(this.#base);
  }

  /** Scroll to a place in the doc by its id. */
  go(id) {
    const { frame, address } = this.#shown ?? {};
    // The frame's own address would be refused to us; this one it already has.
    frame?.contentWindow?.location.replace(`${address}#${id}`);
  }

  /** What passages are taken from; null where the frame does not let the page look into it. */
  surface(id) {
    const page = this.#shown?.frame.contentDocument;
    if (!page?.body) return null;
    const mark = page.getElementById(id);
    const found = mark && page.createRange();
    found?.selectNodeContents(mark.firstChild ?? mark);
    return { root: page.body, found, side: "" };
  }

  #entry(address, start) {
    const known = this.#frames.get(address);
    if (known) {
      this.#frames.delete(address);
      this.#frames.set(address, known);
      begin(known, start);
      return known;
    }
    const frame = element("iframe", {
      sandbox: this.#place.dataset.sandbox ?? "", class: "waiting", src: address, tabindex: -1,
    });
    this.#place.append(frame);
    const entry = { frame, address, ready: loaded(frame, address) };
    begin(entry, start);
    this.#frames.set(address, entry);
    this.#tidy();
    return entry;
  }

  #tidy() {
    for (const [address, entry] of this.#frames) {
      if (this.#frames.size <= KEPT) break;
      if (entry !== this.#shown) this.#drop(address);
    }
  }

  #drop(address) {
    this.#frames.get(address)?.frame.remove();
    this.#frames.delete(address);
  }

  /** Where a frame can be looked into, a pointer is not disturbed there, and keys are passed on. */
  #heed(page) {
    if (!page || this.#heeded.has(page)) return;
    this.#heeded.add(page);
    heedPresses(page.defaultView);
    page.addEventListener("pointerdown", () => { this.#isDown = true; });
    page.addEventListener("click", (event) => {
      this.#place.dispatchEvent(new CustomEvent("clicked", { detail: event }));
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      page.addEventListener(kind, () => {
        this.#isDown = false;
        setTimeout(() => this.#takeBack());
      });
    }
    page.addEventListener("keydown", (event) => {
      const again = new KeyboardEvent("keydown", event);
      // It counts from when it was pressed in the frame.
      Object.defineProperty(again, "timeStamp", { value: event.timeStamp });
      if (!window.dispatchEvent(again)) event.preventDefault();
    });
  }

  /** After a click into a doc the keys would go to it: take them back. */
  #takeBack() {
    if (this.#isDown) return;
    const active = document.activeElement;
    if (active !== this.#shown?.frame) return;
    active.blur();
    window.focus();
  }
}

/** Let a doc begin at a place in it, the first time that it is shown. */
async function begin(entry, start) {
  if (!start || entry.isBegun) return;
  entry.isBegun = true;
  const { frame, address, ready } = entry;
  if (await ready) frame.contentWindow?.location.replace(`${address}#${start}`);
}

/** Whether a frame that came with the page has a page of ours. */
async function begun(frame, address) {
  if (!timesOf(address) && document.readyState !== "complete" && !await loading(frame)) return false;
  return isOurs(address);
}

/** Whether a new frame has a page of ours, once it has loaded, and not an error of the browser. */
async function loaded(frame, address) {
  return await loading(frame) && isOurs(address);
}

/** Resolves to whether a frame has loaded in time. */
function loading(frame) {
  return new Promise((resolve) => {
    frame.addEventListener("load", () => resolve(true), { once: true });
    setTimeout(() => resolve(false), PATIENCE_MS);
  });
}

/** Browsers that do not tell the status of an answer are believed. */
function isOurs(address) {
  return (timesOf(address)?.responseStatus ?? 200) === 200;
}

function timesOf(address) {
  const { href } = new URL(address, location.origin);
  return performance.getEntriesByName(href).at(-1);
}
