// SPDX-License-Identifier: Apache-2.0

/// What to do with an input, and what must then hold. libFuzzer makes inputs out of others, and keeps those that reach
/// new code.
protocol Fuzzer: SendableMetatype {
  /// Real values to start with.
  static var seeds: [[UInt8]] { get throws }

  /// Words that libFuzzer inserts into inputs.
  static var words: [String] { get }

  /// The maximum length of an input, in bytes.
  static var length: Int { get }

  /// Traps or throws if something does not hold. The same input always does the same.
  static func run(_ input: [UInt8]) throws
}

extension Fuzzer {
  static var words: [String] { [] }

  /// This is as much as a peer sends in one go.
  static var length: Int { 16 * 1024 }
}

/// Stops the fuzzer if the condition does not hold. The input is kept.
func hold(_ condition: Bool, _ what: @autoclosure () -> String) {
  if !condition { fatalError(what()) }
}

/// Stops the fuzzer if two values differ.
func same<T: Equatable>(_ one: T, _ other: T, _ what: @autoclosure () -> String = "") {
  if one != other { fatalError("\(what()): \(one) is not \(other)") }
}
