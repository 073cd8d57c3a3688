// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Discovery

struct NetworkStateTests {
  @Test func routesOfIPv4AreRead() {
    let text = """
      Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
      eth0\t00000000\t0100000A\t0003\t0\t0\t100\t00000000\t0\t0\t0
      eth0\t0000000A\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0
      broken
      """
    let gateway = Route(interface: "eth0", destination: "00000000/00000000", gateway: "0100000A")
    let link = Route(interface: "eth0", destination: "0000000A/00FFFFFF", gateway: "00000000")
    #expect(Route.list(ofIPv4: text) == [gateway, link])
    // A route stays the same, no matter how often it was used.
    #expect(Route.list(ofIPv4: text.replacing("\t0003\t0\t0\t", with: "\t0003\t7\t9\t")) == [gateway, link])
  }

  @Test func routesOfIPv6AreReadWithoutThoseOfEveryLink() {
    let none = String(repeating: "0", count: 32)
    let text = """
      20010db8000000000000000000000000 40 \(none) 00 \(none) 00000100 00000001 00000000 00000001     eth0
      fe800000000000000000000000000000 40 \(none) 00 \(none) 00000100 00000001 00000000 00000001     eth0
      ff000000000000000000000000000000 08 \(none) 00 \(none) 00000100 00000001 00000000 00000001     eth0
      \(none) 00 \(none) 00 fe800000000000000000000000000001 00000400 00000001 00000000 00450003     eth0
      \(none) 00 \(none) 00 \(none) ffffffff 00000001 00000000 00200200       lo
      """
    #expect(
      Route.list(ofIPv6: text) == [
        Route(interface: "eth0", destination: "20010db8000000000000000000000000/40", gateway: none),
        Route(interface: "eth0", destination: "\(none)/00", gateway: "fe800000000000000000000000000001"),
      ]
    )
  }

  @Test func aLongListIsCut() {
    let lines = (0...Route.routes).map { "eth0\t\($0)\t0\t0\t0\t0\t0\t0" }
    #expect(Route.list(ofIPv4: "header\n" + lines.joined(separator: "\n")).count == Route.routes)
  }

  @Test func theKernelsStateIsRead() {
    let state = NetworkState.current(InterfacePolicy())
    #expect(state == NetworkState.current(InterfacePolicy()))
    #expect(state.links["lo"] == nil)
  }
}
