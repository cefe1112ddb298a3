import AirfieldDirectory
import Fieldstone
import FieldstoneDurable

/// An import as a person sees it: its progress, its result, and how it ended if it was stopped.
struct DirectoryImport: Sendable {
  let directory: AirportDirectory

  /// The journal, where it is not in the database of the airports.
  var journal: (any Journal)?

  let console: Console

  /// Imports a file, and prints what became of its rows.
  func run(_ file: String, name: String? = nil) async throws {
    let display = ProgressDisplay(console: console)
    do {
      let summary = try await importer(display).run(file, name: name)
      display.finish()
      console.print(summary.counts.sentence + ".")
      tellOfRejects(summary.counts)
    } catch is CancellationError {
      display.finish()
      throw ImportInterrupted(counts: display.counts)
    } catch {
      display.finish()
      throw error
    }
  }

  /// Works on the imports that other processes asked for, until it is cancelled.
  func work() async throws {
    let display = ProgressDisplay(console: console)
    console.report("Working on the imports into \(directory.path) (Ctrl-C stops it)")
    do {
      try await importer(display).work()
    } catch is CancellationError {
      display.finish()
      console.report("Stopped.")
    }
  }

  private func importer(_ display: ProgressDisplay) -> AirportImporter {
    AirportImporter(directory: directory, journal: journal, isElsewhere: journal != nil) {
      display.show($0)
    } onWait: {
      display.show(wait: $0)
    }
  }

  private func tellOfRejects(_ counts: ImportCounts) {
    guard counts.rejected > 0 else { return }
    console.print("The rejected rows are listed in \(RejectsFile(database: directory.path).path).")
  }
}

extension ImportCounts {
  /// The counts as a sentence without its full stop.
  var sentence: String {
    "\(read) rows read, \(stored) stored, \(updated) updated, \(unchanged) unchanged, "
      + "\(rejected) rejected"
  }
}
