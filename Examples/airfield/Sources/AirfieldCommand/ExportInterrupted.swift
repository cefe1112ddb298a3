import Fieldstone

/// An export that was stopped before its end.
package struct ExportInterrupted: DescribedError {
  /// How many airports were out until then.
  let rows: Int

  package init(rows: Int) {
    self.rows = rows
  }

  package var message: String {
    "interrupted; the same command goes on from there: \(rows) airports exported"
  }
}
