// The page for answers: an answer, its cited docs, and its aspects, with one key per label.

import { BASE } from "./page/base.js";
import { hint } from "./page/announcer.js";
import { ask } from "./page/dialogs.js";
import { byId, element } from "./page/elements.js";
import { say } from "./page/words.js";
import { ASPECT_ACTIONS } from "./judging/actions.js";
import { AspectLabels } from "./judging/doc_labels.js";
import { Clock } from "./judging/clock.js";
import { bindDeeds } from "./judging/deeds.js";
import { DocFrame } from "./judging/doc_frame.js";
import { GroupedList } from "./judging/doc_list.js";
import { DocPane } from "./judging/doc_pane.js";
import { DocText } from "./judging/doc_text.js";
import { chooseError } from "./judging/error_choice.js";
import { RowSession } from "./judging/judging_session.js";
import { GradeInput } from "./judging/grade_input.js";
import { isNoted } from "./judging/noted.js";
import { Panels } from "./judging/panels.js";
import { Remarks } from "./judging/remarks.js";
import { Scale } from "./judging/scale.js";
import { scrollWithKeys } from "./judging/scrolling.js";
import { PassageList } from "./passages/passage_list.js";
import { Taking } from "./passages/taking.js";
import { KeptDocs } from "./reading/kept_docs.js";
import { keepPage } from "./reading/kept_page.js";
import { Source } from "./reading/source.js";
import { Client } from "./sending/client.js";
import { ASPECTS } from "./sending/kinds.js";

const CONTRADICTS = -3;

const state = JSON.parse(byId("state").textContent);
const { account } = document.body.dataset;
const form = byId("grade");
const scales = Object.fromEntries(
  Object.entries(state.scales).map(([name, content]) => [name, new Scale(content)]),
);
const labels = new AspectLabels();
const client = await Client.open({ kind: ASPECTS, stream: state.assignment, labels, account, form });
const { server, judgments } = client;
const kept = await KeptDocs.open(account);
labels.learn(state.items);

function nameOf(family, count) {
  return say(`family_${family.split(".")[0]}`, { count });
}

const docs = new Map();
/** The text to read for an aspect, as a pane shows a doc: one object per version. */
function docOf(row) {
  const key = `${row.aspect}:${row.sha256}`;
  if (!docs.has(key)) docs.set(key, { ...row, doc: row.aspect });
  return docs.get(key);
}

function label(row, value = row.value) {
  return value === null ? say("unjudged") : scales[row.family].label(value);
}

/** The text of an aspect, without its introductory question. */
function lastLine(text) {
  return text.split("\n").at(-1);
}

// --- The cited doc and the answer

const source = new Source({ server, kept, base: "/api/cited" });
const terms = { words: [], language: state.topic.language };
const pane = new DocPane(
  { frame: new DocFrame(byId("doc-place")), text: new DocText(byId("doc-text")), source },
  {
    place: byId("doc-place"), message: byId("doc-message"), highlight: byId("highlight"),
    tabs: [...document.querySelectorAll("#views a")], drawn: () => taking?.show(),
  },
  terms,
  { store: "view", opening: "densest", title: ({ title }) => title },
);
let sentences = null;

/** Open the doc of a citation beside the answer; resolves like `DocPane.show`. */
async function openCited(row) {
  byId("cited").hidden = false;
  byId("doc-name").textContent = row.title;
  terms.words = row.terms;
  return pane.show(docOf(row));
}

function closeCited() {
  byId("cited").hidden = true;
  pane.clear("");
}

/** Show an answer. */
function showAnswer(place) {
  for (const each of document.querySelectorAll(".one")) each.hidden = Number(each.dataset.place) !== place;
  sentences = document.querySelector(".one:not([hidden]) .sentences");
  byId("answer").scrollTop = 0;
}

byId("answer").addEventListener("click", ({ target }) => {
  const position = Number(target.closest(".mark")?.dataset.position);
  if (!position) return;
  // The judged item is the citation whose doc is on the screen.
  if (session.row.family === "citation") session.show(position);
  else openCited(labels.at(position));
});

function sentenceOf(row) {
  return row.family === "citation" ? row.name.split(":", 2)[1] : "";
}

// --- Judging: one aspect after the other

const evidence = {
  get doc() {
    return session.row.family === "citation" ? pane.doc : docOf(session.row);
  },
  surface(number) {
    return session.row.family === "citation" ? pane.surface(number) : { root: sentences, found: null, side: "" };
  },
};
const session = new RowSession({
  labels, judgments, source, pane, clock: new Clock(), isOpen: () => state.is_open,
  rows: () => labels.rows, label, scaleOf: ({ family }) => scales[family],
  name: ({ place, text }) => say("aspectOf", { place, total: state.answers, text: lastLine(text) }),
  open: async (row) => {
    if (row.family === "citation") return openCited(row);
    closeCited();
    return true;
  },
  judgmentOf: (row, label_) => ({
    about: { aspect: row.aspect, position: row.position, name: lastLine(row.text) },
    after: { ...label_, wording: row.text, related: "" },
    how: { sha256: row.sha256, topic_version: state.topic_version, scale_version: scales[row.family].version },
  }),
});
const passageList = document.getElementById("passages");
const passages = passageList && new PassageList(passageList);
const taking = passages && new Taking({ pane: evidence, source, list: passages, place: () => 0 });
const panels = new Panels(`${account}:${state.topic.name}`);
const remarks = new Remarks({
  passages, take: () => taking.take({ isTold: true }), note: form.elements.note ?? null, excerpt: null,
  submit: () => { if (session.row.value !== null) session.judge(session.row.value, "key"); },
  reveal: (isShown) => {
    if (isShown) panels.showRemarks(true);
    else panels.renewRemarks(isNoted(remarks.content));
  },
});
session.remarks = remarks;

// --- Display

const grade = new GradeInput(form, Object.values(scales)[0]);
grade.addEventListener("chosen", ({ detail: { value, kind } }) => {
  document.activeElement.blur();
  session.judge(value, kind);
});
grade.addEventListener("submit", ({ detail: { value, kind } }) => value !== null && session.judge(value, kind));
/** The key of a level or code, if keys are loaded and enabled. */
function keyOf(value) {
  if (!keys?.isOn) return "";
  if (value >= 0) return String(scales[session.row.family].digitOf(value) ?? "");
  return keys.of(value === CONTRADICTS ? "contradicts" : "error");
}
let keys = null;
const main = byId("main");
let place = 0;

session.addEventListener("moved", ({ detail: row }) => {
  delete main.dataset.shown;
  byId("finished").hidden = true;
  if (row.place !== place) showAnswer(row.place);
  ({ place } = row);
  byId("place").textContent = say("answerPlace", { place, total: state.answers });
  byId("aspect-family").textContent = nameOf(row.family, 1);
  byId("aspect-text").textContent = lastLine(row.text);
  byId("aspect-context").textContent = row.text.slice(0, -lastLine(row.text).length);
  for (const each of sentences.children) {
    each.toggleAttribute("data-asked", each.dataset.sentence === sentenceOf(row));
  }
  for (const mark of sentences.querySelectorAll(".mark")) {
    mark.setAttribute("aria-pressed", String(Number(mark.dataset.position) === row.position));
  }
  showLabel(row);
  history.replaceState(null, "", `${BASE}/answers/${state.assignment}/${row.position}`);
});
session.addEventListener("renewed", ({ detail }) => showLabel(detail));
session.addEventListener("shown", ({ detail: row }) => {
  // A cited doc takes room from the answer.
  sentences.querySelector("[data-asked]")?.scrollIntoView({ block: "nearest" });
  panels.renewRemarks(isNoted(remarks.content));
  taking?.show();
  main.dataset.shown = row.position;
});
session.addEventListener("judged", ({ detail: { row, value } }) => {
  byId("last").textContent = say("last", { text: lastLine(row.text), label: label(row, value) });
});
session.addEventListener("finished", () => { byId("finished").hidden = false; });
labels.addEventListener("change", drawAspects);

/** Give the labels the room of the largest scale, so that nothing moves between aspects. */
function keepRoom() {
  const room = form.querySelector(".grades");
  room.style.minHeight = "";
  const heights = Object.values(scales).map((scale) => {
    grade.draw(scale, () => "0");
    return room.offsetHeight;
  });
  room.style.minHeight = `${Math.max(...heights)}px`;
}
window.addEventListener("resize", () => {
  keepRoom();
  showLabel(session.row);
});

function showLabel(row) {
  grade.draw(scales[row.family], keyOf);
  grade.value = row.value;
  remarks.show({ ...row, doc: `answer:${row.aspect}`, excerpt: "" });
  drawAspects();
}

/** The total progress, and the aspects of the answer on the screen with their labels. */
function drawAspects() {
  const { rows, judged } = labels;
  byId("progress").max = rows.length;
  byId("progress").value = judged;
  byId("progress-text").textContent = say("progress", { judged, total: rows.length });
  const own = rows.filter((row) => row.place === place);
  list.draw(Map.groupBy(own, ({ family }) => family.split(".")[0]).values(), session.position);
}

const list = new GroupedList(byId("aspects"), {
  heading: ([{ family }, ...more]) => nameOf(family, more.length + 1), label,
  text: (row) => {
    const mark = marksOf(row).find(({ title }) => title === row.title);
    return mark ? say("cites", { number: mark.dataset.number, title: row.title }) : lastLine(row.text);
  },
  more: ({ family, importance }) => (
    family === "nugget" && ["1", "vital"].includes(importance) ? say("vital") : ""
  ),
  open: ({ position }) => session.show(position),
});

/** The citation marks of the sentence to which an aspect belongs. */
function marksOf(row) {
  return [...sentences.querySelectorAll(`[data-sentence="${sentenceOf(row)}"] .mark`)];
}

/** Open the form for editing a nugget; null: a new nugget. */
function askNugget(nugget) {
  const dialog = byId("nugget-dialog");
  for (const each of dialog.querySelectorAll("[data-old]")) each.hidden = !nugget;
  const { text, value, into, aspect, place, position } = byId("nugget").elements;
  text.value = nugget?.text ?? "";
  value.value = nugget?.importance === "okay" ? "0.5" : "1";
  aspect.value = nugget?.aspect ?? 0;
  ({ place: place.value, position: position.value } = session.row);
  const own = labels.rows.filter((row) => row.family === "nugget" && row.place === session.row.place);
  const others = own.filter((row) => row.position !== nugget?.position);
  into.replaceChildren(element("option", { value: "" }, say("noMerge")), ...others.map((row) => (
    element("option", { value: row.name }, row.text)
  )));
  ask(dialog);
}
byId("nugget-back").addEventListener("click", () => byId("nugget-dialog").close());

/** Judge with an error code; if there are several, ask for the reason. */
async function judgeCode(kind, isMeant) {
  const { errors } = scales[session.row.family];
  const code = await chooseError(errors.filter((each) => isMeant(each.code)));
  if (code !== null) session.judge(code, kind);
}

// --- User actions

const deeds = {
  contradicts: (kind) => judgeCode(kind, (code) => code === CONTRADICTS),
  error: (kind) => judgeCode(kind, (code) => code !== CONTRADICTS),
  undo: () => session.undo(),
  next: () => session.move(1),
  previous: () => session.move(-1),
  nextOpen: () => session.moveToOpen(),
  answer: () => session.moveTo((row) => row.place === place + 1, 1),
  answerBefore: () => session.moveTo((row) => row.place === place - 1, -1),
  cited: () => {
    if (byId("cited").hidden) sentences.querySelector(".mark:enabled")?.click();
    else if (session.row.family !== "citation") closeCited();
  },
  note: () => remarks.focus("note"),
  excerpt: () => taking?.take(),
  add: () => askNugget(null),
  edit: () => (session.row.family === "nugget" ? askNugget(session.row) : hint(say("editOnly"))),
  view: () => pane.chooseNext(),
  highlight: () => pane.toggleHighlight(),
  topic: () => panels.toggle("topic"),
  instructions: () => panels.toggle("instructions"),
};
bindDeeds({
  actions: ASPECT_ACTIONS, name: "answerKeys", deeds,
  isForNote: () => panels.areRemarksOver && !taking?.isOn && remarks.focus("note"),
  digit: (digit) => {
    const level = scales[session.row.family].byDigit(digit);
    if (!level) return null;
    session.judge(level.grade, "key");
    return true;
  },
  shown: (now) => {
    keys = now;
    if (session.row) showLabel(session.row);
  },
});
scrollWithKeys({
  scroll: (screens) => {
    if (!byId("cited").hidden) pane.scroll(screens);
    else byId("answer").scrollBy(0, screens * 0.8 * byId("answer").clientHeight);
  },
});

// --- Sending and responses; start

client.attend(session, {
  words: {
    about: ({ name }) => name,
    label: ({ value, position }) => (value === null ? say("unjudged") : String(value)),
    note: ({ note, wording, passages: taken = [] }) => [note || wording, ...taken.map(({ quote }) => `“${quote}”`)].join(" · "),
  },
  learn: ({ aspect }, { kind }) => {
    labels.learn([aspect]);
    // The page is drawn again with the old nuggets.
    if (kind === "undo" && aspect.family === "edit") location.reload();
  },
  held: () => {},
});
// A stored page opens the aspect in its address.
const addressed = Number(/^\/answers\/\d+\/(\d+)$/.exec(location.pathname)?.[1] ?? state.position);
const first = labels.at(addressed) ?? labels.rows.find(({ value }) => value === null) ?? labels.rows[0];
keepRoom();
await session.show(first.position);
if (labels.judged === labels.rows.length) byId("finished").hidden = false;
client.start();
keepPage(state.assignment, "answers").catch(() => {});
source.keepAll(labels.rows.filter(({ family }) => family === "citation").map(docOf), terms).catch(() => {});
