#if INSPECTOR
  public import FieldstoneCore
  public import Foundation

  extension Inspector {
    /// Makes read-only pages of a timeline that another process exported.
    ///
    /// They show and export the file's numbers of dropped and missed events, too. The file is an
    /// untrusted input: its size is bounded, and the pages show all of it as text.
    ///
    /// - Parameters:
    ///   - session: the exported file.
    ///   - options: the access rules of the pages.
    ///   - time: the clocks for the times shown on the pages.
    /// - Throws: ``InspectorSessionError``.
    public init(
      session: Data, options: InspectorOptions = InspectorOptions(), time: TimeSource = .system
    ) throws(InspectorSessionError) {
      let session = try TimelineSession(session)
      var options = options
      options.isReadOnly = true
      self.init(name: session.name, options: options, time: time)
      book.record.load(session.entries, dropped: session.dropped, missed: session.missed)
    }
  }
#endif
