// SPDX-License-Identifier: Apache-2.0

import BatonAgent
import Glibc
import IndexStory

// Tells a story to an index: `index-writer DIRECTORY SEED FIRST LAST`. It says when the index is open and when each
// step is done, so that a test knows what must be there if it kills this program.

func say(_ text: String) {
  let bytes = Array("\(text)\n".utf8)
  _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
guard arguments.count == 5, let seed = UInt64(arguments[2]), let first = Int(arguments[3]),
  let last = Int(arguments[4]),
  first <= last
else { exit(64) }
do {
  let index = try SearchIndex(directory: arguments[1], limits: Story.limits) { "generation" }
  say("open")
  for number in first...last {
    try Step(seed: seed, number: number).run(index)
    say("\(number)")
  }
  index.close()
} catch {
  say("\(error)")
  exit(1)
}
