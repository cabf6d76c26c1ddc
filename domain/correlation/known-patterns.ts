import type { KnownPattern } from './settings.ts';

/** Alternatives as whole words of a text in lower case with single spaces. */
export const words = (...alternatives: readonly string[]): RegExp =>
  new RegExp(`(?<![a-z0-9])(?:${alternatives.join('|')})(?![a-z0-9])`);

/** A thing with what is wrong with it up to four words later, or right before it; not `on host x`, where something else fails. */
const either = (thing: string, wrong: string): string =>
  `(?<!(?:on|of|at|from) )(?:${thing})(?: [^ ]+){0,4}? (?:${wrong})|(?:${wrong}) (?:${thing})`;

const OUT =
  'down|unreachable|unavailable|offline|not (?:available|reachable|responding|connected)|unresponsive|no response|disappeared|outage';
const STOPPED = 'stopped|not running|crash(?:ed|ing)?|shutting down|shut down|terminated|dead|hung';

const DNS = 'dns|name resolution|name ?server|resolver|coredns';
const STORE = 'disks?|file ?systems?|volume|partition|storage|inodes?|disk ?space|tablespace|free space|space';
/** A disk on its way there ("is low", "running out") is a warning, not yet a cause. */
const FULL = 'full|critically low|exhausted|(?:9[0-9]|100)(?:\\.[0-9]+)? ?%';
const DATABASE =
  'database(?: system| server| instance)?|db|mysql|mariadb|postgres(?:ql)?|oracle|sql ?server|mssql|mongo(?:db|d)?|redis|cassandra|rds';
const LINK =
  '(?:up)?link|interface|port|switch|router|trunk|bgp(?: session| peer| neighbor)?|ospf(?: neighbor)?|vpn|tunnel|wan|ethernet|nic|gateway';
const HOST = 'host|node|server|instance|vm|virtual machine|machine|target|agent|hypervisor|esxi?';

/** Words of each known root cause, in the order in which they are asked: what is more special comes first. */
export const KNOWN: readonly (readonly [KnownPattern, RegExp])[] = [
  [
    'dns',
    words(
      either(DNS, `${OUT}|fail(?:s|ed|ure|ures|ing)?|errors?|timeouts?`),
      'could not resolve',
      'nxdomain',
      'servfail',
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
      'no space left',
      'enospc',
      '(?<!running )out of (?:disk|storage)(?: space)?',
      'free ?storage ?space',
      'disk at (?:9[0-9]|100)%',
    ),
  ],
  [
    'power',
    words(
      'power (?:supply|outage|loss|lost|fail(?:ure|ed)|off|unit|feed)',
      'psu',
      'pdu',
      'ups',
      'on battery',
      '(?:lost|loss of|no) power',
    ),
  ],
  [
    'change',
    words(
      'deploy(?:ed|ing)',
      'deployment(?: [^ ]+){0,4} (?:started|finished|completed|succeeded|rolled)',
      'release(?: [^ ]+){1,2} (?:deployed|rolled out|live)',
      'roll(?:out|back|ed out|ed back)',
      'config(?:uration)?(?: [^ ]+){0,4} (?:changed?|reloaded|updated?|pushed|applied)',
      'has been (?:restarted|upgraded)',
      'upgraded to',
    ),
  ],
  ['database_down', words(either(DATABASE, `${OUT}|${STOPPED}|refus(?:ed|ing)(?: connections?)?`))],
  ['link_down', words(either(LINK, `${OUT}|flapping|failed|lost`))],
  [
    'host_down',
    words(
      either(HOST, `${OUT}|not ?ready|crashed|missing`),
      'vm availability',
      'unavailable by icmp ping',
      'ping critical',
      'packet loss 100 ?%',
      'status ?check ?failed',
      '(?:no|missing|missed|lost) heartbeat',
      'heartbeat (?:missing|missed|lost)',
      'uptime check(?: [^ ]+){0,4} fail(?:ing|ed)',
    ),
  ],
];
