// SPDX-License-Identifier: Apache-2.0

import JSONCoding

/// How far one direction of a stream has come.
package struct Acknowledge: MessageBody {
  package static var type: UInt8 { StreamMessage.Number.acknowledge.rawValue }

  package var stream: UInt32
  package var progress: StreamFlow.Progress

  package init(stream: UInt32, progress: StreamFlow.Progress) {
    self.stream = stream
    self.progress = progress
  }

  private enum CodingKeys: CodingKey { case stream }

  /// The members of the progress are beside `stream`.
  package init(from decoder: any Decoder) throws {
    stream = try decoder.container(keyedBy: CodingKeys.self).decode(UInt32.self, forKey: .stream)
    progress = try StreamFlow.Progress(from: decoder)
  }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(stream, forKey: .stream)
    try progress.encode(to: encoder)
  }
}
