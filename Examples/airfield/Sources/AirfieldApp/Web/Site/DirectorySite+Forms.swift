import Fieldstone
import FieldstoneHTML
import FieldstoneServing

extension DirectorySite {
  func settingsPage(note: String?, status: Int = 200) -> SiteResponse {
    let problem = model.settings.problem
    let view = FormView(
      title: "Settings", text: "They are kept in a file beside the database.",
      form: model.settings.form, address: .settings, settings: model.settings.settings,
      notes: notes, note: note ?? problem,
      buttons: problem == nil ? [] : [("startOver", "Set the file aside and start over")])
    return SiteResponse(status: status, page: view.html)
  }

  /// Takes posted settings; all who post share one form, so each waits for those before it.
  func takeSettings(_ values: FormValues) async -> SiteResponse {
    await formTurns.take {
      if values["do"] == "startOver" {
        await model.settings.startOver()
        return .see(.settings)
      }
      let form = model.settings.form
      form.take(posted: values.pairs)
      let isSaved = await model.settings.save()
      let page = settingsPage(note: isSaved ? "Saved." : nil, status: isSaved ? 200 : 422)
      // What was refused is shown to whoever has posted it, and to nobody else.
      if !isSaved { form.reset() }
      return page
    }
  }

  func faultsPage(note: String?, status: Int = 200) -> SiteResponse {
    let view = FormView(
      title: "Faults",
      text: "Switch something on, go to another page, and see how it copes. All is off again "
        + "when the server is started anew.",
      form: model.faults.form, address: .faults, settings: model.settings.settings,
      notes: notes, note: note, buttons: [("clear", "Switch everything off")])
    return SiteResponse(status: status, page: view.html)
  }

  /// Takes posted faults as ``takeSettings(_:)`` takes settings.
  func takeFaults(_ values: FormValues) async -> SiteResponse {
    await formTurns.take {
      if values["do"] == "clear" {
        model.faults.clear()
        return .see(.faults)
      }
      model.faults.form.take(posted: values.pairs)
      let isApplied = await model.faults.apply()
      let page = faultsPage(note: isApplied ? "Switched." : nil, status: isApplied ? 200 : 422)
      if !isApplied { model.faults.form.reset() }
      return page
    }
  }
}
