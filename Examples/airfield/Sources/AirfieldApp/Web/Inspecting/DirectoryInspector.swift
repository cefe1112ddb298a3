import Fieldstone
import FieldstoneDurable
import FieldstoneInspector
import FieldstoneServing
import Foundation

/// An inspector of the directory's own process, under a path of its site: the runs of its journal, and
/// the screens, lists and forms of all visitors.
@MainActor
final class DirectoryInspector {
  nonisolated static let path = "inspector"

  nonisolated let pages: Inspector
  nonisolated private let token: String
  private var registration: Registration?

  /// Watches what a model's screens are made of from now on, and what imports and exports do, and has
  /// the loads of these screens forced as its pages choose.
  ///
  /// A release build is inspected, too: nobody makes an inspector without asking for one.
  init(
    model: AirfieldModel, directory: AirportDirectory, imports: DirectoryImports?,
    nightly: NightlyExports? = nil
  ) {
    var options = InspectorOptions()
    options.path = Self.path
    options.token = UUID().uuidString
    options.isReadOnly = directory.isReadOnly
    options.allowsReleaseBuilds = true
    token = options.token ?? ""
    pages = Inspector(
      journal: directory.journal, name: "airfield", options: options, time: model.time
    ).checking((imports?.runner.flows ?? []) + (nightly?.runner.flows ?? []))
    pages.watch(model.settings.form, as: "Settings")
    pages.watch(model.faults.form, as: "Faults")
    registration = model.parts.add { [weak self] in self?.watch($0, as: $1) }
    model.forcing = InspectorForcing(pages: pages)
    if let imports { pages.watch(imports.runner, as: "Imports") }
    if let nightly { pages.watch(nightly.runner, as: "Nightly exports") }
  }

  /// The address that opens the pages, once, at a server's own address.
  nonisolated func address(at server: String) -> String {
    "\(server)\(Self.path)/?token=\(token)"
  }

  private func watch(_ part: ScreenPart, as name: String) {
    switch part {
    case .screen(let screen): pages.watch(screen, as: name)
    case .list(let list): pages.watch(list, as: name)
    case .form(let form): pages.watch(form, as: name)
    }
  }
}

/// Forces loads of screens as the pages of an inspector choose.
private struct InspectorForcing: LoadForcing {
  let pages: Inspector

  func forcing<Parameters, Output>(
    _ provider: AnyProvider<Parameters, Output?>, as name: String
  ) -> AnyProvider<Parameters, Output?> {
    pages.forcing(provider, as: name, empty: nil).erased()
  }
}

/// A site with the pages of an inspector under its path.
struct InspectedSite: Site {
  let site: DirectorySite
  let inspector: Inspector?

  func answer(_ request: SiteRequest) async -> SiteAnswer {
    guard let inspector, isInspecting(request) else { return await site.answer(request) }
    return await inspector.answer(request)
  }

  func answer(_ request: SiteRequest, body: SiteBody) async -> SiteResponse {
    guard let inspector, isInspecting(request) else {
      return await site.answer(request, body: body)
    }
    return await inspector.answer(request, body: body)
  }

  private func isInspecting(_ request: SiteRequest) -> Bool {
    let root = "/" + DirectoryInspector.path
    return request.path == root || request.path.hasPrefix(root + "/")
  }
}
