// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// The framing of messages between a browser and a program on the same machine: the length as 32 bits in the machine's
/// byte order, and JSON.
package struct NativeMessageDecoder {
  package enum Failure: Error, Equatable {
    case tooLong(UInt32)
  }

  private var buffer: [UInt8] = []

  package init() {}

  package mutating func receive(_ bytes: some Sequence<UInt8>) { buffer += bytes }

  /// Takes the next whole message. Nil if there is none yet. What is no JSON is skipped: Firefox passes on half a
  /// character of a page's title as it is.
  package mutating func next() throws(Failure) -> JSON? {
    while true {
      let head = buffer.prefix(4)
      guard head.count == 4 else { return nil }
      // The machines that Baton runs on have the lowest byte first.
      let length = head.reversed().reduce(UInt32(0)) { $0 &<< 8 | UInt32($1) }
      guard length <= BrowserLimits.incomingLength else { throw .tooLong(length) }
      let body = buffer.dropFirst(4).prefix(Int(length))
      guard body.count == length else { return nil }
      let json = try? JSON(parsing: body, depth: BrowserLimits.depth)
      buffer.removeFirst(4 + body.count)
      if let json { return json }
    }
  }
}

extension JSON {
  /// The message's bytes for the browser. Nil if it is longer than browsers accept.
  package var nativeMessage: [UInt8]? {
    let body = bytes
    guard body.count <= BrowserLimits.outgoingLength else { return nil }
    let length = UInt32(body.count)
    return [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: length &>> $0) } + body  // Checked: lists.
  }
}
