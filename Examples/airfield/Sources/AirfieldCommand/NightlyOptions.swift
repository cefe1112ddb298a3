import AirfieldDirectory
import ArgumentParser

/// The nightly export that a server is to make.
struct NightlyOptions: ParsableArguments {
  @Option(
    name: .customLong("nightly-export"),
    help: ArgumentHelp(
      "Writes all airports into this folder each night, also when later started without it.",
      valueName: "folder"))
  var folder: String?

  @Option(help: ArgumentHelp("The time of the nightly export.", valueName: "hh:mm"))
  var at: String?

  @Option(
    help: ArgumentHelp(
      "The time zone of that time, such as Europe/Berlin; that of this machine unless given.",
      valueName: "name"))
  var zone: String?

  @Option(
    help: ArgumentHelp(
      "How many files stay, the newest ones; \(NightlyPlan.kept) unless given.", valueName: "n"))
  var keep: Int?

  @Flag(name: .customLong("no-nightly-export"), help: "Ends the nightly export; its files stay.")
  var isRemoved = false

  func validate() throws {
    if folder != nil, isRemoved {
      throw ValidationError("Give either --nightly-export or --no-nightly-export.")
    }
    guard folder == nil else { return }
    for (name, isGiven) in [("at", at != nil), ("zone", zone != nil), ("keep", keep != nil)]
    where isGiven {
      throw ValidationError("--\(name) is of a nightly export; give --nightly-export, too.")
    }
  }

  /// The plan that was asked for; nil for none.
  var plan: NightlyPlan? {
    get throws {
      try folder.map {
        try NightlyPlan(
          folder: $0, at: at ?? NightlyPlan.time, zone: zone, keeping: keep ?? NightlyPlan.kept)
      }
    }
  }
}
