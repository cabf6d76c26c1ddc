import type { Decision, Outcome } from '#domain/correlation/records.ts';
import type { Link, Reason } from '#domain/event/incoming.ts';

/**
 * Links without their field names, which would be most of a row: a decision may hold dozens. A literal score is null where it
 * equals the score, and a link's score where it is the best of its reasons, as nearly always.
 */
type PackedReason = readonly [string, number, number | null, string, Reason['details']];
type PackedLink = readonly [string, number | null, number | null, readonly PackedReason[]];
/** As it stands in `decision.links`. */
interface PackedLinks {
  readonly a: readonly PackedLink[];
  readonly r: readonly (readonly [PackedLink, Decision['refused'][number]['guard']])[];
  readonly cut: Decision['cut'];
}
/** As it stands in `decision.outcome`: all that a start reads, which is a tenth of the row. */
type StoredOutcome = Omit<Outcome, 'tenant' | 'position' | 'eventId' | 'groupId'>;

const best = (reasons: readonly { readonly score: number }[]): number => {
  let most = Number.NEGATIVE_INFINITY;
  for (const { score } of reasons) most = Math.max(most, score);
  return most;
};
const unless = (known: number, value: number): number | null => (value === known ? null : value);

const packLink = ({ other, score, literalScore, reasons }: Link): PackedLink => [
  other,
  unless(best(reasons), score),
  unless(score, literalScore),
  reasons.map((r) => [r.strategy, r.score, unless(r.score, r.literalScore), r.reason, r.details]),
];

const unpackLink = ([other, score, literalScore, packed]: PackedLink): Link => {
  const reasons = packed.map(([strategy, s, l, reason, details]) => ({
    strategy,
    score: s,
    literalScore: l ?? s,
    reason,
    details,
  }));
  const most = score ?? best(reasons);
  return { other, score: most, literalScore: literalScore ?? most, reasons };
};

export function outcomeText({ founded, joined, merged, closed, manual }: Decision): string {
  return JSON.stringify({ founded, joined, merged, closed, manual } satisfies { [K in keyof StoredOutcome]: unknown });
}

export function linksText({ accepted, refused, cut }: Decision): string {
  const a = accepted.map(packLink);
  return JSON.stringify({ a, r: refused.map((link) => [packLink(link), link.guard]), cut } satisfies PackedLinks);
}

export const OUTCOME_COLUMNS = 'd.tenant, d.position, d.event, d.grp, d.outcome';
export const DECISION_COLUMNS = `${OUTCOME_COLUMNS}, d.links`;
export type OutcomeRow = readonly [
  tenant: string,
  position: number,
  event: string,
  group: string | null,
  outcome: string,
];
export type DecisionRow = readonly [...OutcomeRow, links: string];

export const toOutcome = ([tenant, position, eventId, groupId, outcome]: OutcomeRow | DecisionRow): Outcome => ({
  tenant,
  position,
  eventId,
  groupId,
  ...(JSON.parse(outcome) as StoredOutcome),
});

export function toDecision(row: DecisionRow): Decision {
  const { a, r, cut } = JSON.parse(row[5]) as PackedLinks;
  const refused = r.map(([link, guard]) => ({ ...unpackLink(link), guard }));
  return { ...toOutcome(row), accepted: a.map(unpackLink), refused, cut };
}

/** The arrival and every partner, each once. */
export const eventsOf = ({ eventId, accepted, refused }: Decision): ReadonlySet<string> => {
  const events = new Set([eventId]);
  for (const { other } of accepted) events.add(other);
  for (const { other } of refused) events.add(other);
  return events;
};
