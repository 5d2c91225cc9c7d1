// The organisers' first page: the matrix, its search and its actions.

import { ask } from "./page/dialogs.js";
import { byId } from "./page/elements.js";
import { keep, recall } from "./page/stored.js";
import { say } from "./page/words.js";
import { Grid } from "./matrix/grid.js";
import { Model } from "./matrix/model.js";
import { Server } from "./sending/server.js";

const LOOK_MS = 15_000;
const FIGURES_MS = 120_000;
const place = byId("matrix");
const form = byId("looking");
const server = new Server(document.querySelector("input[name=csrfmiddlewaretoken]").value);
const model = new Model();
const grid = new Grid(place, model);
const sort = recall("matrixSort", { by: "name", isDown: false });
if (sort.by === "left") sort.by = "judged";
let shown = { rows: [], columns: [] };

function show() {
  const { assessor, topic, filter, view, order } = form.elements;
  shown = {
    rows: model.rows({ find: words(assessor.value), filter: filter.value, ...sort }),
    columns: model.columns({
      find: words(topic.value), by: order.value, isDown: order.value === "left",
    }),
  };
  byId("scale").dataset.view = view.value;
  grid.show(shown.rows, shown.columns, { view: view.value, sort });
  byId("counted").textContent = say("counted", {
    assessors: shown.rows.length, topics: shown.columns.length,
  });
  tell();
}

function words(text) {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * The selected assessors and topics; if only assessors or only topics are selected, all shown
 * items of the other kind.
 */
function chosen() {
  const { assessors, topics } = grid.chosen;
  const [rows, columns] = [shown.rows, shown.columns].map((list) => list.map(({ id }) => id));
  if (!assessors.size && !topics.size) return { assessors: [], topics: [] };
  return {
    assessors: assessors.size ? [...assessors] : rows, topics: topics.size ? [...topics] : columns,
  };
}

function tell() {
  const { assessors, topics } = chosen();
  const isAny = assessors.length > 0 && topics.length > 0;
  const told = byId("chosen");
  if (!told) return;
  told.textContent = isAny
    ? say("chosen", { assessors: assessors.length, topics: topics.length }) : say("chosenNone");
  for (const button of document.querySelectorAll("[data-deed]")) button.disabled = !isAny;
}

grid.addEventListener("selected", tell);
grid.addEventListener("pointed", ({ detail }) => { byId("pointed").textContent = detail; });
grid.addEventListener("sort", ({ detail: by }) => {
  const isSame = sort.by === by;
  Object.assign(sort, { by, isDown: isSame ? !sort.isDown : by === "flags" });
  keep("matrixSort", sort);
  show();
});
form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
byId("unchoose")?.addEventListener("click", () => {
  grid.chosen.assessors.clear();
  grid.chosen.topics.clear();
  grid.draw();
  tell();
});

for (const button of document.querySelectorAll("[data-deed]")) {
  button.addEventListener("click", () => act(button.dataset.deed));
}

async function act(deed) {
  byId("done").textContent = "";
  const { assessors, topics } = chosen();
  if (deed === "invite") {
    const people = model.assessors.filter(({ id, hasAccount }) => assessors.includes(id) && !hasAccount);
    byId("invite-names").value = people.map(({ name }) => name).join("\n");
    if (people.length) byId("invite-form").submit();
    else byId("done").textContent = say("inviteNobody");
    return;
  }
  const to = byId("to").value.trim();
  if (deed === "reassign" && !to) {
    byId("to").focus();
    return;
  }
  byId("sure-words").textContent = say(`sure_${deed}`, { assessors: assessors.length, topics: topics.length, to });
  if ((await ask(byId("sure"))) !== "yes") return;
  try {
    const answer = await server.post("/api/organiser/matrix/change", { deed, assessors, topics, to });
    byId("done").textContent = say("deedDone", answer);
    await load();
  } catch (error) {
    byId("done").textContent = error.message;
  }
}

// --- Server data and changes

async function load() {
  model.set(await server.get("/api/organiser/matrix"));
  show();
  place.dataset.shown = "counts";
  const list = document.getElementById("assessor-names");
  list?.replaceChildren(...model.assessors.map(({ name }) => new Option(name, name)));
  await figure();
}

async function figure() {
  model.figure(await server.get("/api/organiser/matrix/figures"));
  show();
  place.dataset.shown = "figures";
}

async function look() {
  if (document.visibilityState !== "visible" || !model.newest) return;
  const [docs, answers] = model.newest;
  const news = await server.get(`/api/organiser/matrix?since=${docs}&answers=${answers}`).catch(() => null);
  if (!news?.cells.length) return;
  model.change(news);
  grid.draw();
  byId("sum").value = news.sums.judged;
  byId("sum-words").textContent = say("judgedOf", news.sums);
}

setInterval(look, LOOK_MS);
setInterval(() => {
  if (document.visibilityState === "visible") figure().catch(() => {});
}, FIGURES_MS);
await load();
