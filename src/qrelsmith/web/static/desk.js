// The desk: a digit is a verdict.

import { isTyping } from "./page/elements.js";

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (isTyping(event.target) || !/^[0-9]$/.test(event.key)) return;
  const button = document.querySelector(`#verdict [data-grade="${event.key}"]`);
  if (!button) return;
  event.preventDefault();
  button.form.requestSubmit(button);
});
