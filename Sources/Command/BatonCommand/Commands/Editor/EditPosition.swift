// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import EventLoop
import Glibc
import Hosts
import JSONCoding
import Localization

/// The place that `baton edit-position` offers, and what the command says about it.
@Loop
final class EditPosition {
  private let output: Output
  /// Whether places follow one another, so that another activity does not end the command.
  private let isFollowing: Bool
  private var held: HeldPosition?
  private var privacy = FilePrivacy.current
  private var title = ""

  init(socket: String?, output: Output, isFollowing: Bool) {
    (self.output, self.isFollowing) = (output, isFollowing)
    held = HeldPosition(socket: socket, documents: EditorDocuments(socket: socket))
    held?.onEvent = { [weak self] in self?.happened($0) }
  }

  func show(_ position: EditorPosition) {
    title = Printable.text(position.activityTitle)
    held?.show(position)
  }

  /// Shows a place that an editor says.
  ///
  /// - Parameter name: The absolute name that the editor said. It may be a link, whose own name counts, too.
  func follow(_ position: EditorPosition, named name: String) {
    guard privacy.isPrivate(name) else { return show(position) }
    output.note(localized("\(Printable.text(name)) is private, so it isn't offered."))
    held?.withdraw()
  }

  func end(_ status: ExitStatus, _ message: String?, reason: String? = nil) {
    held = nil
    if let message { output.fail(message, reason: reason) }
    exit(status.rawValue)
  }

  private func happened(_ event: HeldPosition.Event) {
    switch event {
    case .current: say(["event": "current"], localized("Offered: \(title)"))
    case .continued(let device):
      let name = Printable.text(device ?? localized("another machine"))
      say(["event": "continued", "device": device.map(JSON.string) ?? .null], localized("Continued on \(name)."))
    case .displaced(let reason):
      say(["event": "resigned", "reason": .string(reason.rawValue)], localized("No longer offered: \(title)"))
      if !isFollowing { end(ExitStatus(reason), reason.explanation, reason: reason.rawValue) }
    case .refused(let failure): end(ExitStatus(failure.reason), failure.message, reason: failure.reason.rawValue)
    }
  }

  private func say(_ json: JSON, _ text: String) {
    do { try output.result(json, text) } catch { end(.failure, nil) }
  }
}
