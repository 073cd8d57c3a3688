import Activity
import JSONCoding
import Varlink

extension Members {
  /// Returns one of the values of an enumeration.
  ///
  /// - Throws: `InvalidParameter` if the member is absent, null or not one of the values.
  package mutating func choice<T: RawRepresentable<String>>(
    _ name: String,
    _: T.Type = T.self
  ) throws(InvalidParameter) -> T {
    try required(name) { $0.string.flatMap(T.init(rawValue:)) }
  }

  /// Returns a reason. A newer daemon's reason that this program does not know becomes `internalFailure`.
  package mutating func reason(_ name: String) throws(InvalidParameter) -> Reason? {
    try optional(name) { $0.string.map { Reason(rawValue: $0) ?? .internalFailure } }
  }

  /// Returns an integer from 0 to the maximum of `T`.
  package mutating func count<T: FixedWidthInteger>(_ name: String, _: T.Type = T.self) throws(InvalidParameter) -> T {
    try required(name) { $0.uint64.flatMap(T.init(exactly:)) }
  }

  /// Returns a text that is not empty and has at most `Limits.passphraseLength` bytes.
  package mutating func passphrase(_ name: String) throws(InvalidParameter) -> String {
    guard let passphrase = try optionalPassphrase(name) else { throw InvalidParameter(name) }
    return passphrase
  }

  /// Returns such a text, or nil if the member is absent.
  package mutating func optionalPassphrase(_ name: String) throws(InvalidParameter) -> String? {
    try optional(name) { json in
      json.string.flatMap { (1...Limits.passphraseLength).contains($0.utf8.count) ? $0 : nil }
    }
  }

  package mutating func activityID(_ name: String) throws(InvalidParameter) -> ActivityID {
    try required(name) { $0.string.flatMap(ActivityID.init(text:)) }
  }

  package mutating func deviceID(_ name: String) throws(InvalidParameter) -> DeviceID {
    try required(name) { $0.string.flatMap(DeviceID.init(text:)) }
  }

  package mutating func optionalDeviceID(_ name: String) throws(InvalidParameter) -> DeviceID? {
    try optional(name) { $0.string.flatMap(DeviceID.init(text:)) }
  }
}
