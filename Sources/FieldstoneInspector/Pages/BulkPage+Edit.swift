#if INSPECTOR
  import FieldstoneDurable
  import FieldstoneHTML
  import FieldstoneRunDisplay
  import FieldstoneServing

  extension BulkPage {
    /// Asks for the patch of an edit; nothing is written before it is reviewed.
    var patchForm: HTML { patchForm(isFirst: true) }

    private func patchForm(isFirst: Bool) -> HTML {
      HTML.element(
        "form",
        [HTMLAttribute("method", "post"), .address("action", parts.address.all(action, filter))]
      ) {
        parts.token
        patchFields
        HTML.element("div", [.class("buttons")]) {
          HTML.element(
            "button", [HTMLAttribute("type", "submit"), .class(isFirst ? "primary" : "")]
          ) { HTML.text(isFirst ? "Review" : "Review again") }
        }
      }
    }

    @HTMLBuilder private var patchFields: HTML {
      parts.payload("Merge patch, as JSON", form.payload)
      HTML.element("p", [.class("note")]) {
        HTML.text(
          "Write the members to set, below the name of the stage, and null for those to remove (RFC "
            + "7396). An array is replaced as a whole.")
      }
      parts.input(
        "Version", "version", form.version,
        help: "The version of the flow that the stages are for; that of each, if empty.")
    }

    /// The number of runs that a patch is for.
    func sentence(for trial: BulkEditTrial) -> String {
      if count.number == 0 {
        return
          "The patch changes no run of this filter: none is at the stage that it names, or all have "
          + "its values."
      }
      let runs =
        count.number == 1 ? "1 run" : "\(parts.grouped(count.number)) runs"
      return "The patch changes \(runs). \(action.effect(isChecked: isChecked)) Each is changed by "
        + "itself; runs that go on meanwhile are left alone.\(more)"
    }

    /// The differences of the first runs, and how many can't be edited so.
    @HTMLBuilder func review(_ trial: BulkEditTrial) -> HTML {
      if let error = trial.error {
        HTML.element("p", [.class("banner bad")]) {
          HTML.text(
            (trial.unreadable == 1
              ? "1 run is left alone" : "\(parts.grouped(trial.unreadable)) runs are left alone")
              + ", because the flow can't decode its new stage. \(error.message)")
        }
      }
      if trial.samples.count < count.number {
        HTML.element("p", [.class("note")]) {
          HTML.text("The first \(trial.samples.count) of them:")
        }
      }
      for (run, stage) in trial.samples {
        HTML.element("p") {
          parts.badge(run.state)
          HTML.text(" ")
          parts.link(run.title(), to: parts.address.run(run.id))
          HTML.text(", stage \(run.sequence) ")
          parts.code(parts.redaction.name(of: run.payload))
        }
        parts.stage(
          StageDifference(
            stage, before: run.payload, hiding: parts.redaction,
            byteLimit: StageDifference.byteLimit.reviewed))
      }
      if count.number > 0 {
        HTML.element("p", [.class("note")]) {
          HTML.text(
            form.version.isEmpty
              ? "Each keeps its version of the flow." : "Version \(form.version) of the flow.")
        }
      }
      HTML.element("details", [.class("again")]) {
        HTML.element("summary") { HTML.text("Change the patch") }
        patchForm(isFirst: false)
      }
    }
  }
#endif
