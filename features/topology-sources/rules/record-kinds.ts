/** Kinds of records. */
export const SOURCE_RECORDS = {
  source: 'topology-source',
  state: 'topology-source-state',
  /** Records of the system tenant: one list has the due sources of all tenants. */
  due: 'topology-source-due',
  lease: 'topology-source-lease',
  /** Per source how many parts its memory has, and the parts. */
  book: 'topology-said',
  part: 'topology-said-part',
  objects: 'topology-objects',
  objectPart: 'topology-objects-part',
  /** CIs that a source has ended, by time. */
  ended: 'topology-ended',
} as const;
