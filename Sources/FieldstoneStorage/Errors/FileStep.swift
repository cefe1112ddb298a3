/// The step at which work on a file failed.
public enum FileStep: String, Sendable, Hashable, Codable, CaseIterable {
  /// Finding the file, through symbolic links where there are some.
  case find
  /// Making or opening the folder of the file.
  case folder
  /// Taking the lock that writers of the file share.
  case lock
  /// Opening the file, or making the temporary one beside it.
  case open
  /// Reading the content.
  case read
  /// Giving the new file the mode and the owner of the old one.
  case attributes
  /// Writing the content to the temporary file.
  case write
  /// Having the content reach the medium.
  case sync
  /// Keeping the old file under a second name until the new one is safe, or making a backup of it.
  case keep
  /// Putting the new file in the place of the old one, or moving a file aside.
  case rename
  /// Having the names in the folder reach the medium.
  case syncFolder
  /// Removing the file.
  case remove
  /// Watching the folder for changes.
  case watch
}
