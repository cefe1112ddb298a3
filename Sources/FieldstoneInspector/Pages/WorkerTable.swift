#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension PageParts {
    /// The maximum number of workers in a table.
    private static let shownWorkers = 100

    /// The announced workers; a word marks silent ones.
    func table(of workers: [WorkerRecord]) -> HTML {
      .joined([
        HTML.element(
          "table", [.class("announced cards"), HTMLAttribute("aria-label", "Workers")]
        ) {
          HTML.element("thead") {
            HTML.element("tr") {
              for title in ["Worker", "Machine", "Flows", "Works on", "Since", "Last seen"] {
                HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
              }
            }
          }
          HTML.element("tbody") {
            for worker in workers.prefix(Self.shownWorkers) { row(worker) }
          }
        },
        workers.count > Self.shownWorkers
          ? HTML.element("p", [.class("note")]) {
            HTML.text("There are \(grouped(workers.count)) workers; the first are shown.")
          } : .empty,
      ])
    }

    private func row(_ worker: WorkerRecord) -> HTML {
      let isSilent = worker.isSilent(at: now)
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          code(worker.name)
          if isSilent {
            HTML.text(" ")
            HTML.element("span", [.class("state dead")]) { HTML.text("silent") }
          }
        }
        HTML.element("td") {
          HTML.text("\(worker.machine.inOneLine.cut(to: 60)), process \(worker.process)")
        }
        HTML.element("td", [.class("detail")]) {
          HTML.text(ReportText.flows(of: worker, atMost: 5))
        }
        HTML.element("td", [.class("detail")]) { runs(of: worker) }
        HTML.element("td") { time(worker.startedAt) }
        HTML.element("td") { time(worker.lastSeenAt) }
      }
    }

    private func runs(of worker: WorkerRecord) -> HTML {
      if worker.runCount == 0 { return HTML.text("nothing") }
      let count = "\(grouped(worker.runCount)) run\(worker.runCount == 1 ? "" : "s")"
      let first = worker.runs.prefix(3)
      var pieces = [HTML.text(first.isEmpty ? count : count + ": ")]
      for (index, id) in first.enumerated() {
        if index > 0 { pieces.append(HTML.text(", ")) }
        pieces.append(link("\(id)", to: address.run(id), class: "id"))
      }
      if !first.isEmpty, worker.runCount > first.count { pieces.append(HTML.text(", …")) }
      return .joined(pieces)
    }
  }
#endif
