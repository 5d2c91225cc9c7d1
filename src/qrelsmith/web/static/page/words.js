// What scripts say. The words stand in the page, where the server translates them; a kind of judgment
// can have its own after those that all pages share.

const elements = [...document.querySelectorAll("script[type='application/json'][id$=words]")];
const WORDS = Object.assign({}, ...elements.map(({ textContent }) => JSON.parse(textContent)));
const plural = new Intl.PluralRules(document.documentElement.lang || "en");

/** A text with its values filled in; with a `count`, the form that fits the count. */
export function say(name, values = {}) {
  const form = "count" in values ? `${name}.${plural.select(values.count)}` : name;
  const text = WORDS[form] ?? WORDS[`${name}.other`] ?? WORDS[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? written(values[key]) : whole));
}

/** A number of thousands with its comma, as the server writes it. */
function written(value) {
  return typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 20 }) : String(value);
}
