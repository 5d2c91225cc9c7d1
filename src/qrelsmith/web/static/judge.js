// The judging page: its parts and their connections.

import { byId } from "./page/elements.js";
import { say } from "./page/words.js";
import { ACTIONS } from "./judging/actions.js";
import { Activity } from "./judging/activity.js";
import { Clock } from "./judging/clock.js";
import { bindDeeds } from "./judging/deeds.js";
import { DocFrame } from "./judging/doc_frame.js";
import { DocLabels } from "./judging/doc_labels.js";
import { DocList } from "./judging/doc_list.js";
import { DocPane } from "./judging/doc_pane.js";
import { DocSource } from "./judging/doc_source.js";
import { DocText } from "./judging/doc_text.js";
import { chooseError } from "./judging/error_choice.js";
import { Filters } from "./judging/filters.js";
import { FindBar } from "./judging/find_bar.js";
import { GradeInput } from "./judging/grade_input.js";
import { isNoted } from "./judging/noted.js";
import { Panels } from "./judging/panels.js";
import { Remarks } from "./judging/remarks.js";
import { Scale } from "./judging/scale.js";
import { scrollWithKeys } from "./judging/scrolling.js";
import { Session } from "./judging/session.js";
import { TopicPanel } from "./judging/topic_panel.js";
import { KeptDocs } from "./reading/kept_docs.js";
import { keepPage } from "./reading/kept_page.js";
import { Looks } from "./reading/looks.js";
import { Reader } from "./reading/reader.js";
import { Terms } from "./reading/terms.js";
import { PassageList } from "./passages/passage_list.js";
import { Taking } from "./passages/taking.js";
import { Client } from "./sending/client.js";
import { DOCS } from "./sending/kinds.js";

const state = JSON.parse(byId("state").textContent);
const { account } = document.body.dataset;
const form = byId("grade");
const scale = new Scale(state.scale);
const labels = new DocLabels(state.total, state.judged);
const client = await Client.open({
  kind: DOCS, stream: state.assignment, labels, account, form,
});
const { server, outbox, judgments } = client;
const kept = await KeptDocs.open(account);
const source = new DocSource({ server, assignment: state.assignment, labels, kept });
labels.learn([state.doc]);
source.know(state.doc);

const terms = new Terms(state.topic, `${account}:${state.topic.name}`);
const frame = new DocFrame(byId("doc-place"));
const text = new DocText(byId("doc-text"));
const pane = new DocPane(
  { frame, text, source },
  {
    place: byId("doc-place"),
    message: byId("doc-message"),
    tabs: [...document.querySelectorAll("#views a")],
    highlight: byId("highlight"),
    drawn: () => taking?.show(),
  },
  terms,
  {
    store: "view", opening: state.opening,
    title: ({ position }) => say("docTitle", { position }),
  },
);
terms.addEventListener("change", () => pane.renew());
const reader = new Reader(pane, terms, {
  list: byId("terms"), input: byId("own-term"), place: byId("group-place"), strip: byId("strip"),
  part: byId("part"), main: byId("to-main"),
});
new Looks(byId("text-looks"), [byId("doc-text")]);
const grade = new GradeInput(form, scale);
const passageList = document.getElementById("passages");
const passages = passageList && new PassageList(passageList);
const taking = passages && new Taking({ pane, source, list: passages, place: () => finder.place });
const remarks = new Remarks({
  passages,
  take: () => taking.take({ isTold: true }),
  note: form.elements.note ?? null,
  excerpt: form.elements.excerpt ?? null,
  submit: () => session.judge(grade.value, "key"),
  reveal: (isShown) => {
    if (isShown) panels.showRemarks(true);
    else panels.renewRemarks(isNoted(remarks.content));
  },
});
const session = new Session({
  state, isOpen: () => state.is_open, scale, labels, source, pane, grade, remarks, judgments,
  activity: new Activity(server, state.assignment), clock: new Clock(),
});
const address = (position) => form.dataset.address.replace(/0$/, String(position));
const list = new DocList(byId("list"), {
  labels, scale, address,
  open: (position) => session.show(position),
  held: (position) => outbox.held().some(
    (each) => judgments.isOurs(each) && each.position === position,
  ),
});
const filters = new Filters({
  select: byId("filter"), input: byId("jump"), output: byId("shown"), labels, list,
  open: (position) => session.show(position),
  loadStale: () => source.stale(),
});
const finder = new FindBar({
  find: (words) => pane.find(words), go: (place) => pane.go(place),
  words: (place, total) => say("findPlace", { place, total }),
});
const panels = new Panels();
const topic = new TopicPanel("topicOpen");
const main = byId("main");

// --- Sending and responses

client.attend(session, {
  words: {
    about: ({ position, name }) => say("conflictDoc", { position, name }),
    label: ({ value }) => (value === null ? say("unjudged") : scale.label(value)),
    note: ({ note, excerpt, passages: taken = [] }) => {
      const quotes = [excerpt, ...taken.map(({ quote }) => quote)].filter(Boolean);
      return [note, ...quotes.map((quote) => `“${quote}”`)].filter(Boolean).join(" · ");
    },
  },
  learn: ({ doc, judged }) => {
    labels.learn([doc], judged);
    source.relabel(doc);
  },
  held: ({ trouble: { current } }) => { if (current) source.forget(current.position); },
});
outbox.addEventListener("change", () => list.draw());

// --- Display

labels.addEventListener("change", showProgress);
session.addEventListener("moved", ({ detail: { position } }) => {
  delete main.dataset.shown;
  byId("finished").hidden = true;
  byId("earlier").hidden = true;
  byId("place").textContent = say("position", { position, total: state.total });
  const row = labels.at(position);
  byId("doc-name").textContent = row ? row.title || row.name : "";
  list.current = position;
  panels.showList(false);
  document.title = `${position} · ${state.topic.title || state.topic.name}`;
  history.replaceState(null, "", address(position));
});
session.addEventListener("shown", ({ detail: { position, doc } }) => {
  const row = labels.at(position);
  byId("earlier").textContent = doc.earlier;
  byId("earlier").hidden = !doc.earlier;
  byId("doc-name").textContent = row.title || row.name;
  panels.renewRemarks(isNoted(remarks.content));
  main.dataset.shown = position;
  finder.renew();
});
session.addEventListener("judged", ({ detail }) => {
  byId("last").textContent = say("last", detail);
});
session.addEventListener("finished", () => { byId("finished").hidden = false; });

function showProgress() {
  byId("progress").value = labels.judged;
  const { judged, total } = labels;
  byId("progress-text").textContent = say("progress", { judged, total });
}

// --- User actions

grade.addEventListener("chosen", ({ detail }) => {
  document.activeElement.blur();
  session.judge(detail.value, detail.kind);
});
grade.addEventListener("submit", ({ detail }) => {
  if (scale.control !== "buttons") document.activeElement.blur();
  session.judge(detail.value, detail.kind);
});

const deeds = {
  error: async (kind) => {
    const code = await chooseError(scale.errors);
    if (code !== null) session.judge(code, kind);
    return scale.errors.length > 0;
  },
  undo: () => session.undo(),
  next: () => session.move(1),
  previous: () => session.move(-1),
  nextOpen: () => session.moveToOpen(),
  jump: () => panels.openJump(),
  find: () => finder.open(),
  note: () => remarks.focus("note"),
  excerpt: () => taking?.take() ?? false,
  view: () => pane.chooseNext(),
  highlight: () => pane.toggleHighlight(),
  group: () => reader.step(1),
  groupBefore: () => reader.step(-1),
  part: () => reader.turn(1),
  partBefore: () => reader.turn(-1),
  word: () => reader.ask(),
  main: () => pane.goMain(),
  topic: () => topic.toggle(),
  instructions: () => panels.toggleInstructions(),
};
bindDeeds({
  actions: ACTIONS, name: "keys", deeds,
  isForNote: () => panels.areRemarksOver && !taking?.isOn && remarks.focus("note"),
  digit: (digit) => {
    if (scale.control !== "buttons") {
      grade.startTyping();
      return false;
    }
    const level = scale.byDigit(digit);
    if (level) session.judge(level.grade, "key");
    return level !== undefined || null;
  },
  shown: (keys) => {
    for (const each of document.querySelectorAll("kbd[data-grade]")) {
      const digit = scale.digitOf(Number(each.dataset.grade));
      each.hidden = !keys.isOn || digit === undefined;
      each.textContent = String(digit);
    }
  },
});
scrollWithKeys(pane);
addEventListener("pagehide", () => session.leave());

// --- Start

showProgress();
// A stored page opens the doc in its address.
await session.show(Number(/\/judge\/\d+\/(\d+)$/.exec(location.pathname)?.[1] ?? state.doc.position));
if (labels.judged >= labels.total) byId("finished").hidden = false;
client.start();
source.loadList(session.position).catch(() => {})
  .then(() => keepPage(state.assignment).catch(() => {}))
  .then(() => source.keep(session.position, {
    terms: terms.words, lang: terms.language,
    told: (count, isRoom) => {
      byId("kept-docs").textContent = say(isRoom ? "kept" : "keptFull", { kept: count, total: state.total });
    },
  })).catch(() => {});
