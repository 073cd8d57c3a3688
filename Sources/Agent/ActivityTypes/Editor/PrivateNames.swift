// SPDX-License-Identifier: Apache-2.0

/// The names that ``PrivateFiles`` goes by, in lower case. They come from the documentation of the programs, from
/// GitHub's templates for `.gitignore` (Terraform, Rails, Composer, WordPress and others), and from the rules of
/// gitleaks and TruffleHog.
enum PrivateNames {
  /// What follows the last dot.
  static let suffixes: Set = [
    // Encrypted, and shown in the clear.
    "gpg", "pgp", "asc", "age", "vault",
    // Keys and key stores.
    "pem", "key", "ppk", "p8", "p12", "pfx", "pkcs12", "jks", "jceks", "bks", "keystore", "keytab", "agekey", "kdb",
    "kdbx", "keychain", "ovpn", "jwk", "jwks", "psk",
    // Variables and state with the secrets of a deployment.
    "env", "tfvars", "tfstate", "kubeconfig",
    // Tokens, and files of remote desktops.
    "token", "secret", "secrets", "credentials", "remmina", "rdp",
    // Neovim's history.
    "shada",
  ]

  /// Whole names.
  static let names: Set = [
    // Passwords for servers.
    ".netrc", "_netrc", ".authinfo", ".git-credentials", ".pgpass", "pgpass.conf", ".my.cnf", ".mylogin.cnf",
    ".msmtprc", ".fetchmailrc", ".mbsyncrc", ".offlineimaprc", ".smbcredentials", ".passwd-s3fs", ".htpasswd",
    "htpasswd", "sitemanager.xml", "recentservers.xml", "filezilla.xml", "wp-config.php", "sasl_passwd",
    "isyncrc", ".muttrc", "muttrc", ".neomuttrc", "neomuttrc", ".getmailrc", ".cifscreds", ".ftpconfig",
    "localsettings.php", "config.inc.php", "local_settings.py", "local.settings.json", "cookies.txt", "hostapd.conf",
    "passwd.client", "chap-secrets", "pap-secrets", "ipsec.secrets", "debian.cnf",
    // Variables with secrets.
    ".env", ".envrc", ".secrets", ".credentials", "credentials", ".vault_pass", ".vault-password",
    // Tokens of programs.
    ".npmrc", ".yarnrc", ".yarnrc.yml", ".pypirc", ".terraformrc", "terraform.rc", "credentials.tfrc.json",
    ".vault-token", ".dockercfg", ".dockerconfigjson", "kubeconfig", ".s3cfg", ".boto", ".rclone.conf",
    "rclone.conf", ".xauthority", ".iceauthority", "settings-security.xml", "wallet.dat",
    // Keys.
    "id_rsa", "id_dsa", "id_ecdsa", "id_ecdsa_sk", "id_ed25519", "id_ed25519_sk",
    // The system's passwords.
    "shadow", "shadow-", "gshadow", "gshadow-", "opasswd",
    // Histories whose names do not end as most do: of Vim, less, zsh, tcsh and fish.
    ".viminfo", ".lesshst", ".histfile", ".zhistory", ".history", "fish_history",
  ]

  /// The first parts of names such as `secrets.prod.yaml` and `credentials.json`.
  static let dataNames: Set = [
    "credentials", "secret", "secrets", "client_secret", "client_secrets", "password", "passwords", "passwd", "token",
    "tokens", "auth", "vault_pass", "service_account", "service-account", "serviceaccount",
    "application_default_credentials", "rootkey", "accesskeys",
  ]
  /// The last parts of those names: files with data. Programs are called `auth.py` and `token.c`.
  static let dataSuffixes: Set = [
    "json", "yml", "yaml", "toml", "xml", "ini", "cfg", "conf", "properties", "csv", "txt", "plist", "enc",
  ]

  /// What editors and people add to the name of a copy.
  static let copies = ["~", ".bak", ".old", ".orig", ".backup", ".save"]

  /// The names of directories in which everything is private.
  static let directories: Set = [
    ".ssh", ".gnupg", ".password-store", "keyrings", "kwalletd", ".pki",
    ".git", ".hg", ".svn",
    ".aws", ".azure", ".oci", ".aliyun", "gcloud", ".kube", ".minikube", ".docker", ".ansible", ".terraform",
    ".terraform.d", ".tsh", "doctl", "hcloud", ".fly", ".netlify", ".vercel", "github-copilot",
    ".mozilla", ".thunderbird", ".bitcoin", ".electrum", ".ethereum",
  ]

  /// The ends of paths: the names are common ones.
  static let ends = [
    ".config/gh/hosts.yml", ".config/msmtp/config", ".config/himalaya/config.toml", ".config/hub",
    ".config/glab-cli/config.yml", ".m2/settings.xml",
    ".gradle/gradle.properties", ".bundle/config", ".nuget/nuget/nuget.config",
  ]
}
