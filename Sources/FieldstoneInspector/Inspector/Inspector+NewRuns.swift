#if INSPECTOR
  import FieldstoneCore
  import FieldstoneDurable
  import Foundation

  extension Inspector {
    /// How long a form can start its run, in seconds.
    private static let formLife: TimeInterval = 86_400
    /// How far the clock may have been set back since the form was made, in seconds.
    private static let clockSlack: TimeInterval = 60

    /// The identifier of a new run in a form, which may be one that none of our pages made.
    ///
    /// A form that is sent twice starts one run, because it has the run's identifier. The journal finds
    /// a run by its slot, and lists sort by the time: both are those of a form that was made lately.
    ///
    /// - Parameters:
    ///   - text: what the form has; empty for a fresh one.
    ///   - fresh: an identifier that is made now.
    func newRunID(_ text: String, fresh: RunID) throws(InspectorRefusal) -> RunID {
      if text.isEmpty { return fresh }
      let times =
        RunID.lowest(at: time.now - Self.formLife)...RunID.highest(at: time.now + Self.clockSlack)
      guard let id = RunID(text), id.slot == fresh.slot, times.contains(id) else {
        throw InspectorRefusal(409, "The form is out of date; open it again.")
      }
      return id
    }
  }
#endif
