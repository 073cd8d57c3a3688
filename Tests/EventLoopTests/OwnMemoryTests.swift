// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Foundation
import TestSupport
import Testing

@Suite(.isolated) struct OwnMemoryTests {
  /// The pages of files that are in this process's memory (proc(5)).
  private static func filePages() throws -> Int {
    let fields = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8).split(separator: " ")
    return try #require(fields.dropFirst(2).first.flatMap { Int($0) })
  }

  @Test func codeLeavesTheMemoryAndStillRuns() throws {
    let before = try Self.filePages()
    let written = Array("what was written to stays".utf8)
    OwnMemory.giveBack()
    #expect(try Self.filePages() < before)
    #expect(String(decoding: written, as: UTF8.self) == "what was written to stays")
    #expect(NSString(string: "file.tar.gz").pathExtension == "gz")
  }
}
