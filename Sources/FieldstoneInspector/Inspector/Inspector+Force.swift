#if INSPECTOR
  public import FieldstoneLoading

  extension Inspector {
    /// A provider whose loads the pages can force: to stay loading, to fail, to be offline or slow.
    ///
    /// ```swift
    /// let users = Integrator(provider: inspector.forcing(UserSearch(), as: "Users"))
    /// inspector.watch(users, as: "Users")  // its page has the choices
    /// ```
    ///
    /// Without a choice a load costs two more locks, and an event of the timeline with its parameters.
    /// Screens follow as they would.
    ///
    /// - Parameters:
    ///   - provider: loads what is not forced.
    ///   - name: the name that its integrator or list is watched as.
    public func forcing<Provider: DataProvider>(
      _ provider: Provider, as name: String
    ) -> some DataProvider<Provider.Parameters, Provider.Output> {
      ForcedProvider(
        base: provider, force: book.forceSwitch(name), note: book.parameterNote(name), empty: nil)
    }

    /// A provider whose loads the pages can force, also to a value without content.
    ///
    /// - Parameters:
    ///   - provider: loads what is not forced.
    ///   - name: the name that its integrator or list is watched as.
    ///   - empty: makes a value without content.
    public func forcing<Provider: DataProvider>(
      _ provider: Provider, as name: String,
      empty: @autoclosure @escaping @Sendable () -> Provider.Output
    ) -> some DataProvider<Provider.Parameters, Provider.Output> {
      let force = book.forceSwitch(name)
      force.allowEmpty()
      return ForcedProvider(
        base: provider, force: force, note: book.parameterNote(name), empty: empty)
    }
  }
#endif
