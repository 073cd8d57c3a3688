// SPDX-License-Identifier: Apache-2.0

import ControlInterface
import JSONCoding
import Varlink

extension Reply {
  /// Decodes the daemon's reply to a call of `M`.
  ///
  /// - Throws: `ControlError.failed` or `.refused` if the daemon answered with an error; `.protocolViolation` if the
  ///   reply cannot be decoded.
  func decoded<M: Method>(as _: M.Type) throws(ControlError) -> M.Reply {
    do {
      guard let error else { return try M.Reply(replyParameters: parameters) }
      // Each of our interfaces has this error.
      if error == M.interface + ".Failed" {
        throw ControlError.failed(try ControlFailure(replyParameters: parameters))
      }
      throw VarlinkError(self).map(ControlError.refused) ?? .protocolViolation("the error \(error)")
    } catch let error as ControlError {
      throw error
    } catch let error as InvalidParameter {
      throw .protocolViolation("the reply of \(M.name) has no valid \(error.parameter)")
    } catch {
      throw .protocolViolation("\(error)")
    }
  }
}
