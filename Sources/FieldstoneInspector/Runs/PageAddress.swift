#if Inspector
  import FieldstoneDurable
  import Foundation

  /// Addresses of the inspector's pages, below a prefix.
  struct PageAddress {
    /// What all paths begin with; empty or a path without a slash at its end.
    let prefix: String

    var overview: String { prefix + "/" }
    var style: String { prefix + "/inspector.css" }
    var script: String { prefix + "/inspector.js" }
    var icon: String { prefix + "/icon.svg" }
    var find: String { prefix + "/find" }

    func run(_ id: RunID) -> String { "\(prefix)/runs/\(id)" }
    func steps(of id: RunID, before sequence: Int) -> String { "\(run(id))?before=\(sequence)" }
    func path(of id: RunID) -> String { run(id) + "/path.svg" }
    func stage(_ sequence: Int, of id: RunID) -> String { "\(run(id))/stages/\(sequence).json" }
    func action(_ action: RunAction, on id: RunID) -> String { "\(run(id))/\(action.rawValue)" }

    func runs(_ filter: RunFilter = RunFilter()) -> String {
      with(filter.pairs, at: prefix + "/runs")
    }

    func live(_ target: String) -> String { with([("page", target)], at: prefix + "/live") }

    func done(_ action: RunAction, on id: RunID) -> String {
      with([("done", action.rawValue)], at: run(id))
    }

    private func with(_ pairs: [(String, String)], at path: String) -> String {
      if pairs.isEmpty { return path }
      return path + "?" + pairs.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
    }

    static func encoded(_ text: String) -> String {
      text.addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }

    private static let unreserved = CharacterSet(
      charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
  }
#endif
