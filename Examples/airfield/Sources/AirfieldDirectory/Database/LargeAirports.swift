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
