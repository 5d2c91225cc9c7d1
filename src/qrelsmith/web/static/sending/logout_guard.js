// Logout: unsent judgments stay in the browser, with a warning; docs and pages are deleted.

import { ask } from "../page/dialogs.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";
import { KeptDocs } from "../reading/kept_docs.js";
import { forgetPages } from "../reading/kept_page.js";

/** Ask for confirmation if there are unsent judgments. */
export function guardLogout(outbox) {
  const form = document.getElementById("logout");
  form?.addEventListener("submit", async (event) => {
    event.preventDefault();
    const count = outbox.waiting().length + outbox.held().length;
    if (count) {
      byId("leave-text").textContent = say("leaveText", { count });
      if ((await ask(byId("leave-dialog"))) !== "leave") return;
    }
    await Promise.allSettled([forgetPages({ everywhere: true }), KeptDocs.forget()]);
    form.submit();
  });
}
