import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { Enriched, Group } from '#domain/correlation/records.ts';
import { partsOf, rarityOf, type ScoreParts } from '#domain/correlation/root-cause/candidate.ts';
import { causeOf } from '#domain/correlation/root-cause/causes.ts';
import type { Event } from '#domain/event/event.ts';
import type { KnownPattern } from '#domain/event/identity/known-patterns.ts';
import type { Ports } from '#domain/ports/ports.ts';

/** Why an event is taken for the cause. */
export interface CauseShown {
  readonly parts: ScoreParts | null;
  /** The known cause that its title names, where the tenant counts it. */
  readonly pattern: KnownPattern | null;
  /** How much earlier than all other members it came, ms; null when it did not. */
  readonly aheadMs: number | null;
}

/** The parts of the score. */
export const judged = (
  { group, state }: ListedGroup,
  enriched: Enriched | undefined,
): Pick<CauseShown, 'parts' | 'pattern'> => {
  if (group.candidate === null || enriched === undefined) return { parts: null, pattern: null };
  const { arrival, settings } = enriched;
  const { rootCause: weights, profile } = settings;
  const cause = causeOf(arrival, weights);
  const standing = { cis: state.names.ci.count, first: group.first, rarity: rarityOf(cause, profile) };
  const parts = partsOf(group.candidate, cause, standing, weights);
  return { parts, pattern: cause.known ? arrival.complaint.known : null };
};

/** Of the earliest members so many are looked at; some may have had their place taken. */
const EARLIEST = 10;

export const earliestOf = async (
  { events }: Pick<Ports, 'events'>,
  tenant: string,
  { id, aliases }: Group,
): Promise<readonly Event[]> => {
  const page = { sort: 'timestamp', order: 'asc', limit: EARLIEST } as const;
  return (await events.find(tenant, { correlationIds: [id, ...aliases] }, page)).items;
};

export const aheadOf = (cause: Event | null, earliest: readonly Event[]): number | null => {
  const next = earliest.find(({ id, supersededBy }) => id !== cause?.id && supersededBy === undefined);
  if (cause === null || next === undefined || next.timestamp < cause.timestamp) return null;
  return next.timestamp - cause.timestamp;
};
