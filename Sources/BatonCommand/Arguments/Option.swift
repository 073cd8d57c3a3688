/// A long option of a verb.
struct Option {
  let name: String
  /// The value's name in the help; nil for an option without a value.
  let placeholder: String?
  let mayRepeat: Bool
  /// The maximum length of the value.
  let limit: LengthLimit
  let help: String

  static func flag(_ name: String, _ help: String) -> Option {
    Option(name: name, placeholder: nil, mayRepeat: true, limit: .other, help: help)
  }

  static func value(_ name: String, _ placeholder: String, _ help: String, limit: LengthLimit = .other) -> Option {
    Option(name: name, placeholder: placeholder, mayRepeat: false, limit: limit, help: help)
  }

  /// An option with a value that can be repeated.
  static func values(_ name: String, _ placeholder: String, _ help: String, limit: LengthLimit = .other) -> Option {
    Option(name: name, placeholder: placeholder, mayRepeat: true, limit: limit, help: help)
  }

  var usage: String { "--\(name)" + (placeholder.map { " \($0)" } ?? "") }
}
