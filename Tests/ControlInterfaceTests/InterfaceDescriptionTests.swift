import Activity
import ControlInterface
import Foundation
import Testing
import Varlink

@Suite struct InterfaceDescriptionTests {
  static var methods: [any Varlink.Method.Type] {
    [
      BecomeCurrent.self, SendActivity.self, UpdateActivity.self, ResignCurrent.self, ListOffers.self, Continue.self,
      RegisterApplication.self, OpenOffer.self, OpenActivity.self, RegisterLauncher.self, ReportLaunch.self,
      OpenStream.self,
      AcceptStream.self, AwaitStream.self, RegisterIndex.self, SendIndexMessage.self, ListPeers.self,
      AcceptName.self, AddPeer.self, RemovePeer.self, ListStaticPeers.self, ListRendezvous.self, CreateRendezvous.self,
      RequestRendezvous.self, AuthorizeRendezvous.self, ImportRendezvous.self, SetZone.self, RemoveRendezvous.self,
      GetStatus.self, ListSharedFolders.self,
      GetMetrics.self, Diagnose.self,
      CreateTeam.self, InviteDevice.self,
      JoinTeam.self,
      RequestMembership.self, ApproveRequest.self, ImportApproval.self, ListTeams.self, ListDevices.self,
      RevokeDevice.self, PromoteDevice.self, RenewTeam.self, UnlockTeam.self, SetPassphrase.self, BackUpTeam.self,
      RestoreTeam.self, LeaveTeam.self,
    ]
  }

  /// Returns the cases of the enumeration that follows `head` in the description.
  func cases(after head: String) throws -> [String] {
    let start = try #require(InterfaceDescription.handoff.text.range(of: head + "("))
    let rest = InterfaceDescription.handoff.text[start.upperBound...]
    let list = try #require(rest.range(of: ")").map { rest[..<$0.lowerBound] })
    return list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
  }

  @Test func reasonsAreThoseOfTheList() throws {
    #expect(try cases(after: "type Reason ") == Reason.allCases.map(\.rawValue))
  }

  @Test func countersAreThoseOfTheType() throws {
    let members = try cases(after: "type Counters ").map { line in
      line.split(separator: "\n").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? ""
    }
    let totals = Counters.Total.allCases.map { "\($0.rawValue): int" }
    let causes = Counters.Cause.allCases.map { "\($0.rawValue): [string]int" }
    #expect(Set(members) == Set(totals + causes))
    #expect(members.count == totals.count + causes.count)
  }

  @Test func enumerationsAreTheSame() throws {
    #expect(try cases(after: "source: ") == ControlOffer.Source.allCases.map(\.rawValue))
    #expect(try cases(after: "state: ") == ControlPeer.State.allCases.map(\.rawValue))
    #expect(try cases(after: "this machine's own.\n  state: ") == ControlStaticPeer.State.allCases.map(\.rawValue))
    #expect(try cases(after: "path: ?") == ControlPeer.Path.allCases.map(\.rawValue))
    #expect(try cases(after: "zone: ?string,\n  state: ") == ControlRendezvous.State.allCases.map(\.rawValue))
    #expect(try cases(after: "event: ") == BecomeCurrent.Event.allCases.map(\.rawValue))
    #expect(
      try cases(
        after: "SendActivity(activity: Activity, deviceID: string, team: ?string) -> (\n  id: string,\n  event: "
      )
        == SendActivity.Event.allCases.map(\.rawValue)
    )
    #expect(
      try cases(after: "RegisterApplication(activityTypes: []string, application: ?string) -> (\n  event: ")
        == RegisterApplication.Event.allCases.map(\.rawValue)
    )
    #expect(
      try cases(after: "RegisterLauncher(activityTypes: []string, isIncomplete: ?bool) -> (\n  event: ")
        == RegisterLauncher.Event.allCases.map(\.rawValue)
    )
    #expect(
      try cases(after: "RegisterIndex() -> (\n  event: ") == RegisterIndex.Event.allCases.map(\.rawValue)
    )
    #expect(try cases(after: "launch: string, state: ") == ReportLaunch.State.allCases.map(\.rawValue))
    #expect(try cases(after: "check: ") == Diagnose.Check.allCases.map(\.rawValue))
    #expect(try cases(after: "outcome: ") == Diagnose.Outcome.allCases.map(\.rawValue))
    #expect(try cases(after: "discovery: ") == GetStatus.DiscoveryState.allCases.map(\.rawValue))
  }

  @Test func modesAreTheOnesTheMethodsDemand() {
    for method in Self.methods {
      let mode: Call.Mode? =
        switch method.name.split(separator: ".").last {
        case "BecomeCurrent", "SendActivity", "RegisterApplication", "RegisterLauncher", "RegisterIndex", "Diagnose":
          .more
        case "OpenStream", "AcceptStream": .upgrade
        default: nil
        }
      #expect(method.requiredMode == mode, "\(method.name)")
    }
  }

  @Test func eachMethodHasItsType() {
    let names = InterfaceDescription.handoff.text.split(separator: "\n").filter { $0.hasPrefix("method ") }
      .map { InterfaceDescription.handoff.name + "." + $0.dropFirst("method ".count).prefix { $0 != "(" } }
    #expect(names == Self.methods.map { $0.name })
    #expect(InterfaceDescription.handoff.text.contains("\ninterface \(InterfaceDescription.handoff.name)\n"))
    #expect(
      InterfaceDescription.handoff.text.contains("\nerror \(ControlFailure.name.split(separator: ".").last ?? "") (")
    )
  }
}
