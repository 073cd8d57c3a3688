// SPDX-License-Identifier: Apache-2.0

// The connection to `baton browser-host`, which lives as long as this part of the extension.
import { api, within } from "./api.js";
import { localized } from "./messages.js";

const NAME = "io.baton.browser";
const PAUSES = { first: 1000, longest: 60000 };
// The longest message that the host takes, in UTF-16 units. JSON can double a text.
const MESSAGE_LENGTH = 1024 * 1024;
// A program that has not answered after this time does not answer any more (ms).
const ANSWER_TIME = 60000;

export class Native {
  #port = null;
  #isReady = false;
  #pause = PAUSES.first;
  #timer = null;
  #requests = new Map();
  #number = 0;
  #onConnect;
  #onMessage;
  // Why there is no connection, for people.
  fault = null;

  // onConnect gets a function that sends the first message. Nothing else is sent before.
  constructor(onConnect, onMessage) {
    this.#onConnect = onConnect;
    this.#onMessage = onMessage;
  }

  get isConnected() {
    return this.#isReady && this.fault === null;
  }

  connect() {
    if (this.#port) return;
    clearTimeout(this.#timer);
    this.#timer = null;
    const port = api.runtime.connectNative(NAME);
    this.#port = port;
    port.onMessage.addListener((message) => this.#received(message));
    port.onDisconnect.addListener(() => this.#lost(port, port.error ?? api.runtime.lastError));
    this.#onConnect((message) => {
      if (this.#port !== port) return;
      this.#isReady = true;
      this.post(message);
    });
  }

  #received(message) {
    if (message.type === "hello") {
      this.#pause = PAUSES.first;
      this.fault = null;
    }
    const waiting = message.type === "result" && this.#requests.get(message.request);
    if (waiting) {
      waiting(message.message);
    } else {
      this.#onMessage(message);
    }
  }

  #lost(port, error) {
    if (this.#port !== port) return;
    this.#port = null;
    this.#isReady = false;
    this.fault = error?.message ?? localized("connectionLost");
    for (const waiting of this.#requests.values()) waiting(localized("notConnected"));
    this.#timer = setTimeout(() => this.connect(), this.#pause);
    this.#pause = Math.min(2 * this.#pause, PAUSES.longest);
    this.#onMessage({ type: "lost" });
  }

  post(message) {
    // Half a character, which a page can have in its title, is no JSON.
    const text = JSON.stringify(message, (_, value) => (typeof value === "string" ? value.replace(/\p{Surrogate}/gu, "\ufffd") : value));
    if (!this.#isReady || text.length > MESSAGE_LENGTH) return false;
    this.#port.postMessage(JSON.parse(text));
    return true;
  }

  // Resolves to what went wrong, or null.
  async ask(message) {
    const request = (this.#number += 1);
    const answer = new Promise((resolve) => this.#requests.set(request, resolve));
    try {
      if (!this.post({ ...message, request })) return this.#isReady ? localized("tooLarge") : localized("notConnected");
      return await within(ANSWER_TIME, answer).catch(() => localized("noAnswer"));
    } finally {
      this.#requests.delete(request);
    }
  }
}
