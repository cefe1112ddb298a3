#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay

  /// The blocked runs of a filter that this process's code can decode, and those that it can't.
  struct TrialPage {
    let parts: PageParts
    let filter: RunFilter
    let trial: BlockedTrial

    /// The number of rows per page of the table.
    private static let rowsPerPage = 200

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
            if let next = trial.next {
              parts.link("Continue", to: parts.address.trial(filter, next), class: "button")
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
      let place = trial.place
      let (failed, tried) = (place.failed + trial.failed, trial.verdicts.count)
      let all = place.good + place.failed + tried
      let leftAlone = place.leftAlone + trial.leftAlone
      var sentences = [
        "Each stage was decoded and migrated as a runner does it. Nothing was changed."
      ]
      if all > 0 {
        sentences.append(
          "Of \(parts.grouped(all)) blocked runs, \(parts.grouped(all - failed)) would go on and "
            + "\(parts.grouped(failed)) would be blocked again.")
      } else {
        sentences.append(
          trial.next == nil
            ? "The filter finds no blocked run of a flow whose code is here."
            : "No blocked run of the filter and of a flow whose code is here was found yet.")
      }
      if leftAlone > 0 {
        sentences.append(
          "\(parts.grouped(leftAlone)) more have flows or versions whose code is not here.")
      }
      if place.after != nil {
        sentences.append(
          "The numbers include the runs that were tried before; the table has the last "
            + "\(parts.grouped(tried)).")
      }
      if trial.next != nil {
        sentences.append("There are more, older ones: Continue tries the next.")
      }
      return sentences.joined(separator: " ")
    }

    private var pageCount: Int {
      max((trial.verdicts.count + Self.rowsPerPage - 1) / Self.rowsPerPage, 1)
    }
    private var number: Int { min(trial.place.page, pageCount) }

    /// The runs that would be blocked again come first.
    private var rows: ArraySlice<BlockedTrial.Verdict> {
      trial.verdicts.dropFirst((number - 1) * Self.rowsPerPage).prefix(Self.rowsPerPage)
    }

    private var pages: HTML {
      if pageCount == 1 { return .empty }
      return HTML.element(
        "nav", [.class("pages"), HTMLAttribute("aria-label", "Pages of tried runs")]
      ) {
        if number > 1 { link("Previous", number - 1) }
        if number < pageCount { link("Next", number + 1) }
        HTML.element("p", [.class("note")]) {
          HTML.text("Page \(number) of \(pageCount); those that would be blocked again come first.")
        }
      }
    }

    private func link(_ title: String, _ number: Int) -> HTML {
      var place = trial.place
      place.page = number
      return parts.link(title, to: parts.address.trial(filter, place), class: "button")
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
        pages,
      ])
    }

    private func row(_ verdict: BlockedTrial.Verdict) -> HTML {
      let run = verdict.run
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          parts.link(run.title(to: 80), to: parts.address.run(run.id))
        }
        HTML.element("td") {
          HTML.text("\(run.flow.inOneLine.cut(to: 60)), version \(run.version)")
        }
        HTML.element("td") {
          HTML.text("\(run.sequence) ")
          parts.code(parts.redaction.name(of: run.payload))
        }
        HTML.element("td", [.class(verdict.problem == nil ? "" : "bad")]) {
          HTML.text(verdict.problem.map { $0.inOneLine.cut(to: 300) } ?? "goes on")
        }
      }
    }
  }
#endif
