// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// What the agent remembers about ports: the user's decisions, and the names of other machines' pages (State.md).
package struct PortMemory: Equatable, Sendable {
  package var decisions = PortDecisions()
  package var labels = MachineLabels()

  package init() {}

  /// Nil if it cannot be read. Nothing is allowed then.
  package init?(json: JSON) {
    guard let decisions = PortDecisions(json: json), let labels = MachineLabels(json: json.object?["labels"]) else {
      return nil
    }
    (self.decisions, self.labels) = (decisions, labels)
  }

  package var json: JSON { .object(decisions.json.merging(["labels": labels.json]) { first, _ in first }) }
}
