// SPDX-License-Identifier: Apache-2.0

extension Reason: Codable {
  /// Reads the name of a reason. The name of a newer program's reason, which this one does not know, becomes
  /// `internalFailure`.
  package init(from decoder: any Decoder) throws {
    self = Reason(rawValue: try String(from: decoder)) ?? .internalFailure
  }
}
