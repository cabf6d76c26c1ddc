import { words } from '#domain/event/identity/known-patterns.ts';

/** Topic of a title whose type alone is too general, and advice. */
export interface ProblemTopic {
  readonly pattern: RegExp;
  readonly advice: string;
  /** It is repaired where it is, whatever failed upstream. */
  readonly isLocal?: true;
}

const topic = (pattern: RegExp, advice: string): ProblemTopic => ({ pattern, advice });
const local = (pattern: RegExp, advice: string): ProblemTopic => ({ pattern, advice, isLocal: true });

const ENDED = '(?:has |have |will |is |are )?(?:expir(?:e|ed|es|ing|y)|revoked|invalid)';
const FAILED = 'fail(?:ed|s|ure|ures|ing)?|missed|missing|late|overdue|aborted|stuck|did not run|not run|error';
const LOGIN = '(?:log ?(?:in|on)s?|sign ?ins?)';
const STORE = 'disks?|file ?systems?|volume|partition|storage|inodes?|tablespace';
/** Up to four words between two that belong together. */
const NEAR = '(?: [^ ]+){0,4}? ';

/** Checked in this order: special topics precede general ones. */
export const TOPICS: readonly ProblemTopic[] = [
  local(
    words('certificates?', 'certs?', 'x ?509', 'ssl', 'tls'),
    'Renew or replace the certificate, check its chain and names, then reload the service.',
  ),
  local(words('licen[cs]es?'), 'Renew the license or free seats, and check what stops when it expires.'),
  local(
    words(`(?:password|passphrase|secret|token|(?:api|access) ?keys?|credentials?)${NEAR}${ENDED}`),
    'Rotate the credential and update it wherever it is used.',
  ),
  local(
    words(`(?:backups?|snapshots?)${NEAR}(?:${FAILED})`, `(?:${FAILED})${NEAR}(?:backups?|snapshots?)`),
    'Read the job log, check space and access on its target, then rerun it.',
  ),
  local(
    words('ntp', 'chrony', 'clock', 'time (?:drift|skew|offset|sync(?:hroni[sz]ation)?)'),
    'Check the time service and its servers, then correct the clock.',
  ),
  local(
    words('temperature', 'overheat(?:ed|ing)?', 'thermal', `fans?${NEAR}(?:${FAILED}|stopped|speed|rpm)`, 'cooling'),
    'Check cooling, airflow and sensors, and reduce load before the host shuts down.',
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
    'Replace the failed disk, check backups, and monitor the rebuild.',
  ),
  local(
    words('malware', 'virus', 'ransomware', 'intrusion', 'ddos', 'vulnerabilit(?:y|ies)', 'compromised'),
    'Isolate the host, preserve its logs, and notify the security team.',
  ),
  topic(
    words(`(?:${STORE})${NEAR}(?:latency|iops|i o|io|wait|slow|busy)`, 'iowait', 'io wait'),
    'Find the process with the most I/O, and check storage health.',
  ),
  local(
    words(
      `(?:${STORE})${NEAR}(?:usage|used|utili[sz]ation|low|running out|space|free|above|over|[0-9.]+ ?%)`,
      'low disk',
    ),
    'Find what is growing, then free or add space before it is full.',
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
    'Find the blocking session, then terminate it or wait for its transaction.',
  ),
  topic(
    words('queues?', 'backlog', 'consumer(?: group)? lag', 'dead letters?', 'unacked'),
    'Check consumer lag, then which producer sends more than normal.',
  ),
  topic(
    words(
      'too many',
      'quota',
      'file descriptors',
      `(?:pool|limit|connections|threads|handles)${NEAR}(?:exhausted|exceeded|reached)`,
    ),
    'Find the consumer, fix leaks, then raise the limit.',
  ),
  topic(
    words(
      `(?:fail(?:ed|ures?)|invalid|rejected|denied)${NEAR}${LOGIN}`,
      `${LOGIN}${NEAR}(?:fail(?:ed|ures?|ing)?|denied|rejected|attempts?)`,
      'authentication|unauthori[sz]ed|forbidden|brute force|(?:access|permission) denied',
    ),
    'Check which user is denied and from where: expired credential, changed permission, or attack.',
  ),
  topic(
    words(
      'crash ?loop(?:ing| ?back ?off)?',
      'image ?pull(?: ?back ?off)?',
      `(?:pod|container)s?${NEAR}(?:restart(?:s|ed|ing)?|crash(?:ed|es|ing)?|killed|evicted|pending|waiting|not ready|${FAILED})`,
    ),
    'Read the logs of the last start and the exit code; check image, configuration and limits.',
  ),
  local(
    words(`(?:cron ?jobs?|cron|jobs?|batch|etl|scheduled tasks?)${NEAR}(?:${FAILED})`),
    'Read the log of the last run, fix the failure, then rerun it.',
  ),
  topic(
    words('memory', 'swap', 'heap', 'garbage collection'),
    'Find the process that uses the memory, restart it if it leaks, and compare its limit with its usage.',
  ),
  topic(
    words('cpu', 'load average', 'processor', 'high load', 'run queue'),
    'Find the process using the CPU, and compare with normal load at this hour.',
  ),
  topic(
    words('[45]xx|50[0-9]|http (?:status )?[45][0-9]{2}|bad gateway|gateway time ?out|internal server error'),
    'Read the latest errors, check its dependencies, and compare with the last release.',
  ),
  topic(
    words('heartbeats?', 'no data', 'not reporting', 'stale', 'agents?', 'no (?:metrics|samples|values)'),
    'Check whether the agent is running and reaches its server, then whether the host is up.',
  ),
];
