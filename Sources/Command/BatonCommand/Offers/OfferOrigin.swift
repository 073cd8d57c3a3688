// SPDX-License-Identifier: Apache-2.0

import Activity
import ControlInterface
import VarlinkClient

/// The machine of `--from`.
enum OfferOrigin: Equatable {
  case any
  case device(DeviceID)
  /// No such machine is known yet. If one comes, the daemon gives it this name only if the name belongs to it.
  case unknown(String)

  /// - Parameter team: The ID or the name of its team. Nil for all of the user's teams.
  /// - Throws: `deviceAmbiguous`, `nameTaken`.
  init(_ text: String?, team: String?, connect: () throws(ControlError) -> ControlConnection) throws {
    guard let text else {
      self = .any
      return
    }
    do {
      self = .device(try Recipient.find(text, team: team, connect()).deviceID)
    } catch let error as CommandError where error.reason == Reason.deviceAmbiguous.rawValue {
      throw error
    } catch let error as CommandError where error.reason == Reason.nameTaken.rawValue {
      throw error
    } catch {
      self = .unknown(text)
    }
  }

  /// - Parameters:
  ///   - name: What people can call the machine.
  ///   - device: Nil for this machine.
  func includes(_ name: String?, _ device: DeviceID?) -> Bool {
    switch self {
    case .any: true
    case .device(let id): device == id
    case .unknown(let text):
      name?.utf8.elementsEqual(text.utf8) == true
        || text.utf8.count >= DeviceNames.shortestID && device?.text.utf8.starts(with: text.uppercased().utf8) == true
    }
  }
}
