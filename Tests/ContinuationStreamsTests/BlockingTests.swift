import ContinuationStreams
import Foundation
import Glibc
import StreamFixture
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct BlockingTests {
    @Test func megabytesGoBothWaysAtOnceOnThreadsThatBlock() throws {
      let (pair, daemon) = try StreamPair.make()
      let (sent, received) = (noise(4 << 20, seed: 1), noise(4 << 20, seed: 2))
      pair.open()
      let writer = onThread {
        defer { pair.output.close() }
        return pair.output.writeAll(sent)
      }
      let reader = onThread { pair.input.readAll() }
      let daemonWriter = onThread {
        try daemon.write(received)
        daemon.finish()
      }
      #expect(try daemon.read() == sent)
      try daemonWriter.wait()
      pair.outcome.set(nil)
      #expect(try writer.wait() == sent.count)
      let (bytes, last) = try reader.wait()
      #expect(bytes == received)
      #expect(last == 0)
      #expect(pair.input.streamStatus == .atEnd)
      #expect(pair.input.streamError == nil)
    }
  }
}
