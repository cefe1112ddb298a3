open class UIResponder {}
