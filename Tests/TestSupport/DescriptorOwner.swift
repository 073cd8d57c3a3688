// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// A descriptor that is closed when this object is released.
package final class DescriptorOwner: Sendable {
  package let descriptor: Int32

  package init(_ descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A client of a daemon that has made a call and does not read the reply.
  package static func calling(_ call: String, at fixture: DaemonFixture) throws -> DescriptorOwner {
    let owner = DescriptorOwner(try Sockets.connect(path: fixture.socket))
    let bytes = Array(call.utf8) + [0]
    guard send(owner.descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      throw TestFailure("send")
    }
    return owner
  }
}
