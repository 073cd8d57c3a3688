// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Desktop

struct MediaTypeTests {
  @Test func typesAreComparedInOneForm() throws {
    #expect(MediaType("Text/Plain; charset=\"UTF-8\"") == .text)
    #expect(MediaType("image/svg+xml")?.description == "image/svg+xml")
  }

  @Test(arguments: [
    "", "text", "text/", "/plain", "text/plain;", "text/plain;charset=", "text/plain;format=flowed", "a/b/c",
    "text/plain;charset=utf-8;x=y", "te\nxt/plain", "UTF8_STRING", "é/x", "text/\(String(repeating: "x", count: 200))",
  ])
  func otherTextsAreNone(_ text: String) { #expect(MediaType(text) == nil) }

  @Test func theParameterMayBeMissingInWhatIsWanted() throws {
    let types = try ["image/png", "text/plain;charset=utf-8"].map { try #require(MediaType($0)) }
    #expect(MediaType.choose(nil, from: types) == types[0])
    #expect(MediaType.choose("text/plain", from: types) == .text)
    #expect(MediaType.choose("text/plain;charset=utf-16", from: types) == nil)
    #expect(MediaType.choose("text/html", from: types) == nil)
  }

  @Test func typesAreGuessed() {
    #expect(MediaType.guess([]) == .text)
    #expect(MediaType.guess(Array("né".utf8)) == .text)
    #expect(MediaType.guess([0xFF, 0xFE]).description == "application/octet-stream")
    #expect(MediaType.guess([0x61, 0]).description == "application/octet-stream")
    #expect(MediaType.guess([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]).description == "image/png")
  }
}
