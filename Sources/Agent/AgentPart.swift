import EventLoop

/// A part of the agent that lives as long as it does. Everything is called on the loop.
@Loop
package protocol AgentPart: AnyObject {
  func start()

  /// Nothing is done after this call.
  func stop()

  /// Other apps are installed than before.
  func applicationsChanged()
}
