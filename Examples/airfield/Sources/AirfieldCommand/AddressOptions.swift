import ArgumentParser

/// Where pages are served.
struct AddressOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The port to serve on; 0 takes a free one.", valueName: "n"))
  var port: UInt16 = 8470
}
