#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import Foundation

  /// The last hour as three small charts, and the same numbers as a table.
  struct HourCharts {
    let parts: PageParts
    let hour: HourSummary

    var html: HTML {
      parts.section("The last hour") {
        HTML.element("div", [.class("charts")]) {
          for series in HourSummary.Series.allCases { chart(series) }
        }
        table
        if !hour.cut.isEmpty {
          HTML.element("p", [.class("note")]) {
            HTML.text(
              "A plus stands where not all were counted: at first only the youngest runs are, later at "
                + "most 10,000 of each minute.")
          }
        }
      }
    }

    private func title(_ series: HourSummary.Series) -> String {
      switch series {
      case .started: "Started"
      case .completed: "Completed"
      case .failed: "Dead or blocked"
      }
    }

    private func name(_ series: HourSummary.Series) -> String {
      switch series {
      case .started: "running"
      case .completed: "completed"
      case .failed: "dead"
      }
    }

    private func total(_ series: HourSummary.Series) -> String {
      parts.number(
        RunSummary.Count(
          number: hour[series].reduce(0, +), isCut: hour.cut.contains(series)))
    }

    private func chart(_ series: HourSummary.Series) -> HTML {
      let counts = hour[series]
      let peak = counts.max() ?? 0
      return HTML.element("figure", [.class("chart \(peak == 0 ? "none" : name(series))")]) {
        HTML.element("figcaption") {
          HTML.element("span") { HTML.text(title(series)) }
          HTML.element("span", [.class("figure")]) { HTML.text(total(series)) }
        }
        HTML.element(
          "svg",
          [
            HTMLAttribute("viewBox", "0 0 240 48"), HTMLAttribute("preserveAspectRatio", "none"),
            HTMLAttribute("role", "img"), HTMLAttribute("aria-label", alternative(series, peak)),
          ]
        ) {
          HTML.element(
            "path", [.class("ground"), HTMLAttribute("d", "M0 47.5H240")])
          HTML.element("path", [.class("bars"), HTMLAttribute("d", path(counts, peak))])
        }
        HTML.element("p", [.class("scale note"), HTMLAttribute("aria-hidden", "true")]) {
          HTML.element("span") { HTML.text("60 min ago") }
          if peak > 0 {
            HTML.element("span") { HTML.text("at most \(parts.grouped(peak)) a minute") }
          }
          HTML.element("span") { HTML.text("now") }
        }
      }
    }

    /// All bars as one path: a minute is 4 units wide, of which 3 are drawn.
    private func path(_ counts: [Int], _ peak: Int) -> String {
      guard peak > 0 else { return "" }
      return counts.enumerated().filter { $0.element > 0 }.map { minute, count in
        // The smallest bar stays visible.
        let height = max(count * 46 / peak, 2)
        return "M\(minute * 4) \(47 - height)h3v\(height)h-3z"
      }.joined()
    }

    private func alternative(_ series: HourSummary.Series, _ peak: Int) -> String {
      let counts = hour[series]
      guard peak > 0, let minute = counts.lastIndex(of: peak) else {
        return "\(title(series)): none in the last hour."
      }
      let time = StageText.time(hour.beginning(of: minute)).dropLast(3)
      let recent = StageText.time(hour.beginning(of: counts.count - 5)).dropLast(3)
      return
        "\(title(series)): \(total(series)) in the last hour, at most \(peak) in a minute, about "
        + "\(time) UTC; \(counts.suffix(5).reduce(0, +)) since \(recent) UTC."
    }

    /// The numbers per ten minutes, newest first.
    private var table: HTML {
      HTML.element("details", [.id("hour-figures"), .class("figures")]) {
        HTML.element("summary") { HTML.text("The figures as a table") }
        HTML.element("table", [HTMLAttribute("aria-label", "The last hour in figures")]) {
          HTML.element("thead") {
            HTML.element("tr") {
              HTML.element("th", [HTMLAttribute("scope", "col")]) { HTML.text("Ten minutes to") }
              for series in HourSummary.Series.allCases {
                HTML.element("th", [.class("number"), HTMLAttribute("scope", "col")]) {
                  HTML.text(title(series))
                }
              }
            }
          }
          HTML.element("tbody") {
            for part in (0..<6).reversed() {
              let date = min(hour.beginning(of: part * 10 + 10), hour.end)
              HTML.element("tr") {
                HTML.element("th", [HTMLAttribute("scope", "row")]) {
                  HTML.text(StageText.time(date) + " UTC")
                }
                for series in HourSummary.Series.allCases {
                  HTML.element("td", [.class("number")]) {
                    HTML.text(
                      parts.grouped(hour[series][part * 10..<part * 10 + 10].reduce(0, +)))
                  }
                }
              }
            }
          }
        }
      }
    }
  }
#endif
