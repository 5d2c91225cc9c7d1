// The script of all pages except judging pages: unsent judgments are also sent from here.

import { byId } from "./page/elements.js";
import { say } from "./page/words.js";
import { KeptDocs } from "./reading/kept_docs.js";
import { guardLogout } from "./sending/logout_guard.js";
import { Outbox } from "./sending/outbox.js";
import { Queue } from "./sending/queue.js";
import { Server } from "./sending/server.js";
import { Tabs } from "./sending/tabs.js";

const { account } = document.body.dataset;
const queue = await Queue.open();
const notice = byId("kept");

if (account) {
  const token = document.querySelector("input[name=csrfmiddlewaretoken]").value;
  const outbox = new Outbox({ queue, server: new Server(token), tabs: new Tabs(), account });
  const hadSome = outbox.waiting().length > 0;
  const tell = () => {
    const count = outbox.waiting().length;
    const held = outbox.held().length;
    notice.hidden = !hadSome && !held;
    if (held) notice.textContent = say("keptHeld", { count: held });
    else notice.textContent = count ? say("keptWaiting", { count }) : say("keptSent");
  };
  outbox.addEventListener("change", tell);
  guardLogout(outbox);
  tell();
  outbox.wake();
  // Data of an earlier user must not stay visible.
  KeptDocs.open(account);
} else {
  const count = queue.all().length;
  notice.hidden = count === 0;
  if (count) notice.textContent = say("keptLogin", { count });
}
