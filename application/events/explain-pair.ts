import { findEvent } from '#application/events/find-event.ts';
import { firstArrival } from '#application/events/first-arrival.ts';
import { decisionsAbout, groupOf, linksOf, refusalOf, truncatedOf } from '#application/events/group-membership.ts';
import { GUARD_REASONS } from '#domain/correlation/grouping/links.ts';
import { type Explanation, explain, inOrder } from '#domain/correlation/on-demand/explain.ts';
import { type ArrivedEvent, type NotCompared, notCompared } from '#domain/correlation/on-demand/not-compared.ts';
import type { Decision, Group, Guard } from '#domain/correlation/records.ts';
import { type Event, eventIdOf } from '#domain/event/event.ts';
import { invalid } from '#domain/fault.ts';
import type { Ports } from '#domain/ports/ports.ts';
import { learningMark } from '#schemas/http/events/group-view.ts';
import { enrichedOf } from './enriched-of.ts';
import { type RecurringMark, recurringMark } from './recurring.ts';

/** Reason why two events are, or are not, in one group. */
export interface ExplainedPair {
  readonly events: readonly [string, string];
  readonly together: boolean;
  readonly correlationId: string | null;
  readonly manual: boolean;
  readonly profile: string;
  readonly learning?: true;
  readonly learningReason?: string;
  readonly usual: readonly RecurringMark[];
  readonly strategies: readonly Explanation[];
  readonly refusedBy: Guard | null;
  readonly refusedReason: string | null;
  readonly notCompared: NotCompared | null;
}

/** Explains a pair by the decisions that were stored on arrival. Throws Fault `not-found`, and `invalid` for one event twice. */
export async function explainPair(
  { tenant, ports }: { readonly tenant: string; readonly ports: Ports },
  eventId: string,
  other: string,
): Promise<ExplainedPair> {
  const events = [await findEvent(ports, tenant, eventId), await findEvent(ports, tenant, other)] as const;
  if (events[0].id === events[1].id) throw invalid('with', 'expected a different event');
  const [one, two, first] = await Promise.all([
    sideOf(ports, events[0]),
    sideOf(ports, events[1]),
    firstArrival(ports, tenant),
  ]);
  const together = one.group !== null && one.group.id === two.group?.id;
  const strategies = explain(one.record, two.record);
  const [{ settings, arrival }] = inOrder(one.record, two.record);
  return {
    events: [eventIdOf(one.event.id), eventIdOf(two.event.id)],
    together,
    correlationId: together ? one.group.id : null,
    manual: byHand(one, two),
    profile: settings.profile,
    ...learningMark(first, arrival.time),
    usual: events.flatMap((event) => recurringMark(event) ?? []),
    strategies,
    ...(together ? NOT_APART : apart(one, two, strategies)),
  };
}

/** One event of the pair with its stored records. */
interface Side extends ArrivedEvent {
  readonly group: Group | null;
  readonly decisions: readonly Decision[];
}

const sideOf = async (ports: Ports, event: Event): Promise<Side> => {
  const [group, record, decisions] = await Promise.all([
    groupOf(ports, event),
    enrichedOf(ports, event.tenant, event.id),
    decisionsAbout(ports, event.tenant, event.id),
  ]);
  return { event, group, record, decisions };
};

const byHand = (one: Side, two: Side): boolean =>
  one.decisions.some(({ manual, eventId, accepted }) => {
    const isNamed = ({ event: { id } }: Side) => eventId === id || accepted.some(({ other }) => other === id);
    return manual && isNamed(one) && isNamed(two);
  });

type Apart = Pick<ExplainedPair, 'refusedBy' | 'refusedReason' | 'notCompared'>;
const NOT_APART: Apart = { refusedBy: null, refusedReason: null, notCompared: null };

const refused = (guard: Guard | undefined): Apart =>
  guard === undefined ? NOT_APART : { refusedBy: guard, refusedReason: GUARD_REASONS[guard], notCompared: null };

function apart(one: Side, two: Side, strategies: readonly Explanation[]): Apart {
  const decisions = [...one.decisions, ...two.decisions].sort((a, b) => a.position - b.position);
  const known = linksOf(decisions, one.event.id).find((link) => link.other === two.event.id);
  if (known) return refused(known.refusedBy);
  const joined = strategies.some((strategy) => strategy.joined);
  const refusedBy = joined ? (refusalBeyond(one, two) ?? refusalBeyond(two, one)) : undefined;
  if (refusedBy) return refused(refusedBy);
  const [later, earlier] = inOrder(one.record, two.record)[0] === one.record ? [one, two] : [two, one];
  const cut = truncatedOf(later.decisions, later.event.id);
  return { ...NOT_APART, notCompared: notCompared(later, earlier, strategies, cut) };
}

/** A group represents its members beyond the links that a decision stores. */
const refusalBeyond = ({ event, decisions }: Side, other: Side): Guard | undefined => {
  const names = [other.event.id, ...(other.group ? [other.group.id, ...other.group.aliases] : [])];
  const own = decisions.filter((decision) => decision.eventId === event.id);
  return own.map((decision) => refusalOf(decision, names)).findLast((guard) => guard !== undefined);
};
