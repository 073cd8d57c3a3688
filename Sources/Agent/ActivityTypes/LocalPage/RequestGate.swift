// SPDX-License-Identifier: Apache-2.0

import Activity

/// Lets exactly one request of a browser's connection through to the server, with the names that the server knows.
///
/// Each connection carries one request: the server is told to close it afterwards. So nothing that follows a request
/// can become another one, however the server counts the bytes. A request that programs could read in two ways is
/// refused.
///
/// Legal transitions: `head` → `body`, `chunks` or `upgrading` → `over`; `upgrading` → `open`; `head` → `over`.
package struct RequestGate: Sendable {
  package enum Output: Equatable, Sendable {
    /// Bytes for the server. The first of them are the whole head.
    case pass([UInt8])
    /// Nothing more goes to the server. The browser gets this answer.
    case refuse(HTTPRefusal)
    /// Nothing goes to the server. The page has this address.
    case redirect(String)
  }

  private enum State: Equatable {
    case head([UInt8])
    /// How many bytes of the body are missing.
    case body(Int)
    case chunks(ChunkedBody)
    /// The bytes that came before the server has agreed to another protocol.
    case upgrading([UInt8])
    case open
    case over
  }

  private let names: LocalPageNames
  private let originPort: UInt16
  private let port: UInt16
  private var state = State.head([])
  /// Whether the request is one that a person can see the answer of.
  package private(set) var wantsPage = false
  /// Whether the answer has no body.
  package private(set) var isHead = false
  /// Whether the host is one that this machine's own servers have, too, so that its cookies are not for the page's.
  package private(set) var isShared = false

  /// - Parameters:
  ///   - originPort: The port of the server.
  ///   - port: The port at which the browser has connected.
  package init(_ names: LocalPageNames, originPort: UInt16, port: UInt16) {
    (self.names, self.originPort, self.port) = (names, originPort, port)
  }

  /// Whether the request's head is complete.
  package var hasHead: Bool { if case .head = state { false } else { true } }

  /// Whether the request is complete, and nothing that follows matters.
  package var isOver: Bool { state == .over }

  package mutating func receive(_ bytes: some Collection<UInt8>) -> [Output] {
    switch state {
    case .over: return []
    case .open: return [.pass(Array(bytes))]
    case .body(let missing):
      let part = Array(bytes.prefix(missing))
      state = part.count == missing ? .over : .body(missing - part.count)  // Checked missing: at least the part's.
      return [.pass(part)]
    case .chunks(var body):
      let part = body.receive(Array(bytes)[...])
      state = body.isOver ? .over : .chunks(body)
      return [.pass(part)] + (body.isMalformed ? refuse(.malformed) : [])
    case .upgrading(let early):
      // Clients wait for the server's answer.
      guard early.count + bytes.count <= LocalPageLimits.headLength else {
        state = .over
        return []
      }
      state = .upgrading(early + bytes)
      return []
    case .head(let before):
      let all = before + bytes
      guard let end = HTTPHead.end(in: all, from: before.count) else {
        guard all.count <= LocalPageLimits.headLength else { return refuse(.tooLarge) }
        // A browser that begins with TLS would wait for an answer.
        if let first = all.first, first < 0x20, first != 0x0D, first != 0x0A { return refuse(.malformed) }
        state = .head(all)
        return []
      }
      // The first line and the empty one are no fields.
      let lineCount = all[..<end].count { $0 == 0x0A }
      guard end <= LocalPageLimits.headLength, lineCount <= LocalPageLimits.fields + 2 else { return refuse(.tooLarge) }
      do throws(HTTPRefusal) {
        let output = try request(all[..<end])
        return [output] + receive(all[end...])
      } catch { return refuse(error) }
    }
  }

  /// The server has agreed to the other protocol.
  ///
  /// - Returns: The bytes that came before that.
  package mutating func upgraded() -> [UInt8] {
    guard case .upgrading(let early) = state else { return [] }
    state = .open
    return early
  }

  /// The server has answered, so that it reads no other protocol.
  package mutating func answered() { if case .upgrading = state { state = .over } }

  /// Whether the server may answer with another protocol.
  package var isUpgrading: Bool { if case .upgrading = state { true } else { false } }

  private mutating func refuse(_ refusal: HTTPRefusal) -> [Output] {
    state = .over
    return [.refuse(refusal)]
  }

  /// Checks and rewrites a head, and finds out how long the body is.
  private mutating func request(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) -> Output {
    guard var head = try? HTTPHead(bytes, isRequest: true), let line = String(validating: head.start, as: UTF8.self)
    else { throw .malformed }
    let words = line.split(atScalar: " ", omittingEmptySubsequences: false)
    guard words.count == 3, let method = words.first, let target = words.dropFirst().first, let version = words.last,
      !method.isEmpty, method.utf8.allSatisfy({ (0x41...0x5A).contains($0) || $0 == 0x2D })
    else { throw .malformed }
    guard version == "HTTP/1.1" || version == "HTTP/1.0" else { throw .version }
    isHead = method == "HEAD"
    wantsPage = method == "GET" && head.words("accept").contains { $0.starts(withBytesOf: "text/html") }
    // A proxy's forms would say again which server it is for.
    guard target.starts(withBytesOf: "/") || target == "*" && method == "OPTIONS",
      target.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
    else { throw .malformed }
    let hosts = head.texts("host")
    guard hosts.count == 1, let host = hosts.first else { throw .malformed }
    guard let name = names.name(host, at: port) else { throw .otherHost }
    isShared = !name.isOwn
    // A page under a shared name would have the cookies and the storage of this machine's own servers.
    if isShared, head.words("sec-fetch-mode") == ["navigate"] {
      state = .over
      return .redirect("http://\(LocalPageAddress.authority(name.here, port))\(target)")
    }
    // It would serve the pages of this machine's own servers.
    guard !isShared || head.values("service-worker").isEmpty else { throw .otherHost }
    let isChunked = try isChunked(head, version)
    let length = try length(head)
    let isUpgrade =
      length == 0 && !isChunked && method == "GET" && head.words("upgrade") == ["websocket"]
      && head.words("connection").contains { $0.hasBytes(of: "upgrade") }
    // What `Connection` names would be left out by a proxy, and so would hide fields from the server.
    head.remove("connection", "keep-alive", "proxy-connection", "te", "trailer", "http2-settings", "upgrade")
    if isUpgrade { head.set("Upgrade", "websocket") }
    head.set("Connection", isUpgrade ? "Upgrade" : "close")
    head.set("Host", LocalPageAddress.authority(name.origin, originPort))
    if isChunked { head.set("Transfer-Encoding", "chunked") }
    if isShared { head.remove("cookie") }
    // A page of another server of this machine would pass for one of the same port there.
    if head.texts("referer").contains(where: { names.isElsewhere($0, isHere: true) }) { head.remove("referer") }
    head.rewrite("origin") { names.isElsewhere($0, isHere: true) ? "null" : names.toOrigin($0) }
    head.rewrite("referer") { names.toOrigin($0) }
    state =
      isUpgrade ? .upgrading([]) : isChunked ? .chunks(ChunkedBody()) : length == 0 ? .over : .body(length)
    return .pass(head.bytes)
  }

  /// - Throws: If there is any other encoding, or a length as well: programs would see different ends of the request.
  private func isChunked(_ head: HTTPHead, _ version: Substring) throws(HTTPRefusal) -> Bool {
    let encodings = head.texts("transfer-encoding")
    guard !encodings.isEmpty else { return false }
    guard encodings.count == 1, encodings.first?.lowercased() == "chunked", version == "HTTP/1.1",
      head.values("content-length").isEmpty
    else { throw .malformed }
    return true
  }

  private func length(_ head: HTTPHead) throws(HTTPRefusal) -> Int {
    let lengths = head.texts("content-length")
    guard let text = lengths.first else { return 0 }
    guard lengths.count == 1, !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let length = Int(text)
    else { throw .malformed }
    return length
  }
}
