const PRIME_LOW = 0x1b3;
const encoder = new TextEncoder();

/** FNV-1a with 64 bits over the UTF-8 bytes of `parts`, each followed by 0xff; 16 hex digits. Not for secrets. */
export function fnv64(parts: readonly string[]): string {
  let high = 0xcbf29ce4;
  let low = 0x84222325;
  const add = (byte: number): void => {
    low = (low ^ byte) >>> 0;
    // The prime is 2^40 + 0x1b3: the first term only reaches the high half.
    const product = low * PRIME_LOW;
    high = (Math.imul(high, PRIME_LOW) + Math.floor(product / 2 ** 32) + (low << 8)) >>> 0;
    low = product >>> 0;
  };
  for (const part of parts) {
    for (const byte of encoder.encode(part)) add(byte);
    add(0xff);
  }
  return high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0');
}

/** The fingerprint that Prometheus itself computes for a label set, for senders that do not send one. */
export function labelFingerprint(labels: Iterable<readonly [string, string]>): string {
  const sorted = [...labels].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return fnv64(sorted.flat());
}
