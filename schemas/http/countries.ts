import { itemAt } from '#domain/assert.ts';

/** Codes of ISO 3166-1 alpha-2 of a country or territory. */
const CODES =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG ' +
  'UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW';

export const COUNTRIES: ReadonlySet<string> = new Set(CODES.split(' '));

/** Their codes of ISO 3166-1 alpha-3, in the same order. */
const LONG_CODES =
  'AND ARE AFG ATG AIA ALB ARM AGO ATA ARG ASM AUT AUS ABW ALA AZE BIH BRB BGD BEL BFA BGR BHR BDI BEN BLM BMU BRN ' +
  'BOL BES BRA BHS BTN BVT BWA BLR BLZ CAN CCK COD CAF COG CHE CIV COK CHL CMR CHN COL CRI CUB CPV CUW CXR CYP CZE ' +
  'DEU DJI DNK DMA DOM DZA ECU EST EGY ESH ERI ESP ETH FIN FJI FLK FSM FRO FRA GAB GBR GRD GEO GUF GGY GHA GIB GRL ' +
  'GMB GIN GLP GNQ GRC SGS GTM GUM GNB GUY HKG HMD HND HRV HTI HUN IDN IRL ISR IMN IND IOT IRQ IRN ISL ITA JEY JAM ' +
  'JOR JPN KEN KGZ KHM KIR COM KNA PRK KOR KWT CYM KAZ LAO LBN LCA LIE LKA LBR LSO LTU LUX LVA LBY MAR MCO MDA MNE ' +
  'MAF MDG MHL MKD MLI MMR MNG MAC MNP MTQ MRT MSR MLT MUS MDV MWI MEX MYS MOZ NAM NCL NER NFK NGA NIC NLD NOR NPL ' +
  'NRU NIU NZL OMN PAN PER PYF PNG PHL PAK POL SPM PCN PRI PSE PRT PLW PRY QAT REU ROU SRB RUS RWA SAU SLB SYC SDN ' +
  'SWE SGP SHN SVN SJM SVK SLE SMR SEN SOM SUR SSD STP SLV SXM SYR SWZ TCA TCD ATF TGO THA TJK TKL TLS TKM TUN TON ' +
  'TUR TTO TUV TWN TZA UKR UGA UMI USA URY UZB VAT VCT VEN VGB VIR VNM VUT WLF WSM YEM MYT ZAF ZMB ZWE';

/** English names beside those of the Unicode locale data. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  'bosnia and herzegovina': 'BA',
  'brunei darussalam': 'BN',
  burma: 'MM',
  'cabo verde': 'CV',
  'czech republic': 'CZ',
  'democratic republic of congo': 'CD',
  'east timor': 'TL',
  'falkland islands malvinas': 'FK',
  'great britain': 'GB',
  holland: 'NL',
  'holy see': 'VA',
  'islamic republic of iran': 'IR',
  'ivory coast': 'CI',
  'kingdom of morocco': 'MA',
  'lao peoples democratic republic': 'LA',
  macau: 'MO',
  macedonia: 'MK',
  'peoples republic of china': 'CN',
  'republic of china': 'TW',
  'republic of congo': 'CG',
  'republic of ireland': 'IE',
  'republic of korea': 'KR',
  'russian federation': 'RU',
  swaziland: 'SZ',
  'syrian arab republic': 'SY',
  turkey: 'TR',
  'united states of america': 'US',
  uae: 'AE',
  vatican: 'VA',
  'viet nam': 'VN',
};

/** The letters of a name: `Côte d’Ivoire` and `Cote d'Ivoire`, `St. Lucia` and `Saint Lucia` are the same. */
const plain = (name: string): string =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .replaceAll(/['’.]/g, '')
    .replaceAll(/[^a-z]+/g, ' ')
    .replaceAll(/\bthe /g, '')
    .replaceAll(/\bst /g, 'saint ')
    .trim();

const byName = (): ReadonlyMap<string, string> => {
  const names = (['long', 'short'] as const).map((style) => new Intl.DisplayNames('en', { type: 'region', style }));
  const known = [...COUNTRIES].flatMap((code) => names.map((of) => [plain(of.of(code) ?? code), code] as const));
  return new Map([...known, ...Object.entries(OTHER_NAMES)]);
};
const NAMES = byName();
const LONG: ReadonlyMap<string, string> = new Map(
  LONG_CODES.split(' ').map((long, at) => [long, itemAt([...COUNTRIES], at)]),
);

const byNumber = (digits: string): string => new Intl.Locale(`und-${digits}`).region ?? '';

/**
 * Returns the alpha-2 code for a code of ISO 3166-1 (alpha-2, alpha-3, numeric) or an English name, regardless of case;
 * null: unknown.
 */
export const countryOf = (said: string): string | null => {
  const text = said.trim();
  const code = LONG.get(text.toUpperCase()) ?? (/^\d{3}$/.test(text) ? byNumber(text) : text.toUpperCase());
  return COUNTRIES.has(code) ? code : (NAMES.get(plain(text)) ?? null);
};
