// SPDX-License-Identifier: Apache-2.0

import Activity
import EventLoop
import Foundation

/// The errors that these streams make themselves.
enum StreamFailure {
  /// The connection to the daemon was lost for an unknown reason.
  static var connectionLost: any Error {
    CocoaError(
      .userActivityConnectionUnavailable,
      userInfo: [
        NSLocalizedDescriptionKey:
          """
        The continuation stream was interrupted. Check that batond is running and that the other machine is online, \
        then continue the activity again.
        """
      ]
    )
  }

  /// This app has given the stream up.
  static var released: any Error {
    CocoaError(
      .userActivityConnectionUnavailable,
      userInfo: [
        NSLocalizedDescriptionKey:
          """
        The continuation stream was closed, because one of its two streams was released before it was closed. Keep \
        both until you have called close().
        """,
        Reason.errorKey: Reason.streamReset.rawValue,
      ]
    )
  }

  static func system(_ error: SystemError) -> any Error {
    NSError(
      domain: NSPOSIXErrorDomain,
      code: Int(error.code),
      userInfo: [NSLocalizedDescriptionKey: "The continuation stream failed: \(error)."]
    )
  }
}
