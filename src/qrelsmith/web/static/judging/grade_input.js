// The grade input: buttons, a slider or a number, and buttons for error codes.
//
// Events: "chosen" (a button was clicked: value, kind), "submit" (Enter or Save: value, kind).

import { hint } from "../page/announcer.js";
import { element } from "../page/elements.js";
import { say } from "../page/words.js";

export class GradeInput extends EventTarget {
  #form;
  #scale;
  #number;
  #slider;
  #cannot;
  #pointer = "";
  #kind = "click";

  constructor(form, scale) {
    super();
    this.#form = form;
    this.#scale = scale;
    this.#number = form.querySelector("input[type=number]");
    this.#slider = form.querySelector("input[type=range]");
    // The page shows its own message for a missing value.
    form.noValidate = true;
    this.#cannot = form.querySelector("#cannot");
    // The second click of a double click would judge the next doc.
    form.addEventListener("click", (event) => {
      if (event.detail < 2 || !event.target.closest(".grade")) return;
      event.preventDefault();
      event.stopPropagation();
      hint(say("clickTooSoon"));
    }, { capture: true });
    form.addEventListener("pointerdown", (event) => {
      const isRadio = event.target.closest("label")?.querySelector("input[type=radio]");
      this.#pointer = isRadio ? event.pointerType : "";
    });
    form.addEventListener("click", ({ target }) => {
      if (target.matches("input[type=radio]")) this.#clicked(target);
    });
    form.addEventListener("submit", (event) => this.#submitted(event));
    form.addEventListener("keydown", (event) => this.#pressed(event));
    if (this.#number) this.#bindNumber();
  }

  /** Show another scale: a button for each level and code, with its key from `keyOf(value)`. */
  draw(scale, keyOf) {
    this.#scale = scale;
    const button = (value, label, text, more = "") => element(
      "label", { class: `grade ${more}` },
      element("input", { type: "radio", name: "value", value }),
      element("kbd", { "aria-hidden": "true", hidden: !keyOf(value) }, keyOf(value)),
      element("span", {}, label || String(value)),
      ...(text ? [element("small", { class: "meaning" }, text)] : []),
    );
    const place = this.#form.querySelector(".grades");
    place.replaceChildren(
      place.querySelector("legend"),
      ...scale.levels.map(({ grade, label, text }) => button(grade, label, text)),
      ...scale.errors.map(({ code, label }) => button(code, label, "", "error")),
    );
  }

  /** The chosen value; null: none; nan: not a number. */
  get value() {
    const radio = this.#radios.find((each) => each.checked);
    if (radio) return Number(radio.value);
    if (!this.#number || this.#number.value === "") {
      return this.#number?.validity.badInput ? Number.NaN : null;
    }
    return Number(this.#number.value);
  }

  /** Show a value; null: none. */
  set value(value) {
    const isCode = value !== null && this.#scale.isError(value);
    for (const radio of this.#radios) radio.checked = Number(radio.value) === value;
    if (this.#cannot) {
      this.#cannot.setAttribute("aria-pressed", String(isCode));
      const words = isCode ? this.#scale.label(value) : this.#cannot.dataset.none;
      this.#cannot.querySelector("span").textContent = words;
    }
    if (!this.#number) return;
    this.#number.value = value === null || isCode ? "" : String(value);
    this.#showOnSlider();
  }

  /** Start typing a number with a digit that was pressed elsewhere. */
  startTyping() {
    this.value = null;
    this.#number?.focus();
    this.#kind = "number";
  }

  /** Focus the grade input; with a single grade focused, that grade would look chosen. */
  focus() {
    (this.#number ?? this.#radios.find((each) => each.checked) ?? this.#form.querySelector(".grades")).focus();
  }

  get #radios() {
    return [...this.#form.querySelectorAll("input[type=radio]")];
  }

  #bindNumber() {
    this.#number.addEventListener("input", () => {
      this.#kind = "number";
      for (const radio of this.#radios) radio.checked = false;
      this.#showOnSlider();
    });
    // A click in the middle of an unset slider fires no event, but means the middle.
    for (const sign of ["input", "click"]) {
      this.#slider?.addEventListener(sign, () => {
        this.#kind = "slider";
        for (const radio of this.#radios) radio.checked = false;
        this.#number.value = this.#slider.value;
        this.#showOnSlider();
      });
    }
  }

  /** Without a grade, the slider is in the middle and looks unset. */
  #showOnSlider() {
    if (!this.#slider) return;
    const { first, last } = this.#scale.range;
    const isSet = this.#number.value !== "";
    this.#slider.value = isSet ? this.#number.value : String((first + last) / 2);
    this.#slider.classList.toggle("unset", !isSet);
    const label = isSet ? this.#scale.label(Number(this.#number.value)) : "–";
    this.#slider.setAttribute("aria-valuetext", label);
  }

  #clicked(radio) {
    const kind = { touch: "touch", "": "" }[this.#pointer] ?? "click";
    this.#pointer = "";
    if (this.#number) {
      this.#number.value = "";
      this.#showOnSlider();
    }
    // Arrow keys and screen readers only select; Enter or Save submits.
    if (kind) this.#tell("chosen", { value: Number(radio.value), kind });
    else this.#kind = "key";
  }

  #submitted(event) {
    event.preventDefault();
    this.#tell("submit", { value: this.value, kind: this.#kind });
  }

  #pressed(event) {
    const { target } = event;
    if (event.key !== "Enter" || event.isComposing || !target.matches("input")) return;
    event.preventDefault();
    if (target.type === "radio") this.#kind = "key";
    this.#form.requestSubmit();
  }

  #tell(kind, detail) {
    this.dispatchEvent(new CustomEvent(kind, { detail }));
  }
}
