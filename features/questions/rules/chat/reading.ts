import type { CiRef, Severity } from '#domain/event/event.ts';
import type { Entity } from '#features/questions/rules/grammar/draft.ts';
import type { Metric } from '#features/questions/rules/query.ts';
import type { Range } from '#features/questions/rules/range.ts';
import type { WantedIntent } from './intents.ts';

export type Named = Pick<CiRef, 'id' | 'name' | 'type'>;

/** A message, with what its words stand for in this tenant. */
export interface MessageReading extends WantedIntent {
  /** Its words that may be names. */
  readonly terms: readonly string[];
  /** CIs that it names, in its order. */
  readonly cis: readonly Named[];
  /** Ids of groups that it names. */
  readonly groups: readonly string[];
  /** Names that several CIs have, and names that none has. */
  readonly ambiguous: readonly string[];
  readonly missing: readonly string[];
  /** The subject of the conversation; null: none yet. */
  readonly current: Named | null;
  /** The subject of the count; null: the message names none. */
  readonly metric: Metric | null;
  readonly severities: readonly Severity[];
  /** All that the answer is to be narrowed, ordered or divided by, as it was said; an answer that leaves one out says so. */
  readonly conditions: readonly Entity[];
  /** It asks who did something. */
  readonly isOfPerson: boolean;
  /** Something is excluded that nothing can exclude. */
  readonly isDenied: boolean;
  readonly ciType: string | null;
  readonly ciStatus: string | null;
  /** As it is written, and read; null: no time is said. */
  readonly time: { readonly text: string; readonly range: Range } | null;
  /** Words whose meaning is not known, and wishes that no tool can fulfil. */
  readonly notUnderstood: readonly string[];
}

/** The CI that the message is about: one that it names, else that of the conversation where it points back. */
export const subjectOf = ({ cis, pointsBack, current }: MessageReading): Named | null =>
  cis[0] ?? (pointsBack ? current : null);
