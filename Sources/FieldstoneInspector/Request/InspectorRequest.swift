#if INSPECTOR
  import FieldstoneHTML
  public import FieldstoneServing

  /// A request to the inspector, as any server hands it on.
  public typealias InspectorRequest = SiteRequest

  /// The answer of the inspector; the server adds the length and the headers of its connection.
  public typealias InspectorResponse = SiteResponse

  extension InspectorResponse {
    init(status: Int = 200, page: HTML) {
      self.init(status: status, html: page.markup)
    }
  }
#endif
