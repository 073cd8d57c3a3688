// SPDX-License-Identifier: Apache-2.0

import EventLoop
import JSONCoding
import Varlink

/// A reply that many clients get, and that others follow. It is encoded once.
@Loop
package final class SharedReply<M: Method> {
  package let content: M.Reply
  private(set) lazy var bytes = Reply(content.members, continues: true).bytes

  package init(_ content: M.Reply) { self.content = content }
}
