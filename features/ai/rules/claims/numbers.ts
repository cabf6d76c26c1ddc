import type { EvidenceItem } from '#domain/ai/evidence.ts';

interface Stated {
  readonly value: number;
  readonly decimals: number;
  readonly unit: string;
}

/** Factors from the unit of a fact to that of a claim. */
const MS: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  sec: 1_000,
  secs: 1_000,
  second: 1_000,
  seconds: 1_000,
  min: 60_000,
  mins: 60_000,
  minutes: 60_000,
  h: 3_600_000,
  hr: 3_600_000,
  hrs: 3_600_000,
  hours: 3_600_000,
  d: 86_400_000,
  days: 86_400_000,
};
const SCALES = [1, 1_000, 60_000, 3_600_000, 86_400_000];
/** From here on a number may be rounded to two digits. */
const LARGE = 100;

/** The unit in ms that the name of a fact ends in: `gapMs`, `duration_seconds`; null: none. */
const unitOf = (name: string): number | null => {
  const word = /(?:^|[_\s(a-z])(ms|seconds|sec|s|minutes|min|hours|days)\)?$/i.exec(
    name.replace(/([a-z])([A-Z])/g, '$1 $2'),
  )?.[1];
  return word === undefined ? null : (MS[word.toLowerCase()] ?? null);
};

const rounds = (fact: number, { value, decimals }: Stated): boolean => {
  if (Math.abs(Math.abs(fact) - value) <= 0.5 * 10 ** -decimals + 1e-9 * Math.abs(fact)) return true;
  return decimals === 0 && value >= LARGE && Number(Math.abs(fact).toPrecision(2)) === value;
};

const agrees = (fact: number, unit: number | null, stated: Stated): boolean => {
  if (rounds(fact, stated)) return true;
  if (stated.unit === '%') return Math.abs(fact) <= 1 && rounds(fact * 100, stated);
  return unit !== null && SCALES.some((scale) => rounds((fact * unit) / scale, stated));
};

/** Not those within times, dates, addresses and names. */
const NUMBERS = /(?<![\w.:/-])-?\d{1,15}(?:\.\d{1,9})?(?![\d:/-]|\.\d)/g;

const numbersIn = (text: string): number[] => [...text.matchAll(NUMBERS)].map(([digits]) => Math.abs(Number(digits)));

/** The number stands in one of the items: as it is, rounded, as a percentage, or in another unit of time. */
export const standsInFacts = (stated: Stated, items: readonly EvidenceItem[]): boolean =>
  items.some(({ label, facts }) => {
    if (numbersIn(label).some((fact) => agrees(fact, null, stated))) return true;
    return facts.some(({ name, value }) =>
      typeof value === 'number'
        ? agrees(value, unitOf(name), stated)
        : numbersIn(value).some((fact) => agrees(fact, null, stated)),
    );
  });
