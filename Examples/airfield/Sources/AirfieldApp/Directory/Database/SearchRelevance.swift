import GRDB

/// How much an airport is what was searched for: 0 for the most.
///
/// The very code comes first, then those with an IATA code, as passengers fly there, then all others;
/// among equals cities of this name and names that begin with the text, the large airports first.
struct SearchRelevance {
  static let count = 9

  private let coded: RowSet
  private let largest: RowSet
  private let large: RowSet
  private let flown: RowSet
  private let begun: RowSet

  /// The relevance of a search; nil where it is none, or too short to tell.
  init?(_ search: AirportSearch?, _ db: Database) throws {
    let text = search.map { SortKey.folded($0.text) } ?? ""
    guard let search, text.utf8.count >= 3 else { return nil }
    let code = search.text.uppercased()
    coded = try db.rowSet(
      """
      SELECT id AS row FROM airport WHERE icao = ?
      UNION ALL SELECT id AS row FROM airport WHERE iata = ?
      """, [code, code])
    largest = try Self.rows(with: LargeAirports.largest, db)
    large = try Self.rows(with: LargeAirports.large, db)
    flown = try db.rowSet("SELECT id AS row FROM airport WHERE iata IS NOT NULL")
    begun = try db.rowSet(
      """
      SELECT id AS row FROM airport WHERE sortName >= ? AND sortName < ?
      UNION ALL SELECT id AS row FROM airport WHERE sortCity = ? AND sortCity <> ''
      """, [text, text + "\u{10FFFF}", text])
  }

  /// The relevance of a row that the search finds.
  func of(_ row: Int64) -> Int {
    if coded.contains(row) { return 0 }
    guard flown.contains(row) else { return begun.contains(row) ? 7 : 8 }
    let size = largest.contains(row) ? 1 : large.contains(row) ? 2 : 3
    return size + (begun.contains(row) ? 0 : 3)
  }

  private static func rows(with codes: [String], _ db: Database) throws -> RowSet {
    try db.rowSet(
      """
      SELECT id AS row FROM airport
      WHERE iata IN (\(repeatElement("?", count: codes.count).joined(separator: ",")))
      """, StatementArguments(codes))
  }
}

/// The airports with the most passengers, by their IATA codes: what a traveller means by a city that
/// has several.
///
/// The file of airports says nothing of their size. These are of public statistics of recent years;
/// an airport that is missing here stands where its name puts it.
enum LargeAirports {
  /// Those of which each has more than some 45 million a year.
  static let largest = codes(
    """
    ATL DXB DFW HND LHR DEN IST ORD DEL PVG LAX CAN ICN CDG SIN PEK AMS JFK MAD BKK FRA LAS HKG SZX
    MCO CLT MIA BOM BCN SEA
    """)

  /// The next ones in size, or of a large city.
  static let large = codes(
    """
    PHX SFO EWR CGK KUL MEX NRT TPE MNL IAH BOS FCO MUC LGW SVO SGN SYD YYZ DOH JED KIX ORY LGA AYT
    SAW BOG GRU PKX CTU TFU CKG KMG XIY SHA HGH MEL BNE BLR HYD MAA CCU MSP FLL DTW PHL BWI IAD DCA
    SLC SAN MDW TPA BNA AUS HNL LIS DUB MAN VIE ZRH CPH OSL ARN HEL BRU ATH WAW PMI DUS MXP BER HAM
    STN LTN AGP GVA NCE LYS BUD PRG OTP KBP LED DME VKO ESB ADB TLV CAI JNB CPT ADD NBO CMN LOS RUH
    AUH KWI BAH MCT DMK HKT CEB DPS SUB HAN DAD PUS CJU GMP CTS FUK OKA ITM YVR YUL YYC LIM SCL EZE
    AEP GIG CGH BSB CUN GDL MTY PTY SJU AKL PER ISB KHI LHE DAC CMB KTM ALA TAS WUH CSX NKG TAO XMN
    KEF EDI BHX NAP VCE BLQ BGO GOT KRK OPO
    """)

  private static func codes(_ text: String) -> [String] {
    text.split(whereSeparator: \.isWhitespace).map { String($0) }
  }
}
