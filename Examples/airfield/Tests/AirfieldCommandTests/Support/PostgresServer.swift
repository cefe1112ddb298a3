#if PostgreSQL
  import Foundation
  import Testing

  /// A PostgreSQL server of the tests' own, in a temporary folder, reached by a socket there.
  ///
  /// It ends with the tests, however those end: a shell waits for the end of a pipe.
  final class PostgresServer: Sendable {
    /// Why there is none here; nil where one can be started.
    static let reasonForNone: Comment? =
      programs == nil ? "PostgreSQL's server is not installed (Debian: postgresql)" : nil

    /// Whether tests need one: in CI they fail without.
    static let isWanted =
      reasonForNone == nil || ProcessInfo.processInfo.environment["CI"] != nil

    private static let started = Result { try PostgresServer() }

    /// The address of its database.
    static var address: String {
      get throws { "postgresql:///postgres?user=airfield&host=\(try started.get().folder)" }
    }

    private let folder: String
    private let input = Pipe()

    private init() throws {
      folder =
        FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
        + "/airfield-pg-\(getpid())"
      let (process, output) = (Process(), Pipe())
      process.executableURL = URL(filePath: "/bin/sh")
      process.arguments = [
        "-c", Self.script, "sh", try #require(Self.programs, Self.reasonForNone), folder,
      ]
      process.standardInput = input
      process.standardOutput = output
      try process.run()
      let answer = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
      let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
      try #require(answer == "ready\n", "the server did not start: \(log)")
    }

    /// The folder of the server's programs.
    private static let programs: String? = {
      var folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        .map(String.init)
      let parent = "/usr/lib/postgresql"
      let versions = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
      folders += versions.sorted().reversed().map { "\(parent)/\($0)/bin" }
      // Links in the path may lead to wrappers; the programs lie together.
      return folders.map { URL(filePath: "\($0)/initdb").resolvingSymlinksInPath().path }
        .first { FileManager.default.isExecutableFile(atPath: $0) }
        .map { String($0.dropLast("/initdb".count)) }
    }()

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
      export HOME="$folder" PGCTLTIMEOUT=300
      {
        $as "$programs/initdb" -D data -U airfield --auth=trust --no-sync -E UTF8 --locale=C &&
        $as "$programs/pg_ctl" -D data -w -l server.log start -o "-c listen_addresses= \\
          -c unix_socket_directories=$folder -c fsync=off"
      } >log 2>&1 && echo ready
      cat >log2
      $as "$programs/pg_ctl" -D data -m immediate stop >>log 2>&1
      cd / && rm -rf "$folder"
      """
  }
#endif
