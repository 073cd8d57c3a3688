// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// Gives a host's place to the program of an upgrade, which replaces the file that the host runs from.
///
/// A host lives as long as a browser, a shell, an editor or a session of tmux. An upgrade restarts batond, so hosts
/// look when they are connected to it again. What the host is just doing is finished first.
@Loop
final class ProgramRenewal {
  private let file = RunningFile()
  private let isIdle: @Loop () -> Bool
  private let renew: @Loop (RunningFile) -> Void
  private var timer: EventLoop.Timer?

  /// The time until a host that was busy is asked again, or one that could not give its place away.
  private static let pause = Duration.seconds(30)

  /// - Parameters:
  ///   - isIdle: Whether nothing would be lost.
  ///   - renew: Ends the process, or makes it the new program.
  init(isIdle: @escaping @Loop () -> Bool, renew: @escaping @Loop (RunningFile) -> Void) {
    (self.isIdle, self.renew) = (isIdle, renew)
    timer = EventLoop.Timer { [weak self] in self?.check() }
  }

  func check() {
    guard file.isReplaced else { return }
    timer?.set(Loop.now + Self.pause)
    if isIdle() { renew(file) }
  }
}
