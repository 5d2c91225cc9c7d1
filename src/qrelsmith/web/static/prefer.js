// The page on which two docs are compared: its parts, and what leads from one to the other.

import { announce, hint } from "./page/announcer.js";
import { byId } from "./page/elements.js";
import { keep, recall } from "./page/stored.js";
import { say } from "./page/words.js";
import { Clock } from "./judging/clock.js";
import { Conflicts } from "./judging/conflicts.js";
import { DocFrame } from "./judging/doc_frame.js";
import { DocPane } from "./judging/doc_pane.js";
import { DocText } from "./judging/doc_text.js";
import { FindBar } from "./judging/find_bar.js";
import { Keys } from "./judging/keys.js";
import { KeysDialog } from "./judging/keys_dialog.js";
import { SCREENS, scrollWithKeys } from "./judging/scrolling.js";
import { ACTIONS } from "./preferring/actions.js";
import { answerWithKeys } from "./preferring/answer_keys.js";
import { Answering, isSameAnswer, saidOf } from "./preferring/answering.js";
import { Answers } from "./preferring/answers.js";
import { ChoiceInput } from "./preferring/choice_input.js";
import { chooseWithClicks } from "./preferring/chosen_docs.js";
import { Over } from "./preferring/over.js";
import { PairPane } from "./preferring/pair_pane.js";
import { PairPassages } from "./preferring/pair_passages.js";
import { PairSession } from "./preferring/pair_session.js";
import { PairSource } from "./preferring/pair_source.js";
import { Progress } from "./preferring/progress.js";
import { Looks } from "./reading/looks.js";
import { Reader } from "./reading/reader.js";
import { Terms } from "./reading/terms.js";
import { LoginDialog } from "./sending/login_dialog.js";
import { guardLogout } from "./sending/logout_guard.js";
import { Outbox } from "./sending/outbox.js";
import { Queue } from "./sending/queue.js";
import { Server } from "./sending/server.js";
import { StateLine } from "./sending/state_line.js";
import { Tabs } from "./sending/tabs.js";

const SIDES = ["left", "right"];
const bySide = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));

const state = JSON.parse(byId("state").textContent);
const { account } = document.body.dataset;
const { contest } = state.contest;
const main = byId("main");
const form = byId("answer");
const queue = await Queue.open();
const tabs = new Tabs();
const server = new Server(form.elements.csrfmiddlewaretoken.value);
const outbox = new Outbox({ queue, server, tabs, account });

const answers = new Answers();
const progress = new Progress(state.contest, answers);
const source = new PairSource({ server, contest, learn });
const sections = bySide(byId);
const texts = bySide((side) => byId(`${side}-text`));
const terms = new Terms(state.text, `${account}:${state.contest.topic}`);
const places = bySide((side) => byId(`${side}-place`));
const panes = bySide((side) => new DocPane(
  {
    source,
    frame: new DocFrame(places[side]),
    text: new DocText(texts[side], side === "right" ? "-right" : ""),
  },
  {
    place: places[side], message: byId(`${side}-message`), highlight: byId("highlight"),
    tabs: [...sections[side].querySelectorAll(".views a")],
    drawn: () => passages?.drawn(side),
  },
  terms,
  { store: `view-${side}`, opening: state.opening, title: () => say(`docTitle_${side}`) },
));
const readers = bySide((side) => new Reader(panes[side], terms, {
  list: byId(`${side}-terms`), input: side === "left" ? byId("own-term") : null,
  place: byId(`${side}-group`), strip: byId(`${side}-strip`),
}));
terms.addEventListener("change", () => SIDES.forEach((side) => panes[side].renew()));
new Looks(byId("text-looks"), SIDES.map((side) => texts[side]));
const pane = new PairPane({
  sections, texts, panes, together: byId("together"),
  flips: bySide((side) => document.querySelector(`.flip [data-deed=${side}]`)),
});
const passageLists = bySide((side) => document.getElementById(`${side}-passages`));
const passages = passageLists.left && new PairPassages({
  pane, panes, source, places: passageLists,
  place: (side) => pane.places(finder.place)[`${side}Place`],
});
const choice = new ChoiceInput({ form, sections });
const answering = new Answering({ contest, answers, outbox });
const isOurs = (operation) => answering.isOurs(operation);
const session = new PairSession({
  answers, answering, source, pane, choice, passages, outbox,
  clock: new Clock(), isOpen: () => progress.isOpen,
});
const finder = new FindBar({
  bar: byId("find"), input: byId("find-text"), output: byId("find-place"),
  next: byId("find-next"), previous: byId("find-previous"), close: byId("find-close"),
  find: (words) => pane.find(words), go: (place) => pane.go(place),
  words: (place) => say("findPlaces", pane.places(place)),
});
const label = ({ outcome }) => say(outcome === null ? "unjudged" : `outcome_${outcome}`);
const conflicts = new Conflicts({
  outbox, isOurs,
  words: { label, about: ({ number }) => say("pair", { number }), note: quotesOf },
  before: saidOf,
  show: ({ pair }) => session.show(pair),
  again: (operation) => answering.again(operation),
});
const login = new LoginDialog(async () => {
  const now = await server.renew().catch(() => null);
  if (now && now.login !== account) {
    location.assign("/");
    return;
  }
  tabs.tell("loggedin");
  outbox.wake();
  session.resume();
});
const line = new StateLine(outbox, {
  login: () => login.open(), decide: () => conflicts.decideAnywhere(), lost: () => outbox.wake(),
});
const over = new Over(() => session.seek());

// --- What is sent, and what comes back

outbox.addEventListener("accepted", ({ detail }) => accepted(detail, true));
tabs.addEventListener("accepted", ({ detail }) => accepted(detail, false));
tabs.addEventListener("loggedin", () => session.resume());
tabs.addEventListener("added", ({ detail: { operation } }) => {
  answering.take(operation);
  if (isOurs(operation) && operation.pair === session.pair) session.renewAnswer();
});
outbox.addEventListener("dropped", ({ detail }) => {
  const ours = detail.operations.filter(isOurs);
  ours.forEach(forget);
  const { refusal } = detail;
  if (ours.length && refusal) {
    hint(refusal.reason === "nothing" ? say("undoNothing") : refusal.message);
  }
});
outbox.addEventListener("held", ({ detail: { operation } }) => {
  if (!isOurs(operation)) return;
  forget(operation);
  const { current, reason } = operation.trouble;
  if (current) answers.learn(current);
  if (operation.pair === session.pair) session.renewAnswer();
  const isSettled = current && isSameAnswer(current, operation.after);
  // Nobody needs to decide on what is not asked any more.
  if (isSettled || reason === "withdrawn") outbox.discard([operation]);
  else conflicts.decide();
  if (reason === "withdrawn") session.skip();
});
login.watch(outbox);

function quotesOf({ passages: taken = [] }) {
  return taken.map(({ quote }) => `“${quote}”`).join(" · ");
}

function learn(answer) {
  if (answer.pair) answers.learn(answer.pair);
  progress.contest = answer.contest;
}

function accepted({ operation, answer }, isHere) {
  if (!isOurs(operation)) return;
  learn(answer);
  answers.settle(operation);
  const isUndo = operation.kind === "undo";
  if (isUndo) answering.unlearn(operation.undoes);
  // Other pairs may be asked now.
  if (isUndo || operation.before.outcome !== null) source.forget();
  if (isHere && isUndo && operation.pair !== answer.pair.pair) session.showUndone(answer.pair);
  else if (!isHere && answer.pair.pair === session.pair) session.renewAnswer();
}

function forget(operation) {
  answers.settle(operation);
  answering.unlearn(operation.op_id);
  if (operation.pair === session.pair) session.renewAnswer();
}

// --- What is shown

session.addEventListener("left", () => { delete main.dataset.shown; });
session.addEventListener("moved", ({ detail: pair }) => {
  over.hide();
  byId("place").textContent = say("pair", pair);
  for (const side of SIDES) byId(`${side}-title`).textContent = pair[side].title;
  byId("to-previous").hidden = !pair.previous;
  document.title = `${pair.number} · ${state.text.title || state.contest.topic}`;
  history.replaceState(null, "", `/prefer/${contest}/${pair.pair}`);
});
session.addEventListener("shown", ({ detail: pair }) => {
  main.dataset.shown = pair.pair;
  showMoves();
  finder.renew();
});
session.addEventListener("judged", ({ detail: { number, outcome } }) => {
  byId("last").textContent = say("last", { number, label: label({ outcome }) });
});
session.addEventListener("loggedout", () => login.open());
session.addEventListener("over", ({ detail: { reason } }) => {
  over.show(reason, Boolean(session.previous));
  byId("place").textContent = "";
  document.title = state.text.title || state.contest.topic;
  history.replaceState(null, "", `/prefer/${contest}`);
});

// --- What a person does

function mark(outcome, kind) {
  if (!session.mark(outcome, kind || "key")) return;
  // Arrow keys among the buttons, and programs that read the page, only select.
  if (kind && isAtOnce) session.confirm();
  else announce(say("marked", { label: label({ outcome }) }));
}

choice.addEventListener("chosen", ({ detail: { outcome, kind } }) => mark(outcome, kind));
choice.addEventListener("submit", () => session.confirm());
let isAtOnce = recall("atOnce", false);

const topic = document.querySelector("#topic details");
const deeds = {
  tie: () => (choice.outcomes.includes(0) ? mark(0, "key") : hint(say("tieMissing"))),
  undo: () => session.undo(),
  previous: () => session.back(),
  next: () => session.forward(),
  find: () => finder.open(),
  view: () => pane.chooseNext(),
  highlight: () => pane.toggleHighlight(),
  group: () => pane.sides.forEach((side) => readers[side].step(1)),
  groupBefore: () => pane.sides.forEach((side) => readers[side].step(-1)),
  word: () => readers.left.ask(),
  // Pages that begin alike are told apart by what follows, on both sides.
  main: () => Object.values(panes).forEach((each) => each.goMain()),
  together: () => pane.toggleTogether(),
  switch: () => {
    passages?.end();
    pane.switch();
  },
  passage: () => passages?.take(),
  passageLeft: () => passages?.take("left"),
  passageRight: () => passages?.take("right"),
  atOnce: () => {
    isAtOnce = !isAtOnce;
    keep("atOnce", isAtOnce);
    showAtOnce();
  },
  left: () => pane.activate("left"),
  right: () => pane.activate("right"),
  look: () => session.seek(),
  topic: () => {
    if (!topic) return;
    topic.open = !topic.open;
    keep("topicOpen", topic.open);
  },
  help: () => keysDialog.open(),
};
const keys = new Keys(
  { actions: ACTIONS, name: "pairKeys" },
  (action) => deeds[action](),
  (digit) => {
    const outcome = choice.outcomes[digit - 1];
    if (outcome !== undefined) mark(outcome, "key");
    return outcome !== undefined;
  },
);
const keysDialog = new KeysDialog(keys);
for (const button of document.querySelectorAll("[data-deed]")) {
  button.addEventListener("click", (event) => {
    event.preventDefault();
    deeds[button.dataset.deed]();
  });
}
if (topic) {
  topic.open = recall("topicOpen", topic.open);
  topic.addEventListener("toggle", () => keep("topicOpen", topic.open));
}
chooseWithClicks({
  places, texts,
  choose: (side, kind) => {
    if (!passages?.isOn) mark(side === "left" ? -1 : 1, kind);
  },
});
answerWithKeys({
  outcomes: choice.outcomes,
  mark: (outcome) => mark(outcome, "key"),
  confirm: () => session.confirm(),
});
scrollWithKeys(pane, new Map([...SCREENS].filter(([key]) => key !== " ")));
keys.addEventListener("change", showKeys);
answers.addEventListener("change", showMoves);
guardLogout(outbox);
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });

/** Write each key beside what it does. */
function showKeys() {
  for (const each of document.querySelectorAll("kbd[data-key]")) {
    each.hidden = !keys.isOn;
    each.textContent = keys.of(each.dataset.key);
  }
}

/** An answer opens the way on. */
function showMoves() {
  byId("to-next").setAttribute("aria-disabled", String(!session.canGoOn));
}

function showAtOnce() {
  byId("at-once").setAttribute("aria-pressed", String(isAtOnce));
}

// --- Start

showKeys();
showAtOnce();
if (state.pair) {
  answers.learn(state.pair);
  source.know(state.pair);
  await session.show(state.pair.pair);
} else {
  session.over(state);
}
outbox.wake();
if (outbox.held().length) conflicts.decide();
line.show();
