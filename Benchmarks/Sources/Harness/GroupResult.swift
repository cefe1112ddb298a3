/// The results of a group's cases.
public struct GroupResult: Sendable {
  /// The group that was measured.
  let group: Group
  /// One row a case, in the order in which the group lists them.
  public let rows: [Row]

  /// The goals that were missed, each as one line.
  public var misses: [String] {
    zip(group.cases, rows).flatMap { measured, row in
      measured.goals.filter { !$0.isMet(by: row, in: rows) }.map { goal in
        "\(group.name), \(row.name): \(Format.figure(row.figure)) \(group.unit.symbol), "
          + "\(Format.decimal(row.ratio))×, goal \(goal.text(in: group.unit))"
      }
    }
  }

  /// The results as a table for reading.
  public var table: String {
    let header = ["", group.unit.symbol, "ratio", "goal"]
    let lines = zip(group.cases, rows).map { measured, row in
      let goals = measured.goals.map { goal in
        "\(goal.isMet(by: row, in: rows) ? "✓" : "✗") \(goal.text(in: group.unit))"
      }
      return [
        row.name, Format.figure(row.figure), row.isFloor ? "floor" : Format.decimal(row.ratio),
        goals.joined(separator: ", "),
      ]
    }
    let widths = header.indices.map { column in
      ([header] + lines).map { $0[column].count }.max() ?? 0
    }
    let text = ([header] + lines).map { cells in
      let padded = cells.indices.map { column in
        Format.pad(cells[column], to: widths[column], right: column == 1 || column == 2)
      }
      let line = padded.joined(separator: "  ")
      return "  " + line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]
    }
    return ([group.name] + text).joined(separator: "\n")
  }
}
