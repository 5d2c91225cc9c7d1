// The sandboxed frame of an untrusted doc; frames of the next docs are loaded ahead.

import { element } from "../page/elements.js";
import { heedPresses } from "./blink.js";

const KEPT = 5;
// Maximum wait for a page: images in it may prevent it from ever loading.
const PATIENCE_MS = 8000;

/** The address of a doc in a view, with terms to highlight and a text to find. */
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

  /** @param {HTMLElement} place container of the frames; an existing frame is reused. */
  constructor(place) {
    this.#place = place;
    const first = place.querySelector("iframe[src]");
    if (first) {
      const address = first.getAttribute("src");
      // With JavaScript, keys scroll the doc, and Tab skips it.
      first.tabIndex = -1;
      this.#frames.set(address, { frame: first, address, ready: begun(first, address) });
    }
    addEventListener("blur", () => setTimeout(() => this.#takeBack()));
    // Beyond 250 resources, a browser records no timings unless its buffer is cleared.
    performance.addEventListener("resourcetimingbufferfull", () => {
      performance.clearResourceTimings();
    });
  }

  /** Show a doc at the element with an id; resolves to whether it has loaded. */
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

  /** Load the frame of a doc ahead. */
  prepare(address, start = "") {
    this.#entry(address, start);
  }

  /** Remove the doc from the frame. */
  hide() {
    for (const { frame } of this.#frames.values()) {
      frame.classList.add("waiting");
    }
    this.#shown = null;
  }

  /** Scroll by steps of a fifth of the frame's height; for infinity, to the doc's end. */
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

  /** Scroll to a cluster of terms, from which steps continue. */
  goCluster(number) {
    this.#base = `qrelsmith-c${number + 1}`;
    this.#step = 0;
    this.go(this.#base);
  }

  /** Scroll to an element in the doc by its id. */
  go(id) {
    const { frame, address } = this.#shown ?? {};
    // The page may not read the frame's address, but it knows the address that it has set.
    frame?.contentWindow?.location.replace(`${address}#${id}`);
  }

  /** The surface for selecting passages; null if the page cannot access the frame. */
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

  /** In an accessible frame, pointer events work in the frame, and keys are forwarded. */
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
      // The time counts from when the key was pressed in the frame.
      Object.defineProperty(again, "timeStamp", { value: event.timeStamp });
      if (!window.dispatchEvent(again)) event.preventDefault();
    });
  }

  /** After a click in a doc, take the focus back, because the doc would receive the keys. */
  #takeBack() {
    if (this.#isDown) return;
    const active = document.activeElement;
    if (active !== this.#shown?.frame) return;
    active.blur();
    window.focus();
  }
}

/** Set the initial scroll position of a doc when it is first shown. */
async function begin(entry, start) {
  if (!start || entry.isBegun) return;
  entry.isBegun = true;
  const { frame, address, ready } = entry;
  if (await ready) frame.contentWindow?.location.replace(`${address}#${start}`);
}

/** Whether a frame from the page's HTML contains a page of this app. */
async function begun(frame, address) {
  if (!timesOf(address) && document.readyState !== "complete" && !await loading(frame)) return false;
  return isOurs(address);
}

/** Whether a new frame contains a page of this app, not a browser error. */
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

/** Browsers that do not report the status of a response are trusted. */
function isOurs(address) {
  return (timesOf(address)?.responseStatus ?? 200) === 200;
}

function timesOf(address) {
  const { href } = new URL(address, location.origin);
  return performance.getEntriesByName(href).at(-1);
}
