// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

/// What somebody asks is loud, and stays until it is answered.
struct QuestionTests {
  private static func files(_ number: Int, device: UInt8 = 0) -> OfferNotice {
    OfferNotice(
      id: OfferNotice.ID(activity: Machine.id(number), deviceID: Machine.device(device)),
      activityType: "io.baton.files",
      title: "notes-\(number).txt (2 kB)",
      device: "laptop",
      isSent: true
    )
  }

  /// A machine with a server, and what is shown there.
  private struct Desktop {
    var machine: Machine
    /// The oldest first.
    var shown: [(id: UInt32, content: NotificationContent)] = []
    var aloud: [String] = []
    var quiet: [String] = []
    let kept: Int
    private var lastNumber: UInt32 = 0

    init(name: String = "gnome-shell", version: String, kept: Int = .max) {
      machine = Machine()
      self.kept = kept
      _ = machine.handle(.offersChanged([Machine.offer(255)]))
      _ = machine.handle(.serverIs(ServerHabits(name: name, version: version)))
      _ = machine.handle(.serverReady)
      _ = machine.handle(.refused(1))
      _ = machine.handle(.offersChanged([]))
      _ = machine.pass(.seconds(20 * 60))
    }

    mutating func tell(_ event: Event) { take(machine.handle(event)) }

    mutating func pass(_ seconds: Int) { for _ in 0..<seconds * 2 { take(machine.pass(.milliseconds(500))) } }

    private mutating func take(_ effects: [Effect]) {
      for effect in effects {
        switch effect {
        case .show(let request, let content, let replaced, let isQuiet):
          if isQuiet { quiet.append(content.notice.title ?? "") } else { aloud.append(content.notice.title ?? "") }
          lastNumber += 1
          let id = replaced ?? lastNumber
          shown.removeAll { $0.id == id }
          let dropped = shown.count >= kept ? shown.removeFirst().id : nil
          shown.append((id, content))
          if let dropped { tell(.closed(dropped, isExpired: true)) }
          tell(.shown(request, id))
        case .close(let id):
          guard let index = shown.firstIndex(where: { $0.id == id }) else { continue }
          shown.remove(at: index)
          tell(.closed(id, isExpired: false))
        default: continue
        }
      }
    }
  }

  @Test func aQuestionAfterManyOffersIsLoud() {
    var desktop = Desktop(version: "48.4")
    var offers: [OfferNotice] = []
    for number in 0..<40 {
      offers = [Machine.offer(number)]
      desktop.tell(.offersChanged(offers))
      desktop.pass(5)
    }
    #expect(desktop.quiet.last == "Note 39")
    desktop.tell(.offersChanged(offers + [Self.files(100)]))
    desktop.pass(2)
    #expect(desktop.aloud.last == "notes-100.txt (2 kB)")
  }

  @Test func questionsHaveALimit() {
    var desktop = Desktop(version: "48.4")
    for number in 0..<60 {
      desktop.tell(.offersChanged([Self.files(number)]))
      desktop.pass(5)
    }
    let most = NotificationAllowance.questionBurst + Int(Duration.seconds(300) / NotificationAllowance.questionInterval)
    #expect(desktop.aloud.count <= most && desktop.aloud.count >= NotificationAllowance.questionBurst)
  }

  @Test func whatTheServerDropsIsShownAgain() {
    var desktop = Desktop(name: "another", version: "1")
    desktop.tell(.offersChanged([Self.files(1)]))
    let first = desktop.shown[0].id
    desktop.shown = []
    desktop.tell(.closed(first, isExpired: true))
    desktop.pass(2)
    #expect(desktop.shown.map(\.content.notice) == [Self.files(1)])
    // But not without end, if the server has a time of its own.
    for _ in 0..<100 {
      if let id = desktop.shown.popLast()?.id { desktop.tell(.closed(id, isExpired: true)) }
      desktop.pass(2)
    }
    #expect(desktop.quiet.count <= 4)
  }

  @Test func whatIsDismissedOrNoQuestionStaysAway() {
    var desktop = Desktop(name: "another", version: "1")
    desktop.tell(.offersChanged([Self.files(1), Machine.offer(2)]))
    desktop.pass(2)
    let numbers = desktop.shown.map(\.id)
    desktop.shown = []
    desktop.tell(.closed(numbers[0], isExpired: false))
    desktop.tell(.closed(numbers[1], isExpired: true))
    desktop.pass(600)
    #expect(desktop.shown.isEmpty)
  }

  @Test func aClickCountsThatIsToldAfterTheServerDroppedIt() {
    for event in [Event.invoked, Event.clicked, Event.declined] {
      var desktop = Desktop(name: "another", version: "1")
      desktop.tell(.offersChanged([Self.files(1)]))
      let id = desktop.shown[0].id
      desktop.shown = []
      // No second has passed, so it is not shown again yet.
      desktop.tell(.closed(id, isExpired: true))
      let effects = desktop.machine.handle(event(id))
      #expect(effects.first == .open(Self.files(1), token: nil) || effects.first == .decline(Self.files(1).id))
      desktop.pass(60)
      #expect(desktop.shown.isEmpty)
    }
  }

  @Test func aNumberIsOfOneOfferOnly() {
    var desktop = Desktop(name: "another", version: "1")
    desktop.tell(.offersChanged([Self.files(1)]))
    let id = desktop.shown[0].id
    // The server shows the second in place of the first, without a word.
    _ = desktop.machine.handle(.offersChanged([Self.files(1), Self.files(2)]))
    let (_, effects) = desktop.machine.passUntilEffect()
    guard case .show(let request, _, _, _)? = effects.first else {
      Issue.record("The second is not shown: \(effects)")
      return
    }
    _ = desktop.machine.handle(.shown(request, id))
    #expect(desktop.machine.handle(.invoked(id)).first == .open(Self.files(2), token: nil))
    desktop.shown = []
    desktop.pass(2)
    #expect(desktop.shown.map(\.content.notice) == [Self.files(1)])
  }

  @Test func anOldNumberCanBeThatOfAnotherOffer() {
    for _ in 0..<20 {
      var machine = Machine.ready()
      _ = machine.handle(.offersChanged([Machine.offer(1)]))
      _ = machine.handle(.shown(2, 7))
      _ = machine.handle(.closed(7, isExpired: false))
      _ = machine.handle(.offersChanged([Machine.offer(2), Machine.offer(1)]))
      _ = machine.passUntilEffect()
      _ = machine.handle(.shown(3, 7))
      #expect(machine.handle(.invoked(7)).first == .open(Machine.offer(2), token: nil))
    }
  }

  @Test func zeroIsNoNumber() {
    var machine = Machine.ready()
    _ = machine.handle(.offersChanged([Machine.offer(1), Machine.offer(2)]))
    for request: UInt64 in 2...3 {
      #expect(machine.handle(.shown(request, 0)).isEmpty)
      _ = machine.pass(.seconds(30))
    }
    #expect(machine.handle(.invoked(0)).isEmpty)
  }

  @Test func inGNOME43AllQuestionsAreShownOneAfterTheOther() {
    var desktop = Desktop(version: "43.9", kept: 3)
    var questions = (0..<7).map { Self.files($0) }
    desktop.tell(.offersChanged(questions))
    desktop.pass(60)
    var seen: Set<OfferNotice.ID> = []
    while !questions.isEmpty {
      #expect(desktop.shown.count == min(2, questions.count))
      let more = max(0, questions.count - 2)
      #expect(desktop.shown.map(\.content.more).max() == more)
      guard let next = desktop.shown.first?.content.notice else { break }
      seen.insert(next.id)
      questions.removeAll { $0.id == next.id }
      desktop.tell(.offersChanged(questions))
      desktop.pass(80)
    }
    #expect(seen.count == 7)
  }

  @Test func whatAskedWhileTheScreenWasLockedIsLoudAndTheRestIsNot() {
    var desktop = Desktop(version: "43.9", kept: 3)
    desktop.tell(.offersChanged([Self.files(1)]))
    desktop.tell(.locked(true))
    #expect(desktop.shown.isEmpty)
    desktop.tell(.offersChanged([Self.files(2), Self.files(1)]))
    desktop.pass(600)
    desktop.tell(.locked(false))
    desktop.pass(4)
    #expect(desktop.shown.count == 2)
    #expect(desktop.aloud == ["notes-1.txt (2 kB)", "notes-2.txt (2 kB)"])
    #expect(desktop.quiet == ["notes-1.txt (2 kB)"])
  }

  @Test func whereNothingIsQuietWhatWasShownDoesNotComeBack() {
    var desktop = Desktop(name: "dunst", version: "1.9.0")
    desktop.tell(.offersChanged([Machine.offer(1), Self.files(2)]))
    desktop.pass(4)
    desktop.tell(.locked(true))
    desktop.tell(.locked(false))
    desktop.pass(60)
    #expect(desktop.shown.map(\.content.notice) == [Self.files(2)])
  }

  @Test func aClickInAListWithoutButtonsAcceptsNothing() {
    var desktop = Desktop(version: "43.9", kept: 3)
    desktop.tell(.offersChanged([Self.files(1)]))
    let id = desktop.shown[0].id
    #expect(desktop.machine.handle(.clicked(id)).first == .close(id))
    _ = desktop.machine.handle(.closed(id, isExpired: false))
    let (_, effects) = desktop.machine.passUntilEffect()
    guard case .show(_, let content, replacing: nil, isQuiet: false)? = effects.first else {
      Issue.record("It is not shown with its buttons: \(effects)")
      return
    }
    #expect(content.kind == .question(isRead: true))
  }

  @Test func aClickWhereThereAreButtonsAccepts() {
    var desktop = Desktop(version: "48.4")
    desktop.tell(.offersChanged([Self.files(1)]))
    let id = desktop.shown[0].id
    #expect(desktop.machine.handle(.clicked(id)).first == .open(Self.files(1), token: nil))
  }

  @Test func inPlasmaAChangeWaitsUntilThePopupIsOver() {
    var desktop = Desktop(name: "Plasma", version: "5.27.5")
    desktop.tell(.offersChanged([Machine.offer(1, "One")]))
    desktop.tell(.offersChanged([Machine.offer(1, "Two")]))
    desktop.pass(6)
    #expect(desktop.quiet.isEmpty)
    desktop.pass(6)
    #expect(desktop.quiet == ["Two"])
  }

  @Test func theTextSaysHowManyMoreWait() {
    var content = NotificationContent(Self.files(1))
    content.more = 3
    let text = NotificationText(content, capabilities: ["body", "actions"])
    #expect(text.body == "Files, sent from laptop. 3 more are waiting.")
  }
}
