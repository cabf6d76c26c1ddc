/**
 * The subject of a title: things identified by a number or an address stay, readings are removed. Linear in the length
 * of the title.
 */

import { anyOf, HEXADECIMAL, IPV4, IPV6, NUMBER, SPAN, TIME, UUID } from './title-parts.ts';

/** Lower-case words next to a number in a title that decide whether it is a name or a reading. */

const wordSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** Parts of machines, lines and plants: there are several, each with a number. */
const PARTS: ReadonlySet<string> = wordSet(
  'port interface iface ethernet disk drive hdd ssd nvme device slot fan psu volume lun vlan vni vxlan vrf partition shard line lane',
  'vm guest osd tunnel battery sensor target route neighbor neighbour peer as asn channel link circuit trunk bay enclosure shelf rack',
  'chassis module blade card board dimm bank socket room zone site store floor unit pump valve motor tank camera door gate elevator lift',
  'phase feed outlet breaker inlet probe relay station array raid stack member supply controller hba adapter nic ap radio antenna gpu',
  'printer terminal till atm pos kiosk meter inverter string panel turbine generator ups tape library robot arm machine bus segment',
  'extension ext sim subscriber customer tenant branch building wing tower row cabinet cage cell sector bearing compressor boiler burner',
  'chiller filter hub hop gateway router switch firewall plc tag loop light lamp led display monitor track platform crane conveyor belt',
  'serial wwn mac imei iccid asset msisdn spindle jbod plex aggregate vdisk vdev vif svi bridge bond team portchannel pw vc pvc ont onu',
);

/** Containers or processors of many things, which are counted: `queue 500 messages`, but `queue 5 is stuck`. */
const HOLDERS: ReadonlySet<string> = wordSet(
  'cpu core queue topic table index database db schema replica pod container worker job service process pool group cluster server host',
  'node agent instance broker consumer producer mailbox account datastore datanode regionserver executor namespace replicaset thread',
);

/** Things with running numbers: a long one identifies one occurrence. */
const NUMBERED_ON: ReadonlySet<string> = wordSet('job process worker task queue service thread consumer executor run');

/** Numbers that are new each time. */
const PASSING: ReadonlySet<string> = wordSet(
  'pid ppid tid lwp thread thr request req session sess sid connection conn transaction txn trx tx query message msg seq sequence',
  'iteration run build attempt try retry event evt record order invoice payment booking execution call transfer dump snapshot commit',
  'changeset ticket correlation trace span epoch offset lsn scn xid cursor handle fd socketfd lock token job-id jobid nonce generation term',
  'uid gid euid auid rev revision release cycle batch document doc idoc mail page packet frame block sample checkpoint logfile wal log',
);

/** Words before a reading: measures, comparisons, prepositions, check results. */
const MEASURES: ReadonlySet<string> = wordSet(
  'is are was were be been at above below over under than threshold limit limits value values current currently actual now avg average',
  'max maximum min minimum mean median total sum count counter counts number amount rate ratio percent percentage pct usage use used',
  'utilization utilisation util free available remaining left load latency lag delay duration elapsed took takes take taking for after',
  'before within since in last past every per of by to from between and or only just about approx approximately around nearly almost has',
  'have had with got get gets returned returns return response status code rc exit errno errorlevel score level temperature temp temps',
  'humidity voltage amperage wattage power speed size length depth height width backlog age uptime ttl times more less fewer least most up',
  'expected desired got found contains against vs versus equals equal equalled reached reaches hits hit memory mem swap inode inodes heap',
  'cache buffer buffers throughput bandwidth traffic rtt rta jitter ping snr rssi signal noise loss quota capacity occupancy space percentile',
  'progress readiness redundancy quorum availability health healthy slo sla budget burn top version ver v week day month year quarter',
  'date hour minute second today yesterday days hours minutes seconds http https state grade rank weight priority severity quality index_rate',
  'pressure frequency flow vibration brightness concentration dose energy consumption demand charge entropy skew drift dispersion spread',
  'frequenz temperatur auslastung last wert anzahl dauer druck spannung strom leistung belegung verbrauch schwellwert schwelle grenzwert',
  'über unter nach seit auf von mit ist sind war um bei temperature valeur taux nombre durée depuis après valor tasa durante más menos',
  'температура загрузка значение более менее',
);

/** Words between the word and its number: `VM id 101`, `port no. 4`. */
const FILLERS: ReadonlySet<string> = wordSet('id no nr num number nummer idx ident identifier name named called');

/** Units after a measured number. */
const UNITS: ReadonlySet<string> = wordSet(
  '% ° ℃ ‰ percent pct ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks month',
  'months y yr yrs year years b kb mb gb tb pb eb kib mib gib tib pib byte bytes k bit bits bps kbps mbps gbps kbit mbit gbit rpm c f v mv',
  'kv volt volts w kw mw watt watts kwh wh va kva a ma ah mah amp amps hz khz mhz ghz db dbm dbmv iops rps qps tps eps pps fps cps tpm',
  'ops x deg degree degrees celsius fahrenheit pa hpa kpa mpa psi bar mbar mm cm km ft kg ppm ppb lux lm ohm l',
);

/** Nouns after a counted number. */
const COUNTED: ReadonlySet<string> = wordSet(
  'times reqs requests msgs messages events retries attempts items entries records rows connections sessions threads files packets users',
  'errors failures warnings alerts alarms timeouts restarts crashes drops changes cores cpus nodes pods replicas hosts servers instances',
  'disks drives vms backends workers processes jobs tasks queries locks deadlocks waits transactions commits rollbacks calls clients',
  'consumers partitions segments shards objects keys emails mails documents logs lines blocks pages hits logins hops points orders images',
  'containers services checks probes links ports interfaces tunnels peers routes neighbors members devices sensors batteries fans targets',
  'volumes luns paths tickets updates patches vulnerabilities certificates backups snapshots streams topics queues tables indexes indices',
  'more other others new old consecutive concurrent left remaining error failure retry out',
);

/** Words in -ed, -ing and -ly that are things all the same. */
const NO_VERBS: ReadonlySet<string> = wordSet(
  'feed bed seed led shed ring building bearing string wing spring housing winding opening crossing supply assembly family relay ceiling',
);

const UNITS_OF: Readonly<Record<string, string>> = {
  b: 'b kb mb gb tb pb eb kib mib gib tib pib byte bytes',
  bit: 'bit bits kbit mbit gbit',
  bps: 'bps kbps mbps gbps',
  s: 'ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days week weeks month months y yr yrs year years',
  v: 'v mv kv volt volts',
  w: 'w kw mw watt watts',
  wh: 'wh kwh',
  va: 'va kva',
  a: 'a ma amp amps',
  ah: 'ah mah',
  hz: 'hz khz mhz ghz',
  pa: 'pa hpa kpa mpa',
  bar: 'bar mbar',
};
/** Quantity of a unit: one reading may be in GB and the next in MB. */
const QUANTITY: ReadonlyMap<string, string> = new Map(
  Object.entries(UNITS_OF).flatMap(([quantity, units]) => units.split(' ').map((unit) => [unit, quantity] as const)),
);

/** Names of storage and clouds that are made of numbers: `iqn.2001-05.com.example:0-8a0906`, `naa.600508b4`, `vol-0abc123def456`. */
const LONG_NAME =
  '\\b(?:iqn|nqn|naa|eui|t10|wwn|urn|arn)[.:][^\\s,;()\\[\\]"\']+|\\b(?:i|vol|snap|ami|eni|vpc|subnet|sg|igw|nat|rtb|acl|tgw|vgw|cgw|vpn|pcx|eipalloc|fs|lt|dopt)-[0-9a-f]{8,17}\\b';
/** Ids that are new each time, of any form: `request id 7fj3k-2`. */
const NEW_ID =
  '\\b(?:request|req|session|transaction|txn|trace|span|correlation|query|message|msg|execution|delivery)(?:[ _-]?id)?[ :=#]{1,2}[a-z0-9][a-z0-9_-]{0,80}';

/** The first that fits at a place wins. Every part is bounded or ends at its own delimiter. */
const VARIABLE = anyOf(LONG_NAME, NEW_ID, UUID, TIME, IPV4, IPV6, HEXADECIMAL, SPAN, NUMBER);
type Kind = 'name' | 'id' | 'uuid' | 'time' | 'address' | 'hexadecimal' | 'n' | 'number';
const KINDS: readonly Kind[] = ['name', 'id', 'uuid', 'time', 'address', 'address', 'hexadecimal', 'n', 'number'];

/** Maximum distance of a relevant word from a number, characters. */
const BEFORE = 48;
const AFTER = 16;

const WORD_AFTER = /^[ -]?([%°℃‰]|[\p{L}]{1,15})(?![\p{L}\d])/u;
/** Matches the word before the number, and the text between them. */
const WORD_BEFORE = /(\p{L}{1,30})?([\s\p{P}\p{S}]{0,6})$/u;
const LETTER = /^\p{L}/u;

/** The surroundings of a number. */
interface Beside {
  readonly before: string;
  readonly after: string;
  /** The word before the number, past `id` and `no.`, and the text between them. */
  readonly word: string;
  readonly gap: string;
  /** The same word, as one of many. */
  readonly one: string;
}

/** A plural, but no singular that ends so. */
const PLURAL = /(?<![sui])s$/;
const singularOf = (word: string): string => (PLURAL.test(word) && !PARTS.has(word) ? word.slice(0, -1) : word);

const placed = (before: string, after: string): Beside => {
  const [whole = '', word = '', gap = ''] = WORD_BEFORE.exec(before) ?? [];
  if (!FILLERS.has(word)) return { before, after, word, gap, one: singularOf(word) };
  const further = WORD_BEFORE.exec(before.slice(0, before.length - whole.length))?.[1] ?? 'id';
  return { before, after, word: further, gap: ' ', one: singularOf(further) };
};

const VERB = /(?:ed|ing|ly)$/;
const isMeasure = (word: string): boolean => MEASURES.has(word) || (VERB.test(word) && !NO_VERBS.has(word));

const nextOf = (after: string): string => WORD_AFTER.exec(after)?.[1] ?? '';
/** A unit after the number makes it a reading; so does a counted noun, unless a numbered part precedes it. */
const isCounted = ({ after, one }: Beside): boolean => {
  const next = nextOf(after);
  return UNITS.has(next) || (COUNTED.has(next) && !PARTS.has(one));
};

/** True for a number that only identifies one occurrence. */
const isPassing = (number: string, { one, before }: Beside): boolean => {
  const { length } = number.replace(/\D/g, '');
  if (PASSING.has(one)) return true;
  if (one === 'line') return /(?:at|,) line ?:? ?$/.test(before);
  if (one === 'port') return length >= 5 && Number(number) >= FIRST_PASSING_PORT && /from \S+ port $/.test(before);
  if (PARTS.has(one)) return false;
  if (NUMBERED_ON.has(one)) return length >= (one === 'process' ? 3 : 6);
  return length >= (HOLDERS.has(one) ? 6 : 5);
};

const DECIMAL = /^\d+\.\d+$/;
const THOUSANDS = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
/** Parts whose number may have a dot. */
const DOTTED: ReadonlySet<string> = new Set(
  'slot port interface ethernet module bay drive disk fan psu card blade'.split(' '),
);

/** `2/3`: two of three. */
const isShare = (number: string): boolean => {
  const [share = '', whole = '', more] = number.split('/');
  return more === undefined && whole !== '' && Number(share) <= Number(whole);
};

/** True after a word with a blank between: `vm 101`, `disk #3`, but `load 3.4`, `replicas 2/3`, `failed 5 times`. */
function namesAfter(number: string, beside: Beside): boolean {
  const { word, one } = beside;
  if (isPassing(number, beside) || isCounted(beside) || THOUSANDS.test(number)) return false;
  if (DECIMAL.test(number)) return DOTTED.has(word);
  const isMany = word !== one;
  if (PARTS.has(one)) return !(isMany && isShare(number));
  if (isMany || isMeasure(word) || number.includes(',')) return false;
  return HOLDERS.has(word) || !isShare(number);
}

/** Case without context: `1/0/24` names a port, any other number is a count. */
const namesAlone = (number: string): boolean => /^\d+\/\d+\/\d+/.test(number);

/** The run without blanks that a number ends: `cve-2024-`, `db-1:`. */
const RUN = /[^\s,;()[\]"'=]{0,48}$/;
const HOST_BEFORE = /(?:[\p{L}\d-]{0,40}[\d.][\p{L}\d.-]{0,40}|localhost):$/u;
/** Start of the port range that systems assign to clients. */
const FIRST_PASSING_PORT = 32_768;

/** True in a name that has a number already: `cve-2024-1234`, or after it: `1-4`, `db-1:5432`. */
function namesFurther(number: string, { before }: Beside, kept: boolean): boolean {
  const run = RUN.exec(before)?.[0] ?? '';
  if (run.endsWith(':')) return HOST_BEFORE.test(run) && Number(number) < FIRST_PASSING_PORT;
  return /\p{L}/u.test(run) || kept;
}

/** Maximum digits; longer numbers in a path are ids of requested items. */
const PATH_DIGITS = 3;
const PROTOCOLS: ReadonlySet<string> = new Set(['tcp', 'udp', 'sctp']);
const namesInPath = (number: string, { one }: Beside): boolean =>
  PROTOCOLS.has(one) || PARTS.has(one) || number.length <= PATH_DIGITS;

const GLUED = /^[-._]?$/;
const COMPARES = /[<>≤≥~≈$€£+]/;
const LABELS = /[:=([{]/;
const FURTHER = /\d(?:, ?| ?[&+] ?| and | or )$/;

/** True if a number names the subject of the title. `kept`: the number before it does. */
function isName(number: string, beside: Beside, kept: boolean): boolean {
  const { before, after, word, gap, one } = beside;
  if (FURTHER.test(before)) return kept && !UNITS.has(nextOf(after));
  if (LETTER.test(after) && !PASSING.has(one)) return !isCounted(beside);
  if (gap.endsWith('/')) return namesInPath(number, beside);
  if (word === '') return /\d[-._:]$/.test(before) ? namesFurther(number, beside, kept) : namesAlone(number);
  if (GLUED.test(gap)) return !PASSING.has(one);
  if (COMPARES.test(gap)) return false;
  if (gap === ':' && HOST_BEFORE.test(RUN.exec(before)?.[0] ?? '')) return namesFurther(number, beside, kept);
  if (LABELS.test(gap)) return PARTS.has(word) && namesAfter(number, beside);
  return (gap === ' ' || gap.includes('#')) && namesAfter(number, beside);
}

/** Matches words before the address of a client. */
const CLIENT = /(?:client|clients|src|rhost|requester|visitor|attacker|user)[ :=(#]{0,3}$/;
const FROM = /(?:from|by|remote|peer)[ :=(]{1,2}$/;
const SIGNS_IN = /log[io]ns?|password|auth|sign.?in|ssh/;
const PORT = /[\d\]]:(\d{5})$/;
const PORT_AFTER = /^ port \d{5}(?!\d)/;

/**
 * An address stays, without the port of a client; the address of a client is removed, and so is a time in many parts.
 */
function addressIn(address: string, { before, after, word }: Beside, signsIn: boolean): string {
  const isPassingPort = Number(PORT.exec(address)?.[1] ?? 0) >= FIRST_PASSING_PORT;
  if (/^[\d:]+$/.test(address) && MEASURES.has(word)) return '<n>';
  if (CLIENT.test(before)) return '<ip>';
  if (FROM.test(before) && (isPassingPort || PORT_AFTER.test(after) || signsIn)) return '<ip>';
  return isPassingPort ? address.replace(/\d{5}$/, '<n>') : address;
}

const DIGITS = /^\d+$/;
/** Hexadecimal ids of things that bear them for life; those of containers and requests are new each time. */
const namesByHex = (hexadecimal: string, { one }: Beside): boolean => !hexadecimal.startsWith('0x') && PARTS.has(one);

const UNIT_AFTER = /<n>[ -]?([a-zµ]{1,7})(?![\p{L}\d])/gu;
const ofQuantity = (reading: string, unit: string): string => {
  const quantity = QUANTITY.get(unit);
  return quantity === undefined ? reading : `<n> ${quantity}`;
};
/** `2 h 5 min` is one reading, as `45 min` is. */
const SUM = /(?:<n> s )+(?=<n> s(?![\p{L}\d]))/gu;
/** Readings of one quantity alike: `1.2 GB` as `900 MB`. */
const inOneUnit = (pattern: string): string =>
  pattern.includes('<n>') ? pattern.replace(UNIT_AFTER, ofQuantity).replace(SUM, '') : pattern;

/** Numbers and addresses that name a thing stay, as names do: `eth0`, `vm 101`, `"nginx"`; readings, times and passing ids go. */
export const subjectPattern = (text: string): string => {
  let kept = false;
  let signsIn: boolean | undefined;
  const partOf = (match: string, ...rest: unknown[]): string => {
    const kind = KINDS[rest.slice(0, KINDS.length).findIndex((group) => group !== undefined)];
    if (kind === 'name') return match;
    if (kind === 'id') return /\d/.test(match) ? match.replace(/[a-z0-9_-]{1,81}$/, '<n>') : match;
    if (kind === 'n') return '<n> s';
    if (kind === 'uuid' || kind === 'time') return `<${kind}>`;
    const offset = rest[KINDS.length] as number;
    const end = offset + match.length;
    const beside = placed(text.slice(Math.max(0, offset - BEFORE), offset), text.slice(end, end + AFTER));
    if (kind === 'address') {
      signsIn ??= SIGNS_IN.test(text);
      return addressIn(match, beside, signsIn);
    }
    kept = kind === 'number' || DIGITS.test(match) ? isName(match, beside, kept) : namesByHex(match, beside);
    return kept ? match : '<n>';
  };
  return inOneUnit(text.replace(VARIABLE, partOf).replace(/\s+/g, ' ').trim());
};
