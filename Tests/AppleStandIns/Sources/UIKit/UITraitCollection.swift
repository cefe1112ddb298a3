// Documented by Apple, and named as there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation, AlwaysUseLowerCamelCase

public enum UIUserInterfaceIdiom: Int, Sendable {
  case unspecified = -1
  case phone = 0
  case pad = 1
  case tv = 2
  case carPlay = 3
  case mac = 5
  case vision = 6
}

public enum UIUserInterfaceStyle: Int, Sendable {
  case unspecified, light, dark
}

@MainActor
open class UITraitCollection: StandInObject {
  private var idiom = UIUserInterfaceIdiom.unspecified

  public init() {
    super.init(root: ())
  }

  public convenience init(userInterfaceIdiom idiom: UIUserInterfaceIdiom) {
    self.init()
    self.idiom = idiom
  }

  open var userInterfaceIdiom: UIUserInterfaceIdiom { idiom }
}
