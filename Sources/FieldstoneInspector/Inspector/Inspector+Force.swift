#if INSPECTOR
  public import FieldstoneLoading

  extension Inspector {
    /// A provider whose loads the pages can force: to stay loading, to fail, to be offline or slow.
    ///
    /// ```swift
    /// let users = Integrator(provider: inspector.forcing(UserSearch(), as: "Users"))
    /// inspector.watch(users, as: "Users")  // its page has the choices
    /// inspector.watch(screen, as: "Users")  // that of a screen which loads from it, too
    /// ```
    ///
    /// The name is what joins them: each object that is watched under it has the choices on its page.
    ///
    /// Without a choice a load costs three more locks, for a timeline event with its parameters.
    /// They are put into words when a page shows them. Screens react as to a real load.
    ///
    /// - Parameters:
    ///   - provider: performs the loads that are not forced.
    ///   - name: the name under which the objects that load from it are watched: an integrator, a list,
    ///     a screen.
    public func forcing<Provider: DataProvider>(
      _ provider: Provider, as name: String
    ) -> some DataProvider<Provider.Parameters, Provider.Output> {
      ForcedProvider(
        base: provider, force: book.forceSwitch(name), note: book.parameterNote(name), empty: nil)
    }

    /// A provider whose loads the pages can force, also to an empty value.
    ///
    /// - Parameters:
    ///   - provider: performs the loads that are not forced.
    ///   - name: the name under which the objects that load from it are watched: an integrator, a list,
    ///     a screen.
    ///   - empty: makes an empty value.
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
