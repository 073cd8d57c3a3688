import Activity
import ControlInterface
import JSON
import TestSupport
import Testing

extension DaemonTests {
  struct ContinuationTests {
    @Test func anOfferIsContinuedWithItsPayload() async {
      await #expect(processExitsWith: .success) {
        try withTwoDaemons { a, b in
          var activity = ControlActivity(activityType: "org.example.notes")
          activity.title = "A note"
          activity.userInfo = ["text": "naïve ✓", "number": 7, "list": [1, nil, true]]
          activity.webpageURL = "https://example.org/note"
          let note = try a.advertise(activity)
          let offer = try b.waitForOffer(note.id, by: .session)
          #expect(offer.title == "A note")
          #expect(offer.device == "alpha")

          let reply = try b.continueActivity(note.id)
          activity.id = note.id
          #expect(reply == Continue.Reply(activity: activity, device: "alpha"))
          #expect(try note.expect(.continued).device == "beta")
          try b.waitForNoOffers()
        }
      }
    }
  }
}
