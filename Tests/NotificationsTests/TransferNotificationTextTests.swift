// SPDX-License-Identifier: Apache-2.0

import Activity
import Testing

@testable import Desktop

struct TransferNotificationTextTests {
  private func text(
    _ state: TransferNotice.State,
    isSending: Bool = false,
    title: String = "a & b (1.0 GB)",
    _ capabilities: Set<String> = ["actions", "body", "body-markup"]
  ) throws -> TransferNotificationText {
    let device = try #require(DeviceID(bytes: [UInt8](repeating: 1, count: 32)))
    let notice = TransferNotice(
      id: ActivityID(randomBytes: (1, 1)),
      deviceID: device,
      device: "laptop",
      isSending: isSending,
      title: title,
      state: state
    )
    return TransferNotificationText(notice, capabilities: capabilities)
  }

  @Test func progressSpeedAndTimeLeft() throws {
    let text = try text(.running(percent: 34, speed: 56_200_000, timeLeft: 12))
    #expect(text.summary == "Receiving from laptop")
    #expect(text.body == "a &amp; b (1.0 GB): 34%, 56.2 MB/s, 12 s left")
    #expect(text.percent == 34)
    #expect(text.actions.map(\.label) == ["Close", "Stop"])
  }

  @Test func howItEnded() throws {
    #expect(try text(.done(omitted: 0), isSending: true).summary == "Sent to laptop")
    #expect(try text(.done(omitted: 0), isSending: true).actions.map(\.key) == ["default"])
    #expect(try text(.done(omitted: 0)).actions.map(\.key) == ["default", "open"])
    #expect(try text(.done(omitted: 2)).body.contains("2 files couldn't be transferred. Run"))
    #expect(try text(.failed(why: "The receiving machine's disk is full.")).body.hasSuffix("disk is full."))
  }

  @Test func theSenderSeesWhoMustAccept() throws {
    let text = try text(.asking, isSending: true, title: "notes.txt (2 kB)")
    #expect(text.summary == "Waiting for laptop to accept")
    #expect(text.body == "notes.txt (2 kB)")
    #expect(text.actions.map(\.label) == ["Close", "Stop"])
  }

  /// In GNOME, a click on a notification without a default action starts the agent, and removes all its notifications.
  @Test(arguments: [
    TransferNotice.State.asking, .running(percent: 1, speed: nil, timeLeft: nil), .done(omitted: 0),
    .failed(why: "No."),
  ])
  func eachHasADefaultAction(state: TransferNotice.State) throws {
    for isSending in [true, false] {
      #expect(try text(state, isSending: isSending).actions.contains { $0.key == "default" })
    }
  }

  @Test(arguments: [(0, "0 s"), (59, "59 s"), (60, "1 min"), (95, "2 min"), (3599, "1 h 0 min"), (7500, "2 h 5 min")])
  func times(seconds: Int, text: String) { #expect(TransferNotificationText.time(seconds) == text) }

  @Test func whatMisleadsIsShownEscaped() throws {
    let text = try text(.done(omitted: 0), title: "gpj.\u{202E}txt\nb")
    #expect(!text.body.unicodeScalars.contains("\u{202E}"))
    #expect(!text.body.contains("\n"))
  }
}
