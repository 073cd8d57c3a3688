// SPDX-License-Identifier: Apache-2.0

import ActivityTypes
import Testing

@Suite struct MountTableTests {
  private let table = MountTable(
    Array(
      """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      23 22 8:2 / /home rw,relatime - ext4 /dev/sda2 rw
      24 22 8:2 /ada/private/inside /mnt/inside rw - ext4 /dev/sda2 rw
      25 22 0:30 / /home/ada/private/disk rw - tmpfs tmpfs rw
      26 22 0:30 /a /mnt/with\\040space rw - tmpfs tmpfs rw
      27 22 0:40 /@home /btrfs/home rw - btrfs /dev/sdb rw
      28 22 0:40 / /btrfs/all rw - btrfs /dev/sdb rw
      nonsense
      29 22 8:1 relative /x\\9 rw - ext4 /dev/sda1 rw

      """.utf8
    )
  )

  @Test(arguments: [
    ("/mnt/inside/deep", "/home/ada/private/inside/deep"), ("/home/ada/private/inside", "/mnt/inside"),
    ("/mnt/with space", "/home/ada/private/disk/a"), ("/btrfs/home/ada", "/btrfs/all/@home/ada"),
  ])
  func aDirectoryHasANameInEachMount(path: String, name: String) {
    #expect(table.names(of: path).contains(name))
  }

  @Test(arguments: ["/home/ada", "/mnt", "/home/ada/private/disk/b", "/mnt/insider"])
  func othersHaveNoSuchName(path: String) {
    #expect(!table.names(of: path).contains { $0.contains("inside/") || $0.contains("with space") })
  }
}
