package import AirfieldDirectory
import Fieldstone

/// An import that was stopped before its file ended.
package struct ImportInterrupted: DescribedError {
  /// What had become of the rows until then.
  let counts: ImportCounts

  package init(counts: ImportCounts) {
    self.counts = counts
  }

  package var message: String {
    "interrupted; what was stored stays, and the same command goes on from there: "
      + counts.sentence
  }
}
