// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import JSONCoding
import MessageSamples
import Testing

/// What a device needs to meet its team, with all of its members.
struct RendezvousAccessTests {
  private static let seed = [UInt8](repeating: 0, count: 32)
  private static let seedText = String(repeating: "A", count: 43) + "="

  private static let whole = RendezvousAccess(
    version: 1_700_000_000_000,
    servers: ["a.example.org:4222", "[2001:db8::1]:4222"],
    pins: [seed, seed],
    relays: ["relay://a.example.org:22067/?id=A"],
    user: RendezvousAccess.User(token: "a.b.c", seed: seed, expires: 1_700_000_000),
    account: RendezvousAccess.Account(seed: seed, operator: RendezvousAccess.Operator(seed: seed, system: seed))
  )

  private static let text = """
    {"account":{"operator":{"seed":"\(seedText)","system":"\(seedText)"},"seed":"\(seedText)"},\
    "pins":["\(seedText)","\(seedText)"],"relays":["relay://a.example.org:22067/?id=A"],\
    "servers":["a.example.org:4222","[2001:db8::1]:4222"],\
    "user":{"expires":1700000000,"seed":"\(seedText)","token":"a.b.c"},"version":1700000000000}
    """

  private var members: [String: JSON] {
    get throws { try #require(JSON(parsing: Self.text.utf8, depth: Limits.messageDepth).object) }
  }

  /// The message with other members; nil if it is taken for somebody's extension.
  private func read(_ members: [String: JSON]) throws -> Message? {
    try Message(type: RendezvousAccess.type, payload: JSON.object(members).bytes[...])
  }

  @Test func allMembersHaveTheirForm() throws {
    let count = Self.text.utf8.count
    try checkCoding(Sample(.team(.rendezvous(Self.whole)), [0, UInt8(count >> 8), UInt8(count & 255), 74], Self.text))
    let ask = #"{"expires":9007199254740992,"name":"ABC","version":7}"#
    try checkCoding(
      Sample(
        .team(.askRendezvous(AskRendezvous(version: 7, name: "ABC", expires: 1 << 53))),
        [0, 0, UInt8(ask.utf8.count), 75],
        ask
      )
    )
  }

  @Test(arguments: ["servers", "pins", "relays", "user", "account"])
  func aMemberMayBeAbsentButNotWrong(_ name: String) throws {
    var members = try members
    members[name] = nil
    #expect(try read(members) != nil)
    members[name] = .some(nil)
    #expect(try read(members) != nil)
    for wrong in [7, "text", [[]], ["a": 1]] as [JSON] {
      members[name] = wrong
      #expect(try read(members) == nil, "\(name) is \(wrong.text)")
    }
  }

  @Test(arguments: ["user", "account"]) func eachOfItsMembersIsNeeded(_ name: String) throws {
    let inner = try #require(try members[name]?.object)
    for key in inner.keys where key != "operator" {
      for wrong in [JSON?.none, .some(nil), ""] {
        var (all, changed) = (try members, inner)
        changed[key] = wrong
        all[name] = .object(changed)
        #expect(try read(all) == nil, "\(name).\(key) is \(wrong?.text ?? "absent")")
      }
    }
  }

  /// Earlier versions sent where a team's DNS zone is, and its key.
  @Test func whatEarlierVersionsSaidOfAZoneIsIgnored() throws {
    for zone in [["name": "z.example", "server": "ns.example:53", "keyName": "k", "key": "AAEC"], 7] as [JSON] {
      var members = try members
      members["zone"] = zone
      #expect(try read(members) == .team(.rendezvous(Self.whole)))
    }
  }

  private func with(_ path: [String], _ value: JSON, in json: JSON? = nil) throws -> JSON {
    guard let name = path.first else { return value }
    var object = try #require(json == nil ? members : json?.object)
    object[name] = try with(Array(path.dropFirst()), value, in: object[name] ?? [:])
    return .object(object)
  }

  @Test func eachMemberHasItsLimits() throws {
    func text(_ count: Int) -> JSON { .string(String(repeating: "a", count: count)) }
    func bytes(_ count: Int) -> JSON { .string(Base64.encode(Array(repeating: 1, count: count))) }
    func list(_ json: JSON, _ count: Int) -> JSON { .array(Array(repeating: json, count: count)) }
    let (servers, address, most) = (Limits.rendezvousServers, RendezvousAccess.serverAddressLength, Int64(1) << 53)
    let limits: [(path: [String], good: [JSON], wrong: [JSON])] = [
      (["version"], [0, .integer(most)], [-1, .integer(most + 1), 1.5, "1"]),
      (["servers"], [[], list("a", servers), [text(address)]], [list("a", servers + 1), [""], [text(address + 1)]]),
      (["relays"], [[], list("a", servers), [text(address)]], [list("a", servers + 1), [""], [text(address + 1)]]),
      (["pins"], [[], list(bytes(32), servers)], [list(bytes(32), servers + 1), [bytes(31)], [bytes(33)], ["?"]]),
      (
        ["user", "token"], [text(1), text(RendezvousAccess.rendezvousTokenLength)],
        [text(RendezvousAccess.rendezvousTokenLength + 1)]
      ),
      (["user", "seed"], [bytes(32)], [bytes(31), bytes(33), "="]),
      (["user", "expires"], [0, .integer(most)], [-1, .integer(most + 1)]),
      (["account", "seed"], [bytes(32)], [bytes(31), bytes(33)]),
      (["account", "operator", "seed"], [bytes(32)], [bytes(31), bytes(33), 1]),
      (["account", "operator", "system"], [bytes(32)], [bytes(31), bytes(33), 1]),
    ]
    for (path, good, wrong) in limits {
      for value in good {
        let members = try #require(try with(path, value).object)
        #expect(try read(members) != nil, "\(path) is \(value.text.prefix(100))")
      }
      for value in wrong {
        let members = try #require(try with(path, value).object)
        #expect(try read(members) == nil, "\(path) is \(value.text.prefix(100))")
      }
    }
  }

  /// JSON makes them longer, up to six times, so that what was received in one frame would not fit in another.
  @Test(arguments: ["\"", "\\", "\u{1}", "\n", " ", "\u{7F}", "\u{E4}", "\u{2028}"])
  func noTextNeedsEscapes(_ letter: String) throws {
    let text = JSON.string("a\(letter)b")
    #expect(try read(try #require(with(["user", "token"], text).object)) == nil)
    for name in ["servers", "relays"] { #expect(try read(try #require(with([name], [text]).object)) == nil, "\(name)") }
  }

  @Test func theLongestOneFitsInAFrameAndAFile() throws {
    let address = String(repeating: "a", count: RendezvousAccess.serverAddressLength)
    var access = Self.whole
    access.servers = Array(repeating: address, count: Limits.rendezvousServers)
    access.relays = access.servers
    access.pins = Array(repeating: Self.seed, count: Limits.rendezvousServers)
    access.user?.token = String(repeating: "a", count: RendezvousAccess.rendezvousTokenLength)
    #expect(access.json.bytes.count <= Limits.rendezvousFileLength, "\(access.json.bytes.count)")
    let frame = access.frame
    #expect(try Message(type: RendezvousAccess.type, payload: frame[4...]) == .team(.rendezvous(access)))
  }
}
