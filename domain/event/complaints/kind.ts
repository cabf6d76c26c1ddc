import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import { isChange, type ProblemFields, plainTexts, problemKindOf } from '#domain/event/identity/problem-kind.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Complaint, Effect } from './complaint.ts';

/** A complaint with its name in the catalogue, the part that it stops, its form and its effects. */
export interface ComplaintKind extends Pick<Complaint, 'stops' | 'causes'> {
  /** Null: of no kind that is known. */
  readonly name: string | null;
  /** Null: it may be an effect of anything. */
  readonly shows: Effect | null;
  readonly isSlow: boolean;
}

const known = (name: string, kind: Omit<ComplaintKind, 'name' | 'isSlow'>, isSlow = false): ComplaintKind => ({
  name,
  isSlow,
  ...kind,
});

/** Known causes of correlation, for titles that the catalogue has no entry for. */
const BY_PATTERN: Readonly<Record<Exclude<KnownPattern, 'change'>, ComplaintKind>> = {
  host_down: known('host_down', { stops: 'all', shows: 'stopped', causes: 'any' }),
  link_down: known('link_down', { stops: 'part', shows: 'own', causes: 'any' }),
  power: known('power', { stops: 'part', shows: 'own', causes: 'any' }, true),
  disk_full: known('space_short', { stops: 'part', shows: 'own', causes: 'any' }, true),
  database_down: known('database_down', { stops: 'all', shows: 'stopped', causes: 'any' }),
  out_of_memory: known('out_of_memory', { stops: 'all', shows: 'own', causes: 'any' }),
  dns: known('dns', { stops: 'all', shows: 'unreachable', causes: 'any' }),
};
const CHANGE = known('change', { stops: 'none', shows: 'own', causes: 'any' });
const UNKNOWN: ComplaintKind = { name: null, stops: 'none', shows: null, causes: 'any', isSlow: false };

/** The entries that go before the known causes: their words are more special. */
const FIRST: ReadonlySet<string> = new Set([
  'certificate_expired',
  'certificate_due',
  'spare_lost',
  'evicted',
  'controller_failed',
  'port_disabled',
  'consumable',
]);

/** The kind of a complaint by the words of its title; one that is of no known kind can cause anything, and be the effect of anything. */
export function complaintKindOf(fields: ProblemFields): ComplaintKind {
  if (isChange(fields)) return CHANGE;
  const texts = plainTexts(fields.title);
  const entry = CATALOGUE.find(({ pattern }) => texts.some((text) => pattern.test(text)));
  const { known: pattern } = problemKindOf(fields);
  if (pattern !== null && pattern !== 'change' && (entry === undefined || !FIRST.has(entry.name)))
    return BY_PATTERN[pattern];
  if (entry === undefined) return UNKNOWN;
  const { name, stops, shows, causes, isSlow = false } = entry;
  return { name, stops, shows, causes, isSlow };
}

export const canCause = ({ causes }: ComplaintKind, { shows }: ComplaintKind): boolean => {
  if (shows === 'own') return false;
  if (causes === 'any') return true;
  return shows === null ? causes.length > 0 : causes.includes(shows);
};
