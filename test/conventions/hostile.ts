import { ending, processorTime, timeOf } from '#test/setup/processor-time.ts';

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

/** A smaller number, for tests with each of many fields. */
export const SOME_HOSTILE_TEXTS = HOSTILE_TEXTS.filter((_, index) => index % (HEADS.length * TAILS.length) === 1);

/** Long runs behind a well-formed prefix: patterns that require a prefix never match the others. */
export const hostileAfter = (text: string): readonly string[] =>
  [...text.matchAll(/\W/g)].slice(0, 24).flatMap(({ index }) =>
    [' ', 'a', text.charAt(index)].flatMap((unit) => {
      const head = text.slice(0, index + 1);
      return TAILS.map((tail) => head + unit.repeat(Math.max(0, HOSTILE_LENGTH - head.length)) + tail);
    }),
  );

/** A plain walk over a text of the same length needs a fraction of the limit, on any machine. */
const WALKS = 20;
const walk = (text: string): number => [...text.matchAll(/./gsu)].length;
const walks = Array.from({ length: 5 }, () => timeOf(() => walk('a'.repeat(HOSTILE_LENGTH))));
const WALK_US = Math.min(...walks) / HOSTILE_LENGTH;
const limitOf = (text: string): number => WALKS * WALK_US * text.length;

/** Garbage of others can make one try slow, but not all of them. */
const TRIES = 20;
/** One of them may include a garbage collection, or a compilation, that lasts as long as the worst work. */
const SURE = 3;

const timeOfTry = (work: () => unknown): number =>
  processorTime(() => {
    try {
      const result = work();
      if (result instanceof Promise) result.catch(() => {});
    } catch {
      // A refusal is an answer.
    }
  });

/** The best time of several tries, which end when it is within the limit, or far from it. */
function bestOf(work: () => unknown, limit: number): number {
  let best = Number.POSITIVE_INFINITY;
  for (let left = TRIES; left > 0 && best > limit; left--) {
    best = Math.min(best, timeOfTry(work));
    if (best > 10 * limit && left <= TRIES - SURE) break;
  }
  return best;
}

/** Returns names of functions that are too slow for any of the texts, with the text and the time. */
export const slowOnes = (name: string, work: (text: string) => unknown, texts = HOSTILE_TEXTS): string[] =>
  ending(() => slowest(name, work, texts));

function slowest(name: string, work: (text: string) => unknown, texts: readonly string[]): string[] {
  for (const text of texts) {
    const limit = limitOf(text);
    const time = bestOf(() => work(text), limit);
    // Work that is as slow for one letter does not depend on the text.
    if (time > limit && time > 3 * bestOf(() => work('a'), limit)) {
      const walks = Math.round((time / limit) * WALKS);
      return [`${name}: as long as ${walks} walks for ${JSON.stringify(`${text.slice(0, 12)}…${text.slice(-3)}`)}`];
    }
  }
  return [];
}
