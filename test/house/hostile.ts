/** Characters of the longest text that a field of a request may have. */
const HOSTILE_LENGTH = 4_096;

const UNITS = [
  ':',
  '.',
  ' ',
  '\n',
  '1',
  'a',
  'A',
  '/',
  '[',
  '<',
  '"',
  "'",
  '-',
  '_',
  '%',
  '@',
  '\\',
  '{',
  '`',
  ',',
  ';',
  '+',
  'é',
  '0:',
  'a.',
  '1.',
  'a1',
  '<a ',
  '<a>',
  '/1',
  'a:',
  '&#1',
  'a b',
  '1:1',
  'aB',
  '=x',
  'error ',
];
const TAILS = ['', '!', 'x\n'];
const HEADS = ['', 'http://'];

/** Runs of one short piece, with tails that make a match fail at the very end. */
const HOSTILE_TEXTS: readonly string[] = UNITS.flatMap((unit) =>
  HEADS.flatMap((head) =>
    TAILS.map((tail) => {
      const run = unit.repeat(Math.ceil(HOSTILE_LENGTH / unit.length));
      return head + run.slice(0, HOSTILE_LENGTH - head.length - tail.length) + tail;
    }),
  ),
);

/** Fewer, for what is tried with each of its many fields. */
export const SOME_HOSTILE_TEXTS = HOSTILE_TEXTS.filter((_, index) => index % (HEADS.length * TAILS.length) === 1);

/** Long runs behind what is well formed so far: patterns that want a beginning first never see the others. */
export const hostileAfter = (text: string): readonly string[] =>
  [...text.matchAll(/\W/g)].slice(0, 24).flatMap(({ index }) =>
    [' ', 'a', text.charAt(index)].flatMap((unit) => {
      const head = text.slice(0, index + 1);
      return TAILS.map((tail) => head + unit.repeat(Math.max(0, HOSTILE_LENGTH - head.length)) + tail);
    }),
  );

const LIMIT_MS = 5;
/** A machine under load can make one try slow, but not all of them. */
const TRIES = 20;

const millisecondsOf = (work: () => unknown): number => {
  const begun = performance.now();
  try {
    const result = work();
    if (result instanceof Promise) result.catch(() => {});
  } catch {
    // A refusal is an answer.
  }
  return performance.now() - begun;
};

/** The best time of several tries, which end when it is within the limit. */
function bestOf(work: () => unknown, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && best > limit; left--) best = Math.min(best, millisecondsOf(work));
  return best;
}

/** Names of what is too slow for any of the texts, with the text and the time. */
export function slowOnes(name: string, work: (text: string) => unknown, texts = HOSTILE_TEXTS): string[] {
  for (const text of texts) {
    const ms = bestOf(() => work(text), LIMIT_MS);
    // What takes as long for one letter does not depend on the text.
    if (ms > LIMIT_MS && ms > 3 * bestOf(() => work('a'), LIMIT_MS))
      return [`${name}: ${Math.round(ms)} ms for ${JSON.stringify(`${text.slice(0, 12)}…${text.slice(-3)}`)}`];
  }
  return [];
}
