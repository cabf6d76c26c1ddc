/** A scan, a silence, and user input on a group. */
export type RecordNoun = 'scan' | 'silence' | 'group';

/** Value of the topic `topology.changed`: caches and webhooks read it. Sent after the commit. */
export interface TopologyChange {
  readonly tenant: string;
  /** Includes data stored only as a record, which no other topic publishes. */
  readonly of: 'ci' | 'relationship' | RecordNoun;
  readonly kind: 'created' | 'updated' | 'removed';
  readonly ids: readonly string[];
  /** Grows with every change of this tenant's topology in this process. */
  readonly version: number;
}
