import ControlInterface

/// What the doctor concludes from what was seen. Each function is one check: values in, a finding out.
package enum Verdict {
  package typealias Finding = Diagnose.Reply

  static func list(_ names: some Sequence<String>) -> String { names.sorted().joined(separator: ", ") }
}
