import AirfieldDirectory
import FieldstoneHTML

/// A part of a page that is shown, as it should be now.
enum Fragment {
  /// What is in an element.
  case part(id: String, HTML)
  /// Issues of a control.
  case issues(id: String, HTML, isInvalid: Bool)
  /// A table of airports that grows; the frame is made anew only where its key is another one.
  case rows(key: String, [Airport], AirportTable, frame: @MainActor (HTML) -> HTML)
  /// The page has gone on to another one.
  case moved(to: PageAddress)
}
