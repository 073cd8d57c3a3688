// SPDX-License-Identifier: Apache-2.0

import Baton

enum Report {
  static func write(_ text: String) { FileHandle.standardOutput.write(Data("\(text)\n".utf8)) }
}
