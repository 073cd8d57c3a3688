import ContinuationStreams
import Foundation
import Glibc
import TestSupport
import Testing

extension ContinuationStreamsTests {
  @Suite struct BlockingTests {
    @Test func megabytesGoBothWaysAtOnceOnThreadsThatBlock() throws {
      let fixture = try Fixture()
      let (sent, received) = (noise(4 << 20, seed: 1), noise(4 << 20, seed: 2))
      fixture.open()
      let writer = onThread {
        defer { fixture.output.close() }
        return fixture.output.writeAll(sent)
      }
      let reader = onThread { fixture.input.readAll() }
      let daemonWriter = onThread {
        try fixture.daemon.write(received)
        fixture.daemon.finish()
      }
      #expect(try fixture.daemon.read() == sent)
      try daemonWriter.wait()
      fixture.outcome.set(nil)
      #expect(try writer.wait() == sent.count)
      let (bytes, last) = try reader.wait()
      #expect(bytes == received)
      #expect(last == 0)
      #expect(fixture.input.streamStatus == .atEnd)
      #expect(fixture.input.streamError == nil)
    }
  }
}
