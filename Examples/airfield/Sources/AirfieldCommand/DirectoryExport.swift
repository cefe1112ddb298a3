import AirfieldDirectory

/// An export as a person sees it: its progress, its result, and how it ended if it was stopped.
struct DirectoryExport: Sendable {
  let directory: AirportDirectory
  let console: Console

  /// Exports, and prints what came of it.
  func run(_ request: ExportRequest) async throws {
    let display = ProgressDisplay(.exporting, console: console)
    do {
      let exporter = AirportExporter(directory: directory) { progress in
        display.show(progress)
      } onPause: { pause in
        display.tell(pause.sentence)
      } onWait: {
        display.show(wait: $0)
      }
      let summary = try await exporter.run(request)
      display.finish()
      console.print(summary.sentence)
    } catch is CancellationError {
      display.finish()
      throw ExportInterrupted(rows: display.rows)
    } catch {
      display.finish()
      throw error
    }
  }
}

extension ExportPause {
  /// The pause as a line for people.
  fileprivate var sentence: String {
    "Not accepted (\(reason)); trying again in \(Int((delay / .seconds(1)).rounded(.up))) s."
  }
}

extension ExportSummary {
  /// What came of it, for people.
  fileprivate var sentence: String {
    let airports = rows == 1 ? "1 airport" : "\(rows) airports"
    switch target {
    case .file: return "\(airports) exported to \(target.name)."
    case .address:
      return "\(airports) posted to \(target.name) in \(pages == 1 ? "1 page" : "\(pages) pages")."
    }
  }
}
