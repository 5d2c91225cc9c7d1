// Login without leaving the page.

import { BASE } from "../page/base.js";
import { byId } from "../page/elements.js";
import { say } from "../page/words.js";

// A small public page of this app, as the target after login.
const AFTER = `${BASE}/health`;

export class LoginDialog {
  #dialog = byId("login-dialog");
  #problem = byId("login-problem");
  #done;

  /** @param {() => void} done called after a successful login. */
  constructor(done) {
    this.#done = done;
    const form = this.#dialog.querySelector("form");
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#login(new FormData(form));
    });
    byId("login-later").addEventListener("click", () => this.close());
  }

  /** Open when the session has ended, close when it continues. */
  watch(outbox) {
    let wasLoggedOut = false;
    outbox.addEventListener("change", () => {
      const isLoggedOut = outbox.trouble === "login";
      if (isLoggedOut && !wasLoggedOut) this.open();
      if (!isLoggedOut && wasLoggedOut) this.close();
      wasLoggedOut = isLoggedOut;
    });
  }

  open() {
    if (this.#dialog.open) return;
    this.#problem.textContent = "";
    this.#dialog.showModal();
    this.#dialog.querySelector("input[type=password]").focus();
  }

  close() {
    this.#dialog.querySelector("input[type=password]").value = "";
    if (this.#dialog.open) this.#dialog.close();
  }

  async #login(fields) {
    this.#problem.textContent = "";
    try {
      const page = parsed(await (await fetch(`${BASE}/login`, { cache: "no-store" })).text());
      const token = page.querySelector("input[name=csrfmiddlewaretoken]").value;
      const body = new URLSearchParams({
        csrfmiddlewaretoken: token, next: AFTER,
        login: fields.get("login"), password: fields.get("password"),
      });
      const response = await fetch(`${BASE}/login`, { method: "POST", body });
      if (new URL(response.url).pathname === AFTER) {
        this.close();
        this.#done();
        return;
      }
      const problem = parsed(await response.text()).querySelector(".problem");
      this.#problem.textContent = problem?.textContent.trim() ?? say("loginFailed");
    } catch {
      this.#problem.textContent = say("loginFailed");
    }
  }
}

/** A page of this app as an inert document. */
function parsed(text) {
  return new DOMParser().parseFromString(text, "text/html");
}
