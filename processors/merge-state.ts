import type { Undecided, Waiting } from '#domain/correlation/grouping/arrival-queue.ts';
import type { Touched } from '#domain/correlation/grouping/group-changes.ts';
import type { GroupMemory } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { StoredGroup } from '#domain/pipeline/processor.ts';

export type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
export type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;
/** All strategies have said their word. */
export type Ready = Undecided<StoredGroup> & { readonly facts: FactsRecord };

export interface MergeState extends GroupMemory {
  readonly waiting: Waiting<StoredGroup>;
  readonly touched: Touched;
  /** Newest arrival of the batch; what no window reaches from it is forgotten. */
  newest: Facts | null;
  /** Links left out since the start because nothing is stored of the partner. */
  dropped: number;
}
