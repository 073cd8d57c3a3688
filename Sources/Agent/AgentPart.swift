import EventLoop

/// A part of the agent that lives as long as it does. Everything is called on the loop.
@Loop
package protocol AgentPart: AnyObject {
  func start()

  /// Nothing is done after this call.
  func stop()

  /// The same where it takes a moment.
  ///
  /// - Parameter completion: Called once, soon; perhaps before this returns.
  func stop(_ completion: @escaping @Loop () -> Void)

  /// Other apps are installed than before.
  func applicationsChanged()
}

extension AgentPart {
  package func stop(_ completion: @escaping @Loop () -> Void) {
    stop()
    completion()
  }
}
