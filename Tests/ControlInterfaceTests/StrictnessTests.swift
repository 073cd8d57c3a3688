// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Testing
import Varlink

/// What a member that is unknown, missing, null or of another type means.
@Suite struct StrictnessTests {
  func refusal<T: Structure>(_: T.Type, parameters: [String: JSON]) -> InvalidParameter? {
    do { _ = try T(parameters: parameters) } catch { return error }
    return nil
  }

  var status: [String: JSON] {
    let reply = GetStatus.Reply(
      device: "d",
      version: "1",
      port: 22866,
      discovery: .running,
      teams: [],
      current: nil,
      sessions: 1,
      streams: 2
    )
    return reply.members
  }

  @Test func anUnknownParameterIsRefusedAndAnUnknownMemberOfAReplyIsIgnored() throws {
    #expect(refusal(ListOffers.Parameters.self, parameters: ["what": 1, "activityType": "a.b"])?.parameter == "what")
    #expect(refusal(Nothing.self, parameters: ["what": nil])?.parameter == "what")
    #expect(refusal(Nothing.self, parameters: ["zoo": 1, "ape": 1])?.parameter == "ape")
    #expect(try TeamReply(replyParameters: ["team": try Samples.team().json, "what": 1]).team == Samples.team())
  }

  @Test func aWrongParameterIsNamedBeforeAnUnknownOne() {
    #expect(refusal(ListOffers.Parameters.self, parameters: ["a": 1, "team": 1])?.parameter == "team")
  }

  @Test func theFirstWrongParameterIsNamed() {
    #expect(refusal(BackUpTeam.Parameters.self, parameters: ["team": 1, "passphrase": ""])?.parameter == "team")
    #expect(refusal(BackUpTeam.Parameters.self, parameters: [:])?.parameter == "passphrase")
    #expect(refusal(RestoreTeam.Parameters.self, parameters: ["checkOnly": 1])?.parameter == "backup")
  }

  @Test func theParameterIsNamedAndNotWhatIsWrongInIt() {
    #expect(refusal(UpdateActivity.Parameters.self, parameters: ["activity": ["title": 1]])?.parameter == "activity")
    checkRefusal(ListOffers.Reply.self, ["offers": [["id": 7]]], names: "offers")
  }

  @Test func unknownMembersInsideAParameterAreIgnored() throws {
    let activity: JSON = ["activityType": "a.b", "what": 1]
    let parameters = try UpdateActivity.Parameters(parameters: ["activity": activity])
    #expect(parameters.activity == ControlActivity(activityType: "a.b"))
  }

  @Test func nullIsAbsence() throws {
    #expect(try ListOffers.Parameters(parameters: ["team": nil]) == ListOffers.Parameters())
    let activityID = JSON.string(Samples.idText)
    #expect(try !OpenStream.Parameters(parameters: ["activity": activityID, "awaits": nil]).awaits)
    let activity = ControlActivity(json: ["activityType": "a.b", "isEligibleForHandoff": nil, "userInfo": nil])
    #expect(activity == ControlActivity(activityType: "a.b"))
    #expect(try ListTeams.Reply(replyParameters: ["teams": [], "unusable": nil]).unusable == [])
  }

  @Test func defaultsMayBeWritten() throws {
    let activity: JSON = ["activityType": "a.b", "isEligibleForHandoff": true, "needsSave": false, "userInfo": [:]]
    var expected = ControlActivity(activityType: "a.b")
    expected.userInfo = [:]
    #expect(ControlActivity(json: activity) == expected)
    #expect(expected.json.text == #"{"activityType":"a.b","userInfo":{}}"#)
    expected.isEligibleForHandoff = false
    checkCoding(expected, #"{"activityType":"a.b","isEligibleForHandoff":false,"userInfo":{}}"#)
  }

  @Test func userInfoIsAnObject() {
    for wrong: JSON in [[], "", 0, false] {
      checkRefusal(ControlActivity.self, ["activityType": "a.b", "userInfo": wrong], names: "userInfo")
    }
  }

  @Test(arguments: ["port", "sessions", "streams"]) func aWholeDoubleIsAnInteger(name: String) throws {
    var members = status
    members[name] = 5.0
    #expect(try GetStatus.Reply(replyParameters: members).members[name] == 5)
    for wrong: JSON in [-1, -1.0, 5.5, "5", true, nil, .unsigned(.max), 1e300] {
      members[name] = wrong
      checkRefusal(GetStatus.Reply.self, .object(members), names: name)
    }
  }

  @Test func aPortHas16Bits() {
    var members = status
    members["port"] = 65536
    checkRefusal(GetStatus.Reply.self, .object(members), names: "port")
  }

  @Test func anIntegerIsANumber() throws {
    let reply = try InviteDevice.Reply(replyParameters: ["code": "c", "expires": 2_000_000_000])
    #expect(reply == InviteDevice.Reply(code: "c", expires: 2e9))
    checkRefusal(InviteDevice.Reply.self, ["code": "c", "expires": "2000000000"], names: "expires")
    checkRefusal(InviteDevice.Reply.self, ["code": "c", "expires": true], names: "expires")
  }

  @Test func aBooleanIsNoNumber() {
    for wrong: JSON in [0, 1, "true"] {
      #expect(
        refusal(OpenStream.Parameters.self, parameters: ["activity": .string(Samples.idText), "awaits": wrong])?
          .parameter == "awaits"
      )
    }
  }

  @Test func anUnknownValueIsRefusedUnlessItIsAReason() throws {
    let id = JSON.string(Samples.idText)
    checkRefusal(BecomeCurrent.Reply.self, ["id": id, "event": "fromTheFuture"], names: "event")
    let reply = try BecomeCurrent.Reply(
      replyParameters: ["id": id, "event": "resigned", "reason": "fromTheFuture"]
    )
    #expect(reply.reason == .internalFailure)
    checkRefusal(BecomeCurrent.Reply.self, ["id": id, "event": "resigned", "reason": 1], names: "reason")
  }

  @Test func aLaunchIsRequestedWithAllThatItNeeds() throws {
    checkRefusal(RegisterLauncher.Reply.self, ["event": "launchRequested"], names: "launch")
    let reply = try RegisterLauncher.Reply(replyParameters: ["event": "registered", "launch": 7])
    #expect(reply == RegisterLauncher.Reply(event: .registered))
  }
}
