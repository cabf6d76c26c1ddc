import type { UseCaseContext } from '#application/access/context.ts';
import { everySilence } from '#application/events/silences/silence-store.ts';
import { matchesAbsent } from '#domain/event/silences/labels.ts';
import type { LabelMatcher, SilenceRule, SilenceState } from '#domain/event/silences/silence-rule.ts';
import { silenceState } from '#domain/event/silences/silence-rule.ts';
import { invalid } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import { labelsTest } from '#features/alertmanager/rules/event-alerts.ts';
import { ulidOf } from '#features/alertmanager/rules/ids.ts';
import { writtenOf } from '#features/alertmanager/rules/matchers.ts';
import {
  changeSilence,
  createSilence,
  endSilence,
  type NewSilence,
  requireSilence,
} from '#features/silences/use-cases/silences.ts';

/** Time for which ended silences are listed, as Alertmanager stores them; ms. */
const PAST_MS = 120 * 3_600_000;
const ORDER: readonly SilenceState[] = ['active', 'planned', 'past'];

export interface SilenceFilter {
  readonly states: ReadonlySet<SilenceState>;
  readonly matchers: readonly LabelMatcher[];
}

/** Active ones by their end, pending ones by their start, then ended ones, the latest first. */
const inOrder = (rules: readonly SilenceRule[], now: number): SilenceRule[] => {
  const placeOf = (rule: SilenceRule): readonly [number, number] => {
    const state = silenceState(rule, now);
    const time = state === 'active' ? rule.endsAt : state === 'planned' ? rule.startsAt : -rule.endsAt;
    return [ORDER.indexOf(state), time];
  };
  return rules.toSorted((one, other) => {
    const [[a, timeA], [b, timeB]] = [placeOf(one), placeOf(other)];
    return a - b || timeA - timeB;
  });
};

/** Matchers of a filter are compared with the values of the silence's own matchers. */
export const listSilences = async (
  { ports, tenant, receivedAt: now }: UseCaseContext,
  { states, matchers }: SilenceFilter,
): Promise<readonly SilenceRule[]> => {
  const test = labelsTest(matchers);
  const rules = (await everySilence(ports.records, tenant)).filter(
    (rule) =>
      rule.endsAt > now - PAST_MS &&
      states.has(silenceState(rule, now)) &&
      test(Object.fromEntries(writtenOf(rule.matcher).map(({ name, value }) => [name, value]))),
  );
  return inOrder(rules, now);
};

const requireMatching = ({ matcher: { labels, ...parts } }: NewSilence): void => {
  if (Object.keys(parts).length === 0 && (labels ?? []).every(matchesAbsent))
    throw invalid('matchers', 'at least one matcher must not match the empty string');
};

/** Creates a silence, or changes it: other matchers make a new one and end the former. Returns its id. */
export const setSilence = async (
  context: UseCaseContext,
  text: string | undefined,
  wanted: NewSilence & { readonly startsAt: number },
): Promise<string> => {
  requireMatching(wanted);
  const { receivedAt: now } = context;
  const before = text === undefined ? null : await requireSilence(context, ulidOf(text));
  const startsAt = Math.max(now, wanted.startsAt);
  if (before !== null && before.endsAt > now && sameJson(before.matcher, wanted.matcher)) {
    const { endsAt, reason } = wanted;
    const isBegun = before.startsAt <= now;
    await changeSilence(context, before.id, { endsAt, reason, ...(!isBegun && { startsAt }) });
    return before.id;
  }
  const { id } = await createSilence(context, { ...wanted, startsAt });
  if (before !== null) await endSilence(context, before.id);
  return id;
};
