import type { Claim } from '#domain/ai/evidence.ts';
import type { Event } from '#domain/event/event.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import { adviceFor, type Position } from './advice.ts';
import type { Case } from './case.ts';
import { citeCi, citeEvent, clipped, minuteOf, quoted, subjectOf } from './cite.ts';
import type { Hypothesis } from './named-cause.ts';

const MOST_ACTIONS = 5;
/** Earlier resolutions that are told. */
export const RESOLUTIONS = 3;
const NOTES = 120;

const AS_BEFORE = 'So the same complaint ended before, and what recurs mostly ends in the same way.';
const BY_TIME = 'Nothing but time joins the two.';
const UNBOUND = 'Without a CI no dependency can explain it.';
const UNRELATED = 'Causes upstream are found over relationships alone.';
const WHY_HERE: Readonly<Record<Position, string>> = {
  cause: 'It is the likely cause itself, so this ends what hangs on it too.',
  below: 'It lies below the likely cause, so little can be repaired here.',
  alone: 'No cause beyond it can be named, so begin where it complains.',
};

/** Something to do. */
export interface Action extends Claim {
  /** Why it is worth doing, in one sentence; absent in the words of a model. */
  readonly why?: string;
}

const action = (text: string, refs: readonly string[], certainty: Claim['certainty'], why: string): Action => ({
  text,
  refs: refs.slice(0, 5),
  certainty,
  why,
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
const checkFirst = (about: Case, hypothesis: Hypothesis): Action[] => {
  const { cause, abstained, claim } = hypothesis;
  if (abstained || cause === null || cause.id === about.event.id || isByTime(about, hypothesis)) return [];
  return [action(`Check ${subjectOf(cause)} first: ${quoted(cause)}.`, claim.refs.slice(0, 2), 'likely', claim.text)];
};

/** A cause by time alone is advised beside the event itself. */
const compare = (about: Case, hypothesis: Hypothesis, pack: PackBuilder): Action[] => {
  const { cause } = hypothesis;
  if (cause === null || cause.id === about.event.id || !isByTime(about, hypothesis)) return [];
  const text = `See whether it has to do with ${quoted(cause)}, which began near in time.`;
  return [action(text, [...citeEvent(pack, cause), ...citeEvent(pack, about.event)], 'possible', BY_TIME)];
};

const howOf = ({ resolvedBy, resolvedAt, resolutionNotes, resolutionCategory }: Event): string => {
  const who = resolvedBy === undefined ? 'it ended by itself' : `${clipped(resolvedBy.name, 60)} resolved it`;
  const when = resolvedAt === undefined ? '' : ` at ${minuteOf(resolvedAt)}`;
  const category = resolutionCategory === undefined ? '' : ` (${resolutionCategory})`;
  const notes = resolutionNotes ? `: "${clipped(resolutionNotes, NOTES)}"` : '';
  return `${who}${when}${category}${notes}`;
};

/** Actions of people the last times; events that ended by themselves are told when there are none. */
const asBefore = ({ resolved }: Case, pack: PackBuilder): Action[] => {
  const byPeople = resolved.filter(({ resolvedBy, resolutionNotes }) => resolvedBy !== undefined || resolutionNotes);
  const told = byPeople.length > 0 ? byPeople.slice(0, RESOLUTIONS) : resolved.slice(0, 1);
  return told.map((event) =>
    action(
      `The same complaint on ${subjectOf(event)} before: ${howOf(event)}.`,
      citeEvent(pack, event),
      'fact',
      AS_BEFORE,
    ),
  );
};

/** Advice for a better next analysis. */
const missing = ({ event, ci, hasRelationships }: Case, pack: PackBuilder): Action[] => {
  if (ci === null) {
    const text = `Bind the event to a CI: nothing is known of what ${subjectOf(event)} depends on.`;
    return [action(text, citeEvent(pack, event), 'fact', UNBOUND)];
  }
  if (hasRelationships) return [];
  const text = `Add a relationship: ${clipped(ci.name, 80)} has none, so no cause upstream can be found.`;
  return [action(text, [...citeCi(pack, ci), ...citeEvent(pack, event)], 'fact', UNRELATED)];
};

/** Actions, the most telling first; at most five. */
export function actionsOf(about: Case, hypothesis: Hypothesis, pack: PackBuilder): Action[] {
  const { event, complaint } = about;
  const position = positionOf(about, hypothesis);
  const advice = adviceFor({ title: event.title, complaint }, position);
  const before = [...checkFirst(about, hypothesis), ...asBefore(about, pack)];
  const after = [...compare(about, hypothesis, pack), ...missing(about, pack)];
  const own = action(advice, citeEvent(pack, event), 'possible', WHY_HERE[position]);
  return [...before.slice(0, MOST_ACTIONS - 1 - after.length), own, ...after];
}
