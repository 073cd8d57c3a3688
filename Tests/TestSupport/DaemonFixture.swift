// SPDX-License-Identifier: Apache-2.0

import Activity
import BatonDaemon
import ControlInterface
import Discovery
import EventLoop
import Foundation
import Glibc
import JSONCoding
import Synchronization
import Systemd
import Varlink
import VarlinkClient

/// A daemon in this process with its own directory, on a free port, and what the programs on its machine do with it.
/// Everything here blocks, so never call it on the loop.
package final class DaemonFixture: Sendable {
  package let name: String
  package let directory: String
  package let daemon: Daemon
  package let port: UInt16
  /// Nil if the daemon runs without discovery.
  package let discovery: FakeDiscovery?
  package var socket: String { "\(directory)/s" }
  package var address: String { "127.0.0.1:\(port)" }

  /// Starts a daemon.
  ///
  /// - Parameters:
  ///   - network: Nil for no discovery.
  ///   - configuration: The text of its configuration file.
  ///   - directory: The directory of a previous daemon that has stopped; nil for a new one.
  ///   - port: The port that it listens on; 0 for any free port.
  ///   - store: What the previous daemon left, and where this one leaves its own descriptors; nil for none.
  ///   - login: What reports sleep and locked screens; nil for nothing.
  ///   - ports: Sockets on which a previous daemon listened for peers.
  ///   - listen: Makes the sockets in the daemon's directory, as systemd does; nil if the daemon makes its own.
  package init(
    _ name: String,
    network: FakeNetwork?,
    configuration text: String = "",
    directory: String? = nil,
    port: UInt16 = 0,
    store: FakeStore? = nil,
    login: FakeLogin? = nil,
    ports: [Int32] = [],
    listen: (@Sendable (_ directory: String) throws -> [Int32])? = nil
  ) throws {
    Signals.ignoreBrokenPipes()
    let place = try directory ?? Self.makeDirectory()
    let level = getenv("BATON_TEST_LOG").flatMap { Log.Level(name: String(cString: $0)) } ?? .error
    let (daemon, discovery, listening) = try onLoop {
      var reader = ConfigurationReader()
      reader.read(text, path: "batond.conf")
      if let fault = reader.errors.first { throw fault }
      var configuration = reader.configuration
      configuration.name = name
      configuration.port = port
      configuration.socket = "\(place)/s"
      configuration.stateDirectory = "\(place)/state"
      let placement = try Placement(isUser: true, configuration: configuration) { _ in nil }
      // The first discovery is this fixture's, too.
      let discovery = network.map { FakeDiscovery($0) }
      var next = discovery
      let makeDiscovery = network.map { network in
        { @Loop (_: InterfacePolicy) -> any ServiceDiscovery in
          defer { next = nil }
          return next ?? FakeDiscovery(network)
        }
      }
      var keep: (@Loop ([StoredDescriptor]) -> Void)?
      if let store { keep = { store.descriptors += $0 } }
      let daemon = try Daemon(
        configuration,
        placement: placement,
        log: Log(level: level),
        makeDiscovery: makeDiscovery,
        login: login,
        listeners: try listen?(place) ?? [],
        kept: store?.take() ?? [],
        keep: keep,
        ports: ports
      )
      daemon.start()
      return (daemon, discovery, daemon.port)
    }
    self.name = name
    self.directory = place
    self.daemon = daemon
    self.discovery = discovery
    self.port = listening
  }

  package static func makeDirectory() throws -> String {
    var template = Array("/tmp/baton-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw TestFailure("mkdtemp: \(errno)") }
    let directory = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    made.withLock { _ = $0.insert(directory) }
    return directory
  }

  private static let made = Mutex<Set<String>>([])

  /// The directories of fixtures that are there.
  static var directories: Set<String> {
    made.withLock { made in
      made = made.filter { access($0, F_OK) == 0 }
      return made
    }
  }

  /// Stops the daemon as SIGTERM does.
  package func stop() throws {
    let stopped = Outcome<Bool>()
    try onLoop { self.daemon.stop { stopped.set(.success(true)) } }
    _ = try stopped.wait()
  }

  /// Starts the daemon that follows this one, on the same port. This one must have stopped.
  package func again(_ network: FakeNetwork?) throws -> DaemonFixture {
    try DaemonFixture(name, network: network, directory: directory, port: port)
  }

  /// Copies the state directory, as tar would. The daemon must have stopped.
  package func copyState() throws {
    try? FileManager.default.removeItem(atPath: "\(directory)/backup")
    try FileManager.default.copyItem(atPath: "\(directory)/state", toPath: "\(directory)/backup")
  }

  /// Restores the copy of the state directory. The daemon must have stopped.
  package func putStateBack() throws {
    try FileManager.default.removeItem(atPath: "\(directory)/state")
    try FileManager.default.copyItem(atPath: "\(directory)/backup", toPath: "\(directory)/state")
  }

  package func removeDirectory() { try? FileManager.default.removeItem(atPath: directory) }

  // MARK: Calls

  package func connect() throws -> ControlConnection { try ControlConnection(path: socket) }

  package func call<M: Method>(_ method: M.Type, _ parameters: M.Parameters) throws -> M.Reply {
    try connect().call(method, parameters)
  }

  /// Returns the reason for which a call fails.
  ///
  /// - Throws: `TestFailure` if it does not fail.
  package func failure<M: Method>(of method: M.Type, _ parameters: M.Parameters) throws -> Reason {
    try reason { try self.call(method, parameters) }
  }

  // MARK: Teams

  package func createTeam(_ name: String = "Demo") throws -> ControlTeam {
    try call(CreateTeam.self, CreateTeam.Parameters(name: name)).team
  }

  package func invite() throws -> String { try call(InviteDevice.self, InviteDevice.Parameters()).code }

  /// Returns a well-formed code that no machine knows.
  package func codeOfATeamThatIsGone() throws -> String {
    let team = try createTeam("Gone")
    let code = try invite()
    _ = try call(LeaveTeam.self, LeaveTeam.Parameters(team: team.id.description))
    return code
  }

  package func join(_ code: String, at other: DaemonFixture) throws -> ControlTeam {
    try call(JoinTeam.self, JoinTeam.Parameters(code: code, address: other.address)).team
  }

  /// Admits a machine without either of them learning where the other is.
  package func admitByFiles(_ other: DaemonFixture) throws {
    let request = try other.call(RequestMembership.self, Nothing()).request
    let approval = try call(ApproveRequest.self, ApproveRequest.Parameters(request: request)).approval
    _ = try other.call(ImportApproval.self, ImportApproval.Parameters(approval: approval))
  }

  // MARK: Activities

  package func status() throws -> GetStatus.Reply { try call(GetStatus.self, Nothing()) }

  /// The other machines that are found now.
  package func peers() throws -> [ControlPeer] { try call(ListPeers.self, Nothing()).found }

  package func offers() throws -> [ControlOffer] { try call(ListOffers.self, ListOffers.Parameters()).offers }

  package func advertise(_ activity: ControlActivity, team: String? = nil) throws -> Advertisement {
    try Advertisement(activity, team: team, at: self)
  }

  /// Makes an activity current that supports continuation streams.
  package func advertiseFiles() throws -> Advertisement {
    var activity = ControlActivity(activityType: "org.example.files")
    activity.supportsContinuationStreams = true
    return try advertise(activity)
  }

  /// Waits for an offer.
  ///
  /// - Parameter source: How the daemon must know of the offer; nil for either way.
  @discardableResult
  package func waitForOffer(_ id: ActivityID, by source: ControlOffer.Source? = nil) throws -> ControlOffer {
    try waitFor("\(name) sees the offer \(id)") {
      try offers().first { $0.id == id && (source ?? $0.source) == $0.source }
    }
  }

  package func waitForNoOffers() throws {
    try waitUntil("\(name) sees no offers") { try offers().isEmpty }
  }

  package func waitForSessions(_ count: Int) throws {
    try waitUntil("\(name) has \(count) sessions") { try status().sessions == count }
  }

  package func continueActivity(_ id: ActivityID) throws -> Continue.Reply {
    try call(Continue.self, Continue.Parameters(id: id))
  }

  // MARK: Streams

  package func openStream(_ id: ActivityID, awaits: Bool = false) throws -> StreamEnd {
    StreamEnd(try connect().upgrade(OpenStream.self, OpenStream.Parameters(activity: id, awaits: awaits)))
  }

  package func acceptStream(_ token: String) throws -> StreamEnd {
    StreamEnd(try connect().upgrade(AcceptStream.self, AcceptStream.Parameters(stream: token)))
  }

  /// Waits until the stream has ended.
  ///
  /// - Returns: Nil if it was complete.
  package func outcome(of stream: StreamEnd) throws -> Reason? { try outcome(of: stream.token) }

  package func outcome(of token: String) throws -> Reason? {
    try call(AwaitStream.self, AwaitStream.Parameters(stream: token)).reason
  }
}

/// Returns the reason for which `body` fails.
///
/// - Throws: `TestFailure` if it does not fail with a reason.
package func reason<T>(_ body: () throws -> T) throws -> Reason {
  do {
    _ = try body()
  } catch ControlError.failed(let failure) {
    return failure.reason
  }
  throw TestFailure("It did not fail")
}
