// Small settings in this browser. If storage is unavailable, the settings last as long as the page.

import { own } from "./base.js";

const memory = new Map();

/** A setting, or the fallback. */
export function recall(name, fallback) {
  try {
    const text = localStorage.getItem(own(`qrelsmith:${name}`));
    if (text !== null) return JSON.parse(text);
  } catch {
    // Storage is disabled, or contains an invalid value.
  }
  return memory.has(name) ? memory.get(name) : fallback;
}

/** Store a setting. */
export function keep(name, value) {
  memory.set(name, value);
  try {
    localStorage.setItem(own(`qrelsmith:${name}`), JSON.stringify(value));
  } catch {
    // The setting then lasts as long as the page.
  }
}
