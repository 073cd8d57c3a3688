// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Testing

struct SocketAddressTests {
  @Test(
    arguments: [
      ("192.0.2.1", "192.0.2.1:22866"), ("2001:db8::1", "[2001:db8::1]:22866"), ("::1", "[::1]:22866"),
      ("fe80::1%lo", "[fe80::1%lo]:22866"), ("2001:DB8:0:0:0:0:0:1", "[2001:db8::1]:22866"),
      // Found by fuzzing: printed with its interface, it could not be read again.
      ("::1%1", "[::1]:22866"),
    ]
  )
  func aNumericHostIsReadAndPrinted(host: String, text: String) throws {
    #expect(try #require(SocketAddress(numericHost: host, port: 22866)).description == text)
  }

  @Test(arguments: ["", "localhost", "192.0.2.256", "2001:db8::g", "[::1]", "192.0.2.1:80", "fe80::1%nosuchinterface"])
  func anythingElseIsNoNumericHost(host: String) {
    #expect(SocketAddress(numericHost: host, port: 1) == nil)
  }

  @Test func aScopeWithoutAnInterfaceIsPrintedAsItsNumber() throws {
    let bytes: [UInt8] = [0xFE, 0x80] + Array(repeating: 0, count: 13) + [1]
    #expect(try #require(SocketAddress(bytes: bytes, port: 1, scope: 4_000_000)).host == "fe80::1%4000000")
  }

  @Test(arguments: [0, 3, 5, 15, 17])
  func onlyAddressesOfFourOrSixteenBytesAreTaken(count: Int) {
    #expect(SocketAddress(bytes: Array(repeating: 1, count: count), port: 1) == nil)
  }

  @Test(
    arguments: [
      ("192.0.2.1", true), ("127.0.0.1", true), ("0.0.0.0", false), ("224.0.0.251", false),
      ("255.255.255.255", false), ("::", false), ("ff02::fb", false), ("fe80::1", true),
    ]
  )
  func onlyAddressesOfOneHostAreUnicast(host: String, isUnicast: Bool) throws {
    #expect(try #require(SocketAddress(numericHost: host, port: 1)).isUnicast == isUnicast)
  }

  @Test(arguments: [("127.9.9.9", true), ("::1", true), ("128.0.0.1", false), ("::2", false), ("::", false)])
  func loopbackIsAWholeNetworkInOneVersionAndOneAddressInTheOther(host: String, isLoopback: Bool) throws {
    #expect(try #require(SocketAddress(numericHost: host, port: 1)).isLoopback == isLoopback)
  }

  @Test(arguments: [("fe80::1", true), ("febf::1", true), ("fec0::1", false), ("169.254.0.1", false)])
  func linkLocalIsTheFirstTenBits(host: String, isLinkLocal: Bool) throws {
    #expect(try #require(SocketAddress(numericHost: host, port: 1)).isLinkLocal == isLinkLocal)
  }

  @Test func theSystemsFormComesBackTheSame() throws {
    for host in ["192.0.2.1", "2001:db8::1"] {
      let address = try #require(SocketAddress(numericHost: host, port: 4711))
      #expect(address.withSystemForm { form, _ in SocketAddress(form) } == address)
    }
  }

  @Test func aSourceIsAnIPv4AddressOrAnIPv6Network() throws {
    func source(_ host: String) throws -> [UInt8] {
      try #require(SocketAddress(numericHost: host, port: 1)).source
    }
    #expect(try source("192.0.2.1") != source("192.0.2.2"))
    #expect(try source("2001:db8::1") == source("2001:db8::2"))
    #expect(try source("2001:db8::1") != source("2001:db8:0:1::1"))
    #expect(try source("fe80::1") != source("fe80::2"), "They are hosts of one link")
  }
}
