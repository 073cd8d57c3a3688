// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding

/// What a machine asks for through the stream of an activity: one line.
package enum DocumentRequest: String, CaseIterable, Sendable {
  /// The file as it is on the disk.
  case document
  /// The text of the editor, which is not saved.
  case unsavedText
  /// The state of a page that does not fit in `userInfo`: JSON.
  case pageState
  /// Nothing: what is played cannot be opened here, so the origin offers it again. The answer is empty.
  case offerAgain

  /// The maximum length of a line in bytes, with its end.
  package static let lineLength = 4096

  /// The line that asks for it, with its end.
  package var line: [UInt8] { JSON.object(["get": .string(rawValue)]).bytes + [0x0A] }

  /// - Parameter line: Without its end. Nil if it is not a request that this version knows.
  package init?(line: some Collection<UInt8>) {
    guard line.count < Self.lineLength, let json = try? JSON(parsing: line, depth: 4),
      let name = json.object?["get"]?.string
    else { return nil }
    self.init(rawValue: name)
  }
}

/// What comes before the bytes of an answer: one line.
package struct DocumentHeader: Structure {
  /// The number of bytes that follow.
  @Coded<Count> package var size: Int
  @Coded<SHA256Text> package var sha256: String
  /// Of unsaved text: the hash of the file that it was made from.
  @Coded<SHA256Text?> package var baseSHA256: String?

  package init(size: Int, sha256: String, baseSHA256: String? = nil) {
    self.size = size
    self.sha256 = sha256
    self.baseSHA256 = baseSHA256
  }
}

/// Why there is no answer.
package enum DocumentRefusal: String, CaseIterable, Error, Sendable {
  /// There is no such document, or no unsaved text.
  case notAvailable
  case tooLarge
  /// The origin does not know the request.
  case unknownRequest

  package var line: [UInt8] { JSON.object(["reason": .string(rawValue)]).bytes + [0x0A] }
}

extension DocumentHeader {
  package var line: [UInt8] { json.bytes + [0x0A] }

  /// - Parameter line: Without its end. Nil if it is neither a header nor a refusal. A reason that is not known counts
  ///   as `notAvailable`.
  package static func read(line: some Collection<UInt8>) -> Result<DocumentHeader, DocumentRefusal>? {
    guard line.count < DocumentRequest.lineLength, let json = try? JSON(parsing: line, depth: 4) else { return nil }
    if let reason = json.object?["reason"]?.string {
      return .failure(DocumentRefusal(rawValue: reason) ?? .notAvailable)
    }
    return DocumentHeader(json: json).map(Result.success)
  }
}
