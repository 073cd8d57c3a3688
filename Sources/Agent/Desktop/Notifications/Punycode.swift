// SPDX-License-Identifier: Apache-2.0

/// Encodes text as ASCII (RFC 3492).
enum Punycode {
  private static let (base, least, most, skew, damp) = (UInt32(36), UInt32(1), UInt32(26), UInt32(38), UInt32(700))

  /// - Parameter scalars: One label of a host: few enough that no number here overflows.
  /// - Returns: `…` if there are more than 253.
  static func encode(_ scalars: [UInt32]) -> String {
    guard scalars.count <= 253 else { return "…" }
    var output = scalars.filter { $0 < 0x80 }.map { UInt8(truncatingIfNeeded: $0) }
    let plainCount = UInt32(output.count)
    if plainCount > 0 { output.append(UInt8(ascii: "-")) }
    var (next, delta, bias, handled) = (UInt32(0x80), UInt32(0), UInt32(72), plainCount)
    while handled < scalars.count, let least = scalars.filter({ $0 >= next }).min() {
      delta += (least - next) * (handled + 1)
      next = least
      for scalar in scalars {
        if scalar < next { delta += 1 }
        guard scalar == next else { continue }
        appendNumber(delta, bias, &output)
        bias = adapted(delta, handled + 1, isFirst: handled == plainCount)
        delta = 0
        handled += 1
      }
      delta += 1
      next += 1
    }
    return String(decoding: output, as: UTF8.self)
  }

  private static func appendNumber(_ number: UInt32, _ bias: UInt32, _ output: inout [UInt8]) {
    var (rest, position) = (number, base)
    while true {
      let threshold = position <= bias ? least : min(most, position - bias)
      guard rest >= threshold else { return output.append(digit(rest)) }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
  }

  private static func adapted(_ delta: UInt32, _ count: UInt32, isFirst: Bool) -> UInt32 {
    var rest = isFirst ? delta / damp : delta / 2
    rest += rest / count
    var steps = UInt32(0)
    while rest > (base - least) * most / 2 {
      rest /= base - least
      steps += base
    }
    return steps + (base - least + 1) * rest / (rest + skew)
  }

  private static func digit(_ value: UInt32) -> UInt8 {
    UInt8(truncatingIfNeeded: value < 26 ? UInt32(UInt8(ascii: "a")) + value : UInt32(UInt8(ascii: "0")) + value - 26)
  }
}
