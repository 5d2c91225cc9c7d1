// Small settings of this browser. Where nothing can be stored, they last as long as the page.

import { own } from "./base.js";

const memory = new Map();

/** A setting, or the fallback. */
export function recall(name, fallback) {
  try {
    const text = localStorage.getItem(own(`qrelsmith:${name}`));
    if (text !== null) return JSON.parse(text);
  } catch {
    // Storage is off, or holds something else.
  }
  return memory.has(name) ? memory.get(name) : fallback;
}

/** Keep a setting. */
export function keep(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(own(`qrelsmith:${name}`), JSON.stringify(value));
  } catch {
    // It lasts as long as the page, then.
  }
}
