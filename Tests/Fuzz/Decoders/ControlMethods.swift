import Activity
import ControlInterface
import JSONCoding
import Varlink

/// All methods of batond.
enum ControlMethods {
  nonisolated(unsafe) static let all: [any Method.Type] = [
    AcceptStream.self, AddPeer.self, ApproveRequest.self, AuthorizeRendezvous.self, AwaitStream.self, BackUpTeam.self,
    BecomeCurrent.self,
    AcceptName.self, Continue.self, CreateRendezvous.self, CreateTeam.self, Diagnose.self, GetMetrics.self,
    GetStatus.self,
    ImportApproval.self, ImportRendezvous.self,
    InviteDevice.self,
    JoinTeam.self, LeaveTeam.self, ListDevices.self, ListOffers.self, ListPeers.self, ListRendezvous.self,
    ListSharedFolders.self,
    ListStaticPeers.self,
    ListTeams.self,
    OpenActivity.self, OpenOffer.self, OpenStream.self, PromoteDevice.self, RegisterApplication.self,
    RegisterIndex.self,
    RegisterLauncher.self,
    RemovePeer.self, RemoveRendezvous.self, RenewTeam.self, ReportLaunch.self, RequestMembership.self,
    RequestRendezvous.self, ResignCurrent.self, RestoreTeam.self,
    RevokeDevice.self, SendActivity.self, SendIndexMessage.self, SetPassphrase.self, SetZone.self, UnlockTeam.self,
    UpdateActivity.self,
  ]

  static let names: [String] = {
    let names = all.map { $0.name }
    let declared = InterfaceDescription.handoff.text.split(atScalar: "\n").compactMap {
      $0.rest(afterBytesOf: "method ")
    }
    .map { "\(InterfaceDescription.handoff.name).\($0.scalarPrefix(while: { $0 != "(" }))" }
    hold(Set(names) == Set(declared), "These are not all methods: \(Set(names).symmetricDifference(declared))")
    return names
  }()

  /// The names of members, and other words of the interface.
  static let words =
    names + [
      "method", "parameters", "oneway", "more", "upgrade", "error", "continues", "io.baton.Handoff.Failed",
      "org.varlink.service.GetInfo", "org.varlink.service.GetInterfaceDescription",
      "org.varlink.service.InvalidParameter",
      "interface", "parameter", "reason", "message", "activity", "activityType", "activityTypes", "id", "team", "teams",
      "device", "deviceID", "address", "code", "event", "stream", "launch", "state", "offers", "peers", "counters",
      "serial", "servers", "relays", "organization", "zone", "name", "server", "keyName", "key", "path", "roundTrip",
      "admitted", "passphrase", "backup", "request", "approval", "activationToken", "title", "userInfo", "webpageURL",
      "\0",
      "{\"method\":\"", "{\"parameters\":{", "00112233-4455-6677-8899-aabbccddeeff",
    ]
}
