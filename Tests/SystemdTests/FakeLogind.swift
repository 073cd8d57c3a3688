import TestSupport

/// A login manager on the test's bus: Tests/Lab/fake-logind.
final class FakeLogind: BusProgram {
  init() throws { try super.init("fake-logind") }
}
