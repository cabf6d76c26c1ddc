import { words } from '#domain/event/identity/known-patterns.ts';

/** The topic of a title where its kind alone says too little, and advice. */
export interface ComplaintTopic {
  readonly pattern: RegExp;
  readonly advice: string;
  /** It is repaired where it is, whatever failed upstream. */
  readonly isLocal?: true;
}

const topic = (pattern: RegExp, advice: string): ComplaintTopic => ({ pattern, advice });
const local = (pattern: RegExp, advice: string): ComplaintTopic => ({ pattern, advice, isLocal: true });

const ENDED = '(?:has |have |will |is |are )?(?:expir(?:e|ed|es|ing|y)|revoked|invalid)';
const FAILED = 'fail(?:ed|s|ure|ures|ing)?|missed|missing|late|overdue|aborted|stuck|did not run|not run|error';
const LOGIN = '(?:log ?(?:in|on)s?|sign ?ins?)';
const STORE = 'disks?|file ?systems?|volume|partition|storage|inodes?|tablespace';
/** Up to four words between two that belong together. */
const NEAR = '(?: [^ ]+){0,4}? ';

/** In the order in which they are asked: what is more special comes first. */
export const TOPICS: readonly ComplaintTopic[] = [
  local(
    words('certificates?', 'certs?', 'x ?509', 'ssl', 'tls'),
    'Renew or replace the certificate, check its chain and names, then reload what serves it.',
  ),
  local(words('licen[cs]es?'), 'Renew the licence or free seats, and check what stops when it ends.'),
  local(
    words(`(?:password|passphrase|secret|token|(?:api|access) ?keys?|credentials?)${NEAR}${ENDED}`),
    'Rotate the credential, and put the new one wherever the old one is used.',
  ),
  local(
    words(`(?:backups?|snapshots?)${NEAR}(?:${FAILED})`, `(?:${FAILED})${NEAR}(?:backups?|snapshots?)`),
    'Read the log of the job, check space and access of its target, then run it again.',
  ),
  local(
    words('ntp', 'chrony', 'clock', 'time (?:drift|skew|offset|sync(?:hroni[sz]ation)?)'),
    'Check the time service and its servers, then correct the clock.',
  ),
  local(
    words('temperature', 'overheat(?:ed|ing)?', 'thermal', `fans?${NEAR}(?:${FAILED}|stopped|speed|rpm)`, 'cooling'),
    'Check cooling, air flow and sensors, and take load off before the machine shuts down.',
  ),
  local(
    words('ecc', 'dimm', 'memory (?:module|parity)', 'machine check'),
    'Move the load away, and replace the memory module.',
  ),
  local(
    words(
      'raid',
      'smart (?:errors?|status|failure|warning|attributes?|self test)',
      'predictive failure',
      `(?:disk|drive|array|hdd|ssd)${NEAR}(?:fail(?:ed|ure|ing)|degraded)`,
    ),
    'Replace the failed disk, check the backups, and watch until the array is whole again.',
  ),
  local(
    words('malware', 'virus', 'ransomware', 'intrusion', 'ddos', 'vulnerabilit(?:y|ies)', 'compromised'),
    'Isolate the machine, keep its logs, and tell those who are responsible for security.',
  ),
  topic(
    words(`(?:${STORE})${NEAR}(?:latency|iops|i o|io|wait|slow|busy)`, 'iowait', 'io wait'),
    'See which process reads and writes most, and check the health of the storage.',
  ),
  local(
    words(
      `(?:${STORE})${NEAR}(?:usage|used|utili[sz]ation|low|running out|space|free|above|over|[0-9.]+ ?%)`,
      'low disk',
    ),
    'Find what grows, then free or add space before it is full.',
  ),
  topic(
    words('packet loss', 'crc', 'discards', 'dropped packets', 'frame errors', 'jitter', 'duplex'),
    'Check cable, errors and load of both ends of the link.',
  ),
  topic(
    words('replica(?:s|tion)?', 'replica ?set', `standby${NEAR}(?:lag|behind)`),
    'Check network and disk of the replica, and long transactions on the primary.',
  ),
  topic(
    words('dead ?locks?', 'lock(?:s|ed)?(?: wait)?(?: timeout)?', 'blocked (?:sessions?|quer(?:y|ies)|transactions?)'),
    'Find the blocking session, then end it or wait for its transaction.',
  ),
  topic(
    words('queues?', 'backlog', 'consumer(?: group)? lag', 'dead letters?', 'unacked'),
    'Check whether consumers run and keep up, then who sends more than usual.',
  ),
  topic(
    words(
      'too many',
      'quota',
      'file descriptors',
      `(?:pool|limit|connections|threads|handles)${NEAR}(?:exhausted|exceeded|reached)`,
    ),
    'See who uses it up, end what leaks, then raise the limit.',
  ),
  topic(
    words(
      `(?:fail(?:ed|ures?)|invalid|rejected|denied)${NEAR}${LOGIN}`,
      `${LOGIN}${NEAR}(?:fail(?:ed|ures?|ing)?|denied|rejected|attempts?)`,
      'authentication',
      'unauthori[sz]ed',
      'forbidden',
      'brute force',
      '(?:access|permission) denied',
    ),
    'See who is refused and from where: an expired credential, a changed right, or an attack.',
  ),
  topic(
    words(
      'crash ?loop(?:ing| ?back ?off)?',
      'image ?pull(?: ?back ?off)?',
      `(?:pod|container)s?${NEAR}(?:restart(?:s|ed|ing)?|crash(?:ed|es|ing)?|killed|evicted|pending|waiting|not ready|${FAILED})`,
    ),
    'Read the log of its last start and its exit code; check image, configuration and limits.',
  ),
  local(
    words(`(?:cron ?jobs?|cron|jobs?|batch|etl|scheduled tasks?)${NEAR}(?:${FAILED})`),
    'Read the log of its last run, repair what stopped it, then run it again.',
  ),
  topic(
    words('memory', 'swap', 'heap', 'garbage collection'),
    'See which process grew, restart it if it leaks, and compare its limit with what it needs.',
  ),
  topic(
    words('cpu', 'load average', 'processor', 'high load', 'run queue'),
    'Find the process that takes the time, and compare with the usual load at this hour.',
  ),
  topic(
    words(
      '[45]xx',
      '50[0-9]',
      'http (?:status )?[45][0-9]{2}',
      'bad gateway',
      'gateway time ?out',
      'internal server error',
    ),
    'Read its newest errors, check what it calls, and compare with the last release.',
  ),
  topic(
    words('heartbeats?', 'no data', 'not reporting', 'stale', 'agents?', 'no (?:metrics|samples|values)'),
    'Check whether the agent runs and reaches its server, then whether the host itself answers.',
  ),
];
