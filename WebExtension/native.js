// The connection to `baton browser-host`, which lives as long as this part of the extension.
import { api } from "./api.js";

const NAME = "io.baton.browser";
const PAUSES = { first: 1000, longest: 60000 };
// The longest message that the host takes, in UTF-16 units. JSON can double a text.
const MESSAGE_LENGTH = 1024 * 1024;

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
      this.#requests.delete(message.request);
      waiting(message.message);
    } else {
      this.#onMessage(message);
    }
  }

  #lost(port, error) {
    if (this.#port !== port) return;
    this.#port = null;
    this.#isReady = false;
    this.fault = error?.message ?? "The connection has ended.";
    for (const waiting of this.#requests.values()) waiting("Baton is not connected.");
    this.#requests.clear();
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
  ask(message) {
    const request = (this.#number += 1);
    return new Promise((resolve) => {
      this.#requests.set(request, resolve);
      if (this.post({ ...message, request })) return;
      this.#requests.delete(request);
      resolve("Baton is not connected.");
    });
  }
}
