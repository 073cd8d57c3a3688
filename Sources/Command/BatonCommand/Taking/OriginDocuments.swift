// SPDX-License-Identifier: Apache-2.0

import Activity
import ActivityTypes
import ControlInterface
import Glibc
import Hosts
import Localization
import VarlinkClient

/// The documents of an activity that was continued, on the machine that it comes from.
struct OriginDocuments {
  private let continued: ContinuedActivity
  private let socket: String?

  init(_ continued: ContinuedActivity, socket: String?) { (self.continued, self.socket) = (continued, socket) }

  /// Its name, for people.
  var device: String { Printable.text(continued.device) }

  func find(_ reference: DocumentReference, _ output: Output) -> DocumentFinding {
    // What this machine offers is at the same path.
    if continued.origin == .local, access(reference.path, F_OK) == 0 {
      return .found(path: reference.path, how: localized("on this machine"))
    }
    var folders = SharedFolders()
    do throws(ControlError) {
      folders = try SharedFolders.ofDaemon(path: socket)
    } catch {
      output.note(localized("Can't list the shared folders: \(error)"))
    }
    let canFetch = continued.activity.supportsContinuationStreams
    return DocumentFinder.find(reference, sharedFolders: folders, canFetch: canFetch)
  }

  /// Fetches a part into `~/Handoff`.
  ///
  /// - Returns: The path of the new file.
  func fetch(_ request: DocumentRequest, name: String) throws -> String {
    guard continued.activity.supportsContinuationStreams else {
      throw CommandError(.notFound, localized("\(device) won't send the file."))
    }
    let stream = try CommandStream(.opening(continued.id), path: socket)
    defer { close(stream.descriptor) }
    do throws(DocumentStreamError) {
      let path = try HandoffFolder().fetch(request, over: stream.descriptor, name: name)
      // The other side is told that all of it has arrived.
      _ = stream.wait(Limits.controlConnectTime)
      return path
    } catch {
      throw CommandError(.streamBroken, localized("Can't fetch \(Printable.text(name)) from \(device). \(error)"))
    }
  }
}
