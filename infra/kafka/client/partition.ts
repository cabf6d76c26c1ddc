/** Name of the rule, stored with the epoch: records that another rule placed cannot be read by this one. */
export const PARTITIONER = 'fnv1a-murmur3/1';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a over UTF-16 code units, finished as MurmurHash3 does, because FNV alone spreads short names badly. */
const hash = (text: string): number => {
  let h = FNV_OFFSET;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
};

/** The partition of a tenant, the same in every topic and process, 0 to `partitions` − 1. Never to be changed without a new epoch. */
export const partitionOf = (tenant: string, partitions: number): number => hash(tenant) % partitions;
