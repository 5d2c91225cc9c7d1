// The judging page: its parts, and what leads from one to the other.

import { hint } from "./page/announcer.js";
import { byId } from "./page/elements.js";
import { say } from "./page/words.js";
import { ACTIONS } from "./judging/actions.js";
import { Activity } from "./judging/activity.js";
import { Clock } from "./judging/clock.js";
import { Conflicts } from "./judging/conflicts.js";
import { DocFrame } from "./judging/doc_frame.js";
import { DocList } from "./judging/doc_list.js";
import { DocPane } from "./judging/doc_pane.js";
import { DocSource } from "./judging/doc_source.js";
import { DocText } from "./judging/doc_text.js";
import { chooseError } from "./judging/error_choice.js";
import { Filters } from "./judging/filters.js";
import { FindBar } from "./judging/find_bar.js";
import { GradeInput } from "./judging/grade_input.js";
import { Keys } from "./judging/keys.js";
import { KeysDialog } from "./judging/keys_dialog.js";
import { Labels } from "./judging/labels.js";
import { Panels } from "./judging/panels.js";
import { Remarks } from "./judging/remarks.js";
import { isNoted, isSame, said } from "./judging/said.js";
import { Scale } from "./judging/scale.js";
import { scrollWithKeys } from "./judging/scrolling.js";
import { Session } from "./judging/session.js";
import { KeptDocs } from "./reading/kept_docs.js";
import { keepPage } from "./reading/kept_page.js";
import { Looks } from "./reading/looks.js";
import { Reader } from "./reading/reader.js";
import { Terms } from "./reading/terms.js";
import { PassageList } from "./passages/passage_list.js";
import { Taking } from "./passages/taking.js";
import { LoginDialog } from "./sending/login_dialog.js";
import { guardLogout } from "./sending/logout_guard.js";
import { Outbox } from "./sending/outbox.js";
import { Queue } from "./sending/queue.js";
import { Server } from "./sending/server.js";
import { StateLine } from "./sending/state_line.js";
import { Tabs } from "./sending/tabs.js";

const state = JSON.parse(byId("state").textContent);
const { account } = document.body.dataset;
const form = byId("grade");
const queue = await Queue.open();
const tabs = new Tabs();
const server = new Server(form.elements.csrfmiddlewaretoken.value);
const outbox = new Outbox({ queue, server, tabs, account });

const scale = new Scale(state.scale);
const labels = new Labels(state.total, state.judged);
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
  reveal: () => panels.showRemarks(true),
});
const session = new Session(state, {
  scale, labels, source, pane, grade, remarks, outbox,
  activity: new Activity(server, state.assignment), clock: new Clock(),
});
const address = (position) => form.dataset.address.replace(/0$/, String(position));
const list = new DocList(byId("list"), {
  labels, scale, address,
  open: (position) => session.show(position),
  held: (position) => outbox.held().some(
    (each) => each.assignment === state.assignment && each.position === position,
  ),
});
const filters = new Filters({
  select: byId("filter"), input: byId("jump"), output: byId("shown"), labels, list,
  open: (position) => session.show(position),
  loadStale: () => source.stale(),
});
const finder = new FindBar({
  bar: byId("find"), input: byId("find-text"), output: byId("find-place"),
  next: byId("find-next"), previous: byId("find-previous"), close: byId("find-close"),
  find: (words) => pane.find(words), go: (place) => pane.go(place),
  words: (place, total) => say("findPlace", { place, total }),
});
const conflicts = new Conflicts({
  outbox,
  isOurs: (operation) => operation.assignment === state.assignment,
  words: {
    about: ({ position, name }) => say("conflictDoc", { position, name }),
    label: ({ value }) => (value === null ? say("unjudged") : scale.label(value)),
    note: ({ note, excerpt, passages: taken = [] }) => {
      const quotes = [excerpt, ...taken.map(({ quote }) => quote)].filter(Boolean);
      return [note, ...quotes.map((quote) => `“${quote}”`)].filter(Boolean).join(" · ");
    },
  },
  before: said,
  show: ({ position }) => session.show(position),
  again: (operation) => session.take(outbox.add(operation)),
});
const login = new LoginDialog(async () => {
  const now = await server.renew().catch(() => null);
  if (now && now.login !== account) {
    location.assign("/");
    return;
  }
  tabs.tell("loggedin");
  outbox.wake();
  if (!main.dataset.shown) session.show(session.position);
});
const line = new StateLine(outbox, {
  login: () => login.open(), decide: () => conflicts.decideAnywhere(), lost: () => outbox.wake(),
});
const panels = new Panels();
const main = byId("main");

// --- What is sent, and what comes back

outbox.addEventListener("accepted", ({ detail }) => accepted(detail, true));
tabs.addEventListener("accepted", ({ detail }) => accepted(detail, false));
tabs.addEventListener("added", ({ detail }) => session.take(detail.operation));
outbox.addEventListener("dropped", ({ detail }) => {
  const ours = detail.operations.filter((each) => each.assignment === state.assignment);
  ours.forEach(forget);
  const refusal = ours.length ? detail.refusal : null;
  if (refusal) hint(refusal.reason === "nothing" ? say("undoNothing") : refusal.message);
});
outbox.addEventListener("held", ({ detail: { operation } }) => {
  if (operation.assignment !== state.assignment) return;
  forget(operation);
  const { current } = operation.trouble;
  if (current) {
    labels.learn([current]);
    source.forget(current.position);
    if (current.position === session.position) session.renewLabel();
    if (isSame(current, operation.after)) {
      outbox.discard([operation]);
      return;
    }
  }
  conflicts.decide();
});
outbox.addEventListener("change", () => list.draw());
login.watch(outbox);

function accepted({ operation, answer }, isOurs) {
  if (operation.assignment !== state.assignment) return;
  const row = answer.doc;
  labels.learn([row], answer.judged);
  labels.settle(operation);
  source.relabel(row);
  if (operation.kind === "undo") session.unlearn(operation.undoes);
  if (isOurs && operation.kind === "undo" && operation.position !== row.position) {
    session.showUndone(row);
  } else if (!isOurs && row.position === session.position) {
    session.renewLabel();
  }
}

function forget(operation) {
  labels.settle(operation);
  session.unlearn(operation.op_id);
  if (operation.position === session.position) session.renewLabel();
}

// --- What is shown

labels.addEventListener("change", showProgress);
session.addEventListener("moved", ({ detail: { position } }) => {
  delete main.dataset.shown;
  byId("finished").hidden = true;
  byId("earlier").hidden = true;
  byId("place").textContent = say("position", { position, total: state.total });
  const row = labels.at(position);
  byId("doc-name").textContent = row ? row.title || row.name : "";
  list.current = position;
  document.title = `${position} · ${state.topic.title || state.topic.name}`;
  history.replaceState(null, "", address(position));
});
session.addEventListener("shown", ({ detail: { position, doc } }) => {
  const row = labels.at(position);
  byId("earlier").textContent = doc.earlier;
  byId("earlier").hidden = !doc.earlier;
  byId("doc-name").textContent = row.title || row.name;
  panels.showRemarks(isNoted(remarks.content));
  panels.showDoc();
  main.dataset.shown = position;
  finder.renew();
});
session.addEventListener("judged", ({ detail }) => {
  byId("last").textContent = say("last", detail);
});
session.addEventListener("loggedout", () => login.open());
session.addEventListener("finished", () => { byId("finished").hidden = false; });

function showProgress() {
  byId("progress").value = labels.judged;
  const { judged, total } = labels;
  byId("progress-text").textContent = say("progress", { judged, total });
}

// --- What a person does

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
  },
  undo: () => session.undo(),
  next: () => session.move(1),
  previous: () => session.move(-1),
  nextOpen: () => session.moveToOpen(),
  jump: () => panels.openJump(),
  find: () => finder.open(),
  note: () => remarks.focus("note"),
  excerpt: () => taking?.take(),
  view: () => pane.chooseNext(),
  highlight: () => pane.toggleHighlight(),
  group: () => reader.step(1),
  groupBefore: () => reader.step(-1),
  part: () => reader.turn(1),
  partBefore: () => reader.turn(-1),
  word: () => reader.ask(),
  main: () => pane.goMain(),
  topic: () => panels.toggleTopic(),
  instructions: () => panels.toggleInstructions(),
  help: () => keysDialog.open(),
};
const keys = new Keys(
  { actions: ACTIONS, name: "keys" },
  (action) => deeds[action]("key"),
  (digit) => {
    if (scale.control !== "buttons") {
      grade.startTyping();
      return false;
    }
    const level = scale.byDigit(digit);
    if (level) session.judge(level.grade, "key");
    return level !== undefined;
  },
);
const keysDialog = new KeysDialog(keys);
for (const button of document.querySelectorAll("[data-deed]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    deeds[button.dataset.deed]("click");
  });
}
keys.addEventListener("change", showKeys);
scrollWithKeys(pane);
guardLogout(outbox);

/** Write each key beside what it does. */
function showKeys() {
  for (const hint of document.querySelectorAll("kbd[data-key]")) {
    hint.hidden = !keys.isOn;
    hint.textContent = keys.of(hint.dataset.key);
  }
  for (const hint of document.querySelectorAll("kbd[data-grade]")) {
    const digit = [1, 2, 3, 4, 5, 6, 7, 8, 9, 0].find(
      (each) => scale.byDigit(each)?.grade === Number(hint.dataset.grade),
    );
    hint.hidden = !keys.isOn || digit === undefined;
    hint.textContent = String(digit);
  }
}

addEventListener("pagehide", () => session.leave());
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

// --- Start

showKeys();
showProgress();
// A page that was kept is shown at the doc that its address names.
await session.show(Number(/^\/judge\/\d+\/(\d+)$/.exec(location.pathname)?.[1] ?? state.doc.position));
if (labels.judged >= labels.total) byId("finished").hidden = false;
outbox.wake();
if (outbox.held().length) conflicts.decide();
source.loadList(session.position).catch(() => {})
  .then(() => keepPage(state.assignment).catch(() => {}))
  .then(() => source.keep(session.position, {
    terms: terms.words, lang: terms.language,
    told: (count, isRoom) => {
      byId("kept-docs").textContent = say(isRoom ? "kept" : "keptFull", { kept: count, total: state.total });
    },
  })).catch(() => {});
line.show();
