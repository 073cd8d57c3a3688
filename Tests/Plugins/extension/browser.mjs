// SPDX-License-Identifier: Apache-2.0

// A browser's interface for extensions, as far as the modules need it here. What has no answer yet is for a test to set.
import { messageIn, messages } from "./extension.mjs";

const english = messages("en");
export const chosen = { rules: [], textSites: [] };
export const session = new Map();
export const ports = [];
export const registered = [];
export const failed = new Set();

const listeners = () => {
  const all = new Set();
  return { addListener: (one) => all.add(one), removeListener: (one) => all.delete(one), tell: (...what) => all.forEach((one) => one(...what)) };
};

globalThis.browser = {
  storage: {
    local: { get: async (defaults) => ({ ...defaults, ...chosen }) },
    session: {
      get: async (key) => (session.has(key) ? { [key]: structuredClone(session.get(key)) } : {}),
      set: async (values) => Object.entries(values).forEach(([key, value]) => session.set(key, structuredClone(value))),
    },
  },
  i18n: { getMessage: (name, values = []) => messageIn(english, name, values) },
  runtime: {
    getURL: (path) => `moz-extension://baton/${path.replace(/^\//, "")}`,
    connectNative: (name) => {
      const port = { name, sent: [], onMessage: listeners(), onDisconnect: listeners(), postMessage: (message) => port.sent.push(message) };
      ports.push(port);
      return port;
    },
  },
  webRequest: { onBeforeRequest: listeners() },
  webNavigation: { getFrame: async ({ tabId }) => ({ errorOccurred: failed.has(tabId) }) },
  tabs: { onUpdated: listeners(), query: async () => [], get: async () => null },
  windows: { getAll: async () => [], getLastFocused: async () => null },
  scripting: {
    getRegisteredContentScripts: async () => structuredClone(registered),
    registerContentScripts: async (scripts) => void registered.push(...scripts),
    unregisterContentScripts: async ({ ids }) => void registered.splice(0, registered.length, ...registered.filter(({ id }) => !ids.includes(id))),
    executeScript: async () => [],
  },
};
