import ActivityTypes
import Testing

struct PrivateFilesTests {
  @Test(arguments: [
    "/home/ada/x.gpg", "/home/ada/X.GPG", "/home/ada/x.gpg~", "/home/ada/passwords.kdbx", "/etc/ssl/private/x",
    "/home/ada/.ssh/config", "/home/ada/id_ed25519", "/home/ada/.netrc", "/home/ada/.env", "/home/ada/.env.local",
    "/home/ada/.bash_history", "/home/ada/src/.git/COMMIT_EDITMSG", "/home/ada/.password-store/mail/x.txt",
    "/home/ada/.local/share/keyrings/login", "/home/ada/.git-credentials", "/home/ada/.aws/credentials",
    "/dev/shm/pass.x/y.txt", "/proc/self/environ", "/run/user/1000/x", "/etc/shadow", "/etc/sudoers",
    "/etc/sudoers.d/x",
    "/etc/ssh/ssh_host_ed25519_key", "/home/ada/.env.\u{301}", "/home/ada/.env.\u{200D}local",
    "/home/ada/.\u{301}_history", "/home/ada/x.gpg\u{D4E}~".replacing("\u{D4E}~", with: "~"), "/home/ada/\u{D4E}.gpg",
    "/home/ada/\u{600}.key~", "/etc/ssh/ssh_host_\u{301}\u{D4E}_key", "/home/ada/.ssh/\u{301}",
  ])
  func keysAndPasswordsArePrivate(_ path: String) {
    #expect(PrivateFiles.contains(path))
  }

  @Test(arguments: [
    "/", "/home/ada/notes.txt", "/home/ada/gpg", "/home/ada/id_map.py", "/home/ada/id_rsa.pub",
    "/home/ada/order_history",
    "/run/media/ada/stick/x", "/device/x", "/home/ada/.gitignore", "/home/ada/environment.env.txt",
    "/etc/ssl/openssl.cnf",
    "/home/ada/.config/x", "/etc/sudoers.conf", "/home/ada/key", "/home/ada/dev/x",
  ])
  func othersAreNot(_ path: String) {
    #expect(!PrivateFiles.contains(path))
  }

  @Test func encryptedFilesAreKnownByTheirBeginning() {
    for text in ["$ANSIBLE_VAULT;1.1;AES256\n33", "-----BEGIN OPENSSH PRIVATE KEY-----\n", "VimCrypt~03!", "Salted__x"]
    {
      #expect(PrivateFiles.isEncrypted(text.utf8))
    }
    for text in [
      "", "$ANSIBLE", " $ANSIBLE_VAULT;", "-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----BEGIN CERTIFICATE-----",
    ] {
      #expect(!PrivateFiles.isEncrypted(text.utf8))
    }
  }
}
