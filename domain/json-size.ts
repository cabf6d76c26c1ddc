/** Limit of the free fields of CIs, relationships and events as JSON in UTF-8 (docs/specification.md §14). */
export const MAX_JSON_BYTES = 64 * 1_024;
export const TOO_MUCH = 'expected at most 64 KiB of JSON';
export const TOO_MUCH_MERGED = `${TOO_MUCH} after the merge`;
/** Maximum UTF-8 bytes of a UTF-16 character. */
const MAX_BYTES = 3;

/** Size as JSON, bytes. */
export const jsonSize = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** True if the value is within the limit; patches and repeats can grow it. */
export const fitsJsonLimit = (value: unknown): boolean => {
  const text = JSON.stringify(value);
  return text.length * MAX_BYTES <= MAX_JSON_BYTES || Buffer.byteLength(text) <= MAX_JSON_BYTES;
};
