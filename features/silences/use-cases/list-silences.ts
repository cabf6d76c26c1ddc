import type { UseCaseContext } from '#application/access/context.ts';
import { everySilence } from '#application/events/silences/silence-store.ts';
import { pageFrom } from '#application/records/list-records.ts';
import { firstItem } from '#domain/assert.ts';
import { type SilenceRule, type SilenceState, silenceName, silenceState } from '#domain/event/silences/silence-rule.ts';
import type { Page } from '#domain/page.ts';
import type { Paging } from '#schemas/http/paging.ts';

/** A current silence. */
export interface ShownSilence {
  readonly rule: SilenceRule;
  readonly state: SilenceState;
  /** Events that it suppresses, or was the last to suppress. */
  readonly caught: number;
}

const showSilences = async (
  { tenant, ports, receivedAt: now }: UseCaseContext,
  rules: readonly SilenceRule[],
): Promise<readonly ShownSilence[]> => {
  const names = rules.map(({ id }) => silenceName(id));
  const caught = names.length === 0 ? new Map<string, number>() : await ports.eventCounts.caught(tenant, names);
  return rules.map((rule) => {
    const state = silenceState(rule, now);
    return { rule, state, caught: caught.get(silenceName(rule.id)) ?? 0 };
  });
};

/** Returns the silence after a change; its suppressed events were counted before. */
export const changedSilence = (
  { receivedAt: now }: UseCaseContext,
  rule: SilenceRule,
  caught: number,
): ShownSilence => ({ rule, state: silenceState(rule, now), caught });

export const showSilence = async (context: UseCaseContext, rule: SilenceRule): Promise<ShownSilence> =>
  firstItem(await showSilences(context, [rule]));

/** The newest first; a cursor is the id of the last one shown. */
export const listSilences = async (
  context: UseCaseContext,
  state: SilenceState | undefined,
  { page, limit, cursor }: Paging,
): Promise<Page<ShownSilence>> => {
  const { tenant, ports, receivedAt: now } = context;
  const every = await everySilence(ports.records, tenant);
  const all = state === undefined ? every : every.filter((rule) => silenceState(rule, now) === state);
  const start = cursor === undefined ? (page - 1) * limit : all.filter(({ id }) => id >= cursor).length;
  const found = pageFrom(all, start, limit);
  return { ...found, items: await showSilences(context, found.items) };
};
