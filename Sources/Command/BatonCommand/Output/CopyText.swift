// SPDX-License-Identifier: Apache-2.0

import Activity
import Desktop
import Localization

/// What can be pasted, as people see it.
enum CopyText {
  static func table(_ copies: [ControlCopy]) -> String {
    Table.text(
      copies.map { copy in
        [
          copy.device.map { Printable.text($0) } ?? localized("this machine"),
          copy.copied.map { Times.relative($0, to: Times.now) } ?? "",
          copy.size.map(ByteCount.text) ?? "",
          Printable.text(copy.types.joined(separator: ", ")),
        ]
      },
      head: [localized("MACHINE"), localized("COPIED"), localized("SIZE"), localized("TYPES")]
    )
  }
}
