#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import FieldstonePostgres
  import Foundation

  /// A server of this process's own, in a temporary folder, reached by a socket there.
  ///
  /// It ends with the process, however that ends: a shell waits for the end of a pipe.
  final class PostgresServer: Sendable {
    static let shared = PostgresServer()

    /// Why there is no server here; nil when one can be started.
    static let reasonForNone: String? =
      programs == nil ? "PostgreSQL's server is not installed (Debian: postgresql)" : nil

    /// Whether a test runs although it lacks something: in CI, where it then fails.
    static let isInCI = ProcessInfo.processInfo.environment["CI"] != nil

    /// Whether tests run without a server: not in CI, where they fail.
    static var isWanted: Bool { reasonForNone == nil || isInCI }

    /// Whether PgBouncer is installed; it then listens in the folder `pool` beside the server's socket.
    static let hasPooler = ((ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin")
      .split(separator: ":")
      .contains { FileManager.default.isExecutableFile(atPath: "\($0)/pgbouncer") }

    /// Whether the server that tests share has the extension that shows its pages.
    static func hasPageInspect() async throws -> Bool {
      guard reasonForNone == nil else { return false }
      return try await shared.journal().texts(
        "SELECT name::text FROM pg_available_extensions WHERE name = 'pageinspect'") != []
    }

    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    /// What a server keeps on a small file system of its own, which can become full.
    enum SmallDisk: String, CaseIterable {
      /// All but the log.
      case data
      /// The write-ahead log.
      case log = "wal"

      /// Begins a program in a name space in which it may mount file systems, which end with it.
      fileprivate static let mounting = ["unshare", geteuid() == 0 ? "-m" : "-rm"]

      /// Whether the system allows that; in CI the tests run in any case.
      static func isWanted() async -> Bool {
        if isInCI { return true }
        let mount = "mount -t tmpfs -o size=1m fieldstone /tmp && echo mounted"
        let process = try? ErrandProcess(mounting + ["/bin/sh", "-c", mount])
        return (try? await process?.answer()) == "mounted"
      }
    }

    let folder: String
    private let disk: SmallDisk?
    private let started = OutcomePromise<ErrandProcess>()
    private let numbers = Locked(0)

    private init(_ name: String = "", disk: SmallDisk? = nil) {
      self.disk = disk
      folder =
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        + "/fieldstone-pg-\(getpid())\(name)"
      Task { started.end(with: await Outcome(running: start)) }
    }

    /// Another server, for what others would suffer by; it ends with the process.
    ///
    /// - Parameter disk: what it keeps on a small file system; this needs Linux.
    static func another(_ name: String, disk: SmallDisk? = nil) -> PostgresServer {
      PostgresServer("-" + name, disk: disk)
    }

    /// Ends the server at once, as a crash does, starts it again, and waits until it can be used.
    ///
    /// One that has ended by itself is started, too.
    func restart() async throws { try await answer(to: "restart") }

    /// Fills the small file system to its last byte.
    func fill() async throws { try await answer(to: "fill") }

    /// Frees what ``fill()`` took.
    func free() async throws { try await answer(to: "free") }

    private func answer(to errand: String) async throws {
      guard case .success(let shell) = await started.outcome,
        try await shell.answer(to: errand) == "done"
      else {
        throw Failure(description: "\(errand) failed: \(log)")
      }
    }

    /// What the server has logged.
    var serverLog: String {
      (try? String(contentsOfFile: "\(folder)/server.log", encoding: .utf8)) ?? ""
    }

    private var log: String {
      let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
      return Self.reasonForNone ?? String(log.suffix(1_000))
    }

    /// A connection string; with a name the server's list of connections has it.
    func text(as name: String = "tests") async throws -> String {
      guard case .success = await started.outcome else {
        throw Failure(description: "no server: \(log)")
      }
      return "host=\(folder) user=fieldstone dbname=postgres application_name=\(name)"
    }

    /// A name for a schema that no other test has.
    func newSchema() -> String {
      numbers.withLock { number in
        number += 1
        return "Journal \(number)"
      }
    }

    /// A journal in a schema of its own.
    func journal(
      as name: String = "tests", options: PostgresJournalOptions = PostgresJournalOptions(),
      serverClock: (@Sendable () -> Date)? = nil
    ) async throws -> PostgresJournal {
      var options = options
      options.schema = newSchema()
      return try await PostgresJournal(
        text(as: name), options: options, serverClock: serverClock)
    }

    /// The folder of the server's programs.
    static let programs: String? = {
      var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map(String.init)
      for parent in ["/usr/lib/postgresql"] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        folders += names.sorted().reversed().map { "\(parent)/\($0)/bin" }
      }
      // Links in the path may lead to wrappers; the programs lie together.
      return folders.map { URL(filePath: "\($0)/initdb").resolvingSymlinksInPath().path }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { String($0.dropLast("/initdb".count)) }
    }()

    private func start() async throws -> ErrandProcess {
      guard let programs = Self.programs else { throw Failure(description: "no server") }
      let shell = try ErrandProcess(
        (disk == nil ? [] : SmallDisk.mounting)
          + ["/bin/sh", "-c", Self.script, "sh", programs, folder, disk?.rawValue ?? ""])
      let answer = try await shell.answer()
      guard answer == "ready" else { throw Failure(description: "no server: \(answer)") }
      return shell
    }

    // PostgreSQL does not run as root. Where this has mounted something, root is perhaps the only user
    // that there is.
    private static let script = """
      programs=$1 folder=$2 small=$3 as= log=
      umask 077
      mkdir "$folder" || exit 1
      if [ -n "$small" ]; then
        as="unshare --user --map-user=$(id -u nobody) --map-group=$(id -g nobody)"
        log="-X $folder/wal --wal-segsize=1"
        mkdir "$folder/$small" && mount -t tmpfs -o size=96m fieldstone "$folder/$small" || exit 1
      elif [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=nobody --regid=$(id -gn nobody) --clear-groups"
        chown nobody "$folder"
      fi
      cd "$folder"
      export HOME="$folder" PGCTLTIMEOUT=300
      {
        $as "$programs/initdb" -D data $log -U fieldstone --auth=trust --no-sync -E UTF8 \\
          --locale=C &&
        $as "$programs/pg_ctl" -D data -w -l server.log start -o "-c listen_addresses= \\
          -c unix_socket_directories=$folder -c fsync=off -c max_connections=300 \\
          -c deadlock_timeout=50ms"
      } >log 2>&1 && {
        PATH="$PATH:/usr/sbin"
        if [ -z "$small" ] && command -v pgbouncer; then
          $as mkdir pool
          {
            printf '[databases]\\n* = host=%s user=fieldstone\\n' "$folder"
            printf '[pgbouncer]\\nunix_socket_dir = %s/pool\\nlisten_port = 5432\\n' "$folder"
            printf 'auth_type = any\\npool_mode = transaction\\ndefault_pool_size = 3\\n'
            printf 'logfile = %s/pool/log\\npidfile = %s/pool/pid\\n' "$folder" "$folder"
          } >pool.ini
          chmod a+r pool.ini
          $as pgbouncer -d pool.ini
        fi
      } >>log 2>&1 && echo ready || {
        # One line, which the test that asked for the server reports.
        echo $(tail -n 3 log)
        cd / && rm -rf "$folder"
        exit 1
      }
      restart() { $as "$programs/pg_ctl" -D data -m immediate -w -l server.log restart; }
      while read -r line; do
        if case $line in
          # It may end by itself just before it is ended.
          restart) restart || restart ;;
          fill) ! cat /dev/zero >"$small/ballast" ;;
          free) rm "$small/ballast" ;;
        esac >>log 2>&1; then echo done; else echo failed; fi
      done
      [ ! -e pool/pid ] || kill "$(cat pool/pid)"
      $as "$programs/pg_ctl" -D data -m immediate stop >>log 2>&1
      [ -z "$small" ] || umount -l "$small"
      cd / && rm -rf "$folder"
      """
  }
#endif
