// One key does one thing; which one, a person can change. Off while something is typed.
//
// Event: "change".

import { isTyping } from "../page/elements.js";
import { keep, recall } from "../page/stored.js";

const FIXED = new Set(["Enter", "Escape", "Tab", " "]);

export class Keys extends EventTarget {
  #actions;
  #name;
  #chosen;
  #act;
  #digit;
  #idle;

  /**
   * @param {object} page actions: what can be done with a key, and the key that does it as long as
   *   nobody chose another; name: under which what was chosen is kept.
   * @param {(action: string, event: KeyboardEvent) => void} act
   * @param {(digit: number, event: KeyboardEvent) => boolean | null} digit
   * @param {(key: string) => void} idle a key was pressed that does nothing
   */
  constructor({ actions, name }, act, digit, idle) {
    super();
    this.#idle = idle;
    this.#actions = new Map(actions);
    this.#name = name;
    this.#chosen = recall(name, {});
    this.#freeTaken();
    this.#act = act;
    this.#digit = digit;
    addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Whether keys without Ctrl do anything: some programs for speech input need them off. */
  get isOn() {
    return recall("keysOn", true);
  }

  set isOn(isOn) {
    keep("keysOn", isOn);
    this.#changed();
  }

  /** What can be done with a key. */
  get actions() {
    return [...this.#actions.keys()];
  }

  /** The key of an action. */
  of(action) {
    return this.#chosen[action] ?? this.#actions.get(action);
  }

  /** The action of a key, undefined if it has none. */
  actionOf(key) {
    return this.actions.find((action) => this.of(action) === key);
  }

  /** Whether a key can be chosen at all. */
  static canBe(key) {
    return !FIXED.has(key) && !/^[0-9]$/.test(key) && [...key].length === 1;
  }

  /** Choose the key of an action; another one that had it gets the key that this one had. */
  choose(action, key) {
    const other = this.actionOf(key);
    const before = this.of(action);
    if (other && other !== action) this.#chosen[other] = before;
    this.#chosen[action] = key;
    keep(this.#name, this.#chosen);
    this.#changed();
  }

  /** Back to how they were. */
  reset() {
    this.#chosen = {};
    keep(this.#name, this.#chosen);
    this.#changed();
  }

  /** Actions that are newer than the choice may find their key taken: they get a free one. */
  #freeTaken() {
    for (const action of this.actions.filter((each) => !(each in this.#chosen))) {
      const taken = new Set(this.actions.filter((each) => each !== action).map((each) => this.of(each)));
      if (!taken.has(this.of(action))) continue;
      this.#chosen[action] = [...this.#actions.values()].find((key) => !taken.has(key));
    }
  }

  #pressed(event) {
    if (!this.isOn || event.defaultPrevented || event.isComposing) return;
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    const key = keyOf(event);
    const action = this.actionOf(key);
    if (action) {
      event.preventDefault();
      if (!event.repeat || action === "next" || action === "previous") this.#act(action, event);
      return;
    }
    if (event.repeat || key === " " || [...key].length > 1) return;
    const digit = digitOf(event, key);
    const isTaken = digit === null ? null : this.#digit(digit, event);
    if (isTaken === null) this.#idle(key);
    else if (isTaken) event.preventDefault();
  }

  #changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}

/** The key as it is written; where letters are not Latin, the one at that place on most boards. */
export function keyOf(event) {
  if (/^[\x20-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(event.code ?? "");
  return place ? place[1].toLowerCase() : event.key;
}

/** The digit of a key; on boards where digits need Shift, without it too. */
function digitOf(event, key) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const place = /^(?:Digit|Numpad)([0-9])$/.exec(event.code ?? "");
  return place && !event.shiftKey ? Number(place[1]) : null;
}
