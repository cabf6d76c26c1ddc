import type { Event } from '#domain/event/event.ts';
import type { PackBuilder } from '#features/ai/rules/pack.ts';
import type { Case, GroupFacts } from './case.ts';
import { citeCi, citeEvent, citeGroup, quoted } from './cite.ts';
import { type Hypothesis, named, PROBABLE } from './named-cause.ts';

/** At most, of a candidate that nothing but its time joins with the event. */
const TIME_ALONE = 0.4;

const spread = ({ candidate, size }: GroupFacts): string => {
  const explained = candidate?.explains.length ?? 0;
  if (explained === 0) return `it is first among the ${size} events of the group`;
  return `it explains ${explained} ${explained === 1 ? 'CI' : 'CIs'} of the group`;
};

/** Each explained CI; of more than a sentence cites the nearest, with the group that lists all. */
const explainedRefs = (group: GroupFacts, pack: PackBuilder): string[] => {
  const cis = group.explained.flatMap((ci) => citeCi(pack, ci));
  const isAll = cis.length === group.candidate?.explains.length;
  return isAll ? [...cis, ...citeGroup(pack, group)] : [...citeGroup(pack, group), ...cis];
};

const candidateOf = ({ group }: Case) => {
  const candidate = group?.candidate;
  const cause = group?.suspects.find(({ id }) => id === candidate?.eventId);
  return group && candidate && cause ? { group, candidate, cause } : null;
};

/** The candidate of the group. */
export const byGroup = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const found = candidateOf(about);
  if (found === null || found.group.byTimeAlone) return null;
  const { group, candidate, cause } = found;
  const how = candidate.confidence >= PROBABLE ? 'probably' : 'possibly';
  const refs = [...citeEvent(pack, cause), ...citeCi(pack, cause.ci), ...explainedRefs(group, pack)];
  return named(`${quoted(cause)} is ${how} the cause: ${spread(group)}.`, refs, candidate.confidence, cause);
};

const apart = ({ event, ci }: Case, cause: Event): string => {
  if (cause.id === event.id) return 'nothing but time joins it with the others';
  return ci === null ? 'this event is bound to no CI' : 'no relationship leads from it to this event';
};

/** The candidate of a group that nothing but its time joins the event with. */
export const byTime = (about: Case, pack: PackBuilder): Hypothesis | null => {
  const found = candidateOf(about);
  if (found === null || !found.group.byTimeAlone) return null;
  const { group, candidate, cause } = found;
  const refs = [...citeEvent(pack, cause), ...citeCi(pack, cause.ci), ...citeGroup(pack, group)];
  return named(
    `${quoted(cause)} is possibly the cause, by time alone: it is the root-cause candidate of the group, and ${apart(about, cause)}.`,
    [...refs, ...citeEvent(pack, about.event)],
    Math.min(TIME_ALONE, candidate.confidence),
    cause,
  );
};
