// How long a doc was shown, and for how much of that time the user was active.

// Reading causes no events: up to this time without a key or movement counts as activity.
const IDLE_AFTER_MS = 60_000;
// Maximum time counted for a page that stays open.
const LONGEST_MS = 31 * 24 * 3600 * 1000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel", "scroll", "touchstart", "focus"];

export class Clock {
  #shown = null;
  #last = 0;
  #active = 0;
  #wasVisible = true;
  #reported = { active: 0, shown: 0 };

  constructor() {
    const options = { capture: true, passive: true };
    for (const sign of SIGNS) addEventListener(sign, () => this.#sign(), options);
    document.addEventListener("visibilitychange", () => this.#sign());
  }

  /** Start measuring: a doc is on the screen. */
  start() {
    this.#shown = this.#last = performance.now();
    this.#active = 0;
    this.#reported = { active: 0, shown: 0 };
  }

  /** Stop measuring. */
  stop() {
    this.#shown = null;
  }

  /** The times for a judgment. */
  timing() {
    const { shown, active } = this.#times();
    return {
      shown_for_ms: shown,
      active_ms: active,
      idle_ms: shown - active,
      client_ms: Math.round(performance.timeOrigin + performance.now()),
    };
  }

  /** The times since the last call, or null if there are none. */
  sinceLast() {
    if (this.#shown === null) return null;
    const { shown, active } = this.#times();
    const part = { active: active - this.#reported.active, shown: shown - this.#reported.shown };
    this.#reported = { active, shown };
    return { active_ms: part.active, idle_ms: Math.max(part.shown - part.active, 0) };
  }

  #times() {
    this.#sign();
    const passed = this.#shown === null ? 0 : performance.now() - this.#shown;
    const shown = Math.min(Math.round(passed), LONGEST_MS);
    return { shown, active: Math.min(Math.round(this.#active), shown) };
  }

  #sign() {
    const now = performance.now();
    const wasThere = now - this.#last;
    if (this.#wasVisible) this.#active += Math.min(wasThere, IDLE_AFTER_MS);
    this.#wasVisible = document.visibilityState === "visible";
    this.#last = now;
  }
}
