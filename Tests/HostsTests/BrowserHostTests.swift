// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import EventLoop
import Glibc
import Hosts
import JSONCoding
import TestSupport
import Testing

/// A host without a daemon, and the browser's ends of its pipes.
@Loop
private final class Browser {
  private(set) var host: BrowserHost?
  /// Nil as long as the host runs; then what was wrong.
  private(set) var ending: String??
  private(set) var faults: [String] = []
  private let input: Int32
  private let output: Int32

  init() {
    var toHost: [Int32] = [-1, -1]
    var fromHost: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    _ = socketpair(AF_UNIX, kind, 0, &toHost)
    _ = socketpair(AF_UNIX, kind | Int32(SOCK_NONBLOCK.rawValue), 0, &fromHost)
    input = toHost[1]
    output = fromHost[0]
    let path = "/nonexistent/baton.sock"
    host = BrowserHost(path: path, input: toHost[0], output: fromHost[1]) { [weak self] fault in
      self?.faults.append(fault)
    } onEnd: { [weak self] fault in
      self?.ending = .some(fault)
    }
  }

  func write(_ bytes: [UInt8]) { _ = bytes.withUnsafeBytes { Glibc.write(input, $0.baseAddress, $0.count) } }

  func read() -> [UInt8] {
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = Glibc.read(output, &buffer, buffer.count)
    return Array(buffer.prefix(max(count, 0)))
  }

  func close() {
    _ = Glibc.close(input)
  }

  func end() {
    host = nil
    _ = Glibc.close(output)
  }
}

@Suite(.isolated)
struct BrowserHostTests {
  /// Sends bytes, closes the pipe, and returns how the host ended and what it said.
  @Loop
  private func ending(after bytes: [UInt8]) async throws -> (String?, [UInt8]) {
    let browser = Browser()
    defer { browser.end() }
    return (try await ending(of: browser, after: bytes), browser.read())
  }

  @Loop
  private func ending(of browser: Browser, after bytes: [UInt8]) async throws -> String? {
    browser.write(bytes)
    browser.close()
    let deadline = ContinuousClock.now + .seconds(30)
    while browser.ending == nil, ContinuousClock.now < deadline { try await Task.sleep(for: .milliseconds(1)) }
    return try #require(browser.ending)
  }

  @Test @Loop func malformedPartsOfAStateAreReported() async throws {
    let hello = try #require((["type": "hello"] as JSON).nativeMessage)
    let state: JSON = ["place": ["fraction": 12_000], "form": [5]]
    let message: JSON = ["type": "state", "request": 1, "url": "https://example.org/", "state": state]
    let browser = Browser()
    defer { browser.end() }
    let good: JSON = [
      "type": "state", "request": 2, "url": "https://example.org/", "state": ["place": ["fraction": 12]],
    ]
    let messages = try [message, good].map { try #require($0.nativeMessage) }
    #expect(try await ending(of: browser, after: hello + messages.joined()) == nil)
    #expect(browser.faults == ["The browser sent a page state with malformed parts, which Baton ignores: place, form"])
  }

  @Test func theEndOfInputEndsTheHost() async throws {
    let (fault, said) = try await ending(after: [])
    #expect(fault == nil)
    #expect(said.isEmpty)
  }

  @Test func aLengthThatIsTooLongEndsTheHost() async throws {
    let (fault, _) = try await ending(after: [0xFF, 0xFF, 0xFF, 0x7F, 0x7B])
    #expect(fault != nil)
  }

  @Test func whatCannotBeReadIsAnswered() async throws {
    let hello = try #require((["type": "hello"] as JSON).nativeMessage)
    for message: JSON in [
      ["type": "send", "request": 7, "page": ["url": "https://example.org/?a=\\b"], "deviceID": "x"],
      ["type": "open", "request": 7], ["type": "new", "request": 7],
    ] {
      let (fault, said) = try await ending(after: hello + #require(message.nativeMessage))
      #expect(fault == nil)
      #expect(String(decoding: said, as: UTF8.self).contains(#""request":7"#))
    }
    let (_, said) = try await ending(after: hello + #require((["type": "new"] as JSON).nativeMessage))
    #expect(!String(decoding: said, as: UTF8.self).contains("result"))
    let page: JSON = ["type": "page", "page": ["url": "https://example.org/?a=\\b"], "isChosen": true]
    let (_, answer) = try await ending(after: hello + #require(page.nativeMessage))
    #expect(String(decoding: answer, as: UTF8.self).contains(#""status":"refused""#))
  }

  @Test func nothingIsAnsweredBeforeTheHello() async throws {
    let page = try #require((["type": "page", "page": ["url": "https://example.org/"]] as JSON).nativeMessage)
    let hello = try #require((["type": "hello"] as JSON).nativeMessage)
    let (_, silence) = try await ending(after: page)
    #expect(silence.isEmpty)
    let (fault, said) = try await ending(after: hello + page)
    #expect(fault == nil)
    var decoder = NativeMessageDecoder()
    decoder.receive(said)
    #expect(try decoder.next()?.object?["type"] == "hello")
    #expect(try decoder.next() == PageStatus.offered.json)
  }
}
