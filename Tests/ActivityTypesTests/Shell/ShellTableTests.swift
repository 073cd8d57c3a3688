// SPDX-License-Identifier: Apache-2.0

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

  private mutating func prompt(
    _ shell: Int32,
    _ directory: String,
    after command: String? = nil,
    isHeld: Bool = true
  ) -> [ShellTable.Effect] {
    let report = ShellReport(directory: directory, command: command)
    return handle(.prompted(shell, terminal: Int(shell) * 10, report), isHeld: isHeld)
  }

  /// The directory of the current shell is described, or excluded.
  private mutating func describe(_ directory: String, isExcluded: Bool = false) -> [ShellTable.Effect] {
    now += ShellTable.pause
    return handle(.described(question(directory), isExcluded ? nil : DocumentReference(path: directory)))
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

  @Test mutating func aCommandThatEndsWhereNobodyTypesChangesNothing() {
    settle(1, "/a")
    settle(2, "/b")
    let minute = Duration.seconds(60)
    #expect(handle(ended(1, "/c", idle: minute, othersIdle: .zero)) == [])
    #expect(handle(.ended(1)) == [])
    // The shell is current here, and another activity is on the machine.
    #expect(!table.wasDisplaced)
    #expect(handle(.displaced, isHeld: false) == [])
    #expect(table.wasDisplaced)
    #expect(handle(ended(2, "/b", idle: minute), isHeld: false) == [])
    #expect(handle(.wake, isHeld: false) == [])
    #expect(prompt(2, "/b", isHeld: false) == [.publish(place("/b"))])
  }

  @Test mutating func aCommandThatEndsWhileTheBrowserIsUsedTakesNoPlace() {
    settle(1, "/a")
    #expect(handle(.displaced, isHeld: false) == [])
    now += .seconds(100)
    // Typed after everything that is known, but then the user has turned to the page again, which is still offered.
    for idle in [Duration.seconds(60), .seconds(10), .seconds(3)] {
      #expect(handle(ended(1, "/a", idle: idle, isBrowserUsed: true), isHeld: false) == [])
    }
    // Typed just now: the browser has not yet said that it has lost the focus.
    let typed = ended(1, "/b", idle: .seconds(1), isBrowserUsed: true)
    #expect(handle(typed, isHeld: false) == [.describe(question("/b"))])
  }

  @Test mutating func lateNewsOfAnEarlierOfferChangesNothing() {
    settle(1, "/a")
    #expect(handle(.displaced, isHeld: true) == [])
    #expect(prompt(1, "/private") == [.describe(question("/private"))])
    #expect(describe("/private", isExcluded: true) == [.withdraw])
  }

  @Test mutating func lateNewsOfAWithdrawalTakesNoFocus() {
    settle(1, "/a")
    #expect(prompt(1, "/private") == [.describe(question("/private"))])
    #expect(describe("/private", isExcluded: true) == [.withdraw])
    #expect(prompt(1, "/b", isHeld: false) == [.describe(question("/b"))])
    // The daemon says it only now.
    #expect(handle(.displaced, isHeld: false) == [])
    #expect(describe("/b") == [.publish(place("/b"))])
    // The same when a terminal is closed.
    #expect(handle(.ended(1)) == [.withdraw])
    #expect(prompt(2, "/c", isHeld: false) == [.describe(question("/c"))])
    #expect(handle(.displaced, isHeld: false) == [])
    #expect(describe("/c") == [.publish(place("/c"))])
  }

  @Test mutating func aLongCommandThatTheUserWaitsForCounts() {
    settle(1, "/a")
    settle(2, "/b")
    #expect(handle(.displaced, isHeld: false) == [])
    now += .seconds(100)
    // Typed after everything else.
    #expect(
      handle(ended(1, "/a", idle: .seconds(60), othersIdle: .seconds(90)), isHeld: false) == [.describe(question("/a"))]
    )
    #expect(describe("/a") == [.publish(place("/a"))])
    // The kernel's steps are too long to tell.
    #expect(handle(ended(2, "/a", idle: .seconds(60), othersIdle: .seconds(65))) == [])
    #expect(handle(.ended(2)) == [])
  }

  /// A command has ended.
  private func ended(
    _ shell: Int32,
    _ directory: String,
    idle: Duration,
    othersIdle: Duration? = nil,
    isBrowserUsed: Bool = false
  ) -> ShellTable.Event {
    let report = ShellReport(directory: directory)
    let terminal = Int(shell) * 10
    return .prompted(
      shell,
      terminal: terminal,
      idle: idle,
      othersIdle: othersIdle,
      isBrowserUsed: isBrowserUsed,
      report
    )
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
    settle(1, "/a")
    #expect(prompt(1, "/a", after: "make") == [.publish(place("/a", "make"))])
    now += ShellTable.pause
    #expect(prompt(1, "/a") == [])
    #expect(prompt(1, "/a", after: "make") == [])
    #expect(prompt(1, "/a", after: "ls") == [.publish(place("/a", "ls"))])
  }

  @Test mutating func aCommandIsToldWithTheDirectoryThatItLeadsTo() {
    settle(1, "/a")
    #expect(prompt(1, "/b", after: "cd /b") == [.describe(question("/b"))])
    #expect(describe("/b") == [.publish(place("/b", "cd /b"))])
  }

  @Test mutating func aCommandStaysInItsDirectory() {
    settle(1, "/a")
    #expect(prompt(1, "/a", after: "make") == [.publish(place("/a", "make"))])
    #expect(prompt(1, "/b") == [.describe(question("/b"))])
    #expect(describe("/b") == [.publish(place("/b"))])
    now += ShellTable.pause
    #expect(prompt(1, "/b", after: "make") == [])
  }

  @Test mutating func whatWasTypedInAnExcludedDirectoryIsNeverTold() {
    settle(1, "/a")
    #expect(prompt(1, "/secret", after: "cd /secret") == [.describe(question("/secret"))])
    #expect(describe("/secret", isExcluded: true) == [.withdraw])
    #expect(prompt(1, "/secret", after: "vi plan") == [])
    #expect(prompt(1, "/a", after: "cp plan /a; cd /a") == [.describe(question("/a"))])
    #expect(describe("/a") == [.publish(place("/a"))])
    now += ShellTable.pause
    #expect(prompt(1, "/a", after: "cp plan /a; cd /a") == [])
    #expect(prompt(1, "/a", after: "make") == [.publish(place("/a", "make"))])
  }

  /// To `String`, both names of the directory are equal.
  @Test mutating func twoWaysToWriteADirectoryAreTwo() {
    let (open, secret) = ("/\u{E9}", "/e\u{301}")
    settle(1, open)
    #expect(prompt(1, secret, after: "cd it") == [.describe(question(secret))])
    #expect(describe(secret, isExcluded: true) == [.withdraw])
    #expect(prompt(1, secret, after: "vi plan") == [])
    #expect(prompt(1, open, after: "cd ..") == [.describe(question(open))])
    #expect(question(open) != question(secret))
    #expect(describe(open) == [.publish(place(open))])
    // And so is what is excluded.
    let excluding = ShellTable.Question(directory: "/a", exclusions: [open])
    #expect(excluding != ShellTable.Question(directory: "/a", exclusions: [secret]))
    #expect(place(open) != place(secret))
  }

  @Test mutating func whatWasTypedInAnUnknownDirectoryIsNotTold() {
    #expect(prompt(1, "/a", after: "before the host started") == [.describe(question("/a"))])
    #expect(prompt(1, "/b", after: "before /a was described") == [])
    #expect(describe("/a") == [.describe(question("/b"))])
    #expect(describe("/b") == [.publish(place("/b"))])
  }

  @Test mutating func aDirectoryThatBecomesExcludedTakesItsCommandAlong() {
    settle(1, "/a")
    #expect(prompt(1, "/a", after: "make") == [.publish(place("/a", "make"))])
    now += ShellTable.freshness
    #expect(prompt(1, "/a") == [.describe(question("/a"))])
    #expect(describe("/a", isExcluded: true) == [.withdraw])
    #expect(prompt(1, "/a", after: "vi plan") == [])
    now += ShellTable.freshness
    #expect(prompt(1, "/a", after: "vi plan") == [.describe(question("/a"))])
    #expect(describe("/a") == [.publish(place("/a"))])
  }
}
