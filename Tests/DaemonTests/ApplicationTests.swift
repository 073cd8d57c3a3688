import Activity
import ControlClient
import ControlInterface
import TestSupport
import Testing

@testable import Daemon

extension DaemonTests {
  struct ApplicationTests {
    @Test func anOfferIsOpenedByTheAppThatRegisteredItsTypeLast() async {
      await #expect(processExitsWith: .success) {
        try withTwoDaemons { a, b in
          let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
          try b.waitForOffer(note.id)
          #expect(try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: note.id)) == .applicationNotFound)
          let types = [["org.example.notes"], ["org.example.pages", "org.example.notes"], ["org.example.pages"]]
          var applications = try types.map {
            try b.connect().replies(of: RegisterApplication.self, RegisterApplication.Parameters(activityTypes: $0))
          }
          for index in applications.indices {
            #expect(try applications[index].next(until: .now + patience)?.event == .registered)
          }
          _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id))
          let request = try applications[1].next(until: .now + patience)
          #expect(request?.id == note.id && request?.activityType == "org.example.notes")

          applications.remove(at: 1)
          try waitUntil("It is forgotten") { try onLoop { b.daemon.control?.launching.machine.applicationCount == 2 } }
          _ = try b.call(OpenOffer.self, OpenOffer.Parameters(id: note.id))
          #expect(try applications[0].next(until: .now + patience)?.event == .continueRequested)
          note.end()
          try b.waitForNoOffers()
          #expect(try b.failure(of: OpenOffer.self, OpenOffer.Parameters(id: note.id)) == .activityNotFound)
        }
      }
    }

    @Test func aListTellsWhenAProgramTakesAnOffer() async {
      await #expect(processExitsWith: .success) {
        try withTwoDaemons { a, b in
          let note = try a.advertise(ControlActivity(activityType: "org.example.notes"))
          try b.waitForOffer(note.id)
          var lists = try b.connect().replies(of: ListOffers.self, ListOffers.Parameters())
          func expect(_ hasApplication: Bool) throws {
            while try lists.next(until: .now + patience)?.offers.map(\.hasApplication) != [hasApplication] {}
          }
          try expect(false)
          let registration = RegisterApplication.Parameters(activityTypes: ["org.example.notes"])
          var application: ControlReplies<RegisterApplication>? = try b.connect()
            .replies(of: RegisterApplication.self, registration)
          #expect(try application?.next(until: .now + patience)?.event == .registered)
          try expect(true)
          application = nil
          try expect(false)
        }
      }
    }

    @Test func anAppRegistersAsManyTypesAsTheLimit() async {
      await #expect(processExitsWith: .success) {
        try withDaemons("alpha", network: false) { machines, _ in
          let types = (0...Limits.applicationTypes).map { "org.example.n\($0)" }
          var replies = try machines[0].connect().replies(
            of: RegisterApplication.self,
            RegisterApplication.Parameters(activityTypes: Array(types.dropLast()))
          )
          #expect(try replies.next(until: .now + patience)?.event == .registered)
          var refused = try machines[0].connect().replies(
            of: RegisterApplication.self,
            RegisterApplication.Parameters(activityTypes: types)
          )
          #expect(try reason { try refused.next(until: .now + patience) } == .limitReached)
        }
      }
    }
  }
}
