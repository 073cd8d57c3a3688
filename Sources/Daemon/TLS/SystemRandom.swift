// SPDX-License-Identifier: Apache-2.0

/// Random bytes from the kernel (`getrandom`).
package enum SystemRandom {
  package static func bytes(_ count: Int) -> [UInt8] {
    (0..<count).map { _ in UInt8.random(in: .min ... .max) }
  }
}
