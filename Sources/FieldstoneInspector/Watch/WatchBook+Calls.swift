#if INSPECTOR
  import FieldstoneCore
  import FieldstoneRunDisplay

  extension WatchBook {
    /// The maximum number of calls under way that a page lists.
    private static let shownCalls = 50

    /// The calls of a watched object that are under way.
    func callsTable(of object: WatchedObject) -> WatchedState.Table {
      let calls = activities.withLock { $0.underWay(of: object.id, atMost: Self.shownCalls) }
      return WatchedState.Table(
        title: "Calls under way", columns: ["Since", "Parameters", "Attempt", "State"],
        rows: calls.first.map { call in
          [
            StageText.time(call.since) + " UTC", parameters(of: call, object),
            "\(call.attempt)", call.isWaiting ? "waits" : "loads",
          ]
        },
        note: calls.count > Self.shownCalls
          ? "The oldest \(Self.shownCalls) of \(calls.count) are listed." : nil,
        calls: calls.first.map(\.number))
    }

    private func parameters(
      of call: WatchedActivities.Activity, _ object: WatchedObject
    ) -> String {
      guard let parameters = call.parameters else { return "" }
      return switch reader.words(of: parameters, named: object.name) {
      case .known(let text): text ?? ""
      case .later(let make): make()
      }
    }
  }
#endif
