import type { Decision } from '#domain/correlation/records.ts';
import type { Link, Reason } from '#domain/event/incoming.ts';

/** Links without their field names, which would be most of a row: a decision may hold dozens. */
type PackedReason = readonly [string, number, number, string, Reason['details']];
type PackedLink = readonly [string, number, number, readonly PackedReason[]];
type PackedDecision = Omit<Decision, 'tenant' | 'position' | 'eventId' | 'groupId' | 'accepted' | 'refused'> & {
  readonly a: readonly PackedLink[];
  readonly r: readonly (readonly [PackedLink, Decision['refused'][number]['guard']])[];
};

const packLink = ({ other, score, literalScore, reasons }: Link): PackedLink => [
  other,
  score,
  literalScore,
  reasons.map((r) => [r.strategy, r.score, r.literalScore, r.reason, r.details]),
];

const unpackLink = ([other, score, literalScore, reasons]: PackedLink): Link => ({
  other,
  score,
  literalScore,
  reasons: reasons.map(([strategy, s, l, reason, details]) => ({
    strategy,
    score: s,
    literalScore: l,
    reason,
    details,
  })),
});

export function decisionText(decision: Decision): string {
  const { tenant: _t, position: _p, eventId: _e, groupId: _g, accepted, refused, ...rest } = decision;
  const packed: PackedDecision = {
    ...rest,
    a: accepted.map(packLink),
    r: refused.map((link) => [packLink(link), link.guard]),
  };
  return JSON.stringify(packed);
}

export const DECISION_COLUMNS = 'd.tenant, d.position, d.event, d.grp, d.body';
export type DecisionRow = readonly [
  tenant: string,
  position: number,
  event: string,
  group: string | null,
  body: string,
];

export function toDecision([tenant, position, eventId, groupId, body]: DecisionRow): Decision {
  const { a, r, ...rest } = JSON.parse(body) as PackedDecision;
  const refused = r.map(([link, guard]) => ({ ...unpackLink(link), guard }));
  return { tenant, position, eventId, groupId, accepted: a.map(unpackLink), refused, ...rest };
}

/** The arrival and every partner, each once. */
export const eventsOf = ({ eventId, accepted, refused }: Decision): ReadonlySet<string> => {
  const events = new Set([eventId]);
  for (const { other } of accepted) events.add(other);
  for (const { other } of refused) events.add(other);
  return events;
};
