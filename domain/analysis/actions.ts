import type { Claim } from '#domain/ai/evidence.ts';
import type { PackBuilder } from '#domain/ai/pack.ts';
import type { Event } from '#domain/event/event.ts';
import { adviceFor, type Position } from './advice.ts';
import type { Case } from './case.ts';
import { citeCi, citeEvent, clipped, minuteOf, quoted, subjectOf } from './cite.ts';
import type { Hypothesis } from './named-cause.ts';

const MOST_ACTIONS = 5;
/** Earlier resolutions that are told. */
export const RESOLUTIONS = 3;
const NOTES = 120;

const action = (text: string, refs: readonly string[], certainty: Claim['certainty']): Claim => ({
  text,
  refs: refs.slice(0, 5),
  certainty,
});

/** The cause is the candidate of a group that nothing but its time joins the event with. */
const isByTime = ({ group }: Case, { cause }: Hypothesis): boolean =>
  group?.byTimeAlone === true && group.candidate?.eventId === cause?.id;

const positionOf = (about: Case, hypothesis: Hypothesis): Position => {
  const { cause, abstained } = hypothesis;
  if (abstained || cause === null) return 'alone';
  if (cause.id === about.event.id) return 'cause';
  return isByTime(about, hypothesis) ? 'alone' : 'below';
};

/** Look at the cause before anything below it. */
const checkFirst = (about: Case, hypothesis: Hypothesis): Claim[] => {
  const { cause, abstained, claim } = hypothesis;
  if (abstained || cause === null || cause.id === about.event.id || isByTime(about, hypothesis)) return [];
  return [action(`Check ${subjectOf(cause)} first: ${quoted(cause)}.`, claim.refs.slice(0, 2), 'likely')];
};

/** What only its time speaks for is looked at beside the event itself. */
const compare = (about: Case, hypothesis: Hypothesis, pack: PackBuilder): Claim[] => {
  const { cause } = hypothesis;
  if (cause === null || cause.id === about.event.id || !isByTime(about, hypothesis)) return [];
  const text = `See whether it has to do with ${quoted(cause)}, which began near in time.`;
  return [action(text, [...citeEvent(pack, cause), ...citeEvent(pack, about.event)], 'possible')];
};

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
  const { event, complaint } = about;
  const advice = adviceFor({ title: event.title, complaint }, positionOf(about, hypothesis));
  const before = [...checkFirst(about, hypothesis), ...asBefore(about, pack)];
  const after = [...compare(about, hypothesis, pack), ...missing(about, pack)];
  const own = action(advice, citeEvent(pack, event), 'possible');
  return [...before.slice(0, MOST_ACTIONS - 1 - after.length), own, ...after];
}
