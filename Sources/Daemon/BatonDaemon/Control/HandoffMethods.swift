// SPDX-License-Identifier: Apache-2.0

// swift-format-ignore-file
// Scripts/make-interfaces made this from Documentation/reference/io.baton.Handoff.varlink. Edit that file.

import ControlInterface
import EventLoop
import Varlink
import VarlinkServer

/// What handles each method of `io.baton.Handoff`. Each answers through its exchange, now or later.
@Loop
protocol HandoffMethods: AnyObject {
  func becomeCurrent(_ parameters: BecomeCurrent.Parameters, _ exchange: Exchange<BecomeCurrent>)
  func sendActivity(_ parameters: SendActivity.Parameters, _ exchange: Exchange<SendActivity>)
  func updateActivity(_ parameters: UpdateActivity.Parameters, _ exchange: Exchange<UpdateActivity>)
  func resignCurrent(_ parameters: ResignCurrent.Parameters, _ exchange: Exchange<ResignCurrent>)
  func listOffers(_ parameters: ListOffers.Parameters, _ exchange: Exchange<ListOffers>)
  func continueActivity(_ parameters: Continue.Parameters, _ exchange: Exchange<Continue>)
  func registerApplication(_ parameters: RegisterApplication.Parameters, _ exchange: Exchange<RegisterApplication>)
  func openOffer(_ parameters: OpenOffer.Parameters, _ exchange: Exchange<OpenOffer>)
  func openActivity(_ parameters: OpenActivity.Parameters, _ exchange: Exchange<OpenActivity>)
  func registerLauncher(_ parameters: RegisterLauncher.Parameters, _ exchange: Exchange<RegisterLauncher>)
  func reportLaunch(_ parameters: ReportLaunch.Parameters, _ exchange: Exchange<ReportLaunch>)
  func openStream(_ parameters: OpenStream.Parameters, _ exchange: Exchange<OpenStream>)
  func acceptStream(_ parameters: AcceptStream.Parameters, _ exchange: Exchange<AcceptStream>)
  func awaitStream(_ parameters: AwaitStream.Parameters, _ exchange: Exchange<AwaitStream>)
  func registerIndex(_ parameters: RegisterIndex.Parameters, _ exchange: Exchange<RegisterIndex>)
  func sendIndexMessage(_ parameters: SendIndexMessage.Parameters, _ exchange: Exchange<SendIndexMessage>)
  func listPeers(_ parameters: ListPeers.Parameters, _ exchange: Exchange<ListPeers>)
  func acceptName(_ parameters: AcceptName.Parameters, _ exchange: Exchange<AcceptName>)
  func addPeer(_ parameters: AddPeer.Parameters, _ exchange: Exchange<AddPeer>)
  func removePeer(_ parameters: RemovePeer.Parameters, _ exchange: Exchange<RemovePeer>)
  func listStaticPeers(_ parameters: ListStaticPeers.Parameters, _ exchange: Exchange<ListStaticPeers>)
  func listRendezvous(_ parameters: ListRendezvous.Parameters, _ exchange: Exchange<ListRendezvous>)
  func createRendezvous(_ parameters: CreateRendezvous.Parameters, _ exchange: Exchange<CreateRendezvous>)
  func requestRendezvous(_ parameters: RequestRendezvous.Parameters, _ exchange: Exchange<RequestRendezvous>)
  func authorizeRendezvous(_ parameters: AuthorizeRendezvous.Parameters, _ exchange: Exchange<AuthorizeRendezvous>)
  func importRendezvous(_ parameters: ImportRendezvous.Parameters, _ exchange: Exchange<ImportRendezvous>)
  func removeRendezvous(_ parameters: RemoveRendezvous.Parameters, _ exchange: Exchange<RemoveRendezvous>)
  func getStatus(_ parameters: GetStatus.Parameters, _ exchange: Exchange<GetStatus>)
  func listSharedFolders(_ parameters: ListSharedFolders.Parameters, _ exchange: Exchange<ListSharedFolders>)
  func getMetrics(_ parameters: GetMetrics.Parameters, _ exchange: Exchange<GetMetrics>)
  func diagnose(_ parameters: Diagnose.Parameters, _ exchange: Exchange<Diagnose>)
  func createTeam(_ parameters: CreateTeam.Parameters, _ exchange: Exchange<CreateTeam>)
  func inviteDevice(_ parameters: InviteDevice.Parameters, _ exchange: Exchange<InviteDevice>)
  func joinTeam(_ parameters: JoinTeam.Parameters, _ exchange: Exchange<JoinTeam>)
  func requestMembership(_ parameters: RequestMembership.Parameters, _ exchange: Exchange<RequestMembership>)
  func approveRequest(_ parameters: ApproveRequest.Parameters, _ exchange: Exchange<ApproveRequest>)
  func importApproval(_ parameters: ImportApproval.Parameters, _ exchange: Exchange<ImportApproval>)
  func listTeams(_ parameters: ListTeams.Parameters, _ exchange: Exchange<ListTeams>)
  func listDevices(_ parameters: ListDevices.Parameters, _ exchange: Exchange<ListDevices>)
  func revokeDevice(_ parameters: RevokeDevice.Parameters, _ exchange: Exchange<RevokeDevice>)
  func promoteDevice(_ parameters: PromoteDevice.Parameters, _ exchange: Exchange<PromoteDevice>)
  func renewTeam(_ parameters: RenewTeam.Parameters, _ exchange: Exchange<RenewTeam>)
  func unlockTeam(_ parameters: UnlockTeam.Parameters, _ exchange: Exchange<UnlockTeam>)
  func setPassphrase(_ parameters: SetPassphrase.Parameters, _ exchange: Exchange<SetPassphrase>)
  func backUpTeam(_ parameters: BackUpTeam.Parameters, _ exchange: Exchange<BackUpTeam>)
  func restoreTeam(_ parameters: RestoreTeam.Parameters, _ exchange: Exchange<RestoreTeam>)
  func leaveTeam(_ parameters: LeaveTeam.Parameters, _ exchange: Exchange<LeaveTeam>)
}

extension VarlinkServer {
  /// Serves `io.baton.Handoff`.
  ///
  /// - Parameter handlers: They live as long as the server.
  func add(_ handlers: some HandoffMethods) {
    add(.handoff)
    on(BecomeCurrent.self) { [unowned handlers] in handlers.becomeCurrent($0, $1) }
    on(SendActivity.self) { [unowned handlers] in handlers.sendActivity($0, $1) }
    on(UpdateActivity.self) { [unowned handlers] in handlers.updateActivity($0, $1) }
    on(ResignCurrent.self) { [unowned handlers] in handlers.resignCurrent($0, $1) }
    on(ListOffers.self) { [unowned handlers] in handlers.listOffers($0, $1) }
    on(Continue.self) { [unowned handlers] in handlers.continueActivity($0, $1) }
    on(RegisterApplication.self) { [unowned handlers] in handlers.registerApplication($0, $1) }
    on(OpenOffer.self) { [unowned handlers] in handlers.openOffer($0, $1) }
    on(OpenActivity.self) { [unowned handlers] in handlers.openActivity($0, $1) }
    on(RegisterLauncher.self) { [unowned handlers] in handlers.registerLauncher($0, $1) }
    on(ReportLaunch.self) { [unowned handlers] in handlers.reportLaunch($0, $1) }
    on(OpenStream.self) { [unowned handlers] in handlers.openStream($0, $1) }
    on(AcceptStream.self) { [unowned handlers] in handlers.acceptStream($0, $1) }
    on(AwaitStream.self) { [unowned handlers] in handlers.awaitStream($0, $1) }
    on(RegisterIndex.self) { [unowned handlers] in handlers.registerIndex($0, $1) }
    on(SendIndexMessage.self) { [unowned handlers] in handlers.sendIndexMessage($0, $1) }
    on(ListPeers.self) { [unowned handlers] in handlers.listPeers($0, $1) }
    on(AcceptName.self) { [unowned handlers] in handlers.acceptName($0, $1) }
    on(AddPeer.self) { [unowned handlers] in handlers.addPeer($0, $1) }
    on(RemovePeer.self) { [unowned handlers] in handlers.removePeer($0, $1) }
    on(ListStaticPeers.self) { [unowned handlers] in handlers.listStaticPeers($0, $1) }
    on(ListRendezvous.self) { [unowned handlers] in handlers.listRendezvous($0, $1) }
    on(CreateRendezvous.self) { [unowned handlers] in handlers.createRendezvous($0, $1) }
    on(RequestRendezvous.self) { [unowned handlers] in handlers.requestRendezvous($0, $1) }
    on(AuthorizeRendezvous.self) { [unowned handlers] in handlers.authorizeRendezvous($0, $1) }
    on(ImportRendezvous.self) { [unowned handlers] in handlers.importRendezvous($0, $1) }
    on(RemoveRendezvous.self) { [unowned handlers] in handlers.removeRendezvous($0, $1) }
    on(GetStatus.self) { [unowned handlers] in handlers.getStatus($0, $1) }
    on(ListSharedFolders.self) { [unowned handlers] in handlers.listSharedFolders($0, $1) }
    on(GetMetrics.self) { [unowned handlers] in handlers.getMetrics($0, $1) }
    on(Diagnose.self) { [unowned handlers] in handlers.diagnose($0, $1) }
    on(CreateTeam.self) { [unowned handlers] in handlers.createTeam($0, $1) }
    on(InviteDevice.self) { [unowned handlers] in handlers.inviteDevice($0, $1) }
    on(JoinTeam.self) { [unowned handlers] in handlers.joinTeam($0, $1) }
    on(RequestMembership.self) { [unowned handlers] in handlers.requestMembership($0, $1) }
    on(ApproveRequest.self) { [unowned handlers] in handlers.approveRequest($0, $1) }
    on(ImportApproval.self) { [unowned handlers] in handlers.importApproval($0, $1) }
    on(ListTeams.self) { [unowned handlers] in handlers.listTeams($0, $1) }
    on(ListDevices.self) { [unowned handlers] in handlers.listDevices($0, $1) }
    on(RevokeDevice.self) { [unowned handlers] in handlers.revokeDevice($0, $1) }
    on(PromoteDevice.self) { [unowned handlers] in handlers.promoteDevice($0, $1) }
    on(RenewTeam.self) { [unowned handlers] in handlers.renewTeam($0, $1) }
    on(UnlockTeam.self) { [unowned handlers] in handlers.unlockTeam($0, $1) }
    on(SetPassphrase.self) { [unowned handlers] in handlers.setPassphrase($0, $1) }
    on(BackUpTeam.self) { [unowned handlers] in handlers.backUpTeam($0, $1) }
    on(RestoreTeam.self) { [unowned handlers] in handlers.restoreTeam($0, $1) }
    on(LeaveTeam.self) { [unowned handlers] in handlers.leaveTeam($0, $1) }
  }
}
