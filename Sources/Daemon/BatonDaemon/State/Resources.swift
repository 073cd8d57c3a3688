// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Glibc
import Systemd
import Teams

/// What a daemon has to itself while it runs: its control socket and its state directory, which are taken together or
/// not at all, and its port, without which it runs as well.
@Loop
struct Resources {
  let socket: ControlSocket
  /// The listening descriptors of the control socket. The receiver owns them.
  let controlListeners: [Int32]
  let listener: PeerListener
  let state: StateDirectory
  /// See ``Epoch``.
  let epoch: UInt64
  let teams: TeamStore

  /// - Parameters:
  ///   - listeners: The sockets on which systemd listens for the daemon.
  /// - Throws: `DaemonError`. Then nothing is left behind.
  init(
    _ placement: Placement,
    listeners: [Int32],
    port: PeerPort,
    host: any PeerListenerHost,
    refusals: RefusalLog,
    keys: StateKeys,
    log: Log
  ) throws(DaemonError) {
    socket = try Self.openSocket(placement, listeners)
    listener = PeerListener(port: port, host: host, refusals: refusals)
    do throws(DaemonError) {
      state = try Self.openState(placement.stateDirectory, log)
      (epoch, teams) = try Self.read(placement.stateDirectory, keys, log)
      controlListeners = try Self.listen(socket, placement)
    } catch {
      socket.remove()
      throw error
    }
  }

  func release() {
    state.release()
    socket.remove()
  }

  private static func openSocket(_ placement: Placement, _ listeners: [Int32]) throws(DaemonError) -> ControlSocket {
    do {
      return try ControlSocket(placement, listeners: listeners)
    } catch is ControlSocket.InUse {
      throw DaemonError(.alreadyRunning, "Another batond or program is already listening on \(placement.socket)")
    } catch let error as ControlSocket.Occupied {
      throw DaemonError(.alreadyRunning, "Can't create the control socket: \(error)")
    } catch {
      throw DaemonError(.failed, "Can't create the control socket: \(error)")
    }
  }

  private static func openState(_ directory: String, _ log: Log) throws(DaemonError) -> StateDirectory {
    do {
      try makeDirectory(directory, mode: 0o700)
      return try StateDirectory(directory) { log.warning($0) }
    } catch {
      throw DaemonError(error, stateDirectory: directory)
    }
  }

  private static func read(
    _ directory: String,
    _ keys: StateKeys,
    _ log: Log
  ) throws(DaemonError) -> (UInt64, TeamStore) {
    do {
      let now = Time.now.date
      let epoch = try Epoch.next(in: directory, date: now, log: log)
      let secrets = SecretFiles(key: keys.current, previousKey: keys.previous)
      let teams = try TeamStore.open(directory: directory, secrets: secrets, now: Int64(now)) { log.error($0) }
      return (epoch, teams)
    } catch {
      throw DaemonError(.failed, "Can't use the state directory \(directory): \(error)")
    }
  }

  private static func listen(_ socket: ControlSocket, _ placement: Placement) throws(DaemonError) -> [Int32] {
    do {
      return try socket.listen(mode: placement.socketMode)
    } catch {
      throw DaemonError(.failed, "Can't create the control socket: \(error)")
    }
  }
}
