import Activity
import Continuation

extension ContinuationShell {
  /// Why nothing of the user is offered although apps hold activities; nil where nothing withholds them.
  func withholding(from user: UserID) -> Reason? { nil }
}
