// SPDX-License-Identifier: Apache-2.0

import BatonDaemon

/// The exit statuses of `batond`: those of sysexits.h if it has a suitable one.
enum DaemonExitStatus: Int32, CaseIterable {
  case success = 0
  case failure = 1
  case usage = 64
  case unavailable = 69
  case configuration = 78

  init(_ code: DaemonError.Code) {
    switch code {
    case .alreadyRunning: self = .unavailable
    // A restart would not help.
    case .laterVersion: self = .configuration
    case .failed: self = .failure
    }
  }

  var meaning: String {
    switch self {
    case .success: "Stopped by SIGTERM or SIGINT."
    case .failure: "Failed."
    case .usage: "Invalid command line."
    case .unavailable: "The socket or state directory is in use."
    case .configuration: "Invalid configuration, credential, limit or state version."
    }
  }
}
