import EventLoop
import Foundation

/// The errors that these streams make themselves.
enum StreamFailure {
  /// The connection to the daemon is gone and nobody has said why.
  static var connectionLost: any Error {
    CocoaError(
      .userActivityConnectionUnavailable,
      userInfo: [
        NSLocalizedDescriptionKey:
          """
        The continuation stream was interrupted. Check that batond is running and the other device can be reached, \
        then continue the activity again.
        """
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
