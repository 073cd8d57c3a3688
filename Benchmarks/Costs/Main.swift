// SPDX-License-Identifier: Apache-2.0

import EventLoop
import Glibc

/// Repeats what the daemon does most, so that `Scripts/check-costs` can count its instructions and allocations.
@main
enum Main {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    guard let name = arguments.first, let count = arguments.dropFirst().first.flatMap({ Int($0) }), count > 0 else {
      print("Usage: costs frames|cipher|publish|list COUNT")
      exit(64)
    }
    do {
      try await run(name, count)
    } catch {
      print("costs: \(error)")
      exit(1)
    }
  }

  @Loop private static func run(_ name: String, _ count: Int) throws {
    let path: any Path
    switch name {
    case "frames": path = try FramePath()
    case "cipher": path = try CipherPath()
    case "publish": path = try CallPath.publish()
    case "list": path = try CallPath.list()
    default: throw Broken("There is no path \(name)")
    }
    // Tables and buffers are made the first times.
    for _ in 0..<10 { try path.repeatOnce() }
    try measuredRepetitions(of: path, count)
  }
}

/// Something that the daemon does often.
@Loop
protocol Path: AnyObject {
  func repeatOnce() throws
}

/// What is counted. `Scripts/check-costs` finds it by its name.
@Loop
@inline(never)
func measuredRepetitions(of path: any Path, _ count: Int) throws { for _ in 0..<count { try path.repeatOnce() } }

/// A path does not do what it is for.
struct Broken: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
