import Fieldstone
import Foundation

/// When the nightly export is made, where its files go, and how many of them stay.
struct NightlyPlan: Sendable, Hashable, Codable {
  static let time = "02:30"
  static let kept = 7

  let folder: String

  /// The hour and the minute, as clocks show them in the time zone: 02:30.
  let time: String
  let zone: String

  /// How many files stay, the newest ones; at least one.
  let kept: Int

  init(
    folder: String, at time: String = NightlyPlan.time, zone: String? = nil,
    keeping kept: Int = NightlyPlan.kept
  ) throws {
    let url = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw ExportError.missingFolder(path: folder) }
    guard let parts = time.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/), let hour = Int(parts.1),
      hour < 24, let minute = Int(parts.2), minute < 60
    else { throw NightlyError.badTime(time) }
    let zone = zone ?? TimeZone.current.identifier
    guard TimeZone(identifier: zone) != nil else { throw NightlyError.badZone(zone) }
    guard kept > 0 else { throw NightlyError.badCount(kept) }
    self.folder = url.path
    self.time = (hour < 10 ? "0\(hour)" : "\(hour)") + ":\(parts.2)"
    self.zone = zone
    self.kept = kept
  }

  /// The time of the day as a line of a crontab.
  var cron: String {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return "\(parts.last ?? 0) \(parts.first ?? 0) * * *"
  }
}

enum NightlyError: DescribedError, Equatable {
  case badTime(String)
  case badZone(String)
  case badCount(Int)
  case busy
  case notSet

  var message: String {
    switch self {
    case .badTime(let text):
      "“\(text)” is no time of the day; give hours and minutes, such as 02:30"
    case .badZone(let text):
      "there is no time zone “\(text)”; give an identifier such as Europe/Berlin or UTC"
    case .badCount(let count): "\(count) files can’t be kept; give a number from 1"
    case .busy: "An export is under way. Wait until it has ended, or cancel it."
    case .notSet: "No nightly export is set up. Start the server with --nightly-export FOLDER."
    }
  }
}
