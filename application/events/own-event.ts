import { OWN_CONDITION } from '#domain/event/lifecycle/ending.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { EventAction } from './event-action.ts';
import { type Accepted, accepted, receive } from './receive.ts';

/** Source of problems that Faultline itself finds. */
export const OWN_SOURCE = 'faultline';

/** A problem that Faultline itself finds. */
interface OwnProblem {
  readonly severity: 'critical' | 'major' | 'warning';
  readonly title: string;
  readonly description: string;
}

/** `sourceId`: what the problem is about. */
export const ownRaised = (sourceId: string, problem: OwnProblem, action: 'open' | 'update' = 'open'): EventAction => ({
  action,
  conditionId: OWN_CONDITION + sourceId,
  // Names that differ in a number only have one signature; as systems of their own they stay two events.
  draft: { source: OWN_SOURCE, sourceId, ...problem, ciHints: [sourceId] },
});

export const ownEnded = (sourceId: string): EventAction => ({
  action: 'resolve',
  source: OWN_SOURCE,
  sourceId,
  conditionId: OWN_CONDITION + sourceId,
});

/** `receivedAt`: ms. Null: it changes nothing. Throws the Fault of one that is not accepted. */
export const receiveOwn = async (
  ports: Ports,
  tenant: string,
  action: EventAction,
  receivedAt: number,
): Promise<Accepted | null> => {
  const [receipt] = await receive(ports, [action], { tenant, receivedAt, idempotencyKey: null });
  return receipt ? accepted(receipt) : null;
};
