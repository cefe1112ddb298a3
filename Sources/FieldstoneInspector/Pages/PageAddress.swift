#if INSPECTOR
  import FieldstoneDurable
  import Foundation

  /// Addresses of the inspector's pages, below a prefix.
  struct PageAddress {
    /// The prefix of all paths: empty, or a path without a trailing slash.
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
    func fork(_ id: RunID, from sequence: Int) -> String {
      "\(action(.fork, on: id))?from=\(sequence)"
    }

    func runs(_ filter: RunFilter = RunFilter()) -> String {
      with(filter.pairs, at: prefix + "/runs")
    }

    var limits: String { prefix + "/limits" }
    var workers: String { prefix + "/workers" }

    func flow(_ name: String) -> String { with([("name", name)], at: prefix + "/flow") }

    func children(of id: RunID, after place: ChildPlace? = nil) -> String {
      with(
        place.map { [("after", "\($0.sequence).\($0.ordinal)")] } ?? [], at: run(id) + "/children")
    }

    func pausing(_ action: PauseAction, _ target: PauseTarget? = nil) -> String {
      with(target?.pairs ?? [], at: "\(prefix)/\(action.rawValue)")
    }

    /// The page of a paused target, with the result of the last action on it.
    func page(of target: PauseTarget, done action: PauseAction? = nil) -> String {
      let done = action.map { [("done", $0.rawValue)] } ?? []
      return switch target {
      case .flow(let name): with([("name", name)] + done, at: prefix + "/flow")
      case .concurrencyKey(let key, let flow):
        with([("name", flow)] + done + [("key", key)], at: prefix + "/flow")
      case .run(let id): with(done, at: run(id))
      }
    }

    func schedules(done action: ScheduleAction? = nil, _ name: String = "") -> String {
      let done = action.map { [("done", $0.rawValue), ("name", name)] } ?? []
      return with(done, at: prefix + "/schedules")
    }

    func schedule(_ action: ScheduleAction, _ name: String) -> String {
      with([("name", name)], at: "\(prefix)/schedules/\(action.rawValue)")
    }

    var objects: String { prefix + "/watched" }
    var keys: String { prefix + "/keys" }

    func changes(before number: Int? = nil, row: Int? = nil) -> String {
      let places = [("before", number), ("row", row)]
      return with(
        places.compactMap { name, place in place.map { (name, "\($0)") } }, at: prefix + "/changes")
    }

    func object(_ id: Int, from index: Int = 0) -> String {
      with(index > 0 ? [("from", "\(index)")] : [], at: "\(prefix)/watched/\(id)")
    }
    func action(_ action: WatchedAction, on id: Int) -> String {
      "\(object(id))/\(action.rawValue)"
    }
    func force(_ id: Int) -> String { object(id) + "/force" }

    func timeline(_ filter: TimelineFilter = TimelineFilter()) -> String {
      with(filter.pairs, at: prefix + "/timeline")
    }

    func timelineFile(_ filter: TimelineFilter) -> String {
      with(filter.pairs, at: prefix + "/timeline.json")
    }

    func timelineAction(_ name: String) -> String { "\(prefix)/timeline/\(name)" }

    func copy(_ id: RunID) -> String { run(id) + "/copy" }

    func all(_ action: ManyRunsAction, _ filter: RunFilter) -> String {
      with(
        filter.pairs + (action.stage.map { [("stage", "\($0)")] } ?? [])
          + (action.signal.isEmpty ? [] : [("name", action.signal)]),
        at: "\(prefix)/all/\(action.kind.rawValue)")
    }

    func trial(_ filter: RunFilter, _ place: TrialPlace = TrialPlace()) -> String {
      with(filter.conditions + place.pairs, at: prefix + "/trial")
    }

    func runs(_ filter: RunFilter, done result: BulkResult) -> String {
      with(
        filter.pairs + [
          ("done", result.kind.rawValue), ("changed", "\(result.changed)"),
          ("skipped", "\(result.skipped)"),
        ],
        at: prefix + "/runs")
    }

    /// The address of a page's live part; nil if it is longer than those that are answered.
    ///
    /// It contains the page's address encoded once more, and its script appends a tag.
    func live(_ target: String) -> String? {
      let address = with([("page", target)], at: prefix + "/live")
      let tag = "&tag=".utf8.count + LivePart.longestTag
      return address.utf8.count + tag > RequestGuard.longestTarget ? nil : address
    }

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
