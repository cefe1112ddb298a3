#if INSPECTOR
  import FieldstoneHTML
  public import FieldstoneServing

  /// A request to the inspector, as a server passes it on.
  public typealias InspectorRequest = SiteRequest

  /// The response of the inspector; the server adds the length and the connection's headers.
  public typealias InspectorResponse = SiteResponse

  extension InspectorResponse {
    init(status: Int = 200, page: HTML) {
      self.init(status: status, html: page.markup)
    }
  }
#endif
