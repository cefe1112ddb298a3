#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML

  /// The limits of all flows with their use, the full ones first.
  struct LimitsPage {
    let parts: PageParts
    let standings: [LimitStanding]

    /// The maximum number of flows shown.
    private static let shown = 200

    var page: InspectorPage {
      InspectorPage(
        title: "Limits", head: HTML.element("h1") { HTML.text("Limits") },
        live: standings.isEmpty
          ? HTML.element("p", [.class("nothing")]) {
            HTML.text("The journal keeps no limits. An app declares them in ")
            HTML.element("code") { HTML.text("FlowOptions.limits") }
            HTML.text(".")
          } : .joined([parts.table(of: sorted), note, keys]))
    }

    private var sorted: [LimitStanding] {
      Array(
        (standings.filter(\.holdsBack) + standings.filter { !$0.holdsBack }).prefix(Self.shown))
    }

    private var note: HTML {
      guard standings.count > Self.shown else { return .empty }
      return HTML.element("p", [.class("note")]) {
        HTML.text(
          "There are limits of \(parts.grouped(standings.count)) flows; the first are shown.")
      }
    }

    private var keys: HTML {
      guard standings.contains(where: { $0.limits.perKey != nil }) else { return .empty }
      return parts.section("Full keys") {
        if standings.allSatisfy(\.keys.isEmpty) {
          HTML.element("p", [.class("nothing")]) {
            HTML.text("No run waits for a place of its key.")
          }
        } else {
          parts.table(ofKeysOf: standings.filter { !$0.keys.isEmpty })
        }
        if standings.contains(where: \.hasMoreKeys) {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "More than \(parts.grouped(LimitStanding.mostKeys)) keys have runs behind them; the "
                + "first by name are examined.")
          }
        }
        HTML.element("p", [.class("note")]) {
          HTML.text("A full key is listed once a due run waits for it, as of the last claims.")
        }
      }
    }
  }
#endif
