import type { Suppression } from '#domain/event/event.ts';
import type { Silenceable, SilenceTest } from './matcher.ts';
import { maintenanceName, type SilenceRule, silenceName } from './silence-rule.ts';

/** A silence as events are held against it. */
export interface CompiledSilence {
  readonly rule: Pick<SilenceRule, 'id'>;
  /** Returns the time until which it holds, ms; null: it does not. */
  holdsUntil(now: number): number | null;
  readonly test: SilenceTest;
}

/** A CI in maintenance, with the CIs below it. */
export interface MaintainedAbove {
  readonly ciId: string;
  /** Ids of CIs; its own is among them. */
  readonly below: ReadonlySet<string>;
  /** Returns the end in ms; infinity without an end, null when it is in none at this time. */
  untilAt(now: number): number | null;
}

/** All that may suppress an event of one tenant. */
export interface CompiledSilences {
  readonly silences: readonly CompiledSilence[];
  /** Empty unless the tenant wants maintenance to reach below its CI. */
  readonly maintained: readonly MaintainedAbove[];
}
export const NO_SILENCES: CompiledSilences = { silences: [], maintained: [] };

const longer = (one: Suppression | null, by: string, until: number): Suppression => {
  if (one !== null && (one.until ?? Number.POSITIVE_INFINITY) >= until) return one;
  return until === Number.POSITIVE_INFINITY ? { by } : { by, until };
};

/**
 * Returns the silence of an event that arrives at `now`, ms: the longest of several. `ownUntil`: the end of the
 * maintenance of its own CI, infinity when it has no end, null without any.
 */
export function suppressionOf(
  { silences, maintained }: CompiledSilences,
  event: Silenceable,
  ownUntil: number | null,
  now: number,
): Suppression | null {
  let found: Suppression | null = null;
  for (const { rule, holdsUntil, test } of silences) {
    const until = holdsUntil(now);
    if (until !== null && test(event)) found = longer(found, silenceName(rule.id), until);
  }
  const { ci } = event;
  if (ci === null) return found;
  if (ownUntil !== null) found = longer(found, maintenanceName(ci.id), ownUntil);
  for (const { ciId, below, untilAt } of maintained) {
    const until = below.has(ci.id) ? untilAt(now) : null;
    if (until !== null) found = longer(found, maintenanceName(ciId), until);
  }
  return found;
}
