#if INSPECTOR
  import FieldstoneHTML
  import FieldstoneServing

  extension SiteResponse {
    init(status: Int = 200, page: HTML) {
      self.init(status: status, html: page.markup)
    }
  }
#endif
