// The search on organisers' pages: it hides table rows without the search text.

import { element } from "./page/elements.js";
import { say } from "./page/words.js";

const LEAST_ROWS = 12;

// Tables that repeat a chart are collapsed.
const tables = [...document.querySelectorAll("main table:not(.matrix, details *)")];
const rows = tables.flatMap((table) => [...table.tBodies]).flatMap((body) => [...body.rows]);
if (rows.length >= LEAST_ROWS) addSearch(tables[0].closest(".scroll") ?? tables[0]);

function addSearch(place) {
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const field = element("input", { type: "search", autocomplete: "off" });
  const count = element("output", { class: "id" });
  const label = element("label", {}, `${say("searchTables")} `, field);
  place.before(element("p", { class: "line table-search" }, label, " ", count));
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, number) => {
      row.hidden = !words.every((word) => texts[number].includes(word));
      shown += !row.hidden;
    });
    count.textContent = words.length ? say("searchedRows", { shown, total: rows.length }) : "";
  });
}
