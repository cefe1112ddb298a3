import Fieldstone
import Foundation
import Observation

/// The settings as a screen: a form over a file, which follows the file when somebody else writes it.
@MainActor
@Observable
final class SettingsScreen {
  private(set) var settings = AppSettings()

  /// Why the file could not be read; nil where it could.
  private(set) var problem: String?

  @ObservationIgnored private let store: FileStore<AppSettings>
  @ObservationIgnored private var following: Task<Void, Never>?
  @ObservationIgnored private var loading: Task<Void, Never>?

  @ObservationIgnored private let theme = Field<AppSettings.Theme>("Colours", key: "theme")
    .require(.notNil).presented(as: .choice(choices(of: AppSettings.Theme.allCases)))
  @ObservationIgnored private let pageSize = Field<Int>("Airports on a page", key: "pageSize")
    .require(.notNil).require(.oneOf(AppSettings.pageSizes))
    .presented(as: .choice(AppSettings.pageSizes.map { FieldOption("\($0)") }))
  @ObservationIgnored private let units = Field<AppSettings.Units>("Heights", key: "units")
    .require(.notNil).presented(as: .choice(choices(of: AppSettings.Units.allCases)))

  @ObservationIgnored private(set) lazy var form = FormModel {
    FormSection("Settings") {
      theme
      pageSize
      units
    }
  }
  .map(\AppSettings.theme, to: theme)
  .map(\AppSettings.pageSize, to: pageSize)
  .map(\AppSettings.units, to: units)

  /// Makes the screen over a file that may not exist yet; loads nothing.
  init(file: URL, time: TimeSource = .system) {
    store = FileStore(at: file, schema: FileSchema(1), time: time)
    try? form.fill(from: settings)
  }

  deinit {
    following?.cancel()
  }

  /// Reads the file once, however often it is called.
  func load() async {
    let task =
      loading
      ?? Task {
        take(await store.load())
        follow()
      }
    loading = task
    await task.value
  }

  /// Saves what the form says; false where it is wrong or could not be saved.
  func save() async -> Bool {
    await load()
    let outcome = await form.submit {
      var settings = self.settings
      try form.apply(to: &settings)
      do {
        try await store.save(settings)
      } catch {
        throw FormRejection([
          FieldIssue("The settings were not saved: \(error.localizedDescription)")
        ])
      }
      self.settings = settings
      problem = nil
    }
    return outcome.value != nil
  }

  /// Sets a file aside that can't be read, and begins again with the usual settings.
  func startOver() async {
    do {
      try await store.resolve(.startOver)
      take(await store.load())
    } catch {
      problem = error.message
    }
  }

  private func take(_ contents: FileContents<AppSettings>) {
    switch contents {
    case .missing: use(AppSettings())
    case .value(let settings): use(settings)
    case .corrupt(let file): problem = file.reason.message
    case .unreadable(let error): problem = error.message
    case .newer: problem = "A newer version of airfield wrote the settings; they are left alone."
    }
  }

  private func use(_ settings: AppSettings) {
    problem = nil
    self.settings = settings
    try? form.rebaseline(from: settings)
  }

  private func follow() {
    guard following == nil, let changes = try? store.changes() else { return }
    following = Task { [weak self] in
      for await change in changes where change.origin == .elsewhere { self?.take(change.contents) }
    }
  }

  private static func choices<Value: RawRepresentable<String>>(of all: [Value]) -> [FieldOption] {
    all.map { FieldOption($0.rawValue, label: $0.rawValue.capitalized) }
  }
}

struct AppSettings: Sendable, Codable, Equatable {
  enum Theme: String, Sendable, Codable, CaseIterable, DefaultTransformable {
    case system, light, dark
  }

  enum Units: String, Sendable, Codable, CaseIterable, DefaultTransformable {
    case feet, metres
  }

  static let pageSizes = [25, 50, 100]

  var theme = Theme.system
  var pageSize = 50
  var units = Units.feet
}
