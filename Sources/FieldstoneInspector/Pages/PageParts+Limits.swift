#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  extension PageParts {
    /// A limit of runs as part of a sentence.
    func text(
      _ maximum: Int, _ counting: FlowLimits.Counting, _ whenStuck: FlowLimits.WhenStuck
    ) -> String {
      let runs = maximum == 1 ? "1 run" : "\(grouped(maximum)) runs"
      return switch counting {
      case .executing: "\(runs) at a time, while a worker has them"
      case .wholeRun:
        "\(runs) at a time, from the first claim to the end; a dead or blocked one "
          + (whenStuck == .holds ? "keeps its place" : "gives its place up")
      }
    }

    func text(of rate: FlowLimits.Rate) -> String {
      "\(grouped(rate.count)) every \(StageText.duration(rate.period / .seconds(1)))"
    }

    /// The taken places of a flow; nil if they are unknown.
    func places(of standing: LimitStanding) -> String? {
      guard let used = standing.used, let maximum = standing.limits.effective.runs else {
        return nil
      }
      return "\(number(used)) of \(grouped(maximum))"
    }

    /// The tokens of a rate; nil if they are unknown.
    func tokens(of standing: LimitStanding) -> HTML? {
      guard let bucket = standing.bucket, let rate = standing.limits.effective.rate else {
        return nil
      }
      let count = HTML.text("\(grouped(bucket.available)) of \(grouped(rate.count))")
      guard let next = standing.nextToken else { return count }
      return .joined([count, HTML.text("; the next "), time(next)])
    }

    /// Marks a limit that holds back runs.
    var fullMark: HTML {
      .joined([
        HTML.text(" "),
        HTML.element("span", [.class("state blocked")]) { HTML.text("full") },
      ])
    }

    /// The limits of flows, each with its use.
    func table(of standings: [LimitStanding]) -> HTML {
      HTML.element(
        "table", [.class("limits cards"), HTMLAttribute("aria-label", "Limits of flows")]
      ) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["Flow", "In all", "For a key", "Taken up"] {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for standing in standings { row(standing) }
        }
      }
    }

    private func row(_ standing: LimitStanding) -> HTML {
      let limits = standing.limits.effective
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) {
          link(standing.flow.inOneLine.cut(to: 60), to: address.flow(standing.flow))
        }
        HTML.element("td", [.class("detail")]) {
          if let maximum = limits.runs {
            if let places = places(of: standing) {
              HTML.element("b") { HTML.text(places) }
              if standing.isFull { fullMark }
            }
            HTML.element("span", [.class("quiet")]) {
              HTML.text(text(maximum, limits.counting, limits.whenStuck))
            }
          }
        }
        HTML.element("td", [.class("detail")]) {
          if let key = limits.perKey {
            if !standing.keys.isEmpty {
              HTML.element("b") {
                HTML.text(
                  standing.keys.count == 1 && !standing.hasMoreKeys
                    ? "1 key"
                    : grouped(standing.keys.count) + (standing.hasMoreKeys ? "+ keys" : " keys"))
              }
              fullMark
            }
            HTML.element("span", [.class("quiet")]) {
              HTML.text(text(key.maximum, key.counting, key.whenStuck))
            }
          }
        }
        HTML.element("td", [.class("detail")]) {
          if let rate = limits.rate {
            if let tokens = tokens(of: standing) {
              HTML.element("b") { tokens }
              if standing.nextToken != nil { fullMark }
            }
            HTML.element("span", [.class("quiet")]) { HTML.text(text(of: rate)) }
          }
        }
      }
    }

    /// The full keys of flows, with the runs behind each.
    func table(ofKeysOf standings: [LimitStanding]) -> HTML {
      HTML.element("table", [.class("full-keys cards"), HTMLAttribute("aria-label", "Full keys")]) {
        HTML.element("thead") {
          HTML.element("tr") {
            for title in ["Key", "Flow", "Places", "Wait"] {
              HTML.element(
                "th",
                [
                  .class(title == "Places" || title == "Wait" ? "number" : ""),
                  HTMLAttribute("scope", "col"),
                ]
              ) { HTML.text(title) }
            }
          }
        }
        HTML.element("tbody") {
          for standing in standings {
            for key in standing.keys { row(key, of: standing) }
          }
        }
      }
    }

    private func row(_ key: LimitStanding.Key, of standing: LimitStanding) -> HTML {
      var filter = RunFilter(flow: standing.flow)
      filter.wait = .limit
      let maximum = standing.limits.effective.perKey?.maximum ?? key.used
      return HTML.element("tr") {
        HTML.element("th", [HTMLAttribute("scope", "row")]) { code(key.name) }
        HTML.element("td") {
          link(standing.flow.inOneLine.cut(to: 60), to: address.flow(standing.flow))
        }
        HTML.element("td", [.class("number")]) {
          HTML.text("\(grouped(key.used)) of \(grouped(maximum))")
        }
        HTML.element("td", [.class("number")]) {
          link(
            key.waiting == RunCount(1) ? "1 run" : "\(number(key.waiting)) runs",
            to: address.runs(filter))
        }
      }
    }
  }
#endif
