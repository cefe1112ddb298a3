import Foundation

/// When the nightly export is made, where its files go, and how many of them stay.
public struct NightlyPlan: Sendable, Hashable, Codable {
  /// The time of the day unless another is given.
  public static let time = "02:30"

  /// How many files stay unless another number is given.
  public static let kept = 7

  /// The absolute path of the folder.
  public let folder: String

  /// The hour and the minute, as clocks show them in the time zone: 02:30.
  public let time: String

  /// The identifier of the time zone.
  public let zone: String

  /// How many files stay, the newest ones; at least one.
  public let kept: Int

  /// Makes a plan.
  ///
  /// - Parameters:
  ///   - folder: the path of a folder that is there.
  ///   - time: the hour and the minute, as in 2:30 or 02:30.
  ///   - zone: the identifier of a time zone, such as Europe/Berlin; nil for that of this machine.
  ///   - kept: how many files stay.
  /// - Throws: ``NightlyError``; ``ExportError/missingFolder(path:)``.
  public init(
    folder: String, at time: String = NightlyPlan.time, zone: String? = nil,
    keeping kept: Int = NightlyPlan.kept
  ) throws {
    let url = URL(filePath: folder).standardizedFileURL.resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder),
      isFolder.boolValue
    else { throw ExportError.missingFolder(path: folder) }
    let parts = time.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
      parts.joined().utf8.allSatisfy({ 48...57 ~= $0 }), let hour = Int(parts[0]), hour < 24,
      let minute = Int(parts[1]), minute < 60
    else { throw NightlyError.badTime(time) }
    let zone = zone ?? TimeZone.current.identifier
    guard TimeZone(identifier: zone) != nil else { throw NightlyError.badZone(zone) }
    guard kept > 0 else { throw NightlyError.badCount(kept) }
    self.folder = url.path
    self.time = (hour < 10 ? "0\(hour)" : "\(hour)") + ":\(parts[1])"
    self.zone = zone
    self.kept = kept
  }

  /// The time of the day as a line of a crontab.
  var cron: String {
    let parts = time.split(separator: ":").compactMap { Int($0) }
    return "\(parts.last ?? 0) \(parts.first ?? 0) * * *"
  }
}
