import JSON
import Varlink

/// One method of org.varlink.certification: the client must call it after the one before, with what that one gave.
protocol Step: Method where Parameters == Arguments, Reply == Arguments {
  static var mode: Call.Mode { get }
  /// Without `client_id`.
  static var wants: [String: JSON] { get }
  /// One reply, or with `more` several.
  static var gives: [[String: JSON]] { get }
}

extension Step {
  static var name: String { "org.varlink.certification.\(Self.self)" }
  static var mode: Call.Mode { .single }
}
