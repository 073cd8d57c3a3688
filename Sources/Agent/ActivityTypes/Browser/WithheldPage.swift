/// Why the page in front of a browser is not offered, if that is for a reason that people do not expect.
package enum WithheldPage: String, CaseIterable, Sendable {
  /// Its host means another machine on each machine.
  case ofThisMachineOnly
  /// It could not be loaded.
  case failed
  /// Its address is longer than machines tell each other.
  case tooLong

  package var explanation: String {
    switch self {
    case .ofThisMachineOnly:
      "The page in front is not offered: it is of localhost, and another machine would look for it on itself."
    case .failed: "The page in front is not offered, because it could not be loaded."
    case .tooLong: "The page in front is not offered, because its address is too long."
    }
  }
}
