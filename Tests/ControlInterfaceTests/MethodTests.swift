// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import JSONCoding
import Testing

/// What is written by hand of the methods, and what the markers in their text promise. `Scripts/make-interfaces` makes
/// the rest, and has its own tests.
@Suite struct MethodTests {
  @Test func theEventsOfSendActivityAreThoseOfBecomeCurrent() {
    for event in SendActivity.Event.allCases {
      let common = BecomeCurrent.Reply(SendActivity.Reply(id: Samples.id, event: event, reason: .asleep, stream: "s"))
      #expect(common.event.rawValue == (event == .sent ? "current" : event.rawValue))
      #expect(common.id == Samples.id && common.reason == .asleep && common.stream == "s")
    }
  }

  @Test func aLaunchIsOneMemberAfterAnother() {
    let request = LaunchRequest(
      launch: "7",
      id: Samples.id,
      activityType: "a.b",
      team: "K7Q2M9XW4T",
      hasWebPage: true,
      webpageHost: "example.org",
      activationToken: "t"
    )
    let reply = RegisterLauncher.Reply(event: .launchRequested, request: request)
    checkCoding(
      reply,
      #"{"activationToken":"t","activityType":"a.b","event":"launchRequested","hasWebPage":true,"#
        + #""id":"\#(Samples.idText)","launch":"7","team":"K7Q2M9XW4T","webpageHost":"example.org"}"#
    )
    checkMembers(of: reply, optional: ["hasWebPage", "webpageHost", "activationToken", "team"])
    let named = LaunchRequest(launch: "8", id: Samples.id, activityType: "a.b", application: "Reader", team: nil)
    checkCoding(
      RegisterLauncher.Reply(event: .launchRequested, request: named),
      #"{"activityType":"a.b","application":"Reader","event":"launchRequested","#
        + #""id":"\#(Samples.idText)","launch":"8"}"#
    )
  }

  @Test func peersThatAreAwayMayBeMissing() throws {
    let peer = ControlPeer(device: "desktop", deviceID: try Samples.device(), team: "T", state: .connected)
    let (reply, json) = (ListPeers.Reply(peers: [peer], away: [peer]), peer.json.text)
    checkCoding(reply, #"{"away":[\#(json)],"peers":[\#(json)]}"#)
    checkMembers(of: reply, optional: ["away"])
    #expect(reply.peers.count == 2)
  }

  @Test func sharedFoldersThatCannotBeOnesAreLeftOut() {
    let reply = ListSharedFolders.Reply(folders: [ControlSharedFolder(name: "Notes", path: "/srv/notes")])
    #expect(ListSharedFolders.Reply(reply.sharedFolders) == reply)
    let wrong = ControlSharedFolder(name: "a/b", path: "relative")
    #expect(ListSharedFolders.Reply(folders: [wrong]).sharedFolders.all.isEmpty)
  }

  @Test func namesOfAppsAreNeitherEmptyNorEndless() {
    for name in ["", String(repeating: "n", count: Limits.applicationNameLength + 1)] {
      checkRefusal(
        OpenActivity.Parameters.self,
        ["activity": Samples.activity.json, "application": .string(name)],
        names: "application"
      )
      checkRefusal(
        RegisterApplication.Parameters.self,
        ["activityTypes": [], "application": .string(name)],
        names: "application"
      )
    }
  }

  @Test func activationTokensAreShortAndPlain() {
    #expect(ActivationToken.isValid(String(repeating: "t", count: Limits.activationTokenLength)))
    for text in ["", "a\nb", "a\0", "ü", String(repeating: "t", count: Limits.activationTokenLength + 1)] {
      #expect(!ActivationToken.isValid(text))
      checkRefusal(
        OpenOffer.Parameters.self,
        ["id": .string(Samples.idText), "activationToken": .string(text)],
        names: "activationToken"
      )
    }
  }

  @Test func passphrasesAreNeitherEmptyNorEndless() {
    checkRefusal(BackUpTeam.Parameters.self, ["passphrase": ""], names: "passphrase")
    let longest = String(repeating: "p", count: Limits.passphraseLength)
    let parameters = RestoreTeam.Parameters(backup: "b", passphrase: longest)
    checkCoding(parameters, #"{"backup":"b","passphrase":"\#(longest)"}"#)
    checkRefusal(
      RestoreTeam.Parameters.self,
      ["backup": "b", "passphrase": .string(longest + "p")],
      names: "passphrase"
    )
  }

  @Test func indexMessagesAreObjectsOfLimitedSizeAndDepth() throws {
    let device = JSON.string(Samples.deviceText)
    func check(_ message: JSON) {
      checkRefusal(
        SendIndexMessage.Parameters.self,
        ["team": "T", "deviceID": device, "message": message],
        names: "message"
      )
    }
    check(1)
    check([])
    check("{}")
    check(["k": .string(String(repeating: "x", count: Limits.indexMessageLength))])
    check(["k": .array(Array(repeating: "\u{1}", count: Limits.indexMessageLength / 8))])
    check(["k": (0..<Limits.indexMessageDepth).reduce(0) { json, _ in .array([json]) }])
  }
}
