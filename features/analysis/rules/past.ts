import type { Claim } from '#domain/ai/evidence.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import { isYoung } from './anomaly.ts';
import type { Case } from './case.ts';
import { citeEvent, minuteOf } from './cite.ts';

/** From this score on an event is called unusual. */
const UNUSUAL = 0.9;

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`);

const wordOf = ({ event, score }: Case): string => {
  if (event.usual) return 'Usual';
  return score >= UNUSUAL ? 'Unusual' : 'Not unusual';
};

/** How often it was there before, in one sentence. */
export function pastOf(about: Case, pack: PackBuilder): Claim {
  const { event, strangeness } = about;
  const { events, episodes, days, run, lastAt } = strangeness;
  const span = days < 1.5 ? 'the last day' : `the last ${Math.round(days)} days`;
  const runs = episodes < events ? ` in ${times(episodes) === 'once' ? '1 run' : `${episodes} runs`}` : '';
  const before =
    events === 0 ? `never in ${span}` : `${times(events)}${runs} in ${span}, last at ${minuteOf(lastAt ?? 0)}`;
  const many = run > 1 ? `, ${run} within 20 min now` : '';
  const text = isYoung(days)
    ? `Too early to say how unusual it is: less than a day of history is known; ${events === 0 ? 'not seen before' : `seen ${times(events)} before`}.`
    : `${wordOf(about)}: this complaint came ${before}${many}.`;
  const facts = [
    { name: 'events before', value: events },
    { name: 'runs before', value: episodes },
    { name: 'days known', value: Math.round(days) },
    { name: 'within 20 min', value: run },
    ...(lastAt === null ? [] : [{ name: 'last before', value: minuteOf(lastAt) }]),
  ];
  return { text, refs: citeEvent(pack, event, facts), certainty: 'fact' };
}
