import Activity
import Desktop

/// What can be pasted, as people see it.
enum CopyText {
  static func table(_ copies: [ControlCopy]) -> String {
    Table.text(
      copies.map { copy in
        [
          copy.device.map { Printable.text($0) } ?? "this machine",
          copy.copied.map { Times.relative($0, to: Times.now) } ?? "",
          copy.size.map(ByteCount.text) ?? "",
          Printable.text(copy.types.joined(separator: ", ")),
        ]
      },
      head: ["MACHINE", "COPIED", "SIZE", "TYPES"]
    )
  }
}
