/**
 * The part of PromQL that our alerts use, so that a test can ask of real scrapes whether a rule fires. Rates are not extrapolated
 * to the ends of their range, which changes sizes and never whether something is 0.
 */

export type Labels = Readonly<Record<string, string>>;
interface Sample {
  readonly labels: Labels;
  readonly value: number;
}
/** Samples of one scrape by name; `at` in seconds. */
export interface Scrape {
  readonly at: number;
  readonly series: ReadonlyMap<string, readonly Sample[]>;
}
type Vector = readonly Sample[];
type Value = number | Vector;
/** Evaluates a part of an expression at a time. */
type Part = (scrapes: readonly Scrape[], at: number) => Value;

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const numberOf = (text: string): number => Number(text.replace('Inf', 'Infinity'));

/** Reads the text format of Prometheus; `added` are the labels of the target. */
export const scrapeOf = (text: string, at: number, added: Labels): Scrape => {
  const series = new Map<string, Sample[]>();
  for (const line of text.split('\n')) {
    const [, name, labels = '', value] = LINE.exec(line) ?? [];
    if (name === undefined) continue;
    const own = Object.fromEntries([...labels.matchAll(LABEL)].map(([, label, is]) => [label, is]));
    const samples = series.get(name) ?? [];
    series.set(name, samples);
    samples.push({ labels: { ...own, ...added }, value: numberOf(value as string) });
  }
  return { at, series };
};

const UNIT_S: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };
const secondsOf = (text: string): number => Number(text.slice(0, -1)) * UNIT_S[text.at(-1) as string]!;
const STALE_S = 300;

const TOKEN = /\s*(\d+[smhd]\b|\d+(?:\.\d+)?|[a-zA-Z_:][\w:]*|"[^"]*"|[=!]~|[=!<>]=|[-+*/<>=(){}[\],])/y;
const tokensOf = (text: string): string[] => {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.trimEnd().length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (match === null) throw new Error(`cannot read ${text.slice(from)}`);
    tokens.push(match[1] as string);
  }
  return tokens;
};

const keyOf = (labels: Labels, only?: readonly string[]): string =>
  JSON.stringify(
    Object.entries(labels)
      .filter(([name]) => only === undefined || only.includes(name))
      .sort(),
  );
const vectorOf = (value: Value): Vector => (typeof value === 'number' ? [{ labels: {}, value }] : value);

const compares: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '>': (a, b) => a > b,
  '<': (a, b) => a < b,
  '>=': (a, b) => a >= b,
  '<=': (a, b) => a <= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};
const computes: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
};

/** One-to-one by all labels, or with a number on either side. A comparison returns the left side where it holds. */
const combined = (operator: string, left: Value, right: Value): Value => {
  const compute = computes[operator];
  const result = (a: number, b: number): number | null =>
    compute ? compute(a, b) : compares[operator]!(a, b) ? a : null;
  if (typeof left === 'number' && typeof right === 'number') return result(left, right) ?? [];
  const others = typeof right === 'number' ? null : new Map(right.map((one) => [keyOf(one.labels), one.value]));
  const samples = typeof left === 'number' ? vectorOf(right).map(({ labels }) => ({ labels, value: left })) : left;
  return samples.flatMap(({ labels, value }) => {
    const other = others === null ? (right as number) : others.get(keyOf(labels));
    const made = other === undefined ? null : result(value, other);
    return made === null ? [] : [{ labels, value: made }];
  });
};

const folds: Readonly<Record<string, (values: readonly number[]) => number>> = {
  sum: (values) => values.reduce((a, b) => a + b, 0),
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
};
const aggregated = (name: string, by: readonly string[], vector: Vector): Vector => {
  const groups = new Map<string, Sample[]>();
  for (const sample of vector) {
    const key = keyOf(sample.labels, by);
    groups.set(key, [...(groups.get(key) ?? []), sample]);
  }
  return [...groups].map(([key, samples]) => ({
    labels: Object.fromEntries(JSON.parse(key) as [string, string][]),
    value: folds[name]!(samples.map(({ value }) => value)),
  }));
};

/** Buckets of one histogram each, with linear interpolation as Prometheus does it. */
const quantile = (q: number, buckets: Vector): Vector => {
  const names = [...new Set(buckets.flatMap(({ labels }) => Object.keys(labels)))].filter((name) => name !== 'le');
  return aggregated('sum', names, buckets).flatMap(({ labels }) => {
    const own = buckets
      .filter((bucket) => keyOf(bucket.labels, names) === keyOf(labels))
      .map((bucket) => ({ le: numberOf(bucket.labels.le!), count: bucket.value }))
      .sort((a, b) => a.le - b.le);
    const rank = q * (own.at(-1)?.count ?? 0);
    const at = own.findIndex(({ count }) => count >= rank);
    if (rank === 0 || at === -1) return [];
    const before = own[at - 1] ?? { le: 0, count: 0 };
    const { le, count } = own[at]!;
    const value =
      le === Number.POSITIVE_INFINITY
        ? before.le
        : before.le + ((le - before.le) * (rank - before.count)) / (count - before.count);
    return [{ labels, value }];
  });
};

/** Growth within the range, a fall being a restart from 0; null with fewer than two samples. */
const grown = (values: readonly number[]): number | null =>
  values.length < 2
    ? null
    : values.slice(1).reduce((sum, value, i) => sum + (value >= values[i]! ? value - values[i]! : value), 0);

interface Selector {
  readonly name: string;
  readonly matches: (labels: Labels) => boolean;
  readonly offset: number;
}
const rangeOf = ({ name, matches, offset }: Selector, seconds: number, scrapes: readonly Scrape[], at: number) => {
  const [from, to] = [at - offset - seconds, at - offset];
  const found = new Map<string, { labels: Labels; values: number[] }>();
  for (const scrape of scrapes) {
    if (scrape.at <= from || scrape.at > to) continue;
    for (const { labels, value } of scrape.series.get(name) ?? []) {
      if (!matches(labels)) continue;
      const one = found.get(keyOf(labels)) ?? { labels, values: [] };
      one.values.push(value);
      found.set(keyOf(labels), one);
    }
  }
  return [...found.values()];
};

/** A recursive descent over the tokens of one expression. */
class Parser {
  readonly #tokens: string[];
  constructor(text: string) {
    this.#tokens = tokensOf(text);
  }

  parse(): Part {
    const part = this.#and();
    if (this.#tokens.length > 0) throw new Error(`cannot read ${this.#tokens.join(' ')}`);
    return part;
  }

  #take(expected?: string): string {
    const token = this.#tokens.shift();
    if (token === undefined || (expected !== undefined && token !== expected))
      throw new Error(`expected ${expected ?? 'more'}, found ${token ?? 'the end'}`);
    return token;
  }
  #takes(token: string): boolean {
    if (this.#tokens[0] !== token) return false;
    this.#tokens.shift();
    return true;
  }

  #and(): Part {
    let left = this.#chain(Object.keys(compares), () => this.#sum());
    while (this.#takes('and')) {
      const [a, b] = [left, this.#chain(Object.keys(compares), () => this.#sum())];
      left = (scrapes, at) => {
        const keys = new Set(vectorOf(b(scrapes, at)).map(({ labels }) => keyOf(labels)));
        return vectorOf(a(scrapes, at)).filter(({ labels }) => keys.has(keyOf(labels)));
      };
    }
    return left;
  }
  #sum(): Part {
    return this.#chain(['+', '-'], () => this.#chain(['*', '/'], () => this.#atom()));
  }
  #chain(operators: readonly string[], next: () => Part): Part {
    let left = next();
    while (operators.includes(this.#tokens[0] ?? '')) {
      const operator = this.#take();
      const [a, b] = [left, next()];
      left = (scrapes, at) => combined(operator, a(scrapes, at), b(scrapes, at));
    }
    return left;
  }

  #atom(): Part {
    const token = this.#take();
    if (/^\d/.test(token)) return () => Number(token);
    if (token === '(') return this.#closed(this.#and());
    if (token in folds) return this.#aggregation(token);
    if (token === 'time') {
      this.#take('(');
      return this.#closed((_, at) => at);
    }
    if (token === 'rate' || token === 'increase') return this.#growth(token);
    if (token === 'histogram_quantile') return this.#quantile();
    return this.#instant(token);
  }
  #closed(part: Part): Part {
    this.#take(')');
    return part;
  }
  #aggregation(name: string): Part {
    const by: string[] = [];
    if (this.#takes('by')) {
      this.#take('(');
      while (!this.#takes(')')) if (!this.#takes(',')) by.push(this.#take());
    }
    this.#take('(');
    const inner = this.#closed(this.#and());
    return (scrapes, at) => aggregated(name, by, vectorOf(inner(scrapes, at)));
  }
  #quantile(): Part {
    this.#take('(');
    const q = Number(this.#take());
    this.#take(',');
    const inner = this.#closed(this.#and());
    return (scrapes, at) => quantile(q, vectorOf(inner(scrapes, at)));
  }
  #growth(name: string): Part {
    this.#take('(');
    const selector = this.#selector(this.#take());
    this.#take('[');
    const seconds = secondsOf(this.#take());
    this.#take(']');
    const offset = this.#takes('offset') ? secondsOf(this.#take()) : 0;
    this.#take(')');
    return (scrapes, at) =>
      rangeOf({ ...selector, offset }, seconds, scrapes, at).flatMap(({ labels, values }) => {
        const growth = grown(values);
        return growth === null ? [] : [{ labels, value: name === 'rate' ? growth / seconds : growth }];
      });
  }
  #instant(name: string): Part {
    const selector = this.#selector(name);
    const offset = this.#takes('offset') ? secondsOf(this.#take()) : 0;
    return (scrapes, at) =>
      rangeOf({ ...selector, offset }, STALE_S, scrapes, at).map(({ labels, values }) => ({
        labels,
        value: values.at(-1)!,
      }));
  }
  #selector(name: string): Omit<Selector, 'offset'> {
    const tests: ((labels: Labels) => boolean)[] = [];
    if (this.#takes('{')) while (!this.#takes('}')) if (!this.#takes(',')) tests.push(this.#matcher());
    return { name, matches: (labels) => tests.every((test) => test(labels)) };
  }
  #matcher(): (labels: Labels) => boolean {
    const [label, operator, value] = [this.#take(), this.#take(), this.#take().slice(1, -1)];
    const whole = new RegExp(`^(?:${value})$`);
    const holds = (is: string): boolean => (operator.endsWith('~') ? whole.test(is) : is === value);
    return (labels) => holds(labels[label] ?? '') !== operator.startsWith('!');
  }
}

/** The label sets for which the expression holds at a time. */
export const holdsAt = (expr: string): ((scrapes: readonly Scrape[], at: number) => Labels[]) => {
  const part = new Parser(expr).parse();
  return (scrapes, at) => vectorOf(part(scrapes, at)).map(({ labels }) => labels);
};
