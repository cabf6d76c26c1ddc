/** Chance of at least `seen` where `expected` are to be expected (Poisson). */
export function poissonTail(seen: number, expected: number): number {
  if (seen <= 0) return 1;
  if (expected <= 0) return 0;
  // Each term is smaller than the one before from `seen` on, once beyond the expected value.
  let term = Math.exp(seen * Math.log(expected) - expected - logFactorial(seen));
  if (seen <= expected) return Math.min(1, 1 - below(seen, expected));
  let tail = 0;
  for (let k = seen; term > tail * Number.EPSILON; k++) {
    tail += term;
    term *= expected / (k + 1);
  }
  return Math.min(1, tail);
}

function below(seen: number, expected: number): number {
  let term = Math.exp(-expected);
  let sum = 0;
  for (let k = 0; k < seen; k++) {
    sum += term;
    term *= expected / (k + 1);
  }
  return sum;
}

function logFactorial(n: number): number {
  let sum = 0;
  for (let k = 2; k <= n; k++) sum += Math.log(k);
  return sum;
}

/** Chance that at least `most` of `of` fair coins fall on one side that was named before. */
export function signTail(most: number, of: number): number {
  let tail = 0;
  for (let k = most; k <= of; k++)
    tail += Math.exp(logFactorial(of) - logFactorial(k) - logFactorial(of - k) - of * Math.LN2);
  return Math.min(1, tail);
}

/** The chance of two independent findings together (Fisher). */
export function combined(one: number, other: number): number {
  const product = one * other;
  return product === 0 ? 0 : Math.min(1, product * (1 - Math.log(product)));
}
