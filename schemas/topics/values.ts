import type { CorrelationInput, Enriched, GroupChange } from '#domain/correlation/records.ts';
import type { Incoming, Receipt, Saved } from '#domain/event/incoming.ts';
import type { DeadLetter as StoredDeadLetter } from '#domain/ports/operations.ts';
import type { TopologyChange } from '#domain/topology/change.ts';

/** Topic `events.receipts`: receipts for records of one request, as many as one batch had of them. Its key names the API process. */
export interface RequestReceipts {
  /** Names the request within the API process that waits. */
  readonly request: string;
  /** `index`: place of the record within the request, from 0. */
  readonly receipts: readonly { readonly index: number; readonly receipt: Receipt }[];
}

/** Topic `events.rejected`: a record that could not be handled, as it was received. Its key is the tenant. */
export interface RejectedRecord extends Omit<StoredDeadLetter, 'id' | 'content' | 'settled'> {
  /** The value with its header; empty when it had none. */
  readonly value: Uint8Array;
}

/** The type of the values of each topic. Each has its Avro schema beside this file. */
export interface TopicValues {
  readonly 'events.incoming': Incoming;
  readonly 'events.saved': Saved;
  readonly 'events.enriched': Enriched;
  readonly 'correlation.hits': CorrelationInput;
  readonly 'correlation.changes': GroupChange;
  readonly 'topology.changed': TopologyChange;
  readonly 'events.receipts': RequestReceipts;
  readonly 'events.rejected': RejectedRecord;
}
export type TopicName = keyof TopicValues;
