const SUFFIX_LENGTH = 6;
const SUFFIXES = 36 ** SUFFIX_LENGTH;

/** FNV-1a over the characters, then MurmurHash3's finaliser so that ids which differ in one character spread. */
const hash32 = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

/**
 * `COR-<ms>-<6 base36 characters>`: time of the founding event and a hash of its id, so that a replay returns the same
 * id.
 */
export const groupIdOf = (foundedAt: number, foundedBy: string): string =>
  `COR-${foundedAt}-${(hash32(foundedBy) % SUFFIXES).toString(36).padStart(SUFFIX_LENGTH, '0')}`;
