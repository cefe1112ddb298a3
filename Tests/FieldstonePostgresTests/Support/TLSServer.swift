#if PostgreSQL && (os(macOS) || os(Linux))
  import Foundation

  /// A server in a temporary folder that is reached by TCP and asks for a password.
  ///
  /// Its certificate is for the host names `db.example.org` and `127.1`. The latter leads to the
  /// loopback address, but is none of its usual names. It ends with the process, however that ends.
  final class TLSServer: Sendable {
    /// Whether tests run without what they need: in CI, where they then fail.
    static var isWanted: Bool { reasonForNone == nil || PostgresServer.isInCI }

    static let reasonForNone: String? = {
      let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
      let hasOpenSSL = folders.contains {
        FileManager.default.isExecutableFile(atPath: "\($0)/openssl")
      }
      return hasOpenSSL ? PostgresServer.reasonForNone : "OpenSSL's command is not installed"
    }()

    static let password = "hush-and-be-still"

    private let folder: String
    private let port: String
    private let shell: ErrandProcess

    init(isEncrypted: Bool) async throws {
      folder =
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        + "/fieldstone-pg-\(getpid())-\(isEncrypted ? "tls" : "plain")"
      guard let programs = PostgresServer.programs else {
        throw PostgresServer.Failure(description: PostgresServer.reasonForNone ?? "no server")
      }
      shell = try ErrandProcess(
        [
          "/bin/sh", "-c", Self.script, "sh", programs, folder, Self.password,
          isEncrypted ? "on" : "off",
        ])
      let answer = try await shell.answer()
      guard answer.hasPrefix("port ") else {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw PostgresServer.Failure(description: "no server: \(log.suffix(1_000))")
      }
      port = String(answer.dropFirst("port ".count))
    }

    /// A connection string with the password.
    ///
    /// - Parameters:
    ///   - place: the host, and how to encrypt.
    ///   - authority: `root` for the one that signed the server's certificate, `other` for another.
    func text(_ place: String, trusting authority: String) -> String {
      "\(place) port=\(port) user=fieldstone dbname=postgres password=\(Self.password) "
        + "sslrootcert=\(folder)/\(authority).crt"
    }

    // PostgreSQL does not run as root. A port may be taken: then the next one is tried.
    private static let script = """
      programs=$1 folder=$2 password=$3 encrypted=$4 as= port=$((20000 + $$ % 10000)) tries=0
      umask 077
      mkdir "$folder" || exit 1
      cd "$folder"
      export HOME="$folder" PGCTLTIMEOUT=300
      printf '%s\\n' "$password" >password
      printf '%s\\n' '[req]' 'distinguished_name = name' 'x509_extensions = authority' \\
        'prompt = no' '[name]' 'CN = fieldstone' '[authority]' \\
        'basicConstraints = critical, CA:TRUE' '[server]' \\
        'subjectAltName = DNS:db.example.org, DNS:127.1' >openssl.cnf
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=nobody --regid=$(id -gn nobody) --clear-groups"
        chown nobody . password openssl.cnf
      fi
      certify() {
        for name in root other; do
          $as openssl req -config openssl.cnf -x509 -newkey rsa:2048 -nodes -days 2 \\
            -keyout "$name.key" -out "$name.crt" || return
        done
        $as openssl req -config openssl.cnf -new -newkey rsa:2048 -nodes \\
          -keyout server.key -out server.csr &&
        $as openssl x509 -req -in server.csr -CA root.crt -CAkey root.key -set_serial 2 \\
          -days 2 -extfile openssl.cnf -extensions server -out server.crt
      }
      begin() {
        certify &&
        $as "$programs/initdb" -D data -U fieldstone --auth-local=trust \\
          --auth-host=scram-sha-256 --pwfile=password --no-sync -E UTF8 --locale=C &&
        printf '%s\\n' "ssl = $encrypted" "ssl_cert_file = '$folder/server.crt'" \\
          "ssl_key_file = '$folder/server.key'" "fsync = off" \\
          "unix_socket_directories = '$folder'" "listen_addresses = '127.0.0.1'" \\
          >>data/postgresql.conf || return
        until $as "$programs/pg_ctl" -D data -w -l server.log start -o "-p $port"; do
          tries=$((tries + 1)) port=$((port + 1))
          [ "$tries" -lt 20 ] || return
        done
      }
      if begin >log 2>&1; then echo "port $port"; else echo failed; fi
      while read -r line; do :; done
      $as "$programs/pg_ctl" -D data -m immediate stop >>log 2>&1
      cd / && rm -rf "$folder"
      """
  }
#endif
