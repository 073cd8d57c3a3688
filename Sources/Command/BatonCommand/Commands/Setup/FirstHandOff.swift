// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import Glibc
import JSONCoding
import Localization
import VarlinkClient

/// Waits until something was handed off between this machine and another one.
struct FirstHandOff {
  private let dialogue: SetupDialogue
  private let arguments: ParsedArguments

  /// How often to look whether something was handed off.
  private static let pollTime = Duration.milliseconds(500)

  init(_ dialogue: SetupDialogue, _ arguments: ParsedArguments) {
    self.dialogue = dialogue
    self.arguments = arguments
  }

  func run(_ report: inout SetupReport) throws {
    let peers = try arguments.connect().call(ListPeers.self, Nothing())
    let machines = peers.peers.map { Printable.text($0.device) }
    guard !machines.isEmpty else {
      let advice = localized("Install Baton on another machine and run `baton setup` there, then run it here again.")
      return try report.add(
        .init(.continuation, .note, localized("There's no other machine in your team yet."), advice: advice)
      )
    }
    guard dialogue.canAsk else { return }
    let names = machines.count == 1 ? machines[0] : localized("another machine")
    dialogue.output.paragraph(
      localized(
        """

        Try it: open a web page on \(names), or change to a directory in a terminal there.
        It's offered here within a second. Press Ctrl+C to stop; everything else is done.
        """
      )
    )
    try report.add(wait())
  }

  private func wait() throws -> Diagnose.Reply {
    let before = try counters()
    var replies = try offers()
    var shown: ControlOffer?
    while true {
      let now = try counters()
      if now[.activitiesContinued] > before[.activitiesContinued] {
        return .init(.continuation, .passed, localized("It works: you've continued something from another machine."))
      }
      if now[.activitiesHandedOver] > before[.activitiesHandedOver] {
        return .init(
          .continuation,
          .passed,
          localized("It works: another machine has continued what you offered here.")
        )
      }
      if let offer = try newest(&replies), offer.id != shown?.id || offer.title != shown?.title {
        shown = offer
        // Enter is for the offer that the person has read.
        dialogue.discardEarlierInput()
        let name = ActivityText.name(title: offer.title, type: offer.activityType)
        dialogue.output.paragraph(
          localized(
            "\(Printable.text(offer.device)) is offering \(name). Click its notification, or press Enter to continue it here."
          )
        )
      }
      if try dialogue.hasEnter(until: .now), let offer = shown {
        take(offer)
        // If it is still offered, it is shown again.
        (replies, shown) = (try offers(), nil)
      }
    }
  }

  /// The latest offer, if the list has changed. Waits a moment for that.
  private func newest(_ replies: inout ControlReplies<ListOffers>) throws -> ControlOffer? {
    do throws(ControlError) {
      guard let reply = try replies.next(until: .now + Self.pollTime) else { throw ControlError.disconnected }
      return reply.offers.first
    } catch {
      guard case .timedOut = error else { throw error }
      return nil
    }
  }

  private func offers() throws -> ControlReplies<ListOffers> {
    try arguments.connect().replies(of: ListOffers.self, ListOffers.Parameters())
  }

  private func counters() throws -> Counters {
    try arguments.connect().call(GetStatus.self, Nothing()).counters
  }

  /// Opens an offer as a click on its notification does, or continues it in this terminal. This has its own process: it
  /// may become an editor, and Ctrl+C is for it.
  private func take(_ offer: ControlOffer) {
    let socket = arguments.socket.map { ["--socket", $0] } ?? []
    let command = isForApp(offer) ? OpenCommand.words : ContinueCommand.words
    do {
      let words = [try OwnProgram.path()] + command + [offer.id.description] + socket
      _ = try ForegroundProgram.run(words)
    } catch {
      _ = Program.tell(error, dialogue.output)
    }
  }

  /// A directory, a terminal session or a text is for this terminal, and so is what nothing else here can show.
  private func isForApp(_ offer: ControlOffer) -> Bool {
    guard ActivityTakers.taker(of: offer.activityType, isJSON: false) == nil else { return false }
    let hasDesktop = getenv("WAYLAND_DISPLAY") != nil || getenv("DISPLAY") != nil
    return offer.hasApplication || offer.hasWebPage && hasDesktop
  }
}
