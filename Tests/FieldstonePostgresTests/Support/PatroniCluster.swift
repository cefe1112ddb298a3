#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneCore
  import Foundation

  /// Three nodes of PostgreSQL under Patroni, each in a network namespace of its own.
  ///
  /// The script `Tests/PostgresCluster/run` runs them; they end with the process.
  final class PatroniCluster: Sendable {
    /// Whether `Scripts/crash --cluster` asks for it.
    static var isWanted: Bool { rounds != nil }

    /// How often everything is done to it.
    static var rounds: Int? {
      ProcessInfo.processInfo.environment["FIELDSTONE_CLUSTER_ROUNDS"].flatMap { Int($0) }
    }

    /// What is done to a node.
    enum Attack: String {
      /// Ends the primary's whole node.
      case killNode = "kill-node"
      /// Ends the primary's PostgreSQL.
      case killServer = "kill-server"
      /// Cuts the primary's node off the network.
      case isolatePrimary = "isolate"
      /// Cuts the node of the synchronous standby off the network.
      case isolateStandby = "isolate-standby"
    }

    private let shell: ErrandProcess
    private let hosts: String

    /// Starts it, and waits until it is whole.
    init() async throws {
      let script = URL(filePath: #filePath).appending(path: "../../../PostgresCluster/run")
      let folder = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().path
      shell = try ErrandProcess([
        script.standardizedFileURL.path, "\(folder)/fieldstone-cluster-\(getpid())",
      ])
      let answer = try await shell.answer()
      guard answer.hasPrefix("done ") else {
        throw PostgresServer.Failure(description: "The cluster did not start; see above.")
      }
      hosts = String(answer.dropFirst("done ".count))
    }

    /// Names all nodes; the journal takes the one that writes.
    func text(as name: String = "tests") -> String {
      "\(hosts) user=fieldstone dbname=postgres sslmode=disable application_name=\(name) "
        + "target_session_attrs=read-write connect_timeout=2 tcp_user_timeout=3000"
    }

    /// Attacks a node.
    func perform(_ attack: Attack) async throws { try await answer(to: attack.rawValue) }

    /// Starts or connects again what was attacked, and waits until the cluster is whole.
    func heal() async throws { try await answer(to: "heal") }

    private func answer(to errand: String) async throws {
      guard try await shell.answer(to: errand) == "done" else {
        throw PostgresServer.Failure(description: "\(errand) failed; see above.")
      }
    }
  }
#endif
