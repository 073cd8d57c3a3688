// SPDX-License-Identifier: Apache-2.0

// The texts that people read. They are in _locales, by language and name.
import { api } from "./api.js";

// The text of a message, with values in the order of its placeholders.
export const localized = (name, ...values) => api.i18n.getMessage(name, values.map(String));

// Gives the elements of a page their texts. `data-i18n` names the message of an element. The elements in it take the places
// of the message's placeholders. `data-i18n-placeholder` names the message of the attribute `placeholder`.
export function localize(page) {
  page.documentElement.lang = localized("language");
  for (const element of page.querySelectorAll("[data-i18n]")) {
    const inner = [...element.children];
    const parts = localized(element.dataset.i18n, ...inner.map((_, index) => `{${index}}`)).split(/\{(\d)\}/);
    element.replaceChildren(...parts.map((part, index) => (index % 2 === 0 ? part : inner[part])));
  }
  for (const element of page.querySelectorAll("[data-i18n-placeholder]")) element.placeholder = localized(element.dataset.i18nPlaceholder);
}
