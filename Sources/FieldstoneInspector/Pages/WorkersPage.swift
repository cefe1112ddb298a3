#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay

  /// The announced workers and their numbers, and other workers that have runs.
  struct WorkersPage {
    let parts: PageParts
    let announced: [WorkerRecord]
    let summary: RunSummary

    var page: InspectorPage {
      InspectorPage(
        title: "Workers", head: HTML.element("h1") { HTML.text("Workers") },
        live: announced.isEmpty && summary.workers.isEmpty
          ? HTML.element("p", [.class("nothing")]) {
            HTML.text("No worker has announced itself, and none has a run.")
          } : .joined([tiles, table, flows, others]))
    }

    private var silent: Int { announced.count { $0.isSilent(at: parts.now) } }

    private var tiles: HTML {
      if announced.isEmpty { return .empty }
      let runs = announced.filter { !$0.isSilent(at: parts.now) }.reduce(0) { $0 + $1.runCount }
      return HTML.element("ul", [.class("tiles three")]) {
        tile("at work", announced.count - silent, "running")
        tile("silent", silent, "dead")
        tile("runs under way", runs, "completed")
      }
    }

    private func tile(_ title: String, _ number: Int, _ name: String) -> HTML {
      HTML.element("li", [.class(number == 0 ? "\(name) none" : name)]) {
        HTML.element("div") {
          HTML.element("span", [.class("figure")]) { HTML.text(parts.grouped(number)) }
          HTML.element("span", [.class("state \(name)")]) { HTML.text(title) }
        }
      }
    }

    private var table: HTML {
      if announced.isEmpty { return .empty }
      return parts.section("Announced") {
        parts.table(of: announced)
        if silent > 0 {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "A silent worker has missed two announcements; its record stays for a day, and its runs "
                + "are claimed by others once their leases expire.")
          }
        }
      }
    }

    /// The maximum number of flows shown.
    private static let shownFlows = 200

    /// The workers of each flow.
    private var flows: HTML {
      var flows: [ByteName: (workers: Int, newest: Int)] = [:]
      for worker in announced where !worker.isSilent(at: parts.now) {
        for flow in worker.flows {
          let name = ByteName(flow.name)
          let known = flows[name] ?? (0, flow.version)
          flows[name] = (known.workers + 1, max(known.newest, flow.version))
        }
      }
      if flows.isEmpty { return .empty }
      let rows = flows.sorted { $0.key < $1.key }.prefix(Self.shownFlows)
      return parts.section("Flows that are served") {
        HTML.element(
          "table", [.class("served"), HTMLAttribute("aria-label", "Flows with workers")]
        ) {
          head([("Flow", ""), ("Newest version", "number"), ("Workers", "number")])
          HTML.element("tbody") {
            for (flow, numbers) in rows {
              HTML.element("tr") {
                HTML.element("th", [HTMLAttribute("scope", "row")]) {
                  parts.link(flow.text.inOneLine.cut(to: 60), to: parts.address.flow(flow.text))
                }
                HTML.element("td", [.class("number")]) { HTML.text("\(numbers.newest)") }
                HTML.element("td", [.class("number")]) {
                  HTML.text(parts.grouped(numbers.workers))
                }
              }
            }
          }
        }
        if flows.count > Self.shownFlows {
          HTML.element("p", [.class("note")]) {
            HTML.text("There are \(parts.grouped(flows.count)) flows; the first are shown.")
          }
        }
      }
    }

    /// The workers with runs that have not announced themselves.
    private var others: HTML {
      let names = Set(announced.map { ByteName($0.name) })
      return parts.table(
        ofWorkersWith: summary.workers.filter { !names.contains($0.key) },
        title: announced.isEmpty ? "Workers with runs" : "Not announced")
    }

    private func head(_ titles: [(String, String)]) -> HTML {
      HTML.element("thead") {
        HTML.element("tr") {
          for (title, name) in titles {
            HTML.element("th", [.class(name), HTMLAttribute("scope", "col")]) { HTML.text(title) }
          }
        }
      }
    }
  }

  extension PageParts {
    /// A section of workers with the numbers of their runs; empty if there are none.
    func table(ofWorkersWith runs: [ByteName: Int], title: String) -> HTML {
      if runs.isEmpty { return .empty }
      return section(title) {
        HTML.element("table", [.class("workers"), HTMLAttribute("aria-label", title)]) {
          HTML.element("thead") {
            HTML.element("tr") {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text("Worker") }
              HTML.element("th", [.class("number"), HTMLAttribute("scope", "col")]) {
                HTML.text("Runs")
              }
            }
          }
          HTML.element("tbody") {
            for (worker, runs) in runs.sorted(by: { $0.key < $1.key }).prefix(20) {
              HTML.element("tr") {
                HTML.element("td") { code(worker.text) }
                HTML.element("td", [.class("number")]) { HTML.text(grouped(runs)) }
              }
            }
          }
        }
        if runs.count > 20 {
          HTML.element("p", [.class("note")]) { HTML.text("The first twenty are shown.") }
        }
      }
    }
  }
#endif
