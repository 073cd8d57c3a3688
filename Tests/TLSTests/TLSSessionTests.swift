import Activity
import TLS
import Testing

@Suite struct TLSSessionTests {
  @Test func devicesOfATeamKnowEachOther() throws {
    let team = try TestTeam()
    let (a, b) = (try team.device(), try team.device())
    let pair = try SessionPair(client: a, servers: [b], expecting: b.device)
    #expect(pair.client.isEstablished && pair.server.isEstablished)
    #expect(pair.client.peer == b.device)
    #expect(pair.server.peer == a.device)
    #expect(try pair.server.team == team.id)
    #expect(pair.server.application == .peer)
  }
}
