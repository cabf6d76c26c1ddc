/** Bounds of shares that were counted. */
const Z_95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson's interval for a share, 95 %; null when nothing was counted. */
export function wilson(hits: number, of: number): Interval | null {
  if (of === 0) return null;
  const share = hits / of;
  const z2 = Z_95 ** 2;
  const middle = share + z2 / (2 * of);
  const half = Z_95 * Math.sqrt((share * (1 - share)) / of + z2 / (4 * of ** 2));
  const scale = 1 + z2 / of;
  return { low: Math.max(0, (middle - half) / scale), high: Math.min(1, (middle + half) / scale) };
}

// Lanczos' approximation with g = 7 and nine terms: 15 digits.
const LANCZOS_G = 7;
const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

function logGamma(value: number): number {
  const x = value - 1;
  const base = x + LANCZOS_G + 0.5;
  const series = LANCZOS.reduce((sum, term, i) => (i === 0 ? term : sum + term / (x + i)), 0);
  return 0.5 * Math.log(2 * Math.PI) + (x + 0.5) * Math.log(base) - base + Math.log(series);
}

const STEPS = 300;
const TINY = 1e-300;
const CLOSE = 1e-12;
const notZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);

/** The continued fraction of the incomplete beta function, by Lentz' method. */
function betaFraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / notZero(1 - ((a + b) * x) / (a + 1));
  let fraction = d;
  for (let m = 1; m <= STEPS; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / notZero(1 + even * d);
    c = notZero(1 + even / c);
    fraction *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / notZero(1 + odd * d);
    c = notZero(1 + odd / c);
    fraction *= d * c;
    if (Math.abs(d * c - 1) < CLOSE) break;
  }
  return fraction;
}

/** Returns the share of a beta distribution below x. */
function betaBelow(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2) ? (front * betaFraction(x, a, b)) / a : 1 - (front * betaFraction(1 - x, b, a)) / b;
}

const HALVINGS = 50;

/** The highest share of errors that `errors` of `of` still allow, by Clopper and Pearson, one-sided 95 %; 1 when nothing was counted. */
export function upperErrorBound(errors: number, of: number): number {
  if (errors >= of) return 1;
  let [low, high] = [errors / of, 1];
  for (let i = 0; i < HALVINGS; i++) {
    const middle = (low + high) / 2;
    if (betaBelow(middle, errors + 1, of - errors) < 0.95) low = middle;
    else high = middle;
  }
  return high;
}
