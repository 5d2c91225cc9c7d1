// Before somebody logs out: a word about what has not been sent.

import { ask } from "../page/dialogs.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";

/** Ask before the form is sent while judgments wait. */
export function guardLogout(outbox) {
  const form = document.getElementById("logout");
  form?.addEventListener("submit", async (event) => {
    const count = outbox.waiting().length + outbox.held().length;
    if (!count) return;
    event.preventDefault();
    byId("leave-text").textContent = say("leaveText", { count });
    if ((await ask(byId("leave-dialog"))) === "leave") form.submit();
  });
}
