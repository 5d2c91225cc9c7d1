// The search on the organiser's pages: rows of tables without the words are hidden.

import { element } from "./page/elements.js";
import { say } from "./page/words.js";

const LEAST_ROWS = 12;

// Tables of pictures are folded, and stand for what the picture shows.
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
