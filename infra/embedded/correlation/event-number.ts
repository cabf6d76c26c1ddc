/** Characters of a ULID that hold its time in ms. */
const TIME_CHARACTERS = 10;
/** Ids of one quarter of a second share a range. */
const UNIT_MS = 256;
/** Values of the time, enough until the year 2109, and of the hash: together an exact integer. */
const TIMES = 2 ** 34;
const RESTS = 2 ** 19;

/** Crockford's digits by character code; other characters get some value, too. */
const DIGITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const digit = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'.indexOf(String.fromCharCode(code));
  return digit === -1 ? code & 31 : digit;
});

/**
 * A number for an event id, in the order of their times, so that rows of one time share pages. Two events may have one number (a pair in
 * a thousand at 2,000 a second): compare the id, too.
 */
export function eventNumber(id: string): number {
  let time = 0;
  for (let i = 0; i < TIME_CHARACTERS; i++) time = time * 32 + DIGITS[id.charCodeAt(i) & 127]!;
  let rest = 0x811c9dc5;
  for (let i = TIME_CHARACTERS; i < id.length; i++) rest = Math.imul(rest ^ id.charCodeAt(i), 0x01000193);
  return (Math.floor(time / UNIT_MS) % TIMES) * RESTS + ((rest ^ (rest >>> 15)) >>> 13);
}
