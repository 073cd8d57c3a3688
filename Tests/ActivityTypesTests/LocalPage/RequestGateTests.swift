// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ActivityTypes

struct RequestGateTests {
  private static let names = LocalPageNames(
    host: "laptop.localhost",
    originHost: "localhost",
    ports: [8000: 8001, 3001: 3001]
  )

  private static func gate() -> RequestGate { RequestGate(names, originPort: 8000, port: 8001) }

  private static func run(_ text: String) -> (passed: String, refusal: HTTPRefusal?) {
    var gate = gate()
    return run(text, &gate)
  }

  private static func run(_ text: String, _ gate: inout RequestGate) -> (passed: String, refusal: HTTPRefusal?) {
    var passed: [UInt8] = []
    for output in gate.receive(Array(text.utf8)) {
      switch output {
      case .pass(let bytes): passed += bytes
      case .refuse(let refusal): return (String(decoding: passed, as: UTF8.self), refusal)
      case .redirect(let address): return ("\(String(decoding: passed, as: UTF8.self))-> \(address)", nil)
      }
    }
    return (String(decoding: passed, as: UTF8.self), nil)
  }

  @Test func theServerSeesItsOwnName() {
    let request =
      "GET /a?b HTTP/1.1\r\nHost: laptop.localhost:8001\r\nOrigin: http://laptop.localhost:8001\r\n"
      + "Referer: http://laptop.localhost:8001/x\r\nConnection: keep-alive\r\nCookie: a=b\r\n\r\n"
    #expect(
      Self.run(request).passed
        == "GET /a?b HTTP/1.1\r\nOrigin: http://localhost:8000\r\nReferer: http://localhost:8000/x\r\nCookie: a=b\r\n"
        + "Connection: close\r\nHost: localhost:8000\r\n\r\n"
    )
  }

  @Test func otherOriginsStayAsTheyAre() {
    for origin in [
      "http://evil.example", "null", "http://laptop.localhost.evil.example:8001",
    ] {
      let passed = Self.run("GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\nOrigin: \(origin)\r\n\r\n").passed
      #expect(passed.contains("Origin: \(origin)\r\n"))
    }
  }

  /// A server there lets pages of its own other ports do what it refuses to others.
  @Test func pagesOfThisMachinesOtherServersHaveNoName() {
    for origin in [
      "http://localhost:3000", "http://127.0.0.1:8000", "http://[::1]:5173", "http://app.localhost:8001",
      "http://laptop.localhost:9999", "https://laptop.localhost:8001", "http://localhost",
    ] {
      let fields = "Host: laptop.localhost:8001\r\nOrigin: \(origin)\r\nReferer: \(origin)/x\r\n"
      let passed = Self.run("GET / HTTP/1.1\r\n\(fields)\r\n").passed
      #expect(passed.contains("Origin: null\r\n") && !passed.contains("Referer"), "\(origin)")
    }
    // A page under a shared name can be that of a server that was here before.
    let passed = Self.run("GET / HTTP/1.1\r\nHost: localhost:8001\r\nOrigin: http://localhost:8001\r\n\r\n").passed
    #expect(passed.contains("Origin: null\r\n"))
  }

  @Test(arguments: [
    ("laptop.localhost:8001", "localhost:8000"), ("app.laptop.localhost:8001", "app.localhost:8000"),
    ("a.b-1.laptop.localhost:8001", "a.b-1.localhost:8000"), ("LAPTOP.localhost:8001", "localhost:8000"),
    ("localhost:8001", "localhost:8000"), ("[::1]:8001", "localhost:8000"),
    ("app.localhost:8001", "app.localhost:8000"),
  ])
  func eachNameIsOneThere(_ host: String, _ origin: String) {
    #expect(Self.run("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").passed.contains("Host: \(origin)\r\n"))
  }

  @Test func aNameBelowThePagesIsItsOwnOrigin() {
    let fields = "Host: laptop.localhost:8001\r\nOrigin: http://app.laptop.localhost:8001\r\n"
    let passed = Self.run("GET / HTTP/1.1\r\n\(fields)\r\n").passed
    #expect(passed.contains("Origin: http://app.localhost:8000\r\n"))
    // An address has no names below it.
    let names = LocalPageNames(host: "laptop.localhost", originHost: "127.0.0.1", ports: [8000: 8001])
    var gate = RequestGate(names, originPort: 8000, port: 8001)
    let other = Self.run("GET / HTTP/1.1\r\nHost: app.laptop.localhost:8001\r\n\r\n", &gate)
    #expect(other.refusal == .otherHost)
  }

  /// The browser keeps the cookies and the storage of this machine's own servers under `localhost`.
  @Test func aPageIsShownUnderItsOwnNameOnly() {
    for (host, name) in [
      ("localhost", "laptop.localhost"), ("127.0.0.1", "laptop.localhost"), ("[::1]", "laptop.localhost"),
      ("app.localhost", "app.laptop.localhost"),
    ] {
      let result = Self.run("POST /a?b HTTP/1.1\r\nHost: \(host):8001\r\nSec-Fetch-Mode: navigate\r\n\r\n")
      #expect(result.passed == "-> http://\(name):8001/a?b")
    }
    let own = Self.run("GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\nSec-Fetch-Mode: navigate\r\n\r\n").passed
    #expect(own.contains("Host: localhost:8000\r\n"))
  }

  /// It would be that of this machine's own pages, even when nothing is forwarded any more.
  @Test func aServiceWorkerIsUnderThePagesNameOnly() {
    for (host, isRefused) in [("localhost", true), ("x.localhost", true), ("laptop.localhost", false)] {
      let result = Self.run("GET /sw.js HTTP/1.1\r\nHost: \(host):8001\r\nService-Worker: script\r\n\r\n")
      #expect((result.refusal == .otherHost) == isRefused)
    }
  }

  @Test func cookiesOfThisMachinesServersStayHere() {
    for (host, isSent) in [
      ("localhost", false), ("127.0.0.1", false), ("x.localhost", false), ("laptop.localhost", true),
    ] {
      var gate = Self.gate()
      let fields = "Host: \(host):8001\r\nSec-Fetch-Mode: cors\r\nCookie: session=secret\r\ncookie: b\r\n"
      let passed = Self.run("GET / HTTP/1.1\r\n\(fields)\r\n", &gate).passed
      #expect(passed.contains("session=secret") == isSent && gate.isShared != isSent, "\(host)")
    }
  }

  @Test func thePageOfOnePortMayNameAnother() {
    let passed = Self.run("GET / HTTP/1.1\r\nHost: localhost:8001\r\nOrigin: http://laptop.localhost:3001\r\n\r\n")
      .passed
    #expect(passed.contains("Origin: http://localhost:3001\r\n"))
  }

  @Test(arguments: [
    "evil.example:8001", "evil.example", "laptop.localhost", "laptop.localhost:8000", "laptop.localhost:8001.", "x",
    "laptop.localhost:8001@evil.example", "",
  ])
  func otherHostsAreRefused(_ host: String) {
    #expect(Self.run("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").refusal == .otherHost)
  }

  @Test func exactlyOneRequestPasses() {
    let head = "Host: laptop.localhost:8001\r\n"
    let second = "GET /admin HTTP/1.1\r\nHost: evil\r\n\r\n"
    #expect(!Self.run("GET / HTTP/1.1\r\n\(head)\r\n\(second)").passed.contains("admin"))
    let post = Self.run("POST / HTTP/1.1\r\n\(head)Content-Length: 3\r\n\r\nabc\(second)")
    #expect(post.passed.hasSuffix("\r\n\r\nabc"))
    let upgrade = Self.run("GET / HTTP/1.1\r\n\(head)Connection: Upgrade\r\nUpgrade: h2c\r\n\r\n\(second)")
    #expect(!upgrade.passed.contains("admin") && !upgrade.passed.contains("h2c"))
  }

  @Test(arguments: [
    "Transfer-Encoding: chunked\r\nContent-Length: 3", "Transfer-encoding: identity",
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked", "Transfer-Encoding:",
    "Transfer-Encoding: chunked, identity", "Transfer-Encoding: \"chunked\"", "Transfer-Encoding: chunked;q=1",
  ])
  func bodiesWithTwoEndsAreRefused(_ fields: String) {
    let text = "POST / HTTP/1.1\r\nHost: laptop.localhost:8001\r\n\(fields)\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
    let result = Self.run(text)
    #expect(result.refusal == .malformed && result.passed.isEmpty)
    let old = "POST / HTTP/1.0\r\nHost: laptop.localhost:8001\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    #expect(Self.run(old).refusal == .malformed)
  }

  private static let chunked = "POST / HTTP/1.1\r\nHost: laptop.localhost:8001\r\nTransfer-Encoding: Chunked\r\n\r\n"

  @Test func aBodyOfUnknownLengthHasOneForm() {
    let body = "3;a=b;c\r\nabc\r\n00A\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\n"
    let result = Self.run(Self.chunked + body + "GET /admin HTTP/1.1\r\n\r\n")
    #expect(result.refusal == nil && result.passed.contains("Transfer-Encoding: chunked\r\n"))
    #expect(result.passed.hasSuffix("\r\n\r\n3\r\nabc\r\na\r\n0123456789\r\n0\r\n\r\n"))
    var gate = Self.gate()
    let pieces = (Self.chunked + body).utf8.map { Self.run(String(decoding: [$0], as: UTF8.self), &gate).passed }
    #expect(pieces.joined() == result.passed && gate.isOver)
  }

  @Test(arguments: [
    "3\nabc\r\n", "3\r\nabcd\r\n", "3\r\nabc\n", "x\r\n", "\r\n", "-1\r\n", "+3\r\n", "0x3\r\n", " 3\r\n", "3 \r\n",
    "fffffffffffffffff\r\n", "3\r\nabcGET", "0\r\nX: y\n\r\n", "0\r\nX: \u{0}\r\n\r\n", "3\r3\r\n", "\u{663}\r\n",
    "3;" + String(repeating: "x", count: 300) + "\r\n",
    "0\r\n" + String(repeating: "X: y\r\n", count: LocalPageLimits.headLength / 6 + 1),
  ])
  func ambiguousChunksAreRefused(_ body: String) {
    let result = Self.run(Self.chunked + body + "0\r\n\r\n")
    #expect(result.refusal == .malformed && !result.passed.contains("\r\n0\r\n\r\n"))
  }

  @Test(arguments: [
    "Content-Length: 3\r\nContent-Length: 3", "Content-Length: 3, 3", "Content-Length: +3", "Content-Length: -1",
    "Content-Length: 0x3", "Content-Length:", "Content-Length: 99999999999999999999", "Content-Length: 3 ",
    "Content-Length : 3", " folded: x", "a\r\n b: c", "X: a\rb", "X: a\u{0}b", "X y: z", ": nameless", "nothing",
    "Host: laptop.localhost:8001", "Host: evil", "X: a\nY: b",
  ])
  func ambiguousHeadsAreRefused(_ field: String) {
    let result = Self.run("POST / HTTP/1.1\r\nHost: laptop.localhost:8001\r\n\(field)\r\n\r\nabc")
    // White space around a value means nothing.
    if field == "Content-Length: 3 " {
      #expect(result.passed.hasSuffix("abc"))
    } else {
      #expect(result.refusal == .malformed && result.passed.isEmpty)
    }
  }

  @Test(arguments: [
    "GET http://laptop.localhost:8001/ HTTP/1.1", "CONNECT laptop.localhost:8001 HTTP/1.1", "GET  / HTTP/1.1",
    "GET / x HTTP/1.1", "get / HTTP/1.1", "GET /", "GET /\u{E9} HTTP/1.1", "GET /a#b HTTP/1.1", "* * HTTP/1.1",
    "GET * HTTP/1.1", " GET / HTTP/1.1", "GET\t/ HTTP/1.1", "",
  ])
  func otherFirstLinesAreRefused(_ line: String) {
    #expect(Self.run("\(line)\r\nHost: laptop.localhost:8001\r\n\r\n").refusal == .malformed)
  }

  @Test func otherProtocolsAreRefused() {
    #expect(Self.run("PRI * HTTP/2.0\r\nHost: laptop.localhost:8001\r\n\r\n").refusal == .version)
    #expect(Self.run("GET / HTTP/1.2\r\nHost: laptop.localhost:8001\r\n\r\n").refusal == .version)
    #expect(Self.run("\u{16}\u{3}\u{1}").refusal == .malformed)
    #expect(Self.run("GET / HTTP/1.1\nHost: laptop.localhost:8001\n\n").refusal == .malformed)
  }

  @Test func aHugeHeadIsRefusedBeforeItsEnd() {
    let field = "X: " + String(repeating: "x", count: LocalPageLimits.headLength)
    #expect(Self.run("GET / HTTP/1.1\r\n\(field)").refusal == .tooLarge)
    let many = String(repeating: "X: y\r\n", count: LocalPageLimits.fields + 1)
    #expect(Self.run("GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\n\(many)\r\n").refusal == .tooLarge)
    let lines = String(repeating: "X: y\r\n", count: 100_000)
    #expect(Self.run("GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\n\(lines)\r\n").refusal == .tooLarge)
    let all = String(repeating: "X: y\r\n", count: LocalPageLimits.fields - 1)
    #expect(Self.run("GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\n\(all)\r\n").refusal == nil)
  }

  /// What follows would be the body for one program, and the other protocol for another.
  @Test(arguments: [
    "POST / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nContent-Length: 5\r\n",
    "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n", "HEAD / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nUpgrade: h2c\r\n",
  ])
  func onlyAGetWithoutABodyUpgrades(_ start: String) {
    var gate = Self.gate()
    let fields = "Host: laptop.localhost:8001\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    let result = Self.run("\(start)\(fields)\r\n", &gate)
    #expect(result.refusal == nil && !gate.isUpgrading)
    #expect(!result.passed.contains("Upgrade") && result.passed.contains("Connection: close\r\n"))
  }

  @Test func whatComesBeforeTheServersAgreementIsLimited() {
    var gate = Self.gate()
    let head = "GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    _ = Self.run(head + String(repeating: "x", count: LocalPageLimits.headLength + 1), &gate)
    let early = gate.upgraded()
    #expect(gate.isOver && early.isEmpty)
  }

  @Test func whatConnectionNamesStays() {
    let passed = Self.run(
      "GET / HTTP/1.1\r\nHost: laptop.localhost:8001\r\nConnection: close, Cookie\r\nCookie: a\r\n\r\n"
    )
    .passed
    #expect(passed.contains("Cookie: a\r\n") && passed.contains("Connection: close\r\n"))
  }

  @Test func aWebSocketOpensWhenTheServerAgrees() {
    var gate = Self.gate()
    let request =
      "GET /hmr HTTP/1.1\r\nHost: laptop.localhost:8001\r\nConnection: keep-alive, Upgrade\r\n"
      + "Upgrade: WebSocket\r\nOrigin: http://laptop.localhost:8001\r\n\r\nearly"
    let passed = Self.run(request, &gate).passed
    #expect(passed.contains("Upgrade: websocket\r\n") && passed.contains("Connection: Upgrade\r\n"))
    #expect(passed.hasSuffix("\r\n\r\n") && gate.isUpgrading)
    let early = gate.upgraded()
    let later = Self.run("later", &gate).passed
    #expect(early == Array("early".utf8) && later == "later")
  }

  @Test func aRefusedWebSocketIsNoSecondRequest() {
    var gate = Self.gate()
    let request =
      "GET /hmr HTTP/1.1\r\nHost: laptop.localhost:8001\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n"
    _ = Self.run(request + "GET /admin HTTP/1.1\r\n\r\n", &gate)
    gate.answered()
    let early = gate.upgraded()
    let later = Self.run("GET /admin HTTP/1.1\r\n\r\n", &gate).passed
    #expect(gate.isOver && early.isEmpty && later.isEmpty)
  }

  @Test func piecesMakeNoDifference() {
    let text = "POST /a HTTP/1.1\r\nHost: laptop.localhost:8001\r\nContent-Length: 5\r\n\r\nhellomore"
    let whole = Self.run(text).passed
    var gate = Self.gate()
    let pieces = text.utf8.map { Self.run(String(decoding: [$0], as: UTF8.self), &gate).passed }
    #expect(pieces.joined() == whole && gate.isOver)
  }
}
