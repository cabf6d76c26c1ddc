import { SEVERITIES, type Severity } from '#domain/event/event.ts';
import type { InboundSettings } from './source.ts';

/** A severity with its original word. `unknown`: the word is in no table, the default was used. */
export interface Rated {
  readonly severity: Severity;
  readonly word?: string;
  readonly unknown: boolean;
}

export type SeverityTable = Readonly<Record<string, Severity>>;

/** Words of labels and tags that users choose freely. */
export const FREE_WORDS: SeverityTable = {
  critical: 'critical',
  crit: 'critical',
  page: 'critical',
  fatal: 'critical',
  emergency: 'critical',
  emerg: 'critical',
  p1: 'critical',
  major: 'major',
  error: 'major',
  err: 'major',
  high: 'major',
  p2: 'major',
  minor: 'minor',
  medium: 'minor',
  p3: 'minor',
  warning: 'warning',
  warn: 'warning',
  p4: 'warning',
  info: 'info',
  informational: 'info',
  information: 'info',
  none: 'info',
  low: 'info',
  debug: 'info',
  ok: 'info',
  p5: 'info',
};

const isSeverity = (word: string | undefined): word is Severity => SEVERITIES.some((severity) => severity === word);

/** The tenant's severity of one of `words` (as sent, or under another name of the same thing). */
function overridden(source: string, words: readonly string[], settings: InboundSettings): Severity | undefined {
  if (!Object.hasOwn(settings.severities, source)) return undefined;
  const table = settings.severities[source] ?? {};
  for (const word of words) {
    const ours = Object.hasOwn(table, word) ? table[word]?.toLowerCase() : undefined;
    if (isSeverity(ours)) return ours;
  }
  return undefined;
}

export interface Scale {
  readonly source: string;
  readonly table: SeverityTable;
  /** Used when no word was sent, or an unknown one. */
  readonly fallback: Severity;
}

/** The severity of a word as sent: the tenant's table first, then the source's. `also`: other names of the same word. */
export function rate(
  scale: Scale,
  sent: string | undefined,
  settings: InboundSettings,
  also: readonly string[] = [],
): Rated {
  if (sent === undefined) return { severity: scale.fallback, unknown: false };
  const words = [sent, ...also].map((word) => word.toLowerCase());
  const known = overridden(scale.source, words, settings) ?? inTable(scale.table, words);
  return { severity: known ?? scale.fallback, word: sent, unknown: known === undefined };
}

function inTable(table: SeverityTable, words: readonly string[]): Severity | undefined {
  for (const word of words) if (Object.hasOwn(table, word)) return table[word];
  return undefined;
}
