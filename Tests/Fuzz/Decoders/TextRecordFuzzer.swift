// SPDX-License-Identifier: Apache-2.0

import Activity
import Handoff
import TLS

@testable import Discovery

/// A TXT record as multicast delivers it: its strings, the sealed advert in them, and opening it.
enum TextRecordFuzzer: Fuzzer {
  private static let instance = Array("instance".utf8)
  private static let nonce = [UInt8](repeating: 7, count: Sealer.nonceLength)
  private static let sealer = Sealer(key: [UInt8](repeating: 10, count: Sealer.keyLength))

  private static func sealed(_ advert: Advert) throws -> [UInt8] {
    guard let sealer else { fatalError("The key has another length") }
    return nonce + (try sealer.seal(advert.plaintext, nonce: nonce, additional: instance))
  }

  static var seeds: [[UInt8]] {
    get throws {
      try AdvertFuzzer.samples.map { advert in
        let sign = [UInt8](repeating: 5, count: AdvertText.signLength)
        let strings = AdvertText.strings(sealed: try sealed(advert), sign: sign)
        return RecordData.text(strings) ?? []
      } + [[0], [1, 65, 0, 2, 66, 67], Array("\u{9}txtvers=1\u{2}a=".utf8)]
    }
  }

  static let words = ["\u{9}txtvers=1", "a=", "b=", "r="]

  static let length = 400

  static func run(_ input: [UInt8]) throws {
    guard let strings = RecordData.strings(ofText: input) else { return }
    hold(strings.allSatisfy { (1...RecordData.stringLength).contains($0.count) }, "Strings of other lengths")
    hold(strings.reduce(0) { $0 + $1.count + 1 } <= input.count, "More bytes than there are")
    if let text = RecordData.text(strings), !strings.isEmpty { same(RecordData.strings(ofText: text), strings) }
    if let sign = AdvertText.sign(in: strings) { same(sign.count, AdvertText.signLength) }
    guard let sealed = AdvertText.sealed(in: strings) else { return }
    same(sealed.count, AdvertText.sealedLength)
    let (nonce, content) = (Array(sealed.prefix(Sealer.nonceLength)), Array(sealed.dropFirst(Sealer.nonceLength)))
    guard let plaintext = sealer?.open(content, nonce: nonce, additional: instance) else { return }
    same(plaintext.count, Advert.plaintextLength)
    let known = try AdvertFuzzer.samples.map(\.plaintext)
    hold(known.contains(plaintext), "What nobody has sealed was opened")
  }
}
