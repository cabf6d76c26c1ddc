/** A scan, a silence, and what people say of a group. */
export type RecordNoun = 'scan' | 'silence' | 'group';

/** Value of the topic `topology.changed`: caches and webhooks read it. Sent after the commit. */
export interface TopologyChange {
  readonly tenant: string;
  /** Told along is what is kept as a record alone, which no other topic tells. */
  readonly of: 'ci' | 'relationship' | RecordNoun;
  readonly kind: 'created' | 'updated' | 'removed';
  readonly ids: readonly string[];
  /** Grows with every change of this tenant's topology in this process. */
  readonly version: number;
}
