import { actorOf } from '#application/access/actor.ts';
import { audited } from '#application/access/audit.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { findSilence, reviseSilences } from '#application/events/silences/silence-store.ts';
import { lifecycleSettings } from '#application/records/tenant-settings.ts';
import type { Recurrence } from '#domain/event/silences/recurrence.ts';
import {
  ownCisOf,
  type SilenceMatcher,
  type SilenceRule,
  silenceId,
  silenceName,
} from '#domain/event/silences/silence-rule.ts';
import { Fault, notFound, type Problem } from '#domain/fault.ts';
import { sameJson } from '#domain/same-json.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** Maximum per tenant, without past ones: each event is tested against active ones. */
const MAX_SILENCES = 1_000;

export interface NewSilence {
  readonly matcher: SilenceMatcher;
  /** ms; absent: now. */
  readonly startsAt?: number | undefined;
  readonly endsAt: number;
  readonly reason: string;
  readonly recurrence?: Recurrence | undefined;
  /** Name that another program sent for its user. */
  readonly author?: string;
}
export interface SilencePatch {
  readonly matcher?: SilenceMatcher | undefined;
  readonly startsAt?: number | undefined;
  readonly endsAt?: number | undefined;
  readonly reason?: string | undefined;
  /** Null: it holds all the time. */
  readonly recurrence?: Recurrence | null | undefined;
}

const invalid = (problem: Problem): Fault => new Fault('invalid', `${problem.field}: ${problem.reason}`, [problem]);

type Lasting = Pick<SilenceRule, 'startsAt' | 'endsAt' | 'recurrence'>;

/** A silence that recurs holds for a part of its time only. */
const requireTimes = ({ startsAt, endsAt, recurrence }: Lasting, now: number, longestMs: number | null): void => {
  if (endsAt <= startsAt) throw invalid({ field: 'endsAt', reason: 'expected a time after startsAt' });
  if (endsAt <= now) throw invalid({ field: 'endsAt', reason: 'expected a time in the future' });
  if (longestMs !== null && recurrence === undefined && endsAt - startsAt > longestMs)
    throw invalid({ field: 'endsAt', reason: `expected at most ${longestMs / 60_000} minutes after startsAt` });
};
const longestOf = async ({ ports, tenant }: UseCaseContext): Promise<number | null> =>
  (await lifecycleSettings(ports.records, tenant)).maxSilenceMs;

/** An unknown CI is an error of the caller: such a silence would match nothing. */
export const requireCis = async ({ tenant, ports }: UseCaseContext, matcher: SilenceMatcher): Promise<void> => {
  const { ciIds, below } = matcher;
  const named = [
    ...ownCisOf(matcher).map((id) => [ciIds === undefined ? 'ciId' : 'ciIds', id] as const),
    ...(below === undefined ? [] : [['below', below] as const]),
  ];
  if (named.length === 0) return;
  const bindings = await ports.matcher.bind(
    tenant,
    named.map(([, id]) => ({ ciId: id })),
  );
  for (const [i, [field, id]] of named.entries())
    if (bindings[i]?.ci == null) throw invalid({ field: `matcher.${field}`, reason: `no CI with ID ${id}` });
};

/** The fields of a silence in the audit trail. */
const factsOf = ({ matcher, startsAt, endsAt, reason, createdBy, recurrence }: SilenceRule) => ({
  matcher,
  ...(recurrence !== undefined && { recurrence }),
  reason,
  createdBy,
  startsAt: new Date(startsAt).toISOString(),
  endsAt: new Date(endsAt).toISOString(),
});

type SilencesUpdate = (silences: readonly SilenceRule[]) => readonly SilenceRule[];

const revise = async (context: UseCaseContext, id: string, action: string, change: SilencesUpdate): Promise<void> => {
  const { tenant, ports, receivedAt: now } = context;
  const entry = (before: readonly SilenceRule[], after: readonly SilenceRule[]): SideRecord => {
    const [was, is] = [before, after].map((all) => all.find((one) => one.id === id));
    const facts = { before: was ? factsOf(was) : null, after: is ? factsOf(is) : null };
    return audited(context, { action, target: { kind: 'silence', id: silenceName(id) }, ...facts });
  };
  await reviseSilences(ports, { tenant, now, change, keptMs: ports.historyMs, audited: entry });
  ports.memory.silences.forget(tenant);
  ports.live.recordChanged(tenant, 'silence', silenceName(id));
};

export const createSilence = async (context: UseCaseContext, input: NewSilence): Promise<SilenceRule> => {
  const { caller, ports, receivedAt: now } = context;
  const { matcher, startsAt = now, endsAt, reason, recurrence, author } = input;
  requireTimes({ startsAt, endsAt, ...(recurrence && { recurrence }) }, now, await longestOf(context));
  await requireCis(context, matcher);
  const times = { startsAt, endsAt, createdAt: now, updatedAt: now };
  const rule: SilenceRule = {
    id: ports.ids.ulid(),
    matcher,
    reason,
    createdBy: actorOf(caller),
    ...times,
    ...(recurrence !== undefined && { recurrence }),
    ...(author !== undefined && { author }),
  };
  await revise(context, rule.id, 'silence.created', (silences) => {
    if (silences.filter((one) => one.endsAt > now).length >= MAX_SILENCES)
      throw new Fault('unprocessable', `Limit reached: ${MAX_SILENCES} silences. End some first`);
    return [...silences, rule];
  });
  return rule;
};

export const requireSilence = async ({ tenant, ports }: UseCaseContext, text: string): Promise<SilenceRule> => {
  const found = await findSilence(ports.records, tenant, silenceId(text));
  if (found === null) throw notFound('Silence', text);
  return found;
};

const isOver = ({ endsAt }: SilenceRule, now: number): boolean => endsAt <= now;

/** Changes one that is not over yet. Returns it as it is then. */
const changeOne = async (
  context: UseCaseContext,
  id: string,
  action: string,
  change: (before: SilenceRule) => SilenceRule,
): Promise<SilenceRule | null> => {
  let changed: SilenceRule | null = null;
  await revise(context, id, action, (silences) => {
    const at = silences.findIndex((one) => one.id === id);
    const before = silences[at];
    if (before === undefined || isOver(before, context.receivedAt)) return silences;
    const after = change(before);
    changed = after;
    return after === before ? silences : silences.with(at, after);
  });
  return changed;
};

export const changeSilence = async (
  context: UseCaseContext,
  text: string,
  { matcher, startsAt, endsAt, reason, recurrence }: SilencePatch,
): Promise<SilenceRule> => {
  const { receivedAt: now } = context;
  const { id } = await requireSilence(context, text);
  if (matcher !== undefined) await requireCis(context, matcher);
  const longest = await longestOf(context);
  const changed = await changeOne(context, id, 'silence.updated', (before) => {
    const { recurrence: recurring, ...rest } = before;
    const windows = recurrence === undefined ? recurring : recurrence;
    const after: SilenceRule = {
      ...rest,
      ...(windows && { recurrence: windows }),
      matcher: matcher ?? before.matcher,
      reason: reason ?? before.reason,
      startsAt: startsAt ?? before.startsAt,
      endsAt: endsAt ?? before.endsAt,
    };
    requireTimes(after, now, longest);
    return sameJson(after, before) ? before : { ...after, updatedAt: Math.max(now, before.updatedAt + 1) };
  });
  if (changed === null) throw new Fault('conflict', `Silence ${silenceName(id)} has ended. Create a new one`);
  return changed;
};

/** Ends it now; one that is over stays as it is. */
export const endSilence = async (context: UseCaseContext, text: string): Promise<SilenceRule> => {
  const { receivedAt: now } = context;
  const found = await requireSilence(context, text);
  const ended = await changeOne(context, found.id, 'silence.ended', (before) => ({
    ...before,
    startsAt: Math.min(before.startsAt, now),
    endsAt: now,
    updatedAt: now,
  }));
  return ended ?? found;
};
