import TestSupport

/// A login manager on the test's bus: Tests/Lab/fake-logind.
final class FakeLogind {
  private let program: BusProgram

  init() throws { program = try BusProgram("fake-logind") }

  func obey(_ command: String) throws { try program.obey(command) }

  func expect(_ line: String) throws { try program.expect(line) }

  /// Whether it has said this line, and nobody waited for it.
  func hasSaid(_ line: String) -> Bool { program.unread.contains(line) }

  func end() { program.end() }
}
