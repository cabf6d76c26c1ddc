import { PATTERN_WORDS } from '#console/text/explain-text.ts';
import { CATALOGUE } from '#domain/event/complaints/catalogue.ts';
import { capital } from '#domain/text.ts';

/** Names that are no words of the field. */
const WORDS: Readonly<Record<string, string>> = {
  ...PATTERN_WORDS,
  certificate_due: 'certificate expires soon',
  spare_lost: 'redundancy lost',
  evicted: 'cluster member evicted',
  hardware: 'hardware failure',
  link_errors: 'interface errors',
  climate: 'temperature or humidity',
  consumable: 'consumable empty',
  clock: 'clock drift',
  backup: 'backup failed',
  job: 'job failed',
  license: 'license expired or used up',
  monitor_blind: 'no monitoring data',
  memory_short: 'high memory usage',
  storage_slow: 'slow storage',
  space_short: 'low disk space',
  pool_exhausted: 'pool or limit exhausted',
  locks: 'locks or deadlocks',
  queue: 'queue backlog',
  security: 'security alert',
  peer_unreachable: 'dependency unreachable',
  http_errors: 'HTTP errors',
  slow: 'slow response',
  cpu: 'high CPU usage',
};

/** `Low disk space` for `space_short`; a name of a later program as it is, without underscores. */
export const kindWords = (name: string): string => capital(WORDS[name] ?? name.replaceAll('_', ' '));

/** Kinds of problems that the server distinguishes: a full disk is one of low space. */
export const KINDS: readonly string[] = [
  ...new Set([
    ...Object.keys(PATTERN_WORDS).filter((name) => name !== 'disk_full'),
    ...CATALOGUE.map(({ name }) => name),
  ]),
].sort((a, b) => kindWords(a).localeCompare(kindWords(b)));
