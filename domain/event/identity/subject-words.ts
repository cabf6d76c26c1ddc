/** Words beside a number in a title, in lower case, that say whether it names something or is a reading. */

const wordSet = (...lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(' ')));

/** Parts of machines, lines and plants: there are several, each with a number. */
export const PARTS: ReadonlySet<string> = wordSet(
  'port interface iface ethernet disk drive hdd ssd nvme device slot fan psu volume lun vlan vni vxlan vrf partition shard line lane',
  'vm guest osd tunnel battery sensor target route neighbor neighbour peer as asn channel link circuit trunk bay enclosure shelf rack',
  'chassis module blade card board dimm bank socket room zone site store floor unit pump valve motor tank camera door gate elevator lift',
  'phase feed outlet breaker inlet probe relay station array raid stack member supply controller hba adapter nic ap radio antenna gpu',
  'printer terminal till atm pos kiosk meter inverter string panel turbine generator ups tape library robot arm machine bus segment',
  'extension ext sim subscriber customer tenant branch building wing tower row cabinet cage cell sector bearing compressor boiler burner',
  'chiller filter hub hop gateway router switch firewall plc tag loop light lamp led display monitor track platform crane conveyor belt',
  'serial wwn mac imei iccid asset msisdn spindle jbod plex aggregate vdisk vdev vif svi bridge bond team portchannel pw vc pvc ont onu',
);

/** They hold or handle many things, of which a count is told: `queue 500 messages`, but `queue 5 is stuck`. */
export const HOLDERS: ReadonlySet<string> = wordSet(
  'cpu core queue topic table index database db schema replica pod container worker job service process pool group cluster server host',
  'node agent instance broker consumer producer mailbox account datastore datanode regionserver executor namespace replicaset thread',
);

/** Their numbers run on: a long one tells one time from the next. */
export const NUMBERED_ON: ReadonlySet<string> = wordSet(
  'job process worker task queue service thread consumer executor run',
);

/** Numbers that are new each time. */
export const PASSING: ReadonlySet<string> = wordSet(
  'pid ppid tid lwp thread thr request req session sess sid connection conn transaction txn trx tx query message msg seq sequence',
  'iteration run build attempt try retry event evt record order invoice payment booking execution call transfer dump snapshot commit',
  'changeset ticket correlation trace span epoch offset lsn scn xid cursor handle fd socketfd lock token job-id jobid nonce generation term',
  'uid gid euid auid rev revision release cycle batch document doc idoc mail page packet frame block sample checkpoint logfile wal log',
);

/** Before a reading: measures, comparisons, prepositions, what a check found. */
export const MEASURES: ReadonlySet<string> = wordSet(
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

/** Between the word and its number: `VM id 101`, `port no. 4`. */
export const FILLERS: ReadonlySet<string> = wordSet(
  'id no nr num number nummer idx ident identifier name named called',
);

/** After a number that was measured. */
export const UNITS: ReadonlySet<string> = wordSet(
  '% ° ℃ ‰ percent pct ns us µs ms s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks month',
  'months y yr yrs year years b kb mb gb tb pb eb kib mib gib tib pib byte bytes k bit bits bps kbps mbps gbps kbit mbit gbit rpm c f v mv',
  'kv volt volts w kw mw watt watts kwh wh va kva a ma ah mah amp amps hz khz mhz ghz db dbm dbmv iops rps qps tps eps pps fps cps tpm',
  'ops x deg degree degrees celsius fahrenheit pa hpa kpa mpa psi bar mbar mm cm km ft kg ppm ppb lux lm ohm l',
);

/** After a number that was counted. */
export const COUNTED: ReadonlySet<string> = wordSet(
  'times reqs requests msgs messages events retries attempts items entries records rows connections sessions threads files packets users',
  'errors failures warnings alerts alarms timeouts restarts crashes drops changes cores cpus nodes pods replicas hosts servers instances',
  'disks drives vms backends workers processes jobs tasks queries locks deadlocks waits transactions commits rollbacks calls clients',
  'consumers partitions segments shards objects keys emails mails documents logs lines blocks pages hits logins hops points orders images',
  'containers services checks probes links ports interfaces tunnels peers routes neighbors members devices sensors batteries fans targets',
  'volumes luns paths tickets updates patches vulnerabilities certificates backups snapshots streams topics queues tables indexes indices',
  'more other others new old consecutive concurrent left remaining error failure retry out',
);

/** Words in -ed, -ing and -ly that are things all the same. */
export const NO_VERBS: ReadonlySet<string> = wordSet(
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
/** The quantity of a unit: one reading is told in GB and the next in MB. */
export const QUANTITY: ReadonlyMap<string, string> = new Map(
  Object.entries(UNITS_OF).flatMap(([quantity, units]) => units.split(' ').map((unit) => [unit, quantity] as const)),
);
