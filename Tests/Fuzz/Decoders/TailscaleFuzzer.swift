// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff

/// What tailscaled answers: HTTP, perhaps in chunks, and in it JSON. What is named stays within its limits.
enum TailscaleFuzzer: Fuzzer {
  static var seeds: [[UInt8]] {
    let peer = #"{"UserID":7,"Online":true,"TailscaleIPs":["100.64.0.2","fd7a:115c:a1e0::2"],"Tags":null}"#
    let status = #"{"Self":{"UserID":7},"Peer":{"a":\#(peer),"b":\#(peer)}}"#
    let chunk = String(status.utf8.count, radix: 16) + "\r\n\(status)\r\n0\r\n\r\n"
    return [
      "HTTP/1.0 200 OK\r\nContent-Length: \(status.utf8.count)\r\n\r\n\(status)",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk)",
    ].map { Array($0.utf8) }
  }

  static let words = [
    "HTTP/1.1 200", "\r\n\r\n", "\r\n", "Transfer-Encoding:", "chunked", "Content-Length:", "\"Self\":", "\"Peer\":",
    "\"UserID\":7", "\"Online\":true", "\"TailscaleIPs\":[", "\"Tags\":[", ";", "7fffffffffffffff",
  ]

  static func run(_ input: [UInt8]) throws {
    guard let reply = HTTPReply(input) else { return }
    hold(reply.body.count <= input.count, "\(reply.body.count) bytes of \(input.count)")
    guard let status = TailscaleStatus(reply.body) else { return }
    let most = TailscaleStatus.tailscalePeers * TailscaleStatus.tailscaleAddressesPerPeer
    hold(status.addresses.count <= most, "\(status.addresses.count) addresses")
  }
}
