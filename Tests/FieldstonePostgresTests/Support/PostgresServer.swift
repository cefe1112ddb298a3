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

    /// Whether tests run without a server: not in CI, where they fail.
    static var isWanted: Bool {
      reasonForNone == nil || ProcessInfo.processInfo.environment["CI"] != nil
    }

    struct Failure: Error, CustomStringConvertible {
      let description: String
    }

    private let folder =
      FileManager.default.temporaryDirectory
      .resolvingSymlinksInPath().path + "/fieldstone-pg-\(getpid())"
    private let started = OutcomePromise<Void>()
    private let numbers = Locked(0)
    /// Held open while this process lives.
    private let life = Pipe()

    private init() {
      Thread { self.start() }.start()
    }

    /// A connection string; with a name the server's list of connections has it.
    func text(as name: String = "tests") async throws -> String {
      guard case .success = await started.outcome else {
        let log = (try? String(contentsOfFile: "\(folder)/log", encoding: .utf8)) ?? ""
        throw Failure(
          description: "no server: \(Self.reasonForNone ?? String(log.suffix(1_000)))")
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
      as name: String = "tests", options: PostgresJournalOptions = PostgresJournalOptions()
    ) async throws -> PostgresJournal {
      var options = options
      options.schema = newSchema()
      return try await PostgresJournal(text(as: name), options: options)
    }

    private static let programs: String? = {
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

    private func start() {
      guard let programs = Self.programs else {
        started.end(with: .failure(Failure(description: "no server")))
        return
      }
      let process = Process()
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = ["-c", Self.script, "sh", programs, folder]
      let answer = Pipe()
      process.standardInput = life
      process.standardOutput = answer
      do {
        try process.run()
        let line = answer.fileHandleForReading.availableData
        guard String(decoding: line, as: UTF8.self).hasPrefix("ready") else {
          throw Failure(description: "no server")
        }
        started.end(with: .success(()))
      } catch {
        started.end(with: .failure(error))
      }
    }

    // PostgreSQL does not run as root.
    private static let script = """
      programs=$1 folder=$2 as=
      umask 077
      mkdir "$folder" || exit 1
      if [ "$(id -u)" = 0 ]; then
        as="setpriv --reuid=nobody --regid=$(id -gn nobody) --clear-groups"
        chown nobody "$folder"
      fi
      cd "$folder"
      export HOME="$folder"
      {
        $as "$programs/initdb" -D data -U fieldstone --auth=trust --no-sync -E UTF8 --locale=C &&
        $as "$programs/pg_ctl" -D data -w -l server.log start -o "-c listen_addresses= \\
          -c unix_socket_directories=$folder -c fsync=off -c max_connections=300"
      } >log 2>&1 && echo ready
      cat >/dev/null
      $as "$programs/pg_ctl" -D data -m immediate stop >>log 2>&1
      cd / && rm -rf "$folder"
      """
  }
#endif
