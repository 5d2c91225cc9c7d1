// Keys of actions, which the user can change. Keys are ignored while the user types.
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
  #isForNote;

  /**
   * @param {object} page actions with their default keys;
   *   name: the name under which changed keys are stored.
   * @param {(action: string, event: KeyboardEvent) => void} act
   * @param {(digit: number, event: KeyboardEvent) => boolean | null} digit
   * @param {(key: string) => void} idle called for a key without an action.
   * @param {() => boolean} isForNote whether the note was open, and now has the focus and the key.
   */
  constructor({ actions, name }, act, digit, idle, isForNote) {
    super();
    this.#isForNote = isForNote;
    this.#idle = idle;
    this.#actions = new Map(actions);
    this.#name = name;
    this.#chosen = recall(name, {});
    this.#freeTaken();
    this.#act = act;
    this.#digit = digit;
    addEventListener("keydown", (event) => this.#pressed(event));
  }

  /** Whether keys without Ctrl are enabled: some speech input programs need them off. */
  get isOn() {
    return recall("keysOn", true);
  }

  set isOn(isOn) {
    keep("keysOn", isOn);
    this.#changed();
  }

  /** All actions. */
  get actions() {
    return [...this.#actions.keys()];
  }

  /** The key of an action. */
  of(action) {
    return this.#chosen[action] ?? this.#actions.get(action);
  }

  /** The action of a key, undefined if there is none. */
  actionOf(key) {
    return this.actions.find((action) => this.of(action) === key);
  }

  /** Whether a key can be chosen. */
  static canBe(key) {
    return !FIXED.has(key) && !/^[0-9]$/.test(key) && [...key].length === 1;
  }

  /** Set the key of an action; if another action had it, the two swap keys. */
  choose(action, key) {
    const other = this.actionOf(key);
    const before = this.of(action);
    if (other && other !== action) this.#chosen[other] = before;
    this.#chosen[action] = key;
    keep(this.#name, this.#chosen);
    this.#changed();
  }

  /** Restore the default keys. */
  reset() {
    this.#chosen = {};
    keep(this.#name, this.#chosen);
    this.#changed();
  }

  /** If a chosen key conflicts with a newer action, that action gets a free key. */
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
    if ([...key].length === 1 && this.#isForNote()) return;
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

/** The character of a key; on keyboards of other scripts, the Latin letter usual at its position. */
export function keyOf(event) {
  if (/^[\x20-\x7e]$/.test(event.key)) return event.key.toLowerCase();
  const place = /^Key([A-Z])$/.exec(event.code ?? "");
  return place ? place[1].toLowerCase() : event.key;
}

/** The digit of a key; on keyboards where digits need Shift, also without Shift. */
function digitOf(event, key) {
  if (/^[0-9]$/.test(key)) return Number(key);
  const place = /^(?:Digit|Numpad)([0-9])$/.exec(event.code ?? "");
  return place && !event.shiftKey ? Number(place[1]) : null;
}
