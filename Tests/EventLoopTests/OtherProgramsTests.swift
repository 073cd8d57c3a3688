// SPDX-License-Identifier: Apache-2.0

import CLinux
import EventLoop
import Glibc
import Testing

struct OtherProgramsTests {
  @Test func afterwardsNoProgramRunsWhereverItIs() async {
    await #expect(processExitsWith: .success) {
      try OtherPrograms.forbid()
      let file = clinux_memory_file("program")
      let program = open("/bin/true", O_RDONLY)
      var bytes = [UInt8](repeating: 0, count: 1 << 20)
      let length = read(program, &bytes, bytes.count)
      #expect(length > 0 && write(file, bytes, length) == length)
      let loaders: [String] = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"]
      let paths: [String] = ["/bin/true", "/proc/self/fd/\(file)"] + loaders.filter { access($0, X_OK) == 0 }
      #expect(paths.count == 3)
      for path in paths {
        var process: pid_t = 0
        var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(path), strdup("/bin/true"), nil]
        defer { for argument in arguments { free(argument) } }
        #expect(posix_spawn(&process, path, nil, nil, &arguments, nil) == EPERM, "\(path)")
        #expect(execv(path, &arguments) == -1 && errno == EPERM, "\(path)")
      }
    }
  }
}
