// SPDX-License-Identifier: Apache-2.0

import Activity

/// A running program of the user.
package struct RunningProgram: Equatable, Sendable {
  package let process: Int32
  package let parent: Int32
  /// The kernel's name for it: at most 15 bytes of the file's name.
  package let name: String
  package let arguments: [String]
  /// The path of its file as its own sandbox shows it, or nil if it isn't known.
  package let executable: String?
  /// The flatpak that contains it. Nil if there is none.
  package let flatpak: String?

  package init(
    process: Int32,
    parent: Int32,
    name: String,
    arguments: [String] = [],
    executable: String? = nil,
    flatpak: String? = nil
  ) {
    self.process = process
    self.parent = parent
    self.name = name
    self.arguments = arguments
    self.executable = executable
    self.flatpak = flatpak
  }

  /// Whether a flatpak or a snap contains it. Such a program has the name of the one that Debian installs.
  package var isSandboxed: Bool {
    if flatpak != nil { return true }
    guard let program = executable ?? arguments.first else { return false }
    return program.starts(withBytesOf: "/app/") || program.starts(withBytesOf: "/snap/")
  }

  /// Whether this is one of Baton's hosts: `baton browser-host` and the like, which another program starts.
  fileprivate func isHost(_ verb: String) -> Bool {
    guard let program = arguments.first?.split(atScalar: "/").last else { return false }
    return program == "baton" && arguments.dropFirst().contains(verb)
  }
}

/// The running programs of the user. They show which browsers, editors and shells have started Baton: such a program
/// starts a host for as long as it hands over what it shows.
package struct RunningPrograms: Sendable {
  private let programs: [Int32: RunningProgram]

  package init(_ programs: some Sequence<RunningProgram>) {
    self.programs = Dictionary(programs.map { ($0.process, $0) }) { first, _ in first }
  }

  package func name(of process: Int32) -> String? { programs[process]?.name }

  /// The paths of their files outside of flatpaks and snaps, each once.
  package var executables: Set<String> {
    Set(programs.values.filter { !$0.isSandboxed }.compactMap(\.executable))
  }

  /// The flatpaks that run.
  package var flatpaks: Set<String> { Set(programs.values.compactMap(\.flatpak)) }

  package func isRunning(_ isMeant: (RunningProgram) -> Bool) -> Bool { programs.values.contains(where: isMeant) }

  /// The numbers of the hosts that such a program has started, itself or with a wrapper in between.
  package func hosts(_ verb: String, of isMeant: (RunningProgram) -> Bool) -> [Int32] {
    programs.values.filter { $0.isHost(verb) && ancestors(of: $0).contains(where: isMeant) }.map(\.process).sorted()
  }

  /// The shell of which a process is a part: a pipeline runs in copies of the shell, which look the same.
  package func shell(of process: Int32) -> Int32 {
    guard let program = programs[process] else { return process }
    let copies = ancestors(of: program).prefix { ($0.name, $0.arguments) == (program.name, program.arguments) }
    return copies.last?.process ?? process
  }

  /// Whether a program with one of the names runs, outside of flatpaks and snaps.
  package func isRunning(_ names: Set<String>) -> Bool {
    programs.values.contains { names.contains($0.name) && !$0.isSandboxed }
  }

  /// Whether a script runs whose path contains this text.
  package func isRunning(script: String) -> Bool {
    programs.values.contains { $0.arguments.dropFirst().contains { $0.containsBytes(of: script) } }
  }

  /// Whether a program with one of the names has started such a host, itself or with a wrapper in between.
  package func hasHost(_ verb: String, ofProgram names: Set<String>) -> Bool {
    !hosts(verb, ofProgram: names).isEmpty
  }

  /// The numbers of such hosts.
  package func hosts(_ verb: String, ofProgram names: Set<String>) -> [Int32] {
    programs.values.filter { $0.isHost(verb) && ancestors(of: $0).contains { names.contains($0.name) } }.map(\.process)
  }

  /// Whether such a host runs that was given an option.
  package func hasHost(_ verb: String, with option: String) -> Bool {
    programs.values.contains { $0.isHost(verb) && $0.arguments.contains(option) }
  }

  /// Whether such a host runs, for whomever.
  package func hasHost(_ verb: String) -> Bool { programs.values.contains { $0.isHost(verb) } }

  private func ancestors(of program: RunningProgram) -> [RunningProgram] {
    var ancestors: [RunningProgram] = []
    var next = programs[program.parent]
    // Four are enough for any wrapper. Numbers that are used again can make a circle.
    while let ancestor = next, ancestors.count < 4 {
      ancestors.append(ancestor)
      next = programs[ancestor.parent]
    }
    return ancestors
  }
}
