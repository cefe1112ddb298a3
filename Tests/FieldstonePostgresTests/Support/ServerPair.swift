#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstonePostgres
  import Foundation

  /// A server and its synchronous standby, in a temporary folder, each reached by a socket of its own.
  ///
  /// What is answered is on both: while there is no standby, no write is answered. They end with the
  /// process, however that ends: a shell waits for the end of a pipe.
  final class ServerPair: Sendable {
    /// What is asked of the shell.
    private enum Errand: String {
      /// Ends the primary and all its processes at once.
      case kill
      /// Ends the standby in the same way.
      case killStandby = "kill-standby"
      /// Makes the standby the primary.
      case promote
      /// Makes a standby of the primary in the place of the server that was killed.
      case attach
    }

    private let folder: String
    private let shell: ErrandProcess

    /// Starts both.
    init(_ name: String) async throws {
      folder =
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        + "/fieldstone-pg-\(getpid())-\(name)"
      guard let programs = PostgresServer.programs else {
        throw PostgresServer.Failure(description: PostgresServer.reasonForNone ?? "no server")
      }
      shell = try ErrandProcess(["/bin/sh", "-c", Self.script, "sh", programs, folder])
      try await answer(to: nil, "starting")
    }

    /// Names both servers; the journal takes the one that writes.
    func text(as name: String = "tests") -> String {
      "host=\(folder)/a,\(folder)/b user=fieldstone dbname=postgres application_name=\(name)"
    }

    /// Names the server that was made as the standby, whether it writes or not.
    func standbyText() -> String {
      "host=\(folder)/b user=fieldstone dbname=postgres target_session_attrs=any"
    }

    /// Ends the standby at once; the primary's writes wait for another.
    func killStandby() async throws { try await answer(to: .killStandby, "killing the standby") }

    /// Ends the primary at once, as the end of its machine does.
    func killPrimary() async throws { try await answer(to: .kill, "killing the primary") }

    /// Makes the standby the primary; its writes wait for a standby.
    func promote() async throws { try await answer(to: .promote, "promoting the standby") }

    /// Gives the primary a standby in the place of the server that was killed.
    func attachStandby() async throws { try await answer(to: .attach, "attaching a standby") }

    /// Sends an errand, and waits until it is done.
    private func answer(to errand: Errand?, _ words: String) async throws {
      guard try await shell.answer(to: errand?.rawValue) == "done" else {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw PostgresServer.Failure(description: "\(words) failed: \(log.suffix(1_000))")
      }
    }

    // PostgreSQL does not run as root. The errors of the first primary are its own: while it has no
    // standby, nothing is written.
    private static let script = """
      programs=$1 folder=$2 as= primary=a standby=b
      umask 077
      mkdir "$folder" || exit 1
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=nobody --regid=$(id -gn nobody) --clear-groups"
        chown nobody "$folder"
      fi
      cd "$folder"
      export HOME="$folder" PGCTLTIMEOUT=300
      start() {
        $as mkdir -p "$1" &&
        $as "$programs/pg_ctl" -D "$1/data" -w -l "$1.log" start \\
          -o "-c unix_socket_directories=$folder/$1"
      }
      attach() {
        rm -rf "$standby/data" && $as mkdir -p "$standby" &&
        $as "$programs/pg_basebackup" -h "$folder/$primary" -U fieldstone -D "$standby/data" \\
          -R -c fast --no-sync && start "$standby"
      }
      # Its children, too: they would answer for a moment.
      end() {
        first=$(head -n 1 "$1/data/postmaster.pid") &&
        kill -9 "$first" $(pgrep -P "$first") &&
        while kill -0 "$first"; do sleep 0.01; done
      }
      promote() {
        $as "$programs/pg_ctl" -D "$standby/data" -w promote &&
        was=$primary primary=$standby standby=$was
      }
      begin() {
        $as mkdir a &&
        $as "$programs/initdb" -D a/data -U fieldstone --auth=trust --no-sync -E UTF8 --locale=C &&
        printf '%s\\n' "listen_addresses = ''" "fsync = off" "max_connections = 300" \\
          "synchronous_standby_names = '*'" >>a/data/postgresql.conf &&
        start a && attach
      }
      tell() { if "$@" >>log 2>&1; then echo done; else echo failed; fi; }
      tell begin
      while read -r line; do
        case $line in
          kill) tell end "$primary" ;;
          kill-standby) tell end "$standby" ;;
          promote) tell promote ;;
          attach) tell attach ;;
        esac
      done
      for server in a b; do $as "$programs/pg_ctl" -D "$server/data" -m immediate stop; done >>log 2>&1
      cd / && rm -rf "$folder"
      """
  }
#endif
