export const SOURCE_RECORDS = {
  source: 'topology-source',
  state: 'topology-source-state',
  /** Stored in the system tenant, so that one list contains the due sources of all tenants. */
  due: 'topology-source-due',
  lease: 'topology-source-lease',
  /** Number of parts of the record of a source, and its parts. */
  book: 'topology-said',
  part: 'topology-said-part',
  objects: 'topology-objects',
  objectPart: 'topology-objects-part',
  /** Open problems of a cluster, and the position in its events. */
  heard: 'topology-heard',
  /** CIs ended by a source, by time. */
  ended: 'topology-ended',
} as const;
