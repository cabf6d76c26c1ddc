/** Alternatives as whole words of a text in lower case with single spaces. */
export const words = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![a-z0-9])(?:${alternatives.join('|')})(?![a-z0-9])`);

/** Not `on host x`, where something else fails. */
const NOT_ELSEWHERE = '(?<!(?:on|of|at|from) )';

/** Matches a thing and its fault up to four words later, or right before it. */
const either = (thing: string, wrong: string): string =>
  `${NOT_ELSEWHERE}(?:${thing})(?: [^ ]+){0,4}? (?:${wrong})|(?:${wrong}) (?:${thing})`;

/** Common form of names of machines and ports. */
const NUMBERED = '[^ ]*[0-9][^ ]*';
const NO_FURTHER_NOUN = `(?=$| (?:on|at|in|for|from|since|after|${NUMBERED})(?: |$))`;

/**
 * Limits words that often describe the adjacent noun, which may be another one, as in `port scan failed` or `failed
 * port scan`: only a name may occur between.
 */
const itself = (thing: string, wrong: string): string =>
  `${NOT_ELSEWHERE}(?:${thing})(?:(?: [^ ]+){0,3}? ${NUMBERED})?(?: (?:is|are|was|has|been|went))* (?:${wrong})${NO_FURTHER_NOUN}|(?:${wrong}) (?:${thing})${NO_FURTHER_NOUN}`;

/** Matches a count or a rate of zero: nothing is wrong with it. */
const IS_ZERO = ' (?:(?:rate|count|is|are|at) )*0(?:\\.0+)?(?![.0-9a-z])';

const OUT =
  'down|unreachable|unavailable|offline|not (?:available|reachable|responding|connected)|unresponsive|no response|disappeared|outage';
const STOPPED = 'stopped|not running|crash(?:ed|ing)?|shutting down|shut down|terminated|dead|hung';

/** Excludes messages of clients: a failed look-up there is an effect. */
const DNS = 'dns(?! (?:resolution|look ?ups?))|name ?server|resolver|coredns';
const STORE = 'disks?|file ?systems?|volume|partition|storage|inodes?|disk ?space|tablespace|free space|space';
/** A disk filling up ("is low", "running out") is a warning, not yet a cause. */
const FULL = 'full|critically low|exhausted';
const FREE = 'free|available|remaining|unused';
const NEARLY_ALL = '(?:9[0-9]|100)(?:\\.[0-9]+)? ?%';
const IN_USE = 'used|usage|utili[sz](?:ed|ation)|in use|occupied';
/** If a title mentions free space, the number may refer to it; then only a number for used space counts. */
const NEARLY_FULL = [
  `${NOT_ELSEWHERE}(?:${STORE})(?: [^ ]+){0,4}? (?:${NEARLY_ALL} (?:is )?(?:${IN_USE})|(?:${IN_USE})(?: (?:is|at|over|above))? ${NEARLY_ALL})`,
  `${NOT_ELSEWHERE}(?:${STORE})(?: [^ ]+){0,4}? ${NEARLY_ALL}(?<!(?<![a-z0-9])(?:${FREE}) .*)(?! (?:is )?(?:${FREE}|left))`,
];
const DATABASE =
  'database(?: system| server| instance)?|db|mysql|mariadb|postgres(?:ql)?|oracle|sql ?server|mssql|mongo(?:db|d)?|redis|cassandra|rds';
const LINK =
  '(?:(?:up)?link|trunk|vpn|tunnel|wan|bgp(?: session| peer| neighbor)?)(?: to [^ ]+)?|interface|port|switch(?! to )|router|ospf(?: neighbor)?|ethernet|nic|(?<!(?:api|payment|sms|mail) )gateway';
const HOST = 'host|node|server|instance|vm|virtual machine|machine|target|agent|hypervisor|esxi?';

/** Words of each known root cause, in order of matching: more specific ones first. */
export const KNOWN: readonly (readonly [KnownPattern, RegExp])[] = [
  [
    'dns',
    words(
      either(
        `(?<!(?<![a-z0-9])(?:0|no) )(?:${DNS})`,
        `${OUT}|(?:fail(?:s|ed|ure|ures|ing)?|errors?|timeouts?)(?!${IS_ZERO})`,
      ),
    ),
  ],
  [
    'out_of_memory',
    words(
      'oom(?: ?kill(?:ed|er|s)?)?',
      'out ?of ?memory(?: ?error)?',
      'cannot allocate memory',
      'lack of (?:available |free )?memory',
    ),
  ],
  [
    'disk_full',
    words(
      either(STORE, FULL),
      'no space left|enospc|(?<!running )out of (?:disk|storage)(?: space)?',
      ...NEARLY_FULL,
      'disk critical free space',
      `free ?storage ?space(?!(?: [^ ]+){0,4}? ${NEARLY_ALL})`,
    ),
  ],
  [
    'power',
    words(
      'power (?:supply|outage|loss|lost|fail(?:ure|ed)|off|unit|feed)|psu|pdu|ups|on battery',
      '(?:lost|loss of|no) power',
    ),
  ],
  [
    'change',
    words(
      'deploy(?:ed|ing)|deployment(?: [^ ]+){0,4} (?:started|finished|completed|succeeded|rolled)',
      'release(?: [^ ]+){1,2} (?:deployed|rolled out|live)|roll(?:out|back|ed out|ed back)',
      'config(?:uration)?(?: [^ ]+){0,4} (?:changed?|reloaded|updated?|pushed|applied)',
      'has been (?:restarted|upgraded)|upgraded to',
    ),
  ],
  ['database_down', words(either(DATABASE, `${OUT}|${STOPPED}|refus(?:ed|ing)(?: connections?)?`))],
  [
    'link_down',
    words(
      either(LINK, `${OUT}|flapping`),
      itself(LINK, '(?:(?:connection|connectivity|carrier|signal) )?lost(?: (?:carrier|signal))?|failed'),
    ),
  ],
  [
    'host_down',
    words(
      either(HOST, `${OUT}|not ?ready|crashed`),
      itself(HOST, 'missing'),
      'vm availability|unavailable by icmp ping|ping critical|packet loss 100 ?%|status ?check ?failed',
      '(?:no|missing|missed|lost) heartbeat|heartbeat (?:missing|missed|lost)',
      'uptime check(?: [^ ]+){0,4} fail(?:ing|ed)',
    ),
  ],
];

export const KNOWN_PATTERNS = [
  'host_down',
  'link_down',
  'power',
  'disk_full',
  'database_down',
  'out_of_memory',
  'change',
  'dns',
] as const;

export type KnownPattern = (typeof KNOWN_PATTERNS)[number];
