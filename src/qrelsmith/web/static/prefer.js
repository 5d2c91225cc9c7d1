// The page for comparing two docs: its parts and their connections.

import { BASE } from "./page/base.js";
import { announce, hint } from "./page/announcer.js";
import { byId } from "./page/elements.js";
import { keep, recall } from "./page/stored.js";
import { say } from "./page/words.js";
import { Clock } from "./judging/clock.js";
import { bindDeeds } from "./judging/deeds.js";
import { DocFrame } from "./judging/doc_frame.js";
import { DocPane } from "./judging/doc_pane.js";
import { DocText } from "./judging/doc_text.js";
import { FindBar } from "./judging/find_bar.js";
import { SCREENS, scrollWithKeys } from "./judging/scrolling.js";
import { TopicPanel } from "./judging/topic_panel.js";
import { ACTIONS } from "./preferring/actions.js";
import { answerWithKeys } from "./preferring/answer_keys.js";
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
import { Client } from "./sending/client.js";
import { Labels } from "./sending/labels.js";
import { PAIRS } from "./sending/kinds.js";

const SIDES = ["left", "right"];
const bySide = (make) => Object.fromEntries(SIDES.map((side) => [side, make(side)]));

const state = JSON.parse(byId("state").textContent);
const { account } = document.body.dataset;
const { contest } = state.contest;
const main = byId("main");
const form = byId("answer");
const labels = new Labels(PAIRS, { ...PAIRS.blank, revision: 0 });
const client = await Client.open({ kind: PAIRS, stream: contest, labels, account, form });
const { server, judgments } = client;

const progress = new Progress(state.contest, labels);
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
const session = new PairSession({
  labels, judgments, source, pane, choice, passages,
  clock: new Clock(), isOpen: () => progress.isOpen,
});
const finder = new FindBar({
  find: (words) => pane.find(words), go: (place) => pane.go(place),
  words: (place) => say("findPlaces", pane.places(place)),
});
const label = ({ outcome }) => say(outcome === null ? "unjudged" : `outcome_${outcome}`);
const over = new Over(() => session.seek());

// --- Sending and responses

client.attend(session, {
  words: {
    label, about: ({ number }) => say("pair", { number }),
    note: ({ passages: taken = [] }) => taken.map(({ quote }) => `“${quote}”`).join(" · "),
  },
  learn: (answer, { kind, before }) => {
    learn(answer);
    // Other pairs may be needed now.
    if (kind === "undo" || before.outcome !== null) source.forget();
  },
  held: ({ trouble: { reason } }) => { if (reason === "withdrawn") session.skip(); },
});

function learn(answer) {
  if (answer.pair) labels.learn([answer.pair]);
  progress.contest = answer.contest;
}

// --- Display

session.addEventListener("left", () => { delete main.dataset.shown; });
session.addEventListener("moved", ({ detail: pair }) => {
  over.hide();
  byId("place").textContent = say("pair", pair);
  for (const side of SIDES) byId(`${side}-title`).textContent = pair[side].title;
  byId("to-previous").hidden = !pair.previous;
  document.title = `${pair.number} · ${state.text.title || state.contest.topic}`;
  history.replaceState(null, "", `${BASE}/prefer/${contest}/${pair.pair}`);
});
session.addEventListener("shown", ({ detail: pair }) => {
  main.dataset.shown = pair.pair;
  showMoves();
  finder.renew();
});
session.addEventListener("judged", ({ detail: { number, outcome } }) => {
  byId("last").textContent = say("last", { number, label: label({ outcome }) });
});
session.addEventListener("over", ({ detail: { reason } }) => {
  over.show(reason, Boolean(session.previous));
  byId("place").textContent = "";
  document.title = state.text.title || state.contest.topic;
  history.replaceState(null, "", `${BASE}/prefer/${contest}`);
});

// --- User actions

function mark(outcome, kind) {
  if (!session.mark(outcome, kind || "key")) return;
  // Arrow keys among the buttons, and assistive programs, only select.
  if (kind && isAtOnce) session.confirm();
  else announce(say("marked", { label: label({ outcome }) }));
}

choice.addEventListener("chosen", ({ detail: { outcome, kind } }) => mark(outcome, kind));
choice.addEventListener("submit", () => session.confirm());
let isAtOnce = recall("atOnce", false);

const topic = new TopicPanel("pairTopicOpen");
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
  // Two pages that begin alike are distinguished by later lines, on both sides.
  main: async () => (
    await Promise.all(Object.values(panes).map((each) => each.goMain()))
  ).includes(true),
  together: () => pane.toggleTogether(),
  switch: () => {
    passages?.end();
    pane.switch();
  },
  passage: () => passages?.take() ?? false,
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
  topic: () => topic.toggle(),
};
bindDeeds({
  actions: ACTIONS, name: "pairKeys", deeds,
  digit: (digit) => {
    const outcome = choice.outcomes[digit - 1];
    if (outcome !== undefined) mark(outcome, "key");
    return outcome !== undefined || null;
  },
});
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
labels.addEventListener("change", showMoves);

/** An answer enables the button that shows the next pair. */
function showMoves() {
  byId("to-next").setAttribute("aria-disabled", String(!session.canGoOn));
}

function showAtOnce() {
  byId("at-once").setAttribute("aria-pressed", String(isAtOnce));
}

// --- Start

showAtOnce();
if (state.pair) {
  labels.learn([state.pair]);
  source.know(state.pair);
  await session.show(state.pair.pair);
} else {
  session.over(state);
}
client.start();
