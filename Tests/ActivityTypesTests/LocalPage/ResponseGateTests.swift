// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ActivityTypes

struct ResponseGateTests {
  private static let names = LocalPageNames(
    host: "laptop.localhost",
    originHost: "127.0.0.1",
    ports: [8000: 8001, 3001: 3001]
  )

  private static func run(_ text: String, isUpgrading: Bool = false) -> (text: String, others: [ResponseGate.Output]) {
    var gate = ResponseGate(names, isUpgrading: isUpgrading)
    var others: [ResponseGate.Output] = []
    var passed: [UInt8] = []
    for output in gate.receive(Array(text.utf8)) {
      if case .pass(let bytes) = output { passed += bytes } else { others.append(output) }
    }
    return (String(decoding: passed, as: UTF8.self), others)
  }

  @Test func addressesOfTheServersAreThoseHere() {
    for host in ["localhost", "127.0.0.1", "[::1]", "0.0.0.0", "[::]"] {
      let result = Self.run("HTTP/1.1 302 Found\r\nLocation: http://\(host):8000/x\r\n\r\n").text
      #expect(result.contains("Location: http://laptop.localhost:8001/x\r\n"))
      let relative = Self.run("HTTP/1.1 302 Found\r\nLocation: //\(host):8000/x\r\n\r\n").text
      #expect(relative.contains("Location: //laptop.localhost:8001/x\r\n"))
    }
    let result = Self.run("HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: http://localhost:3001\r\n\r\n").text
    #expect(result.contains("Access-Control-Allow-Origin: http://laptop.localhost:3001\r\n"))
  }

  /// Older servers send paths in Latin-1.
  @Test func addressesThatAreNotUTF8AreJudgedAsWell() {
    let run = { (field: String) -> [ResponseGate.Output] in
      var gate = ResponseGate(Self.names, isUpgrading: false)
      return gate.receive(Array("HTTP/1.1 302 Found\r\n\(field)".utf8) + [0xE9] + Array("\r\n\r\n".utf8))
    }
    for field in ["Location: ", "Refresh: 1; url="] {
      #expect(run("\(field)http://localhost:9999/") == [.elsewhere("http://localhost:9999/%E9")])
      let head = "HTTP/1.1 302 Found\r\n\(field)http://laptop.localhost:8001/%E9\r\nConnection: close\r\n\r\n"
      #expect(run("\(field)http://localhost:8000/") == [.pass(Array(head.utf8)), .answered])
    }
    guard case .elsewhere? = run("Location: http://localhost").first else {
      Issue.record("a host that is no text")
      return
    }
  }

  /// A redirection with the sign-in's state, for example, must not reach who listens on this machine's port.
  @Test(arguments: [
    "http://localhost:9999/auth?state=1", "https://localhost:8000/", "//localhost:9999/", "///localhost:8000/",
    "http:///localhost:8000/", "http://localhost:8000\\x", "http://a@localhost:8000/", "//a@localhost:8000/",
    "http://0.0.0.0/", "//[::]:9999/",
    "http://127.0.0.2:8000/",
    "http://app.localhost:8000/", "HTTP://LOCALHOST:9999", " http://localhost/", "\\\\localhost:9999/",
    "http:/localhost:9999",
    "http://a@localhost:9999/", "http://[::1]:9999/", "http://0.0.0.0:9999/",
    "http://2130706433:9999/", "http://0x7f.1:9999/", "http://127.1:8000/", "http://loc%61lhost:9999/",
    "http://local\thost:9999/", "ht\ttp://localhost:9999/", "http://localhost:/", "http://localhost.:9999/",
    "http://\u{FF4C}ocalhost:9999/", "http://[::ffff:127.0.0.1]:9999/", "http://a@b@localhost:9999/",
  ])
  func whatIsAnotherProgramsHereIsNotFollowed(_ location: String) {
    let result = Self.run("HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\r\n")
    #expect(result.text.isEmpty && result.others.count == 1)
    guard case .elsewhere? = result.others.first else {
      Issue.record("\(result)")
      return
    }
  }

  @Test(arguments: [
    "/x", "http://example.org/", "//example.org/localhost:9999", "/\u{20}//localhost:9999", "x?http://localhost:9999",
    "http://localhost.example.org:9999/", "mailto:a@localhost",
  ])
  func otherAddressesStay(_ location: String) {
    #expect(Self.run("HTTP/1.1 302 Found\r\nLocation: \(location)\r\n\r\n").text.contains("Location: \(location)\r\n"))
  }

  private static func run(_ field: String, _ host: String) -> (text: String, others: [ResponseGate.Output]) {
    let names = LocalPageNames(host: "laptop.localhost", originHost: host, ports: [8000: 8001, 80: 80])
    var gate = ResponseGate(names, isUpgrading: false)
    var text = ""
    var others: [ResponseGate.Output] = []
    for output in gate.receive(Array("HTTP/1.1 200 OK\r\n\(field)\r\n\r\n".utf8)) {
      if case .pass(let bytes) = output {
        text += String(decoding: bytes, as: UTF8.self)
      } else {
        others.append(output)
      }
    }
    return (text, others)
  }

  @Test func namesBelowLocalhostAreBelowTheMachines() {
    for (there, here) in [
      ("app.localhost:8000", "app.laptop.localhost:8001"), ("a.b.localhost", "a.b.laptop.localhost"),
      ("localhost:8000", "laptop.localhost:8001"),
    ] {
      #expect(Self.run("Location: http://\(there)/x", "localhost").text.contains("Location: http://\(here)/x\r\n"))
    }
  }

  @Test(arguments: [
    ("5; url=http://localhost:8000/x", "5; url=http://laptop.localhost:8001/x"),
    ("0;URL='http://localhost:8000/x'", "0;URL='http://laptop.localhost:8001/x'"),
    ("1,url = \"http://localhost:8000/\" y", "1,url = \"http://laptop.localhost:8001/\" y"),
    ("3 http://localhost:8000/", "3 http://laptop.localhost:8001/"),
    ("5; url=/next", "5; url=/next"), ("5", "5"), ("5;", "5;"),
    ("2; url=http://example.org/", "2; url=http://example.org/"),
  ])
  func aDelayedRedirectIsOne(_ text: String, _ expected: String) {
    #expect(Self.run("Refresh: \(text)", "localhost").text.contains("Refresh: \(expected)\r\n"))
  }

  @Test(arguments: [
    "0; url=http://localhost:9999/?state=1", "0;url='//127.0.0.1:9999/'", "0 https://localhost:8000/",
    "0;UrL=\"http://[::1]:9999/", "0,http://0:9999/",
  ])
  func aDelayedRedirectToAnotherProgramIsNotFollowed(_ text: String) {
    let result = Self.run("Refresh: \(text)", "localhost")
    #expect(result.text.isEmpty && result.others.count == 1)
  }

  /// RFC 6265, section 5.3: a browser refuses a cookie whose domain isn't that of the page.
  @Test(arguments: [
    ("a=b; Domain=localhost; Path=/", "a=b; Path=/"), ("a=b;domain=.LOCALHOST", "a=b"),
    ("a=b; Domain=app.localhost; Secure", "a=b; Domain=app.laptop.localhost; Secure"),
    ("a=b; Domain = .app.localhost", "a=b; Domain=app.laptop.localhost"), ("a=b; Path=/", "a=b; Path=/"),
    ("a=b; Domain=example.org", "a=b; Domain=example.org"), ("domain=localhost; x", "domain=localhost; x"),
    ("a=b; Domain=127.0.0.1", "a=b"), ("a=\"x; y\"; Domain=", "a=\"x; y\"; Domain="),
  ])
  func cookiesAreThePages(_ cookie: String, _ expected: String) {
    #expect(Self.run("Set-Cookie: \(cookie)", "localhost").text.contains("Set-Cookie: \(expected)\r\n"))
  }

  @Test(arguments: [
    (
      "connect-src 'self' ws://localhost:8000 http://localhost:9999/x; img-src *",
      "connect-src 'self' ws://localhost:8000 ws://laptop.localhost:8001 http://localhost:9999/x; img-src *"
    ), ("default-src localhost:*,script-src a", "default-src localhost:* laptop.localhost:*,script-src a"),
    ("img-src http://app.localhost:8000/a", "img-src http://app.localhost:8000/a http://app.laptop.localhost:8001/a"),
    ("default-src localhost", "default-src localhost laptop.localhost"), ("default-src 'self'", "default-src 'self'"),
    ("sandbox", "sandbox"), ("connect-src https://localhost:8000", "connect-src https://localhost:8000"),
  ])
  func aPolicyAllowsBothNames(_ policy: String, _ expected: String) {
    let text = Self.run("Content-Security-Policy: \(policy)", "localhost").text
    #expect(text.contains("Content-Security-Policy: \(expected)\r\n"), "\(text)")
  }

  @Test func eachCookieIsItsOwn() {
    let result = Self.run("Set-Cookie: a=1; Domain=127.0.0.1\r\nSet-Cookie: b=2", "127.0.0.1").text
    #expect(result.contains("Set-Cookie: a=1\r\nSet-Cookie: b=2\r\n"))
    var gate = ResponseGate(Self.names, isUpgrading: false, isShared: true)
    let shared = gate.receive(
      Array("HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\nClear-Site-Data: *\r\nCache-Control: max-age=9\r\nX: y\r\n\r\n".utf8)
    )
    let fields = "X: y\r\nConnection: close\r\nCache-Control: no-store\r\n"
    #expect(shared == [.pass(Array("HTTP/1.1 200 OK\r\n\(fields)\r\n".utf8)), .answered])
  }

  /// The connection carries one response, so that nothing can be taken for another one.
  @Test(arguments: [
    "204 No Content\r\n", "304 Not Modified\r\nContent-Length: 9\r\n", "200 OK\r\nContent-Length: 0\r\n",
    "200 OK\r\nContent-Length: 1\r\nContent-Length: 9\r\n",
    "200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n",
  ])
  func whatFollowsAResponseIsPartOfIt(_ head: String) {
    let second = "HTTP/1.1 302 Found\r\nLocation: http://localhost:9999/\r\n\r\n"
    let result = Self.run("HTTP/1.1 \(head)\r\n\(second)")
    #expect(result.text == "HTTP/1.1 \(head)Connection: close\r\n\r\n\(second)" && result.others == [.answered])
  }

  @Test func anInterimResponseIsTreatedAsTheLast() {
    let hints = "HTTP/1.1 103 Early Hints\r\nLocation: http://localhost:8000/\r\nConnection: x\r\n\r\n"
    let result = Self.run(hints + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\nx")
    let expected = "HTTP/1.1 103 Early Hints\r\nLocation: http://laptop.localhost:8001/\r\n\r\n"
    #expect(result.text == expected + "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nConnection: close\r\n\r\nx")
    let elsewhere = Self.run("HTTP/1.1 103 X\r\nLocation: http://localhost:9999/\r\n\r\nHTTP/1.1 200 OK\r\n\r\n")
    #expect(elsewhere.text.isEmpty)
  }

  @Test(arguments: [
    "X: a\u{0}b", "X y: z", "X : y", ": nameless", "nothing", "X: a\rb", " folded: first",
  ])
  func ambiguousHeadsAreNoHTTP(_ field: String) {
    let result = Self.run("HTTP/1.1 200 OK\r\n\(field)\r\n\r\nx")
    #expect(result.text.isEmpty && result.others == [.malformed])
  }

  @Test func theConnectionEndsAfterTheResponse() {
    let result = Self.run(
      "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nKeep-Alive: timeout=5\r\nAlt-Svc: x\r\n\r\nbody"
    )
    #expect(result.text == "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nbody")
    #expect(result.others == [.answered])
  }

  @Test func interimResponsesComeBefore() {
    let result = Self.run("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n")
    #expect(result.text == "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
  }

  @Test func aWebSocketIsPassedOn() {
    let text = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\u{1}frame"
    let result = Self.run(text, isUpgrading: true)
    #expect(result.text == text && result.others == [.upgraded])
    #expect(Self.run(text).others == [.malformed])
  }

  @Test(arguments: [
    "SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 abc\r\n\r\n", "HTTP/1.1 20 OK\r\n\r\n", "HTTP/2 200 OK\r\n\r\n", "<html>",
  ])
  func whatIsNoResponseIsNotPassedOn(_ text: String) {
    let result = Self.run(text)
    #expect(result.text.isEmpty && result.others == [.malformed])
  }

  @Test func plainServersMayEndLinesTheirOwnWay() {
    let result = Self.run("HTTP/1.0 200 OK\nX: a\n\tb\nLocation: http://localhost:8000/\n\nbody").text
    #expect(result.hasPrefix("HTTP/1.0 200 OK\r\nX: a \tb\r\nLocation: http://laptop.localhost:8001/\r\n"))
    #expect(result.hasSuffix("\r\n\r\nbody"))
  }

  @Test func aHugeHeadIsRefused() {
    let field = "X: " + String(repeating: "x", count: LocalPageLimits.headLength)
    #expect(Self.run("HTTP/1.1 200 OK\r\n\(field)").others == [.malformed])
  }

  @Test func answersEscapeWhatTheyName() {
    let page = ForwardingFailure.asking.answer("<b>&\"", port: 8000).bytes(asPage: true)
    let text = String(decoding: page, as: UTF8.self)
    #expect(text.contains("&lt;b&gt;&amp;&quot;") && !text.contains("<b>") && text.contains("Refresh: 2\r\n"))
    for failure in ForwardingFailure.allCases {
      let head = failure.answer("x", port: 1).bytes(asPage: false, isHead: true)
      #expect(String(decoding: head, as: UTF8.self).hasSuffix("\r\n\r\n"))
    }
    for refusal in HTTPRefusal.allCases { #expect((400...599).contains(refusal.answer.status)) }
    let redirect = LocalPageAnswer.redirect("http://laptop.localhost:8000/a").bytes(asPage: true)
    let lines = String(decoding: redirect, as: UTF8.self)
    #expect(lines.hasPrefix("HTTP/1.1 307 ") && lines.contains("\r\nLocation: http://laptop.localhost:8000/a\r\n"))
  }
}
