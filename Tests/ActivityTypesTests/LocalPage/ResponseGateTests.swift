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
    for host in ["localhost", "127.0.0.1", "[::1]"] {
      let result = Self.run("HTTP/1.1 302 Found\r\nLocation: http://\(host):8000/x\r\n\r\n").text
      #expect(result.contains("Location: http://laptop.localhost:8001/x\r\n"))
    }
    let result = Self.run("HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: http://localhost:3001\r\n\r\n").text
    #expect(result.contains("Access-Control-Allow-Origin: http://laptop.localhost:3001\r\n"))
  }

  /// A redirection with the sign-in's state, for example, must not reach who listens on this machine's port.
  @Test(arguments: [
    "http://localhost:9999/auth?state=1", "https://localhost:8000/", "//localhost:9999/", "//localhost:8000/",
    "http://127.0.0.2:8000/",
    "http://app.localhost:8000/", "HTTP://LOCALHOST:9999", " http://localhost/", "\\\\localhost:9999/",
    "http:/localhost:9999",
    "http://a@localhost:9999/", "http://[::1]:9999/", "http://0.0.0.0:9999/",
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
  }
}
