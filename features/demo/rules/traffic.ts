import { firstItem, lastItem } from '#domain/assert.ts';
import { FORMATS, GATHERS, type Notice } from './monitors.ts';
import { type CheckProblem, type Monitor, REPEATS } from './scene/check-problems.ts';
import type { Random } from './scene/random.ts';
import type { HeldProblem } from './scene/scene.ts';

/** State of the generator for one item of a payload. */
export interface Truth {
  readonly incident: string | null;
  readonly isCause: boolean;
  readonly phase: Notice['phase'];
  /** Epoch ms of the item itself. */
  readonly at: number;
}

/** One message as a monitor posts it; `truths` in the order of its items. */
export interface Payload {
  /** Epoch ms. */
  readonly at: number;
  readonly source: Monitor;
  readonly body: unknown;
  readonly truths: readonly Truth[];
}

interface HeldNotice extends Notice {
  readonly condition: HeldProblem;
}

/** Time within which monitors group their messages. */
const GATHERING_MS = 10_000;

const keyOf = ({ monitor, host, check, labels }: CheckProblem): string =>
  [monitor, host ?? '', check, labels?.service ?? ''].join('|');

/** A monitor knows a check once: what begins while it is already wrong is the same problem for longer. */
const withoutOverlaps = (conditions: readonly HeldProblem[]): HeldProblem[] => {
  const busyUntil = new Map<string, number>();
  return conditions
    .toSorted((a, b) => a.from - b.from)
    .filter(({ complaint, from, until }) => {
      const key = keyOf(complaint);
      if (from <= (busyUntil.get(key) ?? Number.NEGATIVE_INFINITY)) return false;
      busyUntil.set(key, until ?? Number.POSITIVE_INFINITY);
      return true;
    });
};

const tell = (condition: HeldProblem, serial: number, { start, end }: StorySpan, random: Random): HeldNotice[] => {
  const { complaint, from, until } = condition;
  const since = start + from;
  const over = until === null ? Number.POSITIVE_INFINITY : start + until;
  const told = (phase: Notice['phase'], at: number): HeldNotice => ({ condition, complaint, serial, phase, at, since });
  const all = [told('fire', since)];
  const every = complaint.every ?? REPEATS[complaint.monitor];
  for (let at = since + every; every > 0 && at < Math.min(over, end); at += every)
    all.push(told('repeat', at + random.whole(0, 2_000)));
  if (over < end) all.push(told('recover', over));
  return all.filter(({ at }) => at < Math.min(end, over + 1));
};

const gathered = (all: readonly HeldNotice[], start: number): HeldNotice[][] => {
  const messages = new Map<string, HeldNotice[]>();
  all.forEach((told, n) => {
    const { complaint, at } = told;
    const together = GATHERS.has(complaint.monitor);
    const key = together
      ? `${complaint.monitor}|${complaint.check}|${Math.floor((at - start) / GATHERING_MS)}`
      : String(n);
    const message = messages.get(key);
    if (message) message.push(told);
    else messages.set(key, [told]);
  });
  return [...messages.values()];
};

interface StorySpan {
  /** Epoch ms of the story's beginning. */
  readonly start: number;
  /** Epoch ms after which nothing was sent yet. */
  readonly end: number;
}

/** Every message of all monitors in the order in which they were sent. */
export const trafficOf = (conditions: readonly HeldProblem[], times: StorySpan, random: Random): Payload[] => {
  const own = random.fork('traffic');
  const all = withoutOverlaps(conditions)
    .flatMap((condition, serial) => tell(condition, serial, times, own))
    .sort((a, b) => a.at - b.at);
  return gathered(all, times.start)
    .map((message): Payload => {
      const { monitor } = firstItem(message).complaint;
      const sentAt = lastItem(message).at;
      const truths = message.map(({ condition: { incident, isCause }, phase, at }) => ({
        incident,
        isCause,
        phase,
        at,
      }));
      return { at: sentAt, source: monitor, body: FORMATS[monitor](message), truths };
    })
    .sort((a, b) => a.at - b.at);
};
