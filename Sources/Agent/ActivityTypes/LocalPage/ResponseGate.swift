// SPDX-License-Identifier: Apache-2.0

import Activity

/// Gives a server's response the names that its addresses have on the machine that shows the page, and passes the rest
/// on as it is.
package struct ResponseGate: Sendable {
  package enum Output: Equatable, Sendable {
    /// Bytes for the browser.
    case pass([UInt8])
    /// The server speaks the WebSocket's protocol from now on.
    case upgraded
    /// The head of the last response is complete: nothing else can be answered any more.
    case answered
    /// It is no response in HTTP, or its head is too long. Nothing follows.
    case malformed
    /// It leads to this address, which would be another program's here. Nothing follows.
    case elsewhere(String)
  }

  private let names: LocalPageNames
  private let isUpgrading: Bool
  private let isShared: Bool
  /// The bytes of a head that is not complete. Nil after the head.
  private var head: [UInt8]? = []
  private var isBroken = false

  /// - Parameters:
  ///   - isUpgrading: Whether the request asks for another protocol.
  ///   - isShared: Whether this machine's own servers have the host of the request, too.
  package init(_ names: LocalPageNames, isUpgrading: Bool, isShared: Bool = false) {
    (self.names, self.isUpgrading, self.isShared) = (names, isUpgrading, isShared)
  }

  /// Whether the browser has not got the head of a response yet.
  package var isWaiting: Bool { head != nil }

  package mutating func receive(_ bytes: some Collection<UInt8>) -> [Output] {
    guard !isBroken else { return [] }
    guard let before = head else { return [.pass(Array(bytes))] }
    var outputs: [Output] = []
    var (all, searched) = (before + bytes, before.count)
    while let end = HTTPHead.end(in: all, from: searched) {
      guard end <= LocalPageLimits.headLength, var response = try? HTTPHead(all[..<end], isRequest: false),
        let status = Self.status(response.start)
      else { return outputs + fail() }
      all.removeFirst(end)
      searched = 0
      let isUpgraded = status == 101
      // A server agrees only to what it was asked.
      guard !isUpgraded || isUpgrading else { return outputs + fail() }
      for name in ["location", "content-location", "refresh"] { response.encode(name) }
      let refreshes = response.texts("refresh").compactMap { RefreshField($0)?.address }
      if let address = (response.texts("location") + refreshes).first(where: { names.isElsewhere($0, isHere: false) }) {
        isBroken = true
        return outputs + [.elsewhere(address)]
      }
      rewrite(&response, isUpgraded: isUpgraded, isInterim: status < 200)
      outputs.append(.pass(response.bytes))
      // Others of the first hundred come before the response.
      guard status >= 200 || isUpgraded else { continue }
      head = nil
      outputs.append(isUpgraded ? .upgraded : .answered)
      if !all.isEmpty { outputs.append(.pass(all)) }
      return outputs
    }
    let isText = all.prefix(Self.version.count).elementsEqual(Self.version.prefix(all.count))
    guard all.count <= LocalPageLimits.headLength, isText else { return outputs + fail() }
    head = all
    return outputs
  }

  private static let version = Array("HTTP/1.".utf8)

  private mutating func fail() -> [Output] {
    isBroken = true
    return [.malformed]
  }

  private func rewrite(_ response: inout HTTPHead, isUpgraded: Bool, isInterim: Bool) {
    if !isUpgraded {
      response.remove("connection", "keep-alive", "proxy-connection", "upgrade")
      if !isInterim { response.set("Connection", "close") }
    }
    response.remove("alt-svc")
    for name in ["location", "content-location", "access-control-allow-origin"] {
      response.rewrite(name) { names.toHere($0) }
    }
    response.rewrite("refresh") { text in
      RefreshField(text).map { $0.text(names.toHere($0.address)) } ?? text
    }
    for name in ["content-security-policy", "content-security-policy-report-only"] {
      response.rewrite(name) { names.policyToHere($0) }
    }
    guard isShared else { return response.rewrite("set-cookie") { names.cookieToHere($0) } }
    // What the browser keeps under such a name is for this machine's own servers.
    response.remove("set-cookie", "clear-site-data", "cache-control", "expires", "pragma")
    if !isInterim { response.set("Cache-Control", "no-store") }
  }

  /// `HTTP/1.1 200 OK`.
  private static func status(_ line: [UInt8]) -> Int? {
    guard line.starts(with: version) else { return nil }
    let rest = line.dropFirst(version.count).drop { $0 != 0x20 }.dropFirst()
    let digits = rest.prefix { $0 != 0x20 }
    guard digits.count == 3, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int(String(decoding: digits, as: UTF8.self)).flatMap { $0 >= 100 ? $0 : nil }
  }
}
