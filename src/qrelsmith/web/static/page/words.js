// Texts of scripts, which are in the page, translated by the server. A kind of judgment can have
// its own texts after those shared by all pages.

const elements = [...document.querySelectorAll("script[type='application/json'][id$=words]")];
const WORDS = Object.assign({}, ...elements.map(({ textContent }) => JSON.parse(textContent)));
const plural = new Intl.PluralRules(document.documentElement.lang || "en");

/** A text with its values filled in; with a `count`, in the singular or plural. */
export function say(name, values = {}) {
  const form = "count" in values ? `${name}.${plural.select(values.count)}` : name;
  const text = WORDS[form] ?? WORDS[`${name}.other`] ?? WORDS[name] ?? name;
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? written(values[key]) : whole));
}

/** A number with commas between thousands, as the server writes it. */
function written(value) {
  return typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 20 }) : String(value);
}
