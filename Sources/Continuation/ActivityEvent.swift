import Activity

/// What the app that holds an activity is told about it.
package enum ActivityEvent: Equatable, Sendable {
  case current
  case resigned(Reason)
  case willSave
  case continued(device: String)
  /// - Parameter token: The name of the stream, for accepting it.
  case streamRequested(token: String, device: String)
}
