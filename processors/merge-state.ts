import type { GroupChanges } from '#domain/correlation/grouping/apply.ts';
import type { ArrivalQueue, QueuedArrival } from '#domain/correlation/grouping/arrival-queue.ts';
import type { GroupMemory } from '#domain/correlation/grouping/group-memory.ts';
import type { Facts } from '#domain/correlation/grouping/groups.ts';
import type { CorrelationInput } from '#domain/correlation/records.ts';
import type { StoredGroup } from '#domain/pipeline/processor.ts';

export type FactsRecord = Extract<CorrelationInput, { kind: 'facts' }>;
export type HitsRecord = Extract<CorrelationInput, { kind: 'hits' }>;
/** All strategies have reported. */
export type Ready = QueuedArrival<StoredGroup> & { readonly facts: FactsRecord };

export interface MergeState extends GroupMemory {
  readonly arrivals: ArrivalQueue<StoredGroup>;
  readonly changes: GroupChanges;
  /** Newest arrival of the batch; what no window reaches from it is forgotten. */
  newest: Facts | null;
  /** Links left out since the start because nothing is stored of the partner. */
  dropped: number;
}
