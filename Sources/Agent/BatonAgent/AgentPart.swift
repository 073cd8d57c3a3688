// SPDX-License-Identifier: Apache-2.0

import EventLoop

/// A part of the agent that lives as long as the agent. Everything is called on the loop.
@Loop
package protocol AgentPart: AnyObject {
  func start()

  /// Stops the part, which does nothing after this call.
  func stop()

  /// Stops the part if that takes a moment.
  ///
  /// - Parameter completion: Called once, soon; perhaps before this returns.
  func stop(_ completion: @escaping @Loop () -> Void)

  /// Called when other apps are installed than before.
  func applicationsChanged()
}

extension AgentPart {
  package func stop(_ completion: @escaping @Loop () -> Void) {
    stop()
    completion()
  }
}
