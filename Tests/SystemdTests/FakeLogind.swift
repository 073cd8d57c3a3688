// SPDX-License-Identifier: Apache-2.0

import TestSupport

/// A login manager on the test's bus: the program Tests/Lab/fake-logind.
final class FakeLogind {
  private let program: BusProgram

  init() throws { program = try BusProgram("fake-logind") }

  func obey(_ command: String) throws { try program.obey(command) }

  func expect(_ line: String) throws { try program.expect(line) }

  /// Whether it has printed this line without anybody waiting for it.
  func hasSaid(_ line: String) -> Bool { program.unread.contains(line) }

  func end() { program.end() }
}
