// Requests to the app, and their possible errors.

import { BASE } from "../page/base.js";

const PATIENCE_MS = 20_000;

/** No response, or a server error: the same request may be tried again. */
export class Unreachable extends Error {
  constructor(message, answer = null) {
    super(message);
    this.isFull = answer?.error === "full";
  }
}

/** The session has ended. */
export class LoggedOut extends Error {}

/** A refusal with its reason. */
export class Refusal extends Error {
  constructor(status, answer) {
    super(answer.message ?? `status ${status}`);
    this.status = status;
    this.reason = answer.error ?? "";
    this.current = answer.current ?? null;
  }
}

export class Server {
  #token;

  /** @param {string} token the CSRF token of every POST. */
  constructor(token) {
    this.#token = token;
  }

  async get(path) {
    return this.#request(path, { method: "GET" });
  }

  async post(path, body) {
    const request = { method: "POST", body: JSON.stringify(body) };
    try {
      return await this.#request(path, request);
    } catch (error) {
      if (!(error instanceof Refusal) || error.reason !== "csrf") throw error;
      await this.renew();
      return this.#request(path, request);
    }
  }

  /** Send data without waiting for the response, even while the page closes. */
  mention(path, body) {
    const request = { method: "POST", body: JSON.stringify(body), keepalive: true };
    this.#request(path, request).catch(() => {});
  }

  /** Return the logged-in account; update the session's token. */
  async renew() {
    const session = await this.get("/api/session");
    this.#token = session.csrf;
    return session;
  }

  async #request(path, request) {
    let response;
    let text;
    try {
      response = await fetch(`${BASE}${path}`, {
        ...request,
        headers: {
          Accept: "application/json",
          "Content-Type": "application/json",
          "X-CSRFToken": this.#token,
        },
        credentials: "same-origin",
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      text = await response.text();
    } catch (error) {
      throw new Unreachable(String(error));
    }
    const answer = parsed(text);
    if (response.status === 401) throw new LoggedOut();
    if (answer === null || response.status >= 500 || [408, 429].includes(response.status)) {
      throw new Unreachable(`status ${response.status}`, answer);
    }
    if (!response.ok) throw new Refusal(response.status, answer);
    return answer;
  }
}

/** The object in a JSON text; null if it is not JSON, such as a proxy's page. */
function parsed(text) {
  try {
    const answer = JSON.parse(text);
    return typeof answer === "object" ? answer : null;
  } catch {
    return null;
  }
}
