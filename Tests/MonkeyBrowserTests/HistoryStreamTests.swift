// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import MonkeyBrowser

@Suite struct HistoryStreamTests {
  private let visits = Visit.invented(2000, .wiki, seed: "test")

  private func encoded(_ visits: [Visit]) throws -> Data {
    let stream = OutputStream(toMemory: ())
    stream.open()
    try HistoryStream.write(visits, to: stream)
    return try #require(stream.property(forKey: .dataWrittenToMemoryStreamKey) as? Data)
  }

  private func decoded(_ data: Data) throws -> [Visit] {
    let stream = InputStream(data: data)
    stream.open()
    return try HistoryStream.read(from: stream) { #expect($0 <= $1) }
  }

  @Test func aHistoryArrivesAsItWas() throws {
    let data = try encoded(visits)
    #expect(data.count > 200_000)
    #expect(try decoded(data) == visits)
    #expect(try decoded(try encoded([])) == [])
  }

  @Test func itMayComeInPiecesOfAnySize() throws {
    let bytes = Array(try encoded(Array(visits.prefix(3))))
    for size in 1...bytes.count {
      var decoder = HistoryDecoder()
      for start in stride(from: 0, to: bytes.count, by: size) { try decoder.receive(bytes[start...].prefix(size)) }
      #expect(try decoder.finish() == Array(visits.prefix(3)))
    }
  }

  @Test func whatEndsEarlyIsNoHistory() throws {
    let data = try encoded(Array(visits.prefix(2)))
    for length in 0..<data.count {
      #expect(throws: Refusal("The history is incomplete")) { try decoded(data.prefix(length)) }
    }
  }

  @Test(
    arguments: [
      "[]\n", "{}\n", #"{"version":2,"visits":0}"#, #"{"version":1,"visits":-1}"#, #"{"version":1,"visits":1000001}"#,
      "{\"version\":1,\"visits\":0}\n{}", "{\"version\":1,\"visits\":1}\n{}",
      "{\"version\":1,\"visits\":1}\n{\"url\":\"file:///etc/passwd\",\"title\":\"x\",\"time\":1}",
    ]
  )
  func whatIsNoHistory(text: String) {
    #expect(throws: Refusal("The received data is not a history")) { try decoded(Data("\(text)\n".utf8)) }
  }

  @Test func aLongLineIsNoHistory() {
    let text = String(repeating: "x", count: 20_000)
    #expect(throws: Refusal("The received data is not a history")) { try decoded(Data("\(text)\n".utf8)) }
  }
}
