// Creating and finding elements; text is always inserted as text, never as HTML.

/** The element with an id, which the template must contain. */
export function byId(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page lacks #${id}`);
  return found;
}

/** Create an element with attributes (`false` and `null` omit one) and children. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children);
  return made;
}

/** Whether typed text goes into this element. */
export function isTyping(target) {
  if (!(target instanceof Element)) return false;
  if (target.closest("[contenteditable]")) return true;
  if (target.matches("textarea, select")) return true;
  const still = "radio, checkbox, button, submit, reset, range".split(", ");
  return target.matches("input") && !still.includes(target.type);
}
