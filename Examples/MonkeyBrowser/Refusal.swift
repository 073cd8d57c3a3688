// SPDX-License-Identifier: Apache-2.0

/// Why something cannot be done: a sentence for the person.
struct Refusal: Error, Equatable {
  let message: String

  init(_ message: String) { self.message = message }
}
