// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Testing
import Varlink

@Suite struct TypeTests {
  @Test func activityHasItsForm() {
    checkCoding(Samples.activity, Samples.activityText)
    checkCoding(ControlActivity(activityType: "a.b"), #"{"activityType":"a.b"}"#)
    checkMembers(of: Samples.activity, optional: Set(Samples.activity.members.keys.filter { $0 != "activityType" }))
    checkRefusal(ControlActivity.self, ["activityType": "a.b", "id": "7"], names: "id")
  }

  @Test func activityWithoutIDGetsOneWhenItIsPublished() throws {
    let record = try ControlActivity(activityType: "a.b").record(newID: Samples.id)
    #expect(record.id == Samples.id)
    #expect(record.userInfo == .empty)
  }

  @Test func activityAndRecordSayTheSame() throws {
    let record = try Samples.activity.record(newID: ActivityID(randomBytes: (0, 0)))
    #expect(record.id == Samples.id)
    #expect(ControlActivity(record) == Samples.activity)
    #expect(record.json.text == Samples.activityText)
  }

  @Test func contentsThatAreNotAllowedHaveTheirReason() {
    func reason(_ change: (inout ControlActivity) -> Void) -> Reason? {
      var activity = Samples.activity
      change(&activity)
      do { _ = try activity.record(newID: Samples.id) } catch { return error }
      return nil
    }
    #expect(reason { _ in } == nil)
    #expect(reason { $0.activityType = "no type" } == .activityTypeInvalid)
    #expect(reason { $0.title = String(repeating: "a", count: Limits.titleLength + 1) } == nil, "It is shortened")
    #expect(reason { $0.webpageURL = "file:///etc/passwd" } == .urlInvalid)
    #expect(reason { $0.userInfo = ["$unknown": 1] } == .userInfoInvalid)
    #expect(reason { $0.userInfo = ["a": .string(String(repeating: "a", count: 4000))] } == .userInfoTooLarge)
  }

  @Test func teamHasItsForm() throws {
    checkCoding(try Samples.team(), Samples.teamText)
    checkMembers(of: try Samples.team())
    var members = try Samples.team().members
    members["id"] = "1111111111"
    checkRefusal(ControlTeam.self, .object(members), names: "id")
  }

  @Test func fingerprintIsExactlyTheTeam() throws {
    let team = try #require(TeamID(bytes: (0..<32).map { UInt8($0 * 8) }))
    #expect(Fingerprint.text(of: team).hasPrefix("0008101820"))
    #expect(Fingerprint.team(of: Fingerprint.text(of: team)) == team)
    #expect(Fingerprint.team(of: String(repeating: "+1", count: 32)) == nil)
    #expect(Fingerprint.team(of: String(repeating: "0", count: 63)) == nil)
  }

  @Test func failureIsTheInterfacesError() {
    let failure = ControlFailure(.teamNotFound)
    #expect(failure.message == Reason.teamNotFound.explanation)
    #expect(failure.localizedMessage == Reason.teamNotFound.explanation)
    #expect(ControlFailure(.urlInvalid, message: "m").localizedMessage == "m")
    checkCoding(ControlFailure(.urlInvalid, message: "m"), #"{"message":"m","reason":"urlInvalid"}"#)
    checkMembers(of: failure)
    #expect(failure.reply == Varlink.Reply(error: "io.baton.Handoff.Failed", failure.members))
  }

  @Test func unknownReasonIsAFailureOfTheOtherSide() {
    #expect(ControlFailure(json: ["reason": "fromTheFuture", "message": "m"])?.reason == .internalFailure)
  }
}
