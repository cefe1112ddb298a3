import ArgumentParser

/// `airfield export --country IS --to FILE|URL`.
struct ExportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Exports airports into a file, or posts them to an address.",
    discussion: """
      A file appears once it is whole; one that is there already is left alone without --replace. An address gets one POST a page, with the number of the page \
      in Airfield-Page and a key in Idempotency-Key that is the same whenever that page is posted. \
      Where the name ends in .jsonl, every airport is a JSON object on a line of its own; otherwise \
      it is CSV that can be imported again. An export that was stopped or killed goes on from there \
      when the same command is given again. A target or a country that can't be used ends the \
      command with status 2.
      """)

  @Option(help: ArgumentHelp("The two-letter code of the only country.", valueName: "code"))
  var country: String?

  @Option(
    name: .customLong("to"),
    help: ArgumentHelp("The file to write, or the address to post to.", valueName: "file or url"))
  var target: String

  @Flag(
    name: .customLong("replace"), help: "Puts the export in the place of a file that is there.")
  var replaces = false

  @Option(
    help: ArgumentHelp(
      "How many airports a page has.", valueName: "n"))
  var pageSize = ExportRequest.pageSize

  @Option(
    help: ArgumentHelp(
      "The database; without it, the one in the data folder of this user.", valueName: "path"))
  var database: String?

  func validate() throws {
    guard pageSize > 0 else { throw ValidationError("A page has at least one airport.") }
  }

  func run() async throws {
    let request = ExportRequest(
      to: try ExportTarget(target), country: country, pageSize: pageSize)
    let path = try database ?? DataFolder.current.databasePath()
    try AirportDirectory.require(path)
    try await AirportDirectory.opened(at: path) { directory in
      let display = ProgressDisplay(.exporting, console: .standard)
      let poster = PagePoster { display.tell($0.sentence) }
      let exporter = AirportExporter(directory: directory, replaces: replaces, poster: poster) {
        display.show($0)
      } onWait: {
        display.show(wait: $0)
      }
      let summary = try await display.around {
        try await exporter.run(request)
      } whenStopped: {
        Interrupted.exporting(display.rows)
      }
      Console.standard.print(summary.sentence)
    }
  }
}

extension ExportPause {
  fileprivate var sentence: String {
    "Not accepted (\(reason)); trying again in \(Int((delay / .seconds(1)).rounded(.up))) s."
  }
}

extension ExportSummary {
  fileprivate var sentence: String {
    let airports = rows == 1 ? "1 airport" : "\(rows) airports"
    switch target {
    case .file: return "\(airports) exported to \(target.name)."
    case .address:
      return "\(airports) posted to \(target.name) in \(pages == 1 ? "1 page" : "\(pages) pages")."
    }
  }
}
