import TLS

@testable import Rendezvous

/// Messages of `nsupdate` and `dig` of BIND 9.18, and what its `named` answered them.
enum DNSSamples {
  static let zone = name("home.test")
  static let devices = name("_devices.home.test")
  static let time: Int64 = 0x6B09_C789
  static let key = key(secret: [UInt8](0..<32))

  static func name(_ text: String) -> DNSName {
    guard let name = DNSName(text) else { fatalError("\(text) is no name") }
    return name
  }

  static func key(secret: [UInt8]) -> TSIGKey {
    TSIGKey(name("baton.key")) { HMACSHA256.authenticate($0, key: secret) }
  }

  static let updateID: UInt16 = 0xEA61
  static let update = DNSMessage.update(
    zone: zone,
    name: devices,
    deletions: [TXTRecord(Array("old".utf8))],
    additions: [TXTRecord(Array("new".utf8))],
    timeToLive: 60
  )
  /// Without its signature. The zone in the name of the first record is a pointer to the zone.
  static let updateBytes = bytes(
    "ea612800000100000002000004686f6d6504746573740000060001085f64657669636573c00c001000fe000000000004036f6c64c01b001000"
      + "010000003c0004036e6577"
  )
  static let updateMAC = bytes("2c969352e547db2f626e1051944f980ee61faf1a3e4f7595966fe1b6141477b4")
  static let updateSignature = bytes(
    "056261746f6e036b65790000fa00ff00000000003d0b686d61632d7368613235360000006b09c789012c0020"
  )
  static let updateResponse = bytes(
    "ea61a800000100000000000104686f6d6504746573740000060001056261746f6e036b65790000fa00ff00000000003d0b686d61632d736861"
      + "3235360000006b09c789012c002003cfee59dcab4f116c0a1caa2058d3490a9b028923af20546d74a04e3a71a14fea6100000000"
  )

  static let queryID: UInt16 = 0x2DDD
  static let query = DNSMessage.query(devices)
  /// With the length before it.
  static let queryFrame = bytes(
    "00762ddd00000001000000000001085f6465766963657304686f6d6504746573740000100001056261746f6e036b65790000fa00ff00000000"
      + "003d0b686d61632d7368613235360000006b09c789012c002025459bf14798c089ae3ee8b2003b829d8c503eb91a486421a2d4b05dcd257d"
      + "012ddd00000000"
  )
  static let queryResponseFrame = bytes(
    "00a72ddd84000001000100010002085f6465766963657304686f6d6504746573740000100001c00c001000010000003c0004036e6577c01500"
      + "0200010000003c0005026e73c015c040000100010000003c00047f000001056261746f6e036b65790000fa00ff00000000003d0b686d6163"
      + "2d7368613235360000006b09c789012c0020e9a54b64e1deb8358f63d2e3d7223c86c86a80e12c0ba5f8a215acb05de7046d2ddd00000000"
  )

  static func exchange(
    _ message: DNSMessage = query,
    id: UInt16 = queryID,
    at now: ContinuousClock.Instant = .now
  )
    -> DNSExchange
  {
    guard let exchange = DNSExchange(message, key: key, id: id, time: time, at: now) else {
      fatalError("It is too long")
    }
    return exchange
  }

  static func bytes(_ text: String) -> [UInt8] {
    let digits = text.utf8.map { UInt8($0 & 0x40 == 0 ? $0 & 15 : ($0 & 15) + 9) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}
