import Documents
import Testing

@testable import ActivityTypes

@Suite struct ShellTableTests {
  private var table = ShellTable()
  private var now = ContinuousClock.now

  private func place(_ directory: String, _ command: String? = nil) -> ShellTable.Place {
    ShellTable.Place(directory: directory, document: DocumentReference(path: directory), command: command)
  }

  private func question(_ directory: String) -> ShellTable.Question {
    ShellTable.Question(directory: directory, exclusions: [])
  }

  private mutating func handle(_ event: ShellTable.Event, isHeld: Bool = true) -> [ShellTable.Effect] {
    table.handle(event, isHeld: isHeld, at: now)
  }

  private mutating func prompt(_ shell: Int32, _ directory: String, isHeld: Bool = true) -> [ShellTable.Effect] {
    handle(.prompted(shell, terminal: Int(shell) * 10, ShellReport(directory: directory)), isHeld: isHeld)
  }

  /// The shell prompts in a directory that is described, and a pause follows.
  private mutating func settle(_ shell: Int32, _ directory: String) {
    #expect(prompt(shell, directory) == [.describe(question(directory))])
    #expect(handle(.described(question(directory), DocumentReference(path: directory))) == [.publish(place(directory))])
    now += ShellTable.pause
  }

  @Test mutating func theDirectoryOfAPromptIsPublishedOnce() {
    settle(1, "/a")
    #expect(prompt(1, "/a") == [])
    #expect(prompt(1, "/a", isHeld: false) == [.publish(place("/a"))])
  }

  @Test mutating func anOldDescriptionIsMadeAgain() {
    settle(1, "/a")
    now += ShellTable.freshness
    #expect(prompt(1, "/a") == [.describe(question("/a"))])
    #expect(handle(.described(question("/a"), DocumentReference(path: "/a"))) == [])
  }

  @Test mutating func oneDirectoryIsDescribedAtATime() {
    #expect(prompt(1, "/a") == [.describe(question("/a"))])
    #expect(prompt(2, "/b") == [])
    #expect(prompt(2, "/c") == [])
    #expect(handle(.described(question("/a"), DocumentReference(path: "/a"))) == [.describe(question("/c"))])
    #expect(handle(.described(question("/a"), DocumentReference(path: "/a"))) == [])
    #expect(handle(.described(question("/c"), DocumentReference(path: "/c"))) == [.publish(place("/c"))])
  }

  @Test mutating func whatIsExcludedWithdrawsTheOffer() {
    settle(1, "/a")
    #expect(prompt(1, "/b") == [.describe(question("/b"))])
    #expect(handle(.described(question("/b"), nil)) == [.withdraw])
    #expect(prompt(1, "/b") == [])
  }

  @Test mutating func messagesFollowAfterAPause() {
    settle(1, "/a")
    #expect(prompt(1, "/a", isHeld: false) == [.publish(place("/a"))])
    #expect(prompt(1, "/a", isHeld: false) == [.wake(at: now + ShellTable.pause)])
    #expect(prompt(1, "/a", isHeld: false) == [])
    now += ShellTable.pause
    #expect(handle(.wake, isHeld: false) == [.publish(place("/a"))])
  }

  @Test mutating func theEndOfTheCurrentShellWithdraws() {
    settle(1, "/a")
    settle(2, "/b")
    #expect(handle(.ended(1)) == [])
    #expect(handle(.ended(2)) == [.withdraw])
    #expect(handle(.wake) == [])
  }

  @Test mutating func theFocusChoosesTheLastShellOfATerminal() {
    settle(1, "/a")
    settle(2, "/b")
    #expect(handle(.focused(terminal: 10)) == [.describe(question("/a"))])
    #expect(handle(.described(question("/a"), DocumentReference(path: "/a"))) == [.publish(place("/a"))])
    #expect(handle(.focused(terminal: 99)) == [])
  }

  @Test mutating func theLastCommandStaysUntilTheNext() {
    let first = ShellReport(directory: "/a", command: "make")
    #expect(handle(.prompted(1, terminal: 0, first)) == [.describe(question("/a"))])
    let document = DocumentReference(path: "/a")
    #expect(handle(.described(question("/a"), document)) == [.publish(place("/a", "make"))])
    now += ShellTable.pause
    #expect(prompt(1, "/a") == [])
  }
}
