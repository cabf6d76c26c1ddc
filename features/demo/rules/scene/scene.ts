import type { CheckProblem } from './check-problems.ts';
import type { Ground } from './ground.ts';
import type { Random } from './random.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A problem while it lasts. Times in ms since the story began. */
export interface HeldProblem {
  readonly complaint: CheckProblem;
  readonly from: number;
  /** Null: still wrong at the end. */
  readonly until: number | null;
  /** Id of its incident; null for unrelated problems. */
  readonly incident: string | null;
  readonly isCause: boolean;
}

/** A symptom of a fault in some monitor, and its delay in seconds; negative: a first sign before. */
export interface FaultSighting {
  readonly complaint: CheckProblem;
  readonly after: readonly [min: number, max: number];
  /** Number of interruptions before it is over. */
  readonly flaps?: number;
}

export interface Outline {
  readonly title: string;
  /** Null: no monitor watches the broken object. */
  readonly cause: FaultSighting | null;
  readonly symptoms: readonly FaultSighting[];
  readonly minutes: number;
}

/** The source of an incident. */
export interface Scene {
  readonly ground: Ground;
  readonly random: Random;
}
export type Script = (scene: Scene) => Outline;

export interface DemoIncident {
  readonly id: string;
  readonly title: string;
  readonly hasCause: boolean;
  readonly at: number;
  readonly conditions: readonly HeldProblem[];
}

/** A monitor is down for maintenance, a check is missing, a threshold not quite reached. */
const OVERLOOKED = 0.12;
/** A fault without a symptom is no incident. */
const SEEN_AT_LEAST = 3;
/** Share of problems that have to be cleared manually. */
const LEFT_OPEN = 0.05;

export const sees = (complaint: CheckProblem, min: number, max: number): FaultSighting => ({
  complaint,
  after: [min, max],
});

const cycles = (from: number, until: number, count: number, random: Random): [number, number][] => {
  const length = (until - from) / count;
  return Array.from({ length: count }, (_, at) => {
    const begin = from + at * length;
    return [begin, begin + length * random.between(0.35, 0.75)];
  });
};

/** Lets monitors see a fault as monitors do: late, some of it not at all, and its end when they next look. */
export const play = (
  id: string,
  at: number,
  { title, cause, symptoms, minutes }: Outline,
  random: Random,
): DemoIncident => {
  const over = at + minutes * MINUTE;
  const watch = ({ complaint, after: [min, max], flaps = 1 }: FaultSighting, isCause: boolean): HeldProblem[] => {
    const from = at + Math.round(random.between(min, max) * SECOND);
    const until = Math.max(from + MINUTE, over + Math.round(random.between(5, 240) * SECOND));
    const forgotten = !isCause && random.chance(LEFT_OPEN);
    return cycles(from, until, flaps, random).map(([begin, end], n) => ({
      complaint,
      from: Math.round(begin),
      until: flaps === 1 ? (forgotten ? null : until) : n === flaps - 1 ? until : Math.round(end),
      incident: id,
      isCause,
    }));
  };
  const seen = symptoms.filter((_, n) => n < SEEN_AT_LEAST || !random.chance(OVERLOOKED));
  const conditions = [...(cause ? watch(cause, true) : []), ...seen.flatMap((symptom) => watch(symptom, false))];
  return { id, title, hasCause: cause !== null, at, conditions };
};
