// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import CommandLineOptions
import ControlInterface
import EventLoop
import Hosts
import JSONCoding
import Localization
import VarlinkClient

/// A directory that is only on another machine.
struct RemoteDirectory {
  private let continued: ContinuedActivity
  private let activity: DirectoryActivity
  private let path: String

  init(_ continued: ContinuedActivity, _ activity: DirectoryActivity, path: String) {
    (self.continued, self.activity, self.path) = (continued, activity, path)
  }

  /// Asks whether to open the directory there with ssh, and becomes ssh.
  func offer(_ arguments: ParsedArguments, _ output: Output) throws {
    guard let name = activity.host, SecureShell.isHost(name) else { return }
    // A user whose name is not one is not guessed.
    if let user = activity.user, !SecureShell.isUser(user) { return }
    guard let (host, alias) = Self.address(of: name, device: continued.origin.device, arguments) else {
      return output.note(localized("Can't find an address for ssh to \(name)."))
    }
    guard ProcessEnvironment.current.program("ssh") != nil else {
      throw CommandError(
        .failure,
        localized("To open the directory on \(name), you need ssh. Run `sudo apt install openssh-client`.")
      )
    }
    let target = (activity.user.map { "\($0)@" } ?? "") + name
    let question =
      alias == nil && host == name
      ? localized("Open it on \(target) with ssh?") : localized("Open it on \(target) (\(host)) with ssh?")
    guard case .given(true) = Question.confirm(question, output) else { return }
    let words = SecureShell.arguments(user: activity.user, host: host, name: alias, directory: path)
    try UserShell.become(words)
  }

  /// Returns what ssh connects to, and the name under which it knows the host's key if that is an address.
  private static func address(
    of name: String,
    device: DeviceID?,
    _ arguments: ParsedArguments
  ) -> (host: String, alias: String?)? {
    // Two machines can have the same name, and an address can be this machine's. Then it leads to this one.
    // What ssh's own configuration says about a name comes before what the network says.
    let place = SSHAliases(environment: .current).destination(of: name)?.host ?? name
    if HostLocation(of: place).isElsewhere { return (name, nil) }
    if !name.unicodeScalars.contains("."), HostLocation(of: "\(name).local").isElsewhere {
      return ("\(name).local", nil)
    }
    guard let device, let peers = try? arguments.connect().call(ListPeers.self, Nothing()).peers,
      let address = peers.first(where: { $0.deviceID == device && $0.address != nil })?.address,
      let host = SecureShell.host(ofAddress: address)
    else { return nil }
    return (host, name)
  }
}
