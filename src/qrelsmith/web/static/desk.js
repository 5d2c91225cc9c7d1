// The adjudication page: a digit sets the verdict, c sets "contradicts". Unsent texts are kept.

import { Blink } from "./judging/blink.js";
import { isTyping } from "./page/elements.js";
import { keep, recall } from "./page/stored.js";

const form = document.getElementById("verdict");
const blink = new Blink();

addEventListener("pageshow", () => blink.begin());
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target) || !/^[0-9c]$/.test(event.key)) return;
  const button = form?.querySelector(`[data-grade="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  form.requestSubmit(button);
});
form?.addEventListener("submit", (event) => {
  if (blink.isOver()) blink.end();
  else event.preventDefault();
});

for (const field of document.querySelectorAll("main [name=text]")) {
  const name = `unsent:${document.body.dataset.account}:${field.form.action}`;
  field.value ||= recall(name, "");
  field.addEventListener("input", () => keep(name, field.value));
  field.form.addEventListener("submit", (event) => {
    if (!event.defaultPrevented) keep(name, "");
  });
}
