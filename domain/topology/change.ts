/** What topic `topology.changed` says: caches listen, webhooks tell. Sent after the commit. */
export interface TopologyChange {
  readonly tenant: string;
  /** A scan is told along: it changes the topology. */
  readonly of: 'ci' | 'relationship' | 'scan';
  readonly kind: 'created' | 'updated' | 'removed';
  readonly ids: readonly string[];
  /** Grows with every change of this tenant's topology in this process. */
  readonly version: number;
}
