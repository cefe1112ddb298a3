#if INSPECTOR
  public import FieldstoneCore
  public import Foundation

  extension Inspector {
    /// Makes the pages of a timeline that was exported elsewhere; they change nothing.
    ///
    /// The file is an untrusted input: it is bounded, and all of it is text on the pages.
    ///
    /// - Parameters:
    ///   - session: the exported file.
    ///   - options: who may use the pages.
    ///   - time: the clocks by which the pages tell distances.
    /// - Throws: ``InspectorSessionError``.
    public init(
      session: Data, options: InspectorOptions = InspectorOptions(), time: TimeSource = .system
    ) throws(InspectorSessionError) {
      let session = try TimelineSession(session)
      var options = options
      options.isReadOnly = true
      self.init(name: session.name, options: options, time: time)
      for entry in session.entries.suffix(10_000) { book.record.add(entry) }
    }
  }
#endif
