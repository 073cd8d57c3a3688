// SPDX-License-Identifier: Apache-2.0

extension MediaType {
  /// What the first bytes of files say about their type.
  private static let beginnings: KeyValuePairs<[UInt8], String> = [
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]: "image/png",
    [0xFF, 0xD8, 0xFF]: "image/jpeg",
    Array("GIF8".utf8): "image/gif",
    Array("%PDF-".utf8): "application/pdf",
    [0x50, 0x4B, 0x03, 0x04]: "application/zip",
    [0x1F, 0x8B]: "application/gzip",
  ]

  /// The type of content whose type nobody gives.
  package static func guess(_ content: [UInt8]) -> MediaType {
    let known = beginnings.first { content.starts(with: $0.key) }.flatMap { MediaType($0.value) }
    if let known { return known }
    let isText = !content.contains(0) && String(validating: content, as: UTF8.self) != nil
    return isText ? .text : MediaType("application/octet-stream") ?? .text
  }
}
