// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Systemd

/// Where a daemon leaves descriptors for the next one, like systemd's descriptor store.
@Loop
package final class FakeStore {
  package var descriptors: [StoredDescriptor] = []

  package nonisolated static func make() throws -> FakeStore { try onLoop { FakeStore() } }

  func take() -> [StoredDescriptor] {
    defer { descriptors = [] }
    return descriptors
  }
}
