// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Handoff
import Testing

@testable import BatonDaemon

/// The answers that are owed to local programs.
@Loop
struct ClientTests {
  @Test func anAnswerArrivesOnce() {
    let (clients, journal) = (WaitingClients(), Journal())
    let change = clients.add(journal.client(.change { journal.told.append("done") }))
    clients.answer(change, .done)
    clients.answer(change, .done)
    clients.answer(change, .failure(.limitReached))
    #expect(journal.told == ["done"])
  }

  @Test func aFailureAnswersEveryCall() {
    let (clients, journal) = (WaitingClients(), Journal())
    for client in journal.all { clients.answer(clients.add(client), .failure(.limitReached)) }
    #expect(journal.told == Array(repeating: "limitReached", count: 4))
  }

  @Test func anAnswerToAnotherCallIsAFailureAndNotSilence() throws {
    let (clients, journal) = (WaitingClients(), Journal())
    let record = try ActivityRecord(id: ActivityID(randomBytes: (1, 2)), activityType: "org.example.notes")
    for client in journal.all where client.wanted == nil {
      clients.answer(clients.add(client), .activity(record, device: "beta", origin: .unknown))
    }
    #expect(journal.told == Array(repeating: "internalFailure", count: 3))
  }

  @Test func whoIsToldGoesOnWaiting() {
    let (clients, journal) = (WaitingClients(), Journal())
    let id = clients.add(journal.client(.activity { _ in journal.told.append("told") }))
    for _ in 0..<2 { clients.tell(id, .willSave) }
    clients.answer(id, .failure(.shuttingDown))
    #expect(journal.told == ["told", "told", "shuttingDown"])
  }

  @Test func whoHasLeftIsNotAnswered() {
    let (clients, journal) = (WaitingClients(), Journal())
    let id = clients.add(journal.client(.change { journal.told.append("done") }))
    #expect(clients.left(id) && !clients.left(id))
    clients.answer(id, .done)
    #expect(journal.told.isEmpty)
  }

  /// An answer may let the program's next call in.
  @Test func anAnswerCanAddAClient() {
    let (clients, journal) = (WaitingClients(), Journal())
    let next = journal.client(.change {})
    let id = clients.add(journal.client(.change { journal.next = clients.add(next) }))
    clients.answer(id, .done)
    #expect(journal.next.map { clients[$0] != nil } == true)
  }
}

/// What clients were told.
@Loop
private final class Journal {
  var told: [String] = []
  var next: ClientID?

  func client(_ call: Client.Call) -> Client {
    Client(user: 1000, call) { self.told.append($0.rawValue) }
  }

  /// One client of each call.
  var all: [Client] {
    let wanted = Client.WantedActivity(activity: ActivityID(randomBytes: (1, 2)), peer: nil, device: "")
    return [
      client(.activity { _ in self.told.append("told") }),
      client(.change { self.told.append("done") }),
      client(.continuation(wanted) { _, _, _ in self.told.append("activity") }),
      client(.stream { _, _ in self.told.append("stream") }),
    ]
  }
}
