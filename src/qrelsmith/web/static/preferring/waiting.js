// Looks from time to time whether there is something to compare again, as long as somebody sees it:
// a pair that comes is nobody else's any more.

const FIRST_MS = 3000;
const LONGEST_MS = 30_000;

export class Waiting {
  #look;
  #timer = 0;
  #wait = FIRST_MS;
  #isOn = false;

  /** @param {() => void} look asks the server. */
  constructor(look) {
    this.#look = look;
    document.addEventListener("visibilitychange", () => {
      if (!this.#isOn) return;
      clearTimeout(this.#timer);
      if (document.visibilityState === "visible") this.#look();
    });
  }

  /** Nothing is there: look later, and each time later still. */
  start() {
    clearTimeout(this.#timer);
    this.#wait = this.#isOn ? Math.min(this.#wait * 1.5, LONGEST_MS) : FIRST_MS;
    this.#isOn = true;
    if (document.visibilityState !== "visible") return;
    // Not all who wait should ask at once.
    this.#timer = setTimeout(() => this.#look(), this.#wait * (0.75 + Math.random() / 2));
  }

  /** There is something, or nothing is to be expected. */
  stop() {
    clearTimeout(this.#timer);
    this.#isOn = false;
  }
}
