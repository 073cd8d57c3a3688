// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import Testing

@Suite struct TailscaleStatusTests {
  private func addresses(_ text: String) -> [String]? { TailscaleStatus(Array(text.utf8))?.addresses }

  private func status(_ peers: String, own: String = #"{"UserID":7,"TailscaleIPs":["100.64.0.1"]}"#) -> String {
    #"{"Version":"1.80","BackendState":"Running","Self":\#(own),"Peer":{\#(peers)},"User":{}}"#
  }

  @Test func connectedMachinesOfTheSameUserCount() {
    let text = status(
      """
      "b":{"UserID":7,"Online":true,"TailscaleIPs":["100.64.0.3","fd7a:115c:a1e0::3"],"CapMap":{"x":[{"a":[1]}]}},
      "a":{"UserID":7,"Online":true,"TailscaleIPs":["100.64.0.2"],"Tags":null,"CurAddr":"192.0.2.1:41641"},
      "away":{"UserID":7,"Online":false,"TailscaleIPs":["100.64.0.4"]},
      "other":{"UserID":8,"Online":true,"TailscaleIPs":["100.64.0.5"]},
      "tagged":{"UserID":7,"Online":true,"TailscaleIPs":["100.64.0.6"],"Tags":["tag:server"]},
      "bare":{"UserID":7,"Online":true},"odd":7,"nobody":{"Online":true,"TailscaleIPs":["100.64.0.7"]}
      """
    )
    #expect(addresses(text) == ["100.64.0.2", "100.64.0.3", "fd7a:115c:a1e0::3"])
  }

  @Test func nobodyCountsForAMachineWithTagsOrWithoutAUser() {
    let peer =
      #""a":{"UserID":7,"Online":true,"TailscaleIPs":["100.64.0.2"],"Tags":["tag:a"]},"#
      + #""b":{"Online":true,"TailscaleIPs":["100.64.0.3"]}"#
    #expect(addresses(status(peer, own: #"{"UserID":7,"Tags":["tag:a"]}"#)) == [])
    #expect(addresses(status(peer, own: "{}")) == [])
    #expect(addresses(status(peer, own: "null")) == [])
    #expect(addresses(#"{"BackendState":"NeedsLogin","Self":null,"Peer":null}"#) == [])
    #expect(addresses("{}") == [])
  }

  @Test func thereIsALimitToMachinesAndAddresses() {
    let peers = (0...TailscaleStatus.tailscalePeers).map {
      #""\#(100 + $0)":{"UserID":7,"Online":true,"TailscaleIPs":["a\#($0)","b","c"]}"#
    }
    let all = addresses(status(peers.joined(separator: ",")))
    #expect(all?.count == TailscaleStatus.tailscalePeers * TailscaleStatus.tailscaleAddressesPerPeer)
    #expect(all?.prefix(3) == ["a0", "b", "a1"] && all?.contains("c") == false)
  }

  @Test(arguments: ["", "[]", "{", "null", "7", "{\"Self\":{}}{}"]) func whatIsNoStatusIsRefused(text: String) {
    #expect(addresses(text) == nil)
  }

  @Test func whatIsTooLongOrTooDeepIsRefused() {
    let deep = String(repeating: "[", count: 20) + String(repeating: "]", count: 20)
    #expect(addresses(#"{"x":\#(deep)}"#) == nil)
    let long = String(repeating: " ", count: Limits.tailscaleReplyLength)
    #expect(addresses("{}" + long) == nil)
  }
}
