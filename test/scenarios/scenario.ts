import { readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { SEVERITIES } from '#domain/event/event.ts';

/** A scenario in the format of its file; `docs/architecture.md` has the terms. Times like `-4h`, `90s`, `0s`. */
export interface Scenario {
  readonly name: string;
  readonly given?: {
    /** `<type> <name>`, then any number of `<relationship type> <target>[!]`; `!` makes the edge critical. */
    readonly cis?: readonly string[];
    readonly settings?: object;
  };
  readonly when: readonly Step[];
  readonly then: Expected;
}

/**
 * One of: a severity with a title, `recovered`, `webhook`, `set` (status by a user), `correlate` (on demand). `as`
 * names the event (default: its title); `lasts` sends its recovery; `every` and `times` repeat with `{n}` from 1.
 */
export interface Step extends Readonly<Record<string, unknown>> {
  readonly at: string;
  readonly as?: string | readonly string[];
  readonly every?: string;
  readonly times?: number;
}

export interface ExpectedGroup {
  readonly members: readonly string[];
  readonly root?: string;
  readonly reasoning?: string;
  /** 0 to 1, two digits. */
  readonly confidence?: number;
  readonly status?: string;
}

/** Every group is listed; an event that is in none of them must be alone. */
export interface Expected {
  readonly groups: readonly ExpectedGroup[];
  readonly pairs?: readonly {
    readonly of: readonly [string, string];
    readonly joined?: readonly string[];
    readonly refusedBy?: string;
    /** Its cause. */
    readonly notCompared?: string;
    readonly literal?: Readonly<Record<string, number>>;
    readonly factor?: Readonly<Record<string, number>>;
  }[];
  /** Fields that each of these events must show. */
  readonly events?: Readonly<Record<string, object>>;
  /** Answers of the steps, by the name of the event. */
  readonly answers?: Readonly<Record<string, string>>;
}

const UNITS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `-4h`, `90s`, `1h30m`. */
export const durationOf = (text: string): number => {
  if (!/^-?(?:\d+[smh])+$/.test(text)) throw new Error(`not a time: ${text}`);
  const parts = [...text.matchAll(/(\d+)([smh])/g)].map(([, count, unit]) => Number(count) * UNITS[unit as string]!);
  const sum = parts.reduce((total, part) => total + part, 0);
  return text.startsWith('-') ? -sum : sum;
};

const numbered = (value: unknown, n: number): unknown =>
  typeof value === 'string' ? value.replaceAll('{n}', String(n)) : value;

/** One step with its time in ms after the start of the scenario. */
export interface TimedStep {
  readonly at: number;
  readonly step: Step;
}

export const stepsOf = ({ when }: Scenario): TimedStep[] =>
  when.flatMap((step) =>
    Array.from({ length: step.times ?? 1 }, (_, index) => ({
      at: durationOf(step.at) + index * durationOf(step.every ?? '0s'),
      step: Object.fromEntries(Object.entries(step).map(([key, value]) => [key, numbered(value, index + 1)])) as Step,
    })),
  );

/** The severity word that a step uses as its key, when it reports an event. */
export const severityOf = (step: Step) => SEVERITIES.find((severity) => severity in step);

/** Every scenario of the `.yaml` files of this folder; each file is a list. */
export const loadScenarios = (): Scenario[] =>
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .flatMap((file) => parse(readFileSync(`${import.meta.dirname}/${file}`, 'utf8')) as Scenario[]);
