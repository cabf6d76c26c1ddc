import type { TopologyChangeData } from '#console/api/cmdb/topology.ts';
import { fieldWords, typeWords, valueText, wayWords } from '#console/cis/ci-words.ts';
import * as shared from '#console/text/texts.ts';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import * as texts from './texts.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Ranges of the slider into the past. */
export const REACHES = [
  { value: '1', words: texts.text24Hours, ms: DAY_MS },
  { value: '7', words: '7 days', ms: 7 * DAY_MS },
  { value: '30', words: '30 days', ms: 30 * DAY_MS },
] as const;
type PastRange = (typeof REACHES)[number];

/** Steps of the slider; the last is now. */
export const STEPS = 240;

export const stepOf = (at: string | null, now: number, { ms }: PastRange): number => {
  if (at === null) return STEPS;
  const step = Math.round(((Date.parse(at) - (now - ms)) / ms) * STEPS);
  return Math.min(STEPS - 1, Math.max(0, step));
};

/** Null is now. */
export const timeOf = (step: number, now: number, { ms }: PastRange): string | null =>
  step >= STEPS ? null : new Date(Math.round((now - ms + (step / STEPS) * ms) / 1_000) * 1_000).toISOString();

export interface Mark {
  /** Place on the slider, percent. */
  readonly left: number;
  readonly changes: number;
}

/** Returns the positions of the changes; those of one step are one mark. */
export const marksOf = (changes: readonly TopologyChangeData[], now: number, reach: PastRange): Mark[] => {
  const steps = Map.groupBy(changes, ({ at }) => stepOf(at, now, reach));
  return [...steps].map(([step, found]) => ({ left: (step / STEPS) * 100, changes: found.length }));
};

const ACTIONS = { created: 'added', updated: 'changed', deleted: 'removed' } as const;

/** Describes a change: `db-1 (database) changed: site ams2 → dub3`, `app-3 runs on esx-8: came`. */
export const changeWords = (change: TopologyChangeData): string => {
  const { of, action, name, type, source, target, changes } = change;
  const fields = changes
    .slice(0, 3)
    .map(
      ({ field, before, after }) =>
        `${fieldWords(field)} ${valueText(before) || '(empty)'} → ${valueText(after) || '(empty)'}`,
    );
  const said = fields.length === 0 ? '' : `: ${fields.join(', ')}`;
  if (of === 'ci') return `${name ?? shared.deletedCi} (${typeWords(type)}) ${ACTIONS[action]}${said}`;
  return `“${source?.name ?? shared.deletedCi} ${wayWords(type, 'outgoing')} ${target?.name ?? shared.deletedCi}” ${ACTIONS[action]}${said}`;
};

/** Value of `<input type="datetime-local">` in the zone of the person, and back. */
export const typedText = (at: string | null, zone: string | null): string =>
  at === null ? '' : localText(Date.parse(at), zone);
export const typedAt = (text: string, zone: string | null): string | null => {
  const ms = zonedMs(text, zone);
  return ms === null ? null : new Date(ms).toISOString();
};
