import { everySilence } from '#application/events/silences/silence-store.ts';
import { compileMatcher, openTitleWords } from '#domain/event/silences/matcher.ts';
import {
  ownCisOf,
  type SilenceRule,
  type SilenceState,
  silenceName,
  silenceState,
} from '#domain/event/silences/silence-rule.ts';
import { maintainedUntil, WINDOW_FIELD } from '#domain/topology/maintenance.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { clockTime, factsOf, freeTexts } from '#features/ai/rules/findings.ts';
import { given } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { personNames } from '#features/questions/use-cases/queries/people.ts';
import { type Asking, item, listOf, type QuestionTool, queryOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { cisOf } from './cis.ts';

/** A silence, or the maintenance of a CI, which silences it, too. */
export interface SilenceRow {
  readonly kind: 'silence' | 'maintenance';
  /** SIL-…, or the ID of the CI. */
  readonly id: string;
  readonly state: SilenceState;
  /** Name of the CI, or conditions that events have to match. */
  readonly what: string;
  readonly from: string | null;
  /** Null: no end. */
  readonly to: string | null;
  readonly by: string | null;
  /** Null: not recorded. */
  readonly setAt: string | null;
  readonly reason: string | null;
}

type Silencing = Pick<Asking, 'tenant' | 'ports' | 'receivedAt' | 'caller'>;

const MOST = 200;
const IMPACTED = 10_000;

async function matcherWords({ tenant, ports }: Silencing, { matcher }: SilenceRule): Promise<string> {
  const { ciId: _one, ciIds: _several, below, severity, ...texts } = matcher;
  const own = ownCisOf(matcher);
  const ids = [...own, below ?? []].flat();
  const names = new Map((await ports.topology.getCis(tenant, ids)).map(({ id, name }) => [id, name]));
  return [
    ...own.map((id) => names.get(id) ?? id),
    ...(below === undefined ? [] : [`${names.get(below) ?? below} and the CIs impacted by it`]),
    ...(severity === undefined ? [] : [`severity ${severity.join(' or ')}`]),
    ...Object.entries(texts).map(([name, text]) => `${name === 'ciType' ? 'CI type' : name} ${text}`),
  ].join(', ');
}

async function isOn({ tenant, ports }: Silencing, cis: readonly Ci[], { matcher }: SilenceRule): Promise<boolean> {
  const { host, ciType, below } = matcher;
  const named = ownCisOf(matcher);
  if (named.length === 0 && [host, ciType, below].every((part) => part === undefined)) return false;
  const lost = below === undefined ? null : await ports.graph.impact(tenant, [below], { limit: IMPACTED });
  const ids = lost === null ? undefined : new Set([below ?? '', ...lost.impacted.map((one) => one.ci)]);
  const test = compileMatcher(
    given({ host, ciType }),
    { own: named.length > 0 ? new Set(named) : undefined, below: ids },
    openTitleWords(),
  );
  const event = { source: '', sourceId: '', severity: 'info', tags: [], title: '' } as const;
  return cis.some((ci) =>
    [ci.name, ci.attributes.hostname, ci.attributes.fqdn].some(
      (name) => typeof name === 'string' && test({ ...event, ci, hostname: name }),
    ),
  );
}

/** The change that put the CI into maintenance; undefined: none is recorded. */
async function whoSet({ ports, tenant }: Silencing, id: string) {
  const { items } = await ports.history.changes(tenant, id, { limit: 20 });
  const stateOf = (ci: Ci | null): string =>
    `${ci?.status === 'maintenance'} ${String(ci?.customFields[WINDOW_FIELD])}`;
  return items.find(({ before, after }) => stateOf(before) !== stateOf(after));
}
const MOST_SET = 20;

async function maintenances(asking: Silencing, of: readonly Ci[] | null): Promise<SilenceRow[]> {
  const { tenant, ports, receivedAt: now } = asking;
  const ids = of && new Set(of.map(({ id }) => id));
  const all = await ports.topology.inMaintenance(tenant);
  const meant = all.filter(({ ciId }) => ids?.has(ciId) ?? true).slice(0, MOST);
  if (meant.length === 0) return [];
  const own = meant.map(({ ciId }) => ciId);
  const names = new Map((await ports.topology.getCis(tenant, own)).map(({ id, name }) => [id, name]));
  const users = await personNames({ ports, tenant });
  const setBy = new Map(
    await Promise.all(own.slice(0, MOST_SET).map(async (id) => [id, await whoSet(asking, id)] as const)),
  );
  return meant.map(({ ciId, maintenance }): SilenceRow => {
    const { always, window } = maintenance;
    const isNow = maintainedUntil(maintenance, now) !== null;
    const set = setBy.get(ciId);
    const span = always || window === undefined ? null : window;
    return {
      kind: 'maintenance',
      id: ciId,
      state: isNow ? 'active' : window !== undefined && window.from > now ? 'planned' : 'past',
      what: names.get(ciId) ?? ciId,
      from: span && iso(span.from),
      to: span && iso(span.to),
      by: set?.by ? (users.get(set.by) ?? 'a token or a user that is not in this tenant') : null,
      setAt: isoOrNull(set?.at ?? null),
      reason: null,
    };
  });
}

/** Silences of these states on the CIs, or of all. */
async function silencesOn(asking: Silencing, cis: readonly Ci[] | null, states: readonly SilenceState[]) {
  const { tenant, ports, receivedAt: now } = asking;
  const rules = (await everySilence(ports.records, tenant)).filter((rule) => states.includes(silenceState(rule, now)));
  const on = await Promise.all(rules.map((rule) => cis === null || isOn(asking, cis, rule)));
  const meant = rules.filter((_, i) => on[i]).slice(0, MOST);
  return Promise.all(
    meant.map(
      async (rule): Promise<SilenceRow> => ({
        kind: 'silence',
        id: silenceName(rule.id),
        state: silenceState(rule, now),
        what: await matcherWords(asking, rule),
        from: iso(rule.startsAt),
        to: iso(rule.endsAt),
        by: rule.createdBy.name,
        setAt: iso(rule.createdAt),
        reason: rule.reason,
      }),
    ),
  );
}

/** Silences and maintenance of these states on the CIs, or all; maintenance for callers who may read CIs. */
export async function silencedOn(
  asking: Silencing,
  cis: readonly Ci[] | null,
  states: readonly SilenceState[],
): Promise<readonly SilenceRow[]> {
  const mayRead = asking.caller.permissions.has('cmdb.read');
  const maintained = mayRead ? (await maintenances(asking, cis)).filter((one) => states.includes(one.state)) : [];
  return [...(await silencesOn(asking, cis, states)), ...maintained];
}

export const silences: QuestionTool<ParamsOf<typeof INPUTS.silences>, SilenceRow> = {
  name: 'list_silences',
  title: 'List silences',
  description: 'Silences and maintenance of CIs, with end, user and reason.',
  input: INPUTS.silences,
  permission: 'events.read',
  async run(asking, { ci: named, state }) {
    const ids = (await cisOf(asking, 'ci', named))?.map(({ id }) => id);
    const cis = ids === undefined ? null : await asking.ports.topology.getCis(asking.tenant, ids);
    const states = listOf(state) ?? (['active', 'planned'] as const);
    const rows = await silencedOn(asking, cis, states);
    return { rows, total: rows.length };
  },
  items: ({ kind, id, state, what, from, to, by, reason }) => {
    const [span, texts] = [factsOf({ from, until: to }), freeTexts({ by, reason })];
    const row = item('query', id, `${kind} of ${what}`, factsOf({ state }), freeTexts({ what }), span, texts);
    return [{ ...row, href: kind === 'silence' ? `/api/events/silences/${id}` : `/v1/cmdb/ci/${id}` }];
  },
  href: ({ state }) => `/api/events/silences${queryOf(typeof state === 'string' ? { state } : {})}`,
  noun: 'silence',
  tell: ({ kind, state, what, from, to, by, reason }) => {
    const time = (at: string | null, none: string): string => (at === null ? none : clockTime(Date.parse(at)));
    const span = `${time(from, 'now')} to ${time(to, 'an open end')}`;
    return `${kind === 'silence' ? 'Silence' : 'Maintenance'} of ${what}: ${state}, ${span}${by === null ? '' : `, by ${by}`}${reason === null ? '' : `: "${reason}"`}.`;
  },
  none: 'No silence and no maintenance found.',
};
