import type { Claim } from '#domain/ai/evidence.ts';
import type { PackBuilder } from '#domain/ai/pack.ts';
import type { Event } from '#domain/event/event.ts';
import { adviceFor, type Position } from './advice.ts';
import type { Case } from './case.ts';
import { citeCi, citeEvent, clipped, minuteOf, quoted, subjectOf } from './cite.ts';
import type { Hypothesis } from './hypothesis.ts';

const MOST_ACTIONS = 5;
/** Earlier resolutions that are told. */
export const RESOLUTIONS = 3;
const NOTES = 120;

const action = (text: string, refs: readonly string[], certainty: Claim['certainty']): Claim => ({
  text,
  refs: refs.slice(0, 5),
  certainty,
});

const positionOf = ({ event }: Case, { cause, abstained }: Hypothesis): Position => {
  if (abstained || cause === null) return 'alone';
  return cause.id === event.id ? 'cause' : 'below';
};

/** Look at the cause before anything below it. */
const checkFirst = ({ event }: Case, { cause, abstained, claim }: Hypothesis): Claim[] =>
  abstained || cause === null || cause.id === event.id
    ? []
    : [action(`Check ${subjectOf(cause)} first: ${quoted(cause)}.`, claim.refs.slice(0, 2), 'likely')];

const howOf = ({ resolvedBy, resolvedAt, resolutionNotes, resolutionCategory }: Event): string => {
  const who = resolvedBy === undefined ? 'it ended by itself' : `${clipped(resolvedBy.name, 60)} resolved it`;
  const when = resolvedAt === undefined ? '' : ` at ${minuteOf(resolvedAt)}`;
  const category = resolutionCategory === undefined ? '' : ` (${resolutionCategory})`;
  const notes = resolutionNotes ? `: "${clipped(resolutionNotes, NOTES)}"` : '';
  return `${who}${when}${category}${notes}`;
};

/** What people did the last times; what ended by itself is told when no one did anything. */
const asBefore = ({ resolved }: Case, pack: PackBuilder): Claim[] => {
  const byPeople = resolved.filter(({ resolvedBy, resolutionNotes }) => resolvedBy !== undefined || resolutionNotes);
  const told = byPeople.length > 0 ? byPeople.slice(0, RESOLUTIONS) : resolved.slice(0, 1);
  return told.map((event) =>
    action(`The same complaint on ${subjectOf(event)} before: ${howOf(event)}.`, citeEvent(pack, event), 'fact'),
  );
};

/** What would make the next analysis better. */
const missing = ({ event, ci, hasRelationships }: Case, pack: PackBuilder): Claim[] => {
  if (ci === null) {
    const text = `Bind the event to a CI: nothing is known of what ${subjectOf(event)} depends on.`;
    return [action(text, citeEvent(pack, event), 'fact')];
  }
  if (hasRelationships) return [];
  const text = `Add a relationship: ${clipped(ci.name, 80)} has none, so no cause upstream can be found.`;
  return [action(text, [...citeCi(pack, ci), ...citeEvent(pack, event)], 'fact')];
};

/** What to do, the most telling first; at most five. */
export function actionsOf(about: Case, hypothesis: Hypothesis, pack: PackBuilder): Claim[] {
  const advice = adviceFor(about.complaint, positionOf(about, hypothesis));
  const before = [...checkFirst(about, hypothesis), ...asBefore(about, pack)];
  const after = missing(about, pack);
  const own = action(advice, citeEvent(pack, about.event), 'possible');
  return [...before.slice(0, MOST_ACTIONS - 1 - after.length), own, ...after];
}
