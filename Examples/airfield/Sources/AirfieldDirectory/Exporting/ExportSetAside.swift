import Fieldstone

/// An unfinished export was found by somebody who was asked for another one.
struct ExportSetAside: DescribedError {
  var message: String { "set aside for another export; the same command goes on with it" }
}
