import ControlInterface
import JSONCoding
import Testing

/// The methods that say where teams meet.
@Suite struct RendezvousMethodTests {
  private let rendezvous = ControlRendezvous(
    team: "K7Q2M9XW4T",
    name: "Home",
    servers: ["a.example.org:4222"],
    relays: ["relay://a.example.org:22067/?id=A"],
    zone: "home.example.org",
    state: .waiting,
    server: "a.example.org:4222",
    problem: "It is closed.",
    devices: 2,
    expires: 2e9,
    isAdministrator: true,
    runsServers: false
  )

  private let text = """
    {"devices":2,"expires":2000000000.0,"isAdministrator":true,"name":"Home","problem":"It is closed.",\
    "relays":["relay://a.example.org:22067/?id=A"],"runsServers":false,"server":"a.example.org:4222",\
    "servers":["a.example.org:4222"],"state":"waiting","team":"K7Q2M9XW4T","zone":"home.example.org"}
    """

  @Test func rendezvousHasItsForm() {
    checkCoding(rendezvous, text)
    checkMembers(of: rendezvous, optional: ["zone", "server", "problem", "expires"])
    var members = rendezvous.members
    members["state"] = "asleep"
    checkRefusal(ControlRendezvous.self, .object(members), names: "state")
    members = rendezvous.members
    members["servers"] = ["a", 7]
    checkRefusal(ControlRendezvous.self, .object(members), names: "servers")
  }

  @Test func listRendezvous() {
    checkCoding(ListRendezvous.Parameters(), "{}")
    checkCoding(ListRendezvous.Reply(teams: [rendezvous]), #"{"teams":[\#(text)]}"#)
    checkMembers(of: ListRendezvous.Reply(teams: [rendezvous]))
  }

  @Test func createRendezvous() {
    typealias M = CreateRendezvous
    checkCoding(M.Parameters(servers: ["a"], relays: []), #"{"relays":[],"servers":["a"]}"#)
    let parameters = M.Parameters(servers: ["a"], relays: ["b:1"], team: "T", organization: "O")
    checkCoding(parameters, #"{"organization":"O","relays":["b:1"],"servers":["a"],"team":"T"}"#)
    checkMembers(of: parameters, optional: ["team", "organization"])
    checkRefusal(M.Parameters.self, ["servers": [7], "relays": []], names: "servers")
    let file = M.File(name: "relay/key.pem", content: "k")
    checkCoding(M.Reply(files: [file]), #"{"files":[{"content":"k","name":"relay/key.pem"}]}"#)
    checkMembers(of: M.Reply(files: [file]))
    checkMembers(of: file)
  }

  @Test func requestAndAnswer() {
    checkCoding(RequestRendezvous.Parameters(), "{}")
    checkMembers(of: RequestRendezvous.Parameters(team: "T"), optional: ["team"])
    checkCoding(RequestRendezvous.Reply(request: "r"), #"{"request":"r"}"#)
    checkMembers(of: RequestRendezvous.Reply(request: "r"))
    typealias M = AuthorizeRendezvous
    checkCoding(M.Parameters(request: "r"), #"{"request":"r"}"#)
    let parameters = M.Parameters(request: "r", organization: "O")
    checkCoding(parameters, #"{"organization":"O","request":"r"}"#)
    checkMembers(of: parameters, optional: ["organization"])
    let reply = M.Reply(approval: "a", team: "Home", problem: "p")
    checkCoding(reply, #"{"approval":"a","problem":"p","team":"Home"}"#)
    checkMembers(of: reply, optional: ["problem"])
    checkCoding(ImportRendezvous.Parameters(approval: "a", team: "T"), #"{"approval":"a","team":"T"}"#)
    checkMembers(of: ImportRendezvous.Parameters(approval: "a", team: "T"), optional: ["team"])
    checkCoding(RendezvousReply(rendezvous: rendezvous), #"{"rendezvous":\#(text)}"#)
    checkMembers(of: RendezvousReply(rendezvous: rendezvous))
  }

  @Test func setZone() {
    let zone = SetZone.Zone(name: "home.example.org", server: "ns.example.org", keyName: "k", key: "c2VjcmV0")
    checkCoding(zone, #"{"key":"c2VjcmV0","keyName":"k","name":"home.example.org","server":"ns.example.org"}"#)
    checkMembers(of: zone)
    let parameters = SetZone.Parameters(zone: zone, team: "T")
    checkCoding(parameters, #"{"team":"T","zone":\#(zone.json.text)}"#)
    checkMembers(of: parameters, optional: ["zone", "team"])
    checkCoding(SetZone.Parameters(zone: nil), "{}")
  }

  @Test func removeRendezvous() {
    checkCoding(RemoveRendezvous.Parameters(), "{}")
    checkCoding(RemoveRendezvous.Parameters(team: "T"), #"{"team":"T"}"#)
    checkMembers(of: RemoveRendezvous.Parameters(team: "T"), optional: ["team"])
    checkCoding(RemoveRendezvous.Reply(), "{}")
  }
}
