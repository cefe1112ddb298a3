#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay

  /// The blocked runs of a filter that this process's code can decode, and those that it can't.
  struct TrialPage {
    let parts: PageParts
    let filter: RunFilter
    let trial: BlockedTrial

    /// A longer table is no help to a person.
    private static let mostRows = 200

    var page: InspectorPage {
      InspectorPage(
        title: "Trial of blocked runs",
        head: HTML.element("section", [.class("action")]) {
          HTML.element("h1") { HTML.text("Trial of blocked runs") }
          HTML.element("p", [.class("effect")]) { HTML.text(sentence) }
          HTML.element("div", [.class("buttons")]) {
            if !trial.verdicts.isEmpty, !parts.isReadOnly {
              parts.link(
                "Retry the blocked runs…", to: parts.address.all(ManyRunsAction(.retry), blocked),
                class: "button primary")
            }
            parts.link("Back to the runs", to: parts.address.runs(filter), class: "button")
          }
        }, live: table)
    }

    private var blocked: RunFilter {
      var filter = filter
      filter.states = [.blocked]
      return filter
    }

    private var sentence: String {
      let failed = trial.verdicts.count { $0.problem != nil }
      let (all, good) = (trial.verdicts.count, trial.verdicts.count - failed)
      var sentences = [
        "Each stage was decoded and migrated as a runner does it. Nothing was changed."
      ]
      if all > 0 {
        sentences.append(
          "Of \(parts.grouped(all)) blocked runs, \(parts.grouped(good)) would go on and "
            + "\(parts.grouped(failed)) would be blocked again.")
      } else {
        sentences.append("The filter finds no blocked run of a flow whose code is here.")
      }
      if trial.leftAlone > 0 {
        sentences.append(
          "\(parts.grouped(trial.leftAlone)) more have flows or versions whose code is not here.")
      }
      if trial.hasMore {
        sentences.append(
          "There are more: the \(parts.grouped(BlockedTrial.most)) youngest were tried.")
      }
      return sentences.joined(separator: " ")
    }

    /// The runs that would be blocked again come first.
    private var rows: [BlockedTrial.Verdict] {
      let failed = trial.verdicts.filter { $0.problem != nil }
      return Array((failed + trial.verdicts.filter { $0.problem == nil }).prefix(Self.mostRows))
    }

    private var table: HTML {
      if trial.verdicts.isEmpty { return .empty }
      return HTML.joined([
        HTML.element(
          "table",
          [.class("changes cards"), HTMLAttribute("aria-label", "Blocked runs that were tried")]
        ) {
          HTML.element("thead") {
            HTML.element("tr") {
              for title in ["Run", "Flow", "Stage", "Result"] {
                HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
              }
            }
          }
          HTML.element("tbody") { for verdict in rows { row(verdict) } }
        },
        trial.verdicts.count > Self.mostRows
          ? HTML.element("p", [.class("note")]) {
            HTML.text("The table has the first \(Self.mostRows).")
          } : .empty,
      ])
    }

    private func row(_ verdict: BlockedTrial.Verdict) -> HTML {
      let run = verdict.run
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          parts.link(run.key?.inOneLine.cut(to: 80) ?? "\(run.id)", to: parts.address.run(run.id))
        }
        HTML.element("td") {
          HTML.text("\(run.flow.inOneLine.cut(to: 60)), version \(run.version)")
        }
        HTML.element("td") {
          HTML.text("\(run.sequence) ")
          parts.code(StageText.name(of: run.payload))
        }
        HTML.element("td", [.class(verdict.problem == nil ? "" : "bad")]) {
          HTML.text(verdict.problem.map { $0.inOneLine.cut(to: 300) } ?? "goes on")
        }
      }
    }
  }
#endif
