// Before somebody logs out: a word about what has not been sent, and nothing is left to be seen.

import { ask } from "../page/dialogs.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";
import { forgetPages } from "../reading/kept_page.js";

/** Ask before the form is sent while judgments wait. */
export function guardLogout(outbox) {
  const form = document.getElementById("logout");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const count = outbox.waiting().length + outbox.held().length;
    if (count) {
      byId("leave-text").textContent = say("leaveText", { count });
      if ((await ask(byId("leave-dialog"))) !== "leave") return;
    }
    await forgetPages().catch(() => {});
    form.submit();
  });
}
