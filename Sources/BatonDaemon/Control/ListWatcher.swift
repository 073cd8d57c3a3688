import Activity
import EventLoop

/// A client that gets a list whenever it changes.
@Loop
protocol ListWatcher: AnyObject {
  var user: UserID { get }
  /// The client has not read the list before.
  var isBehind: Bool { get }
  /// Gives the client the newest list if that differs from the one before.
  ///
  /// - Returns: The entries that this cost. The list itself counts as one.
  func update() -> Int
}
