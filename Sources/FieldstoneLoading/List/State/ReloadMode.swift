/// How much of a list a reload loads, and what is shown meanwhile.
///
/// | mode | loads | shows meanwhile | afterwards |
/// | --- | --- | --- | --- |
/// | ``firstPage`` | the first page | what was there | the first page |
/// | ``allLoaded`` | as many pages as are loaded | what was there | as many pages |
/// | ``reset`` | the first page | nothing | the first page |
///
/// When the network or the application comes back, use ``allLoaded``: the list does not shrink.
public enum ReloadMode: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first page takes the place of everything once it is there: pulling to refresh.
  case firstPage
  /// As many pages as are loaded take their place, all of them or none.
  case allLoaded
  /// Everything is forgotten at once, and the list begins anew: another search, another user.
  case reset
}
