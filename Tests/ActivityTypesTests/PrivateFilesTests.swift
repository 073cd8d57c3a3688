// SPDX-License-Identifier: Apache-2.0

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
    "/srv/.envrc", "/srv/prod.env", "/srv/prod.tfvars", "/srv/prod.auto.tfvars.json", "/srv/terraform.tfstate",
    "/srv/terraform.tfstate.backup", "/srv/.terraform/x", "/home/ada/.terraform.d/credentials.tfrc.json",
    "/srv/release.keystore", "/srv/release.jks", "/etc/krb5.keytab", "/srv/office.ovpn", "/srv/id_ed25519.bak",
    "/home/ada/.npmrc", "/home/ada/.pypirc", "/home/ada/.vault-token", "/home/ada/.cargo/credentials.toml",
    "/home/ada/.config/gh/hosts.yml", "/home/ada/.config/gcloud/x", "/home/ada/.config/rclone/rclone.conf",
    "/home/ada/.m2/settings.xml", "/home/ada/.gradle/gradle.properties", "/home/ada/.Xauthority",
    "/home/ada/.nuget/NuGet/NuGet.Config", "/srv/secrets.yml", "/srv/Secrets.Prod.yaml", "/srv/client_secret_1.json",
    "/srv/credentials.json", "/srv/rootkey.csv", "/srv/credentials.yml.enc", "/srv/wp-config.php", "/srv/.env.orig",
    "/srv/kubeconfig", "/srv/passwords.txt", "/etc/shadow-", "/srv/service-account.json",
    "/srv/id_rsa-2", "/srv/id_rsa (1)", "/srv/id_ed25519-12~", "/srv/credentials-2.json", "/srv/secrets (3).yml",
    "/srv/.env-2", "/home/ada/.local/share/fish/fish_history", "/home/ada/.histfile", "/home/ada/.zhistory",
    "/home/ada/.history", "/home/ada/.lesshst",
    "/srv/.credentials.json", "/srv/.secrets.toml", "/srv/.env-prod", "/srv/.env_local", "/srv/.dev.vars",
    "/home/ada/.muttrc", "/home/ada/.config/msmtp/config", "/srv/key.jwk", "/srv/LocalSettings.php",
  ])
  func keysAndPasswordsArePrivate(_ path: String) {
    #expect(PrivateFiles.contains(path))
  }

  @Test(arguments: [
    "/", "/home/ada/notes.txt", "/home/ada/gpg", "/home/ada/id_map.py", "/home/ada/id_rsa.pub",
    "/home/ada/order_history",
    "/run/media/ada/stick/x", "/device/x", "/home/ada/.gitignore", "/home/ada/environment.env.txt",
    "/etc/ssl/openssl.cnf",
    "/home/ada/.config/x", "/etc/sudoers.conf", "/home/ada/key", "/home/ada/dev/x", "/srv/auth.py", "/srv/token.c",
    "/srv/secrets/router.go", "/srv/main.tf", "/srv/settings.xml", "/srv/gradle.properties", "/srv/env",
    "/srv/hosts.yml",
    "/srv/README.old", "/srv/~", "/srv/.bak", "/srv/credentials.go", "/srv/monkey.txt", "/srv/keystore.rs",
    "/srv/notes-2.txt", "/srv/id_rsa-2.pub", "/srv/id_rsa-x", "/srv/-2", "/srv/ (1)",
  ])
  func othersAreNot(_ path: String) {
    #expect(!PrivateFiles.contains(path))
  }

  @Test func encryptedFilesAreKnownByTheirBeginning() {
    let key = String(repeating: "LS0t", count: 16)
    for text in [
      "$ANSIBLE_VAULT;1.1;AES256\n33", "-----BEGIN OPENSSH PRIVATE KEY-----\n", "VimCrypt~03!", "Salted__x",
      "\u{FEFF}-----BEGIN PRIVATE KEY-----", "-----BEGIN CERTIFICATE-----\nx\n-----BEGIN PRIVATE KEY-----\n",
      "password: !vault |\n  $ANSIBLE_VAULT;1.1;AES256", "a: ENC[AES256_GCM,data:x,iv:y]",
      "{\n \"a\": \"ENC[AES256_GCM,data:x",
      "users:\n- name: ada\n  user:\n    client-key-data: \(key)\n", "[Interface]\nPrivateKey = x=\n",
      "{\n  \"type\": \"service_account\",\n  \"private_key\": \"-----BEGIN PRIVATE KEY-----\\n\(key)\"",
      "{\"private_key\":\"-----BEGIN PRIVATE KEY-----\\n\(key)\\n\"}",
      "KEY = \"\"\"-----BEGIN RSA PRIVATE KEY-----\n\(key)",
      "key = '-----BEGIN PGP PRIVATE KEY BLOCK-----\\r\\n\\r\\n\(key)'", "a\r-----BEGIN PRIVATE KEY-----\r\(key)",
      "{user: {client-key-data: \(key)}}", "{\"client-key-data\":\"\(key)\"}",
      "---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nComment: x\n",
    ] {
      #expect(PrivateFiles.isEncrypted(text.utf8))
    }
    for order in [[0, 1], [1, 0]] {
      let text = "\u{FEFF}-----BEGIN PRIVATE KEY-----\n".utf16.flatMap { unit in
        order.map { UInt8(truncatingIfNeeded: unit >> (8 * $0)) }
      }
      #expect(PrivateFiles.isEncrypted(text))
    }
    for text in [
      "The line -----BEGIN PRIVATE KEY----- begins a key", "client-key-data: FILE", "", "$ANSIBLE",
      "-----BEGIN PGP PUBLIC KEY BLOCK-----", "-----BEGIN CERTIFICATE-----",
      "  PrivateKey = new Key();", "let start = \"-----BEGIN PRIVATE KEY-----\"", "[Interface]\nAddress = 10.0.0.1\n",
    ] {
      #expect(!PrivateFiles.isEncrypted(text.utf8))
    }
  }
}
