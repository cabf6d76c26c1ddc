/** Fields of any names, as CIs, relationships and events carry them: at most this much as JSON in UTF-8 (docs/specification.md §14). */
export const MAX_BAG_BYTES = 64 * 1_024;
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
export const TOO_MUCH_MERGED = `${TOO_MUCH} after the merge`;
/** No character of UTF-16 takes more bytes in UTF-8. */
const MOST_BYTES = 3;

/** How many bytes it takes as JSON. */
export const bytesOf = (bag: unknown): number => Buffer.byteLength(JSON.stringify(bag));

/** Whether it may be kept; patches and repeats can make it grow. */
export const fits = (bag: unknown): boolean => {
  const text = JSON.stringify(bag);
  return text.length * MOST_BYTES <= MAX_BAG_BYTES || Buffer.byteLength(text) <= MAX_BAG_BYTES;
};
