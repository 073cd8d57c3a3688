// SPDX-License-Identifier: Apache-2.0

import Activity

/// Reports to people about what cannot be used in the state directory.
extension TeamStore {
  /// Why nothing can be written to the state directory. Nil if it can, which is tried: a disk can be full, read-only or
  /// broken, and a user's share of it used up.
  package func obstacle() -> StorageError? {
    let path = Files.temporaryPath(in: directory)
    defer { Files.remove(path) }
    do throws(StorageError) {
      try Files.write([UInt8](repeating: 0, count: 4096), to: path, in: directory)
      return nil
    } catch {
      return error
    }
  }

  /// - Parameter uid: The user to tell. Only its owners are told about a team.
  /// - Returns: Sentences without a period, which name the files.
  package func damage(for uid: UInt32) -> [String] {
    let unusable = unusable.filter { $0.concerns(uid) }.map { team in
      "Can't use the team \(team.name.map { "\"\($0)\"" } ?? "in \(team.path)"): \(team.fault)"
    }
    let unadministered = teams(of: uid).compactMap { team -> String? in
      guard case .unusable(let fault) = team.administration else { return nil }
      return "This machine can't admit or remove machines of the team \"\(team.name)\": \(fault)"
    }
    let unlisted = teams(of: uid).filter(\.isAdministrator).compactMap { team -> String? in
      do throws(StorageError) {
        _ = try files(of: team).loadDevices()
        return nil
      } catch {
        return "This machine can't admit or remove machines of the team \"\(team.name)\": \(error)"
      }
    }
    return unusable + unadministered + unlisted
  }

  /// - Parameter uid: The user to tell. Only a team's owners are told about its files, and everybody about other files.
  /// - Returns: The paths of files that could not be read and were renamed.
  package func setAside(for uid: UInt32) -> [String] {
    let teams = teams(of: uid).map { files(of: $0).path } + unusable.filter { $0.concerns(uid) }.map(\.path)
    let directories = [directory, pendingPath] + teams + teams.map { "\($0)/invitations" }
    return directories.flatMap { directory in
      ((try? Files.names(in: directory)) ?? []).filter(Files.isSetAside).map { "\(directory)/\($0)" }
    }
  }
}
