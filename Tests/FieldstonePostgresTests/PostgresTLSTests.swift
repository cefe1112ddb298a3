#if PostgreSQL && (os(macOS) || os(Linux))
  import FieldstoneDurable
  import FieldstonePostgres
  import Testing

  @Suite(
    "Encrypted connections to PostgreSQL",
    .enabled(if: TLSServer.isWanted, Comment(rawValue: TLSServer.reasonForNone ?? "")),
    .timeLimit(.minutes(20)))
  struct PostgresTLSTests {
    /// How a journal refuses a server; empty if it takes it.
    private func refusal(_ text: String) async throws -> String {
      do {
        _ = try await PostgresJournal(text)
        return ""
      } catch let error as JournalError {
        #expect(error.isTransient)
        #expect(!String(reflecting: error).contains(TLSServer.password))
        #expect(!error.message.contains(TLSServer.password))
        return error.message
      }
    }

    @Test("Only a server whose certificate is for its name, by a trusted authority, gets work")
    func verified() async throws {
      let server = try await TLSServer(isEncrypted: true)
      let named = "host=db.example.org hostaddr=127.0.0.1 sslmode=verify-full"
      let encryption = "SELECT version FROM pg_stat_ssl WHERE pid = pg_backend_pid()"
      // The second does not say how to encrypt, and its host is none of the loopback's names.
      for place in [named, "host=127.1"] {
        let journal = try await PostgresJournal(server.text(place, trusting: "root"))
        #expect(try await journal.texts(encryption).first?.hasPrefix("TLS") == true)
        #expect(try await PostgresJournal.run([place], stages: 2, on: [journal]) == [place])
        await journal.close()
      }
      for place in [named, "host=127.1"] {
        let refusal = try await refusal(server.text(place, trusting: "other"))
        #expect(refusal.contains("certificate verify failed"))
        #expect(refusal.contains("sslrootcert"))
      }
      let unknown = try await refusal(server.text(named, trusting: "absent"))
      #expect(unknown.contains("let sslrootcert name"))
      let misnamed = try await refusal(
        server.text(
          "host=other.example.org hostaddr=127.0.0.1 sslmode=verify-full", trusting: "root"))
      #expect(misnamed.contains("does not match host name"))
      #expect(misnamed.contains("connect to a host name that the certificate contains"))
      // Another mode must be asked for.
      let journal = try await PostgresJournal(
        server.text("host=127.1 sslmode=disable", trusting: "other"))
      #expect(try await journal.texts(encryption) == [])
    }

    @Test("Beyond the loopback address a server that does not encrypt is refused")
    func unencrypted() async throws {
      let server = try await TLSServer(isEncrypted: false)
      for place in ["host=127.1", "host=db.example.org hostaddr=127.0.0.1 sslmode=verify-full"] {
        let refusal = try await refusal(server.text(place, trusting: "root"))
        #expect(refusal.contains("does not support SSL"))
        #expect(refusal.contains("ssl = on"))
      }
      let good = server.text("host=127.0.0.1", trusting: "root")
      #expect(try await refusal(good) == "")
      for end in [" password=wrong", " password='' passfile=/nowhere"] {
        let refusal = try await refusal(good + end)
        #expect(refusal.contains("; give the role's password in PGPASSWORD"), "\(refusal)")
        #expect(!refusal.contains("make room") && !refusal.contains("SQLSTATE"))
      }
    }
  }
#endif
