// SPDX-License-Identifier: Apache-2.0

/// Announces to GNOME's compositor, in its extension gtk_shell1 of Wayland's protocol, that a program is starting
/// because a person has just clicked on something. A window of that program may then take the focus: the name of the
/// launch is its activation token.
///
/// GNOME Shell 43 gives no token with a click on a notification, and only a time with one on a search result.
package struct LaunchAnnouncement {
  package enum Outcome: Equatable, Sendable {
    case announced
    /// The compositor has no such extension, or what it says cannot be read.
    case impossible
  }

  /// The name of the launch, which becomes a token.
  package let name: String
  private var received: [UInt8] = []
  private var hasShell = false
  private var isSent = false

  /// The objects of the connection, by their numbers.
  private enum Object {
    static let display: UInt32 = 1
    static let registry: UInt32 = 2
    static let listed: UInt32 = 3
    static let shell: UInt32 = 4
    static let announced: UInt32 = 5
  }

  private static let interface = "gtk_shell1"
  /// The first that has `notify_launch`.
  private static let version: UInt32 = 3
  /// The maximum length of a message, in bytes. Compositors send no longer ones.
  private static let messageLength = 4096

  /// - Parameters:
  ///   - identifier: A text that no other launch has: letters, digits and hyphens.
  ///   - time: Now, in milliseconds of the monotonic clock. The compositor compares it with the person's last click.
  package init(identifier: String, time: UInt32) { name = "baton-\(identifier)_TIME\(time)" }

  /// What to write first: asks what the compositor can do.
  package var beginning: [UInt8] {
    Self.message(to: Object.display, 1, Self.number(Object.registry))
      + Self.message(to: Object.display, 0, Self.number(Object.listed))
  }

  /// Reads what the compositor has sent.
  ///
  /// - Returns: What to write, and the outcome as soon as it is known.
  package mutating func receive(_ bytes: some Sequence<UInt8>) -> (reply: [UInt8], outcome: Outcome?) {
    received += bytes
    var reply: [UInt8] = []
    while received.count >= 8 {
      let object = Self.number(received, at: 0)
      let (length, code) = { (Int($0 >> 16), $0 & 0xFFFF) }(Self.number(received, at: 4))
      guard length >= 8, length % 4 == 0, length <= Self.messageLength else { return (reply, .impossible) }
      guard received.count >= length else { break }
      let content = Array(received[8..<length])
      received.removeFirst(length)
      switch (object, code) {
      case (Object.display, 0): return (reply, .impossible)
      case (Object.registry, 0) where !hasShell:
        guard let shell = Self.shell(content) else { continue }
        hasShell = true
        reply += Self.message(to: Object.registry, 0, shell)
      case (Object.listed, 0) where !isSent:
        guard hasShell else { return (reply, .impossible) }
        isSent = true
        reply += Self.message(to: Object.shell, 3, Self.text(name))
        reply += Self.message(to: Object.display, 0, Self.number(Object.announced))
      case (Object.announced, 0) where isSent: return (reply, .announced)
      default: break
      }
    }
    return (reply, nil)
  }

  /// Returns the arguments that bind the extension if this is what the registry offers.
  private static func shell(_ content: [UInt8]) -> [UInt8]? {
    let text = text(interface)
    guard content.count == 4 + text.count + 4, content[4...].starts(with: text),
      number(content, at: 4 + text.count) >= version
    else { return nil }
    return content[..<4] + text + number(version) + number(Object.shell)
  }

  // MARK: The bytes of the protocol, in the machine's order: all that Baton is made for begin with the lowest

  private static func message(to object: UInt32, _ code: UInt32, _ content: [UInt8]) -> [UInt8] {
    number(object) + number(UInt32(truncatingIfNeeded: 8 + content.count) << 16 | code) + content
  }

  private static func number(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
  }

  private static func number(_ bytes: [UInt8], at index: Int) -> UInt32 {
    bytes[index..<(index + 4)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The length with the zero at the end, the text, and zeros up to a multiple of four bytes.
  private static func text(_ text: String) -> [UInt8] {
    let count = text.utf8.count + 1
    return number(UInt32(truncatingIfNeeded: count)) + text.utf8 + [UInt8](repeating: 0, count: 1 + (4 - count % 4) % 4)
  }
}
