// SPDX-License-Identifier: Apache-2.0

import Glibc
import VarlinkClient

/// Measures what a user of `batond` gets. One process plays both apps, and `Benchmarks/bench` starts what is measured.
@main
enum Main {
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let options: Options
    do {
      options = try Options(CommandLine.arguments.dropFirst())
    } catch {
      complain(Options.usage)
      exit(64)
    }
    do {
      switch options.question {
      case .throughput: print(try Throughput(options).measure())
      case .echo: print(try Echo.measure(options))
      case .latency: print(try Latency.measure(options))
      }
    } catch let damage as Damage {
      complain("benchmark: \(damage)")
      exit(65)
    } catch {
      complain("benchmark: \(error)")
      exit(1)
    }
  }

  private static func complain(_ text: String) {
    var line = text + "\n"
    _ = line.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
  }
}
