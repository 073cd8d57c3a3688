/// What is done with an input, and what must hold then. libFuzzer makes inputs out of others, and keeps those that get to
/// code where none has been.
protocol Fuzzer: SendableMetatype {
  /// Real values to begin with.
  static var seeds: [[UInt8]] { get throws }

  /// What inputs are made of: libFuzzer puts them in.
  static var words: [String] { get }

  /// Bytes of an input, at most.
  static var length: Int { get }

  /// Traps, or throws, where something does not hold. The same input does the same each time.
  static func run(_ input: [UInt8]) throws
}

extension Fuzzer {
  static var words: [String] { [] }

  /// As long as what a peer sends at once.
  static var length: Int { 16 * 1024 }
}

/// Stops the fuzzer, which keeps the input.
func hold(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}

/// Stops the fuzzer where two values differ.
func same<T: Equatable>(_ one: T, _ other: T, _ what: @autoclosure () -> String = "") {
  if one != other { fatalError("\(what()): \(one) is not \(other)") }
}
