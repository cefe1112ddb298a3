import ArgumentParser

/// Where pages are served, and which.
struct AddressOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port to serve on; 0 takes a free one.", valueName: "n"))
  var port: UInt16 = 8470

  @Flag(
    name: .customLong("inspector"),
    help: "Also shows and steers imports, lists and forms, in pages under /inspector.")
  var hasInspector = false
}
