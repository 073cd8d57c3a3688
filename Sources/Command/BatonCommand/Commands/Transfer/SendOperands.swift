// SPDX-License-Identifier: Apache-2.0

import Activity
import JSONCoding
import Localization

/// Which operands of `baton send` are files, and which one is the machine. What lies in the directory never decides it.
enum SendOperands {
  /// - Parameter hasMachine: Whether an option names the machine.
  /// - Returns: The machine is the last of several operands. It is nil if an option names it, if there is only one
  ///   operand, or if the last one has a slash: then it is a path or a URL.
  static func split(_ operands: [String], hasMachine: Bool) -> (files: [String], machine: String?) {
    guard !hasMachine, operands.count > 1, let last = operands.last, !last.utf8.contains(UInt8(ascii: "/")) else {
      return (operands, nil)
    }
    return (operands.dropLast(), last)
  }

  /// - Throws: If the last of several operands is a name with a slash at its end. That is what a shell makes of the
  ///   machine's name if there is a folder of that name.
  static func requireClearEnd(_ operands: [String], hasMachine: Bool) throws(CommandError) {
    guard !hasMachine, operands.count > 1, let last = operands.last, let name = last.start(beforeBytesOf: "/"),
      !name.utf8.contains(UInt8(ascii: "/")), !name.isEmpty, ![".", "..", "~"].contains(name)
    else { return }
    let shown = Printable.text(String(name))
    throw CommandError(
      .usage,
      localized(
        """
        If `\(shown)` is the machine, leave out the slash. If it's a folder, write `./\(shown)`, and add the machine \
        after it.
        """
      )
    )
  }

  /// Finds the machine of the last operand.
  ///
  /// - Throws: What `find` throws. If there is no such machine, the error says how to name a file.
  static func find<Machine>(_ last: String, _ find: (String) throws -> Machine) throws -> Machine {
    do { return try find(last) } catch let error as CommandError where error.reason == "peerNotFound" {
      let name = Printable.text(last)
      throw CommandError(
        .peerNotFound,
        localized(
          """
          The last argument is the machine, but none is called \(name). To list your machines, run `baton machines`. If \
          \(name) is a file, write `./\(name)`, and add the machine after it or with `--to`.
          """
        )
      )
    }
  }
}
