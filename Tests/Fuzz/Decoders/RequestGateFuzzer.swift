// SPDX-License-Identifier: Apache-2.0

import ActivityTypes

/// What a browser, or a page that wants to reach more than it may, sends to a forwarded port, and what servers answer.
/// The first part of the input gives the lengths of the pieces in which the bytes arrive.
enum RequestGateFuzzer: Fuzzer {
  private static let names = LocalPageNames(host: "l.localhost", originHost: "localhost", ports: [80: 81, 8000: 8000])

  static let seeds: [[UInt8]] = [
    "GET / HTTP/1.1\r\nHost: l.localhost:8000\r\nOrigin: http://l.localhost:81\r\n\r\n",
    "POST /a HTTP/1.1\r\nHost: localhost:8000\r\nContent-Length: 3\r\n\r\nabcGET / HTTP/1.1\r\n\r\n",
    "GET /a HTTP/1.1\r\nHost: l.localhost:8000\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nx",
    "PUT /a HTTP/1.1\r\nHost: a.l.localhost:8000\r\nTransfer-Encoding: chunked\r\n\r\n2;x\r\nab\r\n0\r\nT: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: localhost:8000\r\nSec-Fetch-Mode: navigate\r\nCookie: a\r\n\r\n",
    "HTTP/1.1 200 OK\r\nRefresh: 0; url=http://localhost:1/\r\nSet-Cookie: a=b; Domain=localhost\r\n\r\n",
    "HTTP/1.1 302 Found\r\nLocation: http://localhost/\r\nConnection: keep-alive\r\n\r\nbody",
    "HTTP/1.1 101 X\r\n\r\n", "HTTP/1.0 100 X\n\nHTTP/1.0 200 X\nA: b\n c\n\n",
  ].map { [2, 3, 9] + Array($0.utf8) }

  static let words = [
    "Host: l.localhost:8000\r\n", "Content-Length: ", "Transfer-Encoding: chunked\r\n", "\r\n\r\n", "\r\n ",
    " HTTP/1.1\r\n",
    "Connection: ", "Upgrade: ", "Origin: http://l.localhost:8000\r\n", "Location: http://[::1]:8000/",
    "Refresh: 0; url='", "Set-Cookie: a; Domain=.", "0\r\n\r\n", "1\r\nx\r\n",
  ]

  static func run(_ input: [UInt8]) throws {
    var choices = Choices(input)
    var lengths = Choices(choices.bytes())
    let bytes = choices.remaining()
    let whole = request([bytes[...]])
    let pieces = lengths.pieces(of: bytes)
    let other = request(pieces)
    same(other.passed, whole.passed, "Other pieces make another request")
    same(other.refusal, whole.refusal)
    check(whole.passed)
    for isUpgrading in [false, true] {
      same(response(pieces, isUpgrading), response([bytes[...]], isUpgrading), "Other pieces make another response")
    }
  }

  private static func request(_ pieces: [ArraySlice<UInt8>]) -> (passed: [UInt8], refusal: HTTPRefusal?) {
    var gate = RequestGate(names, originPort: 8000, port: 8000)
    var passed: [UInt8] = []
    for piece in pieces {
      for output in gate.receive(piece) {
        switch output {
        case .pass(let bytes): passed += bytes
        case .refuse(let refusal): return (passed, refusal)
        case .redirect(let address):
          hold(address.starts(with: "http://"), "A relative address")
          return (passed, nil)
        }
      }
    }
    return (passed, nil)
  }

  /// A reader that is as simple as servers can be sees one request, which is for the server.
  private static func check(_ passed: [UInt8]) {
    guard !passed.isEmpty else { return }
    let lines: [[UInt8]] = passed.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
    guard let end = lines.firstIndex(of: [0x0D]) else { fatalError("The head has no end") }
    let head = Array(lines[..<end])
    hold(head.allSatisfy { $0.last == 0x0D && !$0.dropLast().contains(0x0D) }, "A line ends in its own way")
    let fields: [(name: String, value: String)] = head.dropFirst().map(field)
    func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }
    same(values("host").count, 1)
    hold(values("host").allSatisfy(isOwn), "Another host")
    same(values("connection").count, 1)
    hold(!fields.contains { $0.name.utf8.contains(0x20) }, "A name with a space")
    let lengths: [Int] = values("content-length").compactMap { Int($0) }
    hold(lengths.count <= 1, "The length is there twice")
    let body = Array(lines[(end + 1)...].joined(separator: [0x0A]))
    guard values("transfer-encoding").isEmpty else {
      same(values("transfer-encoding"), ["chunked"])
      hold(lengths.isEmpty, "Two ends")
      return checkChunks(body[...])
    }
    hold(body.count <= lengths.first ?? 0, "\(body.count) bytes follow")
  }

  private static func isOwn(_ host: String) -> Bool {
    host == "localhost:8000" || host.utf8.suffix(15).elementsEqual(".localhost:8000".utf8)
  }

  private static func checkChunks(_ body: ArraySlice<UInt8>) {
    var rest = body
    while !rest.isEmpty {
      guard let line = rest.firstIndex(of: 0x0D) else { return hold(rest.count < 16, "A length without an end") }
      guard let length = Int(String(decoding: rest[..<line], as: UTF8.self), radix: 16) else { fatalError("No length") }
      rest = rest[line...].dropFirst(2 + length)
      hold(rest.isEmpty || rest.starts(with: [0x0D, 0x0A]), "A chunk without an end")
      rest = rest.dropFirst(2)
      if length == 0 { return hold(rest.isEmpty, "\(rest.count) bytes follow") }
    }
  }

  private static func field(_ line: [UInt8]) -> (name: String, value: String) {
    let name = line.prefix { $0 != UInt8(ascii: ":") }
    let value = line.dropFirst(name.count + 2).dropLast()
    return (String(decoding: name, as: UTF8.self).lowercased(), String(decoding: value, as: UTF8.self))
  }

  private static func response(_ pieces: [ArraySlice<UInt8>], _ isUpgrading: Bool) -> [UInt8] {
    var gate = ResponseGate(names, isUpgrading: isUpgrading)
    var passed: [UInt8] = []
    for output in pieces.flatMap({ gate.receive($0) }) {
      switch output {
      case .pass(let bytes): passed += bytes
      // A malformed head comes after another number of pieces.
      case .malformed, .elsewhere: return passed
      case .upgraded: passed.append(1)
      case .answered: passed.append(2)
      }
    }
    return passed
  }
}
