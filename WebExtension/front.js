// SPDX-License-Identifier: Apache-2.0

// A page with which the browser's own program brings a window to the front. The page that is wanted takes its place.
import { api } from "./api.js";

// If nobody waits for it any more.
const TIME = 5000;

setTimeout(async () => api.tabs.remove((await api.tabs.getCurrent()).id), TIME);
