// SPDX-License-Identifier: Apache-2.0

import Activity
import CommandLineOptions
import ControlInterface
import EventLoop
import JSONCoding
import Localization
import VarlinkClient

/// The team: made on the first machine, joined on the others.
struct SetupTeam {
  private let dialogue: SetupDialogue
  private let arguments: ParsedArguments
  /// The name of the team to make, and the code to join with, as given on the command line.
  private let name: String?
  private let code: String?

  /// How often to ask for a code that doesn't work.
  private static let attempts = 3
  /// How often to look whether the other machine has joined.
  private static let pollTime = Duration.seconds(1)

  init(_ dialogue: SetupDialogue, _ arguments: ParsedArguments, name: String?, code: String?) {
    self.dialogue = dialogue
    self.arguments = arguments
    self.name = name
    self.code = code
  }

  func run(_ report: inout SetupReport) throws {
    let reply = try arguments.connect().call(ListTeams.self, Nothing())
    guard reply.teams.isEmpty else { return try present(reply.teams, &report) }
    guard reply.unusable.isEmpty else {
      let detail = reply.unusable.map(TeamText.text).joined(separator: " ")
      return try report.add(.init(.team, .failed, detail, reason: .storageFailed))
    }
    if let code, dialogue.canAsk || dialogue.isConfirmed {
      let code = code == "-" ? try TeamJoinCommand.code(code, dialogue.output, prompt: "") : code
      return try report.add(joined(join(code, address: arguments[TeamJoinCommand.address])), isChange: true)
    }
    if let name, dialogue.canAsk || dialogue.isConfirmed { return try create(name, &report) }
    guard dialogue.canAsk else {
      let advice = localized("Create one with `baton team create NAME`, or join one with `baton team join`.")
      return try report.add(.init(.team, .skipped, localized("You aren't in a team on this machine."), advice: advice))
    }
    let choice = try dialogue.choose(
      localized(
        "A team is a set of machines that trust each other, usually all of yours. Is Baton already set up on one of them?"
      ),
      [localized("No, this is the first one: create a team"), localized("Yes: join its team with a code")]
    )
    if choice == 0 {
      try createNamed(&report)
    } else {
      try askForCode(&report)
    }
  }

  private static var usualName: String { localized("Home") }

  /// Asks for a name until it is one.
  private func createNamed(_ report: inout SetupReport) throws {
    while true {
      let answer = try dialogue.line(localized("A name for the team [\(Self.usualName)]:"))
      do {
        return try create(answer.isEmpty ? Self.usualName : answer, &report)
      } catch let error as ControlError {
        guard case .failed(let failure) = error, failure.reason == .teamNameInvalid else { throw error }
        dialogue.output.note(Printable.lines("\(error)"))
      }
    }
  }

  private func present(_ teams: [ControlTeam], _ report: inout SetupReport) throws {
    for team in teams {
      let others = try others(in: team)
      let name = Printable.text(team.name)
      try report.add(
        .init(
          .team,
          .passed,
          others.isEmpty
            ? localized("This machine is the only one in the team \"\(name)\".")
            : localized(
              others.count,
              one: "This machine is in the team \"\(name)\" with one other machine.",
              other: "This machine is in the team \"\(name)\" with \(others.count) other machines."
            )
        )
      )
      // Other machines may be elsewhere already, so this is a question of the first hour only.
      if others.isEmpty { try admit(to: team, &report) }
    }
  }

  private func create(_ name: String, _ report: inout SetupReport) throws {
    let parameters = CreateTeam.Parameters(name: name, passphrase: nil)
    let team = try arguments.connect().call(CreateTeam.self, parameters).team
    let detail = localized("Created the team \"\(Printable.text(team.name))\".")
    try report.add(.init(.team, .passed, detail), isChange: true)
    try admit(to: team, &report)
  }

  /// Shows a code for another machine, and waits until that machine has used it.
  private func admit(to team: ControlTeam, _ report: inout SetupReport) throws {
    guard team.administrator else {
      return dialogue.output.note(
        localized("To add another machine, run `baton team invite` on the machine that created the team.")
      )
    }
    guard dialogue.canAsk, try dialogue.confirm(localized("Add another machine to the team now?")) else {
      return noteLater()
    }
    while true {
      let invitation: InviteDevice.Reply
      do {
        invitation = try LockedKey.call(
          InviteDevice.self,
          InviteDevice.Parameters(team: team.id.description),
          team: team.id.description,
          nil,
          on: arguments.connect()
        )
      } catch {
        // For example, the passphrase is wrong. Everything else can be set up without another machine.
        _ = Program.tell(error, dialogue.output)
        return noteLater()
      }
      show(invitation)
      TeamText.noteWithoutDiscovery(arguments, dialogue.output)
      switch try wait(for: team, until: invitation.expires) {
      case .joined(let machine):
        let detail = localized("\(machine) has joined the team.")
        return try report.add(.init(.team, .passed, detail), isChange: true)
      case .skipped:
        return dialogue.output.note(localized("The code stays valid until \(Times.clock(invitation.expires))."))
      case .expired:
        guard try dialogue.confirm(localized("The code has expired. Create a new one?")) else { return }
      }
    }
  }

  private func noteLater() {
    dialogue.output.note(localized("To add another machine later, run `baton setup` again, or `baton team invite`."))
  }

  private func show(_ invitation: InviteDevice.Reply) {
    // Above the text, because both don't fit into 24 lines, and not everybody has a camera.
    if let picture = QRCode.text(Printable.text(invitation.code)) { dialogue.output.note(picture) }
    dialogue.output.note(TeamText.invitation(invitation, enteredIn: "baton setup", dialogue.output))
    dialogue.discardEarlierInput()
    dialogue.output.note(localized("Waiting for the other machine. Press Enter to carry on without it…"))
  }

  private enum Wait { case joined(String), skipped, expired }

  private func wait(for team: ControlTeam, until expiry: Double) throws -> Wait {
    let before = Set(try others(in: team).map(\.deviceID))
    while Times.now < expiry {
      if try dialogue.hasEnter(until: .now + Self.pollTime) { return .skipped }
      guard let new = try others(in: team).first(where: { !before.contains($0.deviceID) }) else { continue }
      return .joined(new.name.isEmpty ? new.deviceID.description : Printable.text(new.name))
    }
    return .expired
  }

  /// The other machines of a team. A machine that isn't an admin machine knows those that it has met.
  private func others(in team: ControlTeam) throws -> [(deviceID: DeviceID, name: String)] {
    let connection = try arguments.connect()
    guard team.administrator else {
      return try connection.call(ListPeers.self, Nothing()).peers.filter { $0.team == team.id.description }.map {
        ($0.deviceID, $0.device)
      }
    }
    let machines = try connection.call(ListDevices.self, ListDevices.Parameters(team: team.id.description)).devices
    return machines.filter { $0.revoked == nil && $0.deviceID != team.deviceID }.map { ($0.deviceID, $0.name) }
  }

  private func askForCode(_ report: inout SetupReport) throws {
    var address = arguments[TeamJoinCommand.address]
    TeamText.noteWithoutDiscovery(arguments, dialogue.output, isJoining: true)
    for _ in 0..<Self.attempts {
      let code = try dialogue.line(
        localized("On the other machine, `baton setup` or `baton team invite` shows a code. Type it here:")
      )
      guard !code.isEmpty else { continue }
      do {
        return try report.add(joined(join(code, address: address)), isChange: true)
      } catch let error as ControlError {
        guard case .failed(let failure) = error else { throw error }
        dialogue.output.note(Printable.lines("\(error)"))
        guard failure.reason == .inviterNotFound || failure.reason == .addressInvalid else { continue }
        let text = try dialogue.line(
          localized("The other machine's address (HOST or HOST:PORT), or Enter to try without it:")
        )
        address = text.isEmpty ? nil : text
      }
    }
    let advice = localized(
      "Get a new code with `baton team invite` on the other machine, then run `baton team join` here."
    )
    try report.add(.init(.team, .skipped, localized("This machine hasn't joined a team."), advice: advice))
  }

  private func join(_ code: String, address: String?) throws -> ControlTeam {
    let parameters = JoinTeam.Parameters(code: code, address: address)
    return try arguments.connect().call(
      JoinTeam.self,
      parameters,
      dialogue.output,
      awaiting: localized("Looking for the machine that created the code…")
    ).team
  }

  private func joined(_ team: ControlTeam) -> Diagnose.Reply {
    .init(.team, .passed, localized("Joined the team \"\(Printable.text(team.name))\"."))
  }
}
