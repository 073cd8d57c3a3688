import Activity
import ControlInterface
import JSONCoding
import Testing
import Varlink

@Suite struct MethodTests {
  @Test func becomeCurrent() {
    typealias M = BecomeCurrent
    let parameters = M.Parameters(activity: Samples.activity, team: "K7Q2M9XW4T")
    checkCoding(parameters, #"{"activity":\#(Samples.activityText),"team":"K7Q2M9XW4T"}"#)
    checkMembers(of: parameters, optional: ["team"])
    let reply = M.Reply(id: Samples.id, event: .streamRequested, reason: .superseded, device: "desktop", stream: "s")
    checkCoding(
      reply,
      #"{"device":"desktop","event":"streamRequested","id":"\#(Samples.idText)","reason":"superseded","stream":"s"}"#
    )
    checkMembers(of: reply, optional: ["reason", "device", "stream"])
    checkCoding(M.Reply(id: Samples.id, event: .current), #"{"event":"current","id":"\#(Samples.idText)"}"#)
  }

  @Test func sendActivity() throws {
    typealias M = SendActivity
    let parameters = M.Parameters(activity: Samples.activity, deviceID: try Samples.device(), team: "K7Q2M9XW4T")
    checkCoding(
      parameters,
      #"{"activity":\#(Samples.activityText),"deviceID":"\#(Samples.deviceText)","team":"K7Q2M9XW4T"}"#
    )
    checkMembers(of: parameters, optional: ["team"])
    checkRefusal(M.Parameters.self, ["activity": Samples.activity.json, "deviceID": "desktop"], names: "deviceID")
    let reply = M.Reply(id: Samples.id, event: .streamRequested, reason: .superseded, device: "desktop", stream: "s")
    checkCoding(
      reply,
      #"{"device":"desktop","event":"streamRequested","id":"\#(Samples.idText)","reason":"superseded","stream":"s"}"#
    )
    checkMembers(of: reply, optional: ["reason", "device", "stream"])
    checkCoding(M.Reply(id: Samples.id, event: .sent), #"{"event":"sent","id":"\#(Samples.idText)"}"#)
  }

  @Test func theEventsOfSendActivityAreThoseOfBecomeCurrent() {
    for event in SendActivity.Event.allCases {
      let common = BecomeCurrent.Reply(SendActivity.Reply(id: Samples.id, event: event, reason: .asleep, stream: "s"))
      #expect(common.event.rawValue == (event == .sent ? "current" : event.rawValue))
      #expect(common.id == Samples.id && common.reason == .asleep && common.stream == "s")
    }
  }

  @Test func updateActivity() {
    let parameters = UpdateActivity.Parameters(activity: Samples.activity)
    checkCoding(parameters, #"{"activity":\#(Samples.activityText)}"#)
    checkMembers(of: parameters)
    checkCoding(UpdateActivity.Reply(), "{}")
    checkCoding(UpdateActivity.Reply(omitted: ["webpageURL"]), #"{"omitted":["webpageURL"]}"#)
  }

  @Test func resignCurrent() {
    checkCoding(ResignCurrent.Parameters(id: Samples.id), #"{"id":"\#(Samples.idText)"}"#)
    checkMembers(of: ResignCurrent.Parameters(id: Samples.id))
    checkCoding(ResignCurrent.Reply(), "{}")
  }

  @Test func listOffers() throws {
    let parameters = ListOffers.Parameters(activityType: "a.b", team: "T")
    checkCoding(parameters, #"{"activityType":"a.b","team":"T"}"#)
    checkCoding(ListOffers.Parameters(), "{}")
    checkMembers(of: parameters, optional: ["activityType", "team"])
    let offer = ControlOffer(
      id: Samples.id,
      activityType: "a.b",
      title: nil,
      supportsContinuationStreams: false,
      device: "laptop",
      deviceID: try Samples.device(),
      team: "T",
      source: .session
    )
    checkCoding(ListOffers.Reply(offers: [offer]), #"{"offers":[\#(offer.json.text)]}"#)
    checkMembers(of: ListOffers.Reply(offers: [offer]))
    checkRefusal(ListOffers.Reply.self, ["offers": [["id": "7"]]], names: "offers")
  }

  @Test func continueActivity() {
    checkCoding(Continue.Parameters(id: Samples.id), #"{"id":"\#(Samples.idText)"}"#)
    checkMembers(of: Continue.Parameters(id: Samples.id))
  }

  @Test func applications() {
    let parameters = RegisterApplication.Parameters(activityTypes: ["a.b", "a.c"])
    checkCoding(parameters, #"{"activityTypes":["a.b","a.c"]}"#)
    checkMembers(of: parameters)
    checkRefusal(RegisterApplication.Parameters.self, ["activityTypes": ["a.b", 7]], names: "activityTypes")
    checkCoding(RegisterApplication.Reply(event: .registered), #"{"event":"registered"}"#)
    let reply = RegisterApplication.Reply(event: .continueRequested, id: Samples.id, activityType: "a.b")
    checkCoding(reply, #"{"activityType":"a.b","event":"continueRequested","id":"\#(Samples.idText)"}"#)
    checkMembers(of: reply, optional: ["id", "activityType"])
    let named = RegisterApplication.Parameters(activityTypes: [], application: "Reader")
    checkCoding(named, #"{"activityTypes":[],"application":"Reader"}"#)
    checkMembers(of: named, optional: ["application"])
    let wanted = RegisterApplication.Reply(
      event: .continueRequested,
      activityType: "a.b",
      application: "Reader",
      activationToken: "t"
    )
    checkMembers(of: wanted, optional: ["activityType", "application", "activationToken"])
    checkCoding(OpenOffer.Parameters(id: Samples.id), #"{"id":"\#(Samples.idText)"}"#)
    let open = OpenOffer.Parameters(id: Samples.id, activationToken: "token_TIME1")
    checkCoding(open, #"{"activationToken":"token_TIME1","id":"\#(Samples.idText)"}"#)
    checkMembers(of: open, optional: ["activationToken"])
  }

  @Test func openActivity() {
    let parameters = OpenActivity.Parameters(
      activity: Samples.activity,
      application: "Reader",
      origin: .unknown,
      activationToken: "t"
    )
    checkCoding(parameters, #"{"activationToken":"t","activity":\#(Samples.activityText),"application":"Reader"}"#)
    checkMembers(of: parameters, optional: ["application", "activationToken"])
    checkCoding(OpenActivity.Reply(), "{}")
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

  @Test func launchers() {
    let parameters = RegisterLauncher.Parameters(activityTypes: ["a.b"])
    checkCoding(parameters, #"{"activityTypes":["a.b"]}"#)
    checkMembers(of: parameters)
    let incomplete = RegisterLauncher.Parameters(activityTypes: [], isIncomplete: true)
    checkCoding(incomplete, #"{"activityTypes":[],"isIncomplete":true}"#)
    checkMembers(of: incomplete, optional: ["isIncomplete"])
    checkRefusal(RegisterLauncher.Parameters.self, ["activityTypes": [7]], names: "activityTypes")
    checkCoding(RegisterLauncher.Reply(event: .registered), #"{"event":"registered"}"#)
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
    let report = ReportLaunch.Parameters(launch: "7", state: .failed, reason: .launchFailed)
    checkCoding(report, #"{"launch":"7","reason":"launchFailed","state":"failed"}"#)
    checkMembers(of: report, optional: ["reason"])
  }

  @Test func streams() {
    checkCoding(OpenStream.Parameters(activity: Samples.id), #"{"activity":"\#(Samples.idText)"}"#)
    checkMembers(of: OpenStream.Parameters(activity: Samples.id, awaits: true), optional: ["awaits"])
    checkCoding(OpenStream.Reply(stream: "s"), #"{"stream":"s"}"#)
    checkMembers(of: OpenStream.Reply(stream: "s"))
    checkCoding(AcceptStream.Parameters(stream: "s"), #"{"stream":"s"}"#)
    checkMembers(of: AcceptStream.Parameters(stream: "s", awaits: true), optional: ["awaits"])
    checkCoding(AwaitStream.Parameters(stream: "s"), #"{"stream":"s"}"#)
    checkMembers(of: AwaitStream.Parameters(stream: "s"))
    checkCoding(AwaitStream.Reply(reason: .streamReset), #"{"reason":"streamReset"}"#)
    checkCoding(AwaitStream.Reply(reason: nil), "{}")
    checkMembers(of: AwaitStream.Reply(reason: .streamReset), optional: ["reason"])
  }

  @Test func listPeers() throws {
    let peer = ControlPeer(device: "desktop", deviceID: try Samples.device(), team: "T", state: .connected)
    let (reply, json) = (ListPeers.Reply(peers: [peer], away: [peer]), peer.json.text)
    checkCoding(reply, #"{"away":[\#(json)],"peers":[\#(json)]}"#)
    checkMembers(of: reply, optional: ["away"])
    #expect(reply.peers.count == 2)
  }

  @Test func staticPeers() {
    let parameters = AddPeer.Parameters(address: "nas", team: "T")
    checkCoding(parameters, #"{"address":"nas","team":"T"}"#)
    checkCoding(RemovePeer.Parameters(address: "nas"), #"{"address":"nas"}"#)
    checkMembers(of: parameters, optional: ["team"])
    let peer = ControlStaticPeer(address: "nas:1", team: "T", state: .thisMachine)
    checkCoding(AddPeer.Reply(peer: peer), #"{"peer":\#(peer.json.text)}"#)
    checkMembers(of: AddPeer.Reply(peer: peer))
    checkCoding(ListStaticPeers.Reply(peers: [peer]), #"{"peers":[\#(peer.json.text)]}"#)
    checkMembers(of: ListStaticPeers.Reply(peers: [peer]))
    checkCoding(RemovePeer.Reply(), "{}")
  }

  @Test func listSharedFolders() {
    checkCoding(ListSharedFolders.Parameters(), "{}")
    let reply = ListSharedFolders.Reply(folders: [ControlSharedFolder(name: "Notes", path: "/srv/notes")])
    checkCoding(reply, #"{"folders":[{"name":"Notes","path":"/srv/notes"}]}"#)
    checkMembers(of: reply)
    #expect(ListSharedFolders.Reply(reply.sharedFolders) == reply)
    let wrong = ControlSharedFolder(name: "a/b", path: "relative")
    #expect(ListSharedFolders.Reply(folders: [wrong]).sharedFolders.all.isEmpty)
  }

  @Test func getStatus() throws {
    var counters = Counters()
    counters.count(.sessionsBegun)
    let reply = GetStatus.Reply(
      device: "laptop",
      version: "0.1.0",
      port: 22866,
      discovery: .connecting,
      teams: [try Samples.team()],
      current: ControlActivity(activityType: "a.b"),
      withheld: .screenLocked,
      sessions: 1,
      streams: 2,
      counters: counters
    )
    checkCoding(GetStatus.Parameters(), "{}")
    checkCoding(
      reply,
      """
      {"counters":\(counters.json.text),"current":{"activityType":"a.b"},"device":"laptop",\
      "discovery":"connecting","port":22866,"sessions":1,\
      "streams":2,"teams":[\(Samples.teamText)],"version":"0.1.0","withheld":"screenLocked"}
      """
    )
    checkMembers(of: reply, optional: ["current", "withheld"])
    var members = reply.members
    members["port"] = 65536
    checkRefusal(GetStatus.Reply.self, .object(members), names: "port")
    members = reply.members
    members["sessions"] = -1
    checkRefusal(GetStatus.Reply.self, .object(members), names: "sessions")
  }

  @Test func diagnose() {
    checkCoding(Diagnose.Parameters(), "{}")
    checkCoding(Diagnose.Parameters(peer: "desktop"), #"{"peer":"desktop"}"#)
    checkMembers(of: Diagnose.Parameters(peer: "desktop"), optional: ["peer"])
    let reply = Diagnose.Reply(.port, .failed, "Closed.", reason: .portClosed, advice: "Open it.")
    checkCoding(
      reply,
      #"{"advice":"Open it.","check":"port","detail":"Closed.","outcome":"failed","reason":"portClosed"}"#
    )
    checkMembers(of: reply, optional: ["reason", "advice"])
  }

  @Test func metrics() {
    checkCoding(GetMetrics.Reply(text: "a 1\n"), #"{"text":"a 1\n"}"#)
    checkMembers(of: GetMetrics.Reply(text: ""))
  }

  @Test func teams() throws {
    let team = try Samples.team()
    checkCoding(CreateTeam.Parameters(name: "Demo"), #"{"name":"Demo"}"#)
    checkMembers(of: CreateTeam.Parameters(name: "Demo", passphrase: "p"), optional: ["passphrase"])
    checkCoding(CreateTeam.Parameters(name: "Demo", passphrase: "p"), #"{"name":"Demo","passphrase":"p"}"#)
    checkRefusal(CreateTeam.Parameters.self, ["name": "Demo", "passphrase": ""], names: "passphrase")
    checkCoding(TeamReply(team: team), #"{"team":\#(Samples.teamText)}"#)
    checkMembers(of: TeamReply(team: team))
    checkCoding(ListTeams.Parameters(), "{}")
    checkCoding(ListTeams.Reply(teams: [team]), #"{"teams":[\#(Samples.teamText)]}"#)
    checkMembers(of: ListTeams.Reply(teams: [team]))
    let unusable = [
      ControlUnusableTeam(name: "Home", fault: "read ca.pem"), ControlUnusableTeam(name: nil, fault: "x"),
    ]
    checkCoding(
      ListTeams.Reply(teams: [], unusable: unusable),
      #"{"teams":[],"unusable":[{"fault":"read ca.pem","name":"Home"},{"fault":"x"}]}"#
    )
    checkCoding(LeaveTeam.Parameters(team: "T"), #"{"team":"T"}"#)
    checkMembers(of: LeaveTeam.Parameters(team: "T"))
    checkCoding(LeaveTeam.Reply(), "{}")
  }

  @Test func devices() throws {
    let device = ControlDevice(name: "phone", deviceID: try Samples.device(), serial: "0a", admitted: 1, revoked: 2)
    let text =
      #"{"admitted":1.0,"deviceID":"\#(Samples.deviceText)","name":"phone","revoked":2.0,"serial":"0a"}"#
    checkCoding(device, text)
    checkMembers(of: device, optional: ["revoked"])
    checkCoding(ListDevices.Parameters(team: "T"), #"{"team":"T"}"#)
    checkCoding(ListDevices.Parameters(), "{}")
    checkMembers(of: ListDevices.Parameters(team: "T"), optional: ["team"])
    checkCoding(ListDevices.Reply(devices: [device]), #"{"devices":[\#(text)]}"#)
    checkMembers(of: ListDevices.Reply(devices: [device]))
    checkCoding(RevokeDevice.Parameters(device: "phone", team: "T"), #"{"device":"phone","team":"T"}"#)
    checkMembers(of: RevokeDevice.Parameters(device: "phone", team: "T"), optional: ["team"])
    checkCoding(RevokeDevice.Reply(device: device, already: true), #"{"already":true,"device":\#(text)}"#)
    checkMembers(of: RevokeDevice.Reply(device: device, already: true))
    let administrator = ControlDevice(
      name: "phone",
      deviceID: try Samples.device(),
      serial: "0a",
      admitted: 1,
      administrator: true
    )
    let second = text.replacing(#""revoked":2.0,"#, with: "").replacing(
      #"{"admitted""#,
      with: #"{"administrator":true,"admitted""#
    )
    checkCoding(administrator, second)
    checkMembers(of: administrator, optional: ["administrator"])
    checkCoding(PromoteDevice.Parameters(device: "phone", team: "T"), #"{"device":"phone","team":"T"}"#)
    checkMembers(of: PromoteDevice.Parameters(device: "phone", team: "T"), optional: ["team"])
    checkCoding(PromoteDevice.Reply(device: administrator), #"{"device":\#(second)}"#)
    checkMembers(of: PromoteDevice.Reply(device: administrator))
  }

  @Test func keysOfTeams() throws {
    let both = RenewTeam.Parameters(team: "T", passphrase: "p")
    checkCoding(both, #"{"passphrase":"p","team":"T"}"#)
    checkCoding(SetPassphrase.Parameters(), "{}")
    checkMembers(of: both, optional: ["team", "passphrase"])
    checkRefusal(SetPassphrase.Parameters.self, ["passphrase": ""], names: "passphrase")
    let renewed = RenewTeam.Reply(team: try Samples.team(), replaced: "O", code: "c", expires: 2)
    checkCoding(renewed, #"{"code":"c","expires":2.0,"replaced":"O","team":\#(Samples.teamText)}"#)
    checkMembers(of: renewed)
    checkCoding(UnlockTeam.Parameters(team: "T", passphrase: "p"), #"{"passphrase":"p","team":"T"}"#)
    checkMembers(of: UnlockTeam.Parameters(team: "T", passphrase: "p"), optional: ["team"])
  }

  @Test func backups() throws {
    checkCoding(BackUpTeam.Parameters(team: "T", passphrase: "p"), #"{"passphrase":"p","team":"T"}"#)
    checkMembers(of: BackUpTeam.Parameters(team: "T", passphrase: "p"), optional: ["team"])
    let backup = BackUpTeam.Reply(backup: "b", team: try Samples.team())
    checkCoding(backup, #"{"backup":"b","team":\#(Samples.teamText)}"#)
    checkMembers(of: backup)
    checkCoding(RestoreTeam.Parameters(backup: "b", passphrase: "p"), #"{"backup":"b","passphrase":"p"}"#)
    let check = RestoreTeam.Parameters(backup: "b", passphrase: "p", checkOnly: true)
    checkCoding(check, #"{"backup":"b","checkOnly":true,"passphrase":"p"}"#)
    checkMembers(of: check, optional: ["checkOnly"])
    let restored = RestoreTeam.Reply(team: try Samples.team(), device: "laptop", made: 1.5)
    checkCoding(restored, #"{"device":"laptop","made":1.5,"team":\#(Samples.teamText)}"#)
    checkMembers(of: restored)
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

  @Test func invitations() {
    checkCoding(InviteDevice.Parameters(team: "T"), #"{"team":"T"}"#)
    checkCoding(InviteDevice.Parameters(), "{}")
    checkMembers(of: InviteDevice.Parameters(team: "T"), optional: ["team"])
    checkCoding(InviteDevice.Reply(code: "c", expires: 2e9), #"{"code":"c","expires":2000000000.0}"#)
    checkMembers(of: InviteDevice.Reply(code: "c", expires: 2e9))
    checkCoding(JoinTeam.Parameters(code: "c", address: "h:1"), #"{"address":"h:1","code":"c"}"#)
    let renewing = JoinTeam.Parameters(code: "c", address: "h:1", replaces: "T")
    checkCoding(renewing, #"{"address":"h:1","code":"c","replaces":"T"}"#)
    checkMembers(of: renewing, optional: ["address", "replaces"])
  }

  @Test func offlineMembership() throws {
    checkCoding(RequestMembership.Parameters(), "{}")
    checkCoding(RequestMembership.Reply(request: "r"), #"{"request":"r"}"#)
    checkMembers(of: RequestMembership.Reply(request: "r"))
    checkCoding(ApproveRequest.Parameters(request: "r", team: "T"), #"{"request":"r","team":"T"}"#)
    checkMembers(of: ApproveRequest.Parameters(request: "r", team: "T"), optional: ["team"])
    let approval = ApproveRequest.Reply(approval: "a", team: try Samples.team())
    checkCoding(approval, #"{"approval":"a","team":\#(Samples.teamText)}"#)
    checkMembers(of: approval)
    checkCoding(ImportApproval.Parameters(approval: "a"), #"{"approval":"a"}"#)
    checkMembers(of: ImportApproval.Parameters(approval: "a"))
  }
}
