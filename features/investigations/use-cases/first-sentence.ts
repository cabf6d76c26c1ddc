import { findGroup } from '#application/groups/find-group.ts';
import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Event } from '#domain/event/event.ts';
import { causeWords, verdictWords } from '#features/investigations/rules/conclude.ts';
import { namedEvent } from '#features/investigations/rules/findings.ts';
import type { InvestigationAsking } from './checks.ts';

/** Number of alternative root causes to investigate. */
const ALTERNATIVES = 2;

/** A group with the events that may be its root cause, by id. */
export interface BegunInvestigation {
  readonly row: ListedGroup;
  readonly named: ReadonlyMap<string, Event>;
  readonly text: string;
}

/** IDs of the events in verdict and ranking, most probable first. */
export const namedIds = ({ group, care }: ListedGroup): string[] => {
  const { candidate, foundedBy } = group;
  const ranking =
    candidate === null
      ? [foundedBy]
      : [candidate.eventId, ...candidate.alternatives.slice(0, ALTERNATIVES).map(({ eventId }) => eventId)];
  return [...new Set([...(care.verdict?.rootEventId === undefined ? [] : [care.verdict.rootEventId]), ...ranking])];
};

/** Returns the ID of the event that a user confirmed as the root cause. */
export const confirmedIn = ({ group, care: { verdict } }: ListedGroup): string | null => {
  if (verdict?.rootEventId !== undefined) return verdict.rootEventId;
  return verdict?.cause === 'right' ? (group.candidate?.eventId ?? null) : null;
};

const textOf = (row: ListedGroup, named: ReadonlyMap<string, Event>): string => {
  const { group, care } = row;
  const { candidate } = group;
  const confirmed = named.get(confirmedIn(row) ?? '');
  const best = named.get(candidate?.eventId ?? '');
  if (confirmed !== undefined && care.verdict !== undefined) return verdictWords(care.verdict, namedEvent(confirmed));
  if (candidate === null || best === undefined) return 'No root-cause candidate before the checks.';
  const rejected = care.verdict?.cause === 'wrong' ? `${care.verdict.by.name} rejected the candidate. ` : '';
  return `${rejected}${causeWords(namedEvent(best), candidate.confidence)} before the checks.`;
};

/** Reads only the facts of the first sentence. Throws Fault `not-found`. */
export const begin = async ({ ports, tenant }: InvestigationAsking, id: string): Promise<BegunInvestigation> => {
  const row = await findGroup(ports, tenant, id);
  const found = await ports.events.getMany(tenant, namedIds(row));
  const named = new Map(found.map((event) => [event.id, event]));
  return { row, named, text: textOf(row, named) };
};
