import { joinEnds } from '#application/cmdb/join-ends.ts';
import { type ServiceHit, servicesHit } from '#application/services/services-hit.ts';
import { invalid } from '#domain/fault.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import { CAUSE_TYPES, type Ci, relationshipType } from '#domain/topology/topology.ts';
import { counted, enumeration, freeText } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { namedCiTypes } from '#features/questions/rules/grammar/tenant-names.ts';
import { INPUTS } from '#features/questions/schemas/tool-input.ts';
import { tenantNames } from '#features/questions/use-cases/queries/tenant-names.ts';
import { type Asking, MAX_TOOL_ROWS, type QuestionTool, queryOf } from '#features/questions/use-cases/tools/tool.ts';
import { iso } from '#schemas/http/time.ts';

const NAMES = 8;
const MAX_TEXT = 300;
const MAX_ATTRIBUTES = 20;
const MAX_NEAR = 50;
const MAX_IMPACT = 10_000;

const ciItem = ({ id, name, type }: CiName, facts: NewItem['facts'] = []): NewItem => ({
  kind: 'ci',
  id,
  label: name,
  facts: [{ name: 'type', value: type }, ...facts],
});
const names = (cis: readonly { readonly name: string }[]): string =>
  enumeration(
    cis.map(({ name }) => name),
    NAMES,
  );
const namesFact = (name: string, cis: readonly CiName[]): NewItem['facts'] => [
  { name, value: cis.length },
  ...(cis.length === 0 ? [] : [freeText(name, names(cis))]),
];

const serviceFacts = (services: ImpactRow['services']): NewItem['facts'] =>
  services.slice(0, NAMES).map(({ name, impact: hit }) => freeText('service', `${name} (${hit})`));

/** The one CI that a text names; null when the text is absent. Throws Fault `invalid` when none or several are called so. */
export async function ciOf({ tenant, ports }: Asking, field: string, text: string | undefined): Promise<CiName | null> {
  if (text === undefined) return null;
  const [binding] = await ports.matcher.bind(tenant, [{ ciId: text, hostname: text, ipAddress: text, hints: [text] }]);
  if (!binding?.ci) throw invalid(field, 'no single CI has this id or name');
  return binding.ci;
}

export interface ToolCiRow extends CiName {
  readonly status: string;
  readonly description: string | null;
}
export const searchCis: QuestionTool<
  { name?: string | undefined; type?: string | undefined; status?: Ci['status'] | undefined },
  ToolCiRow
> = {
  name: 'search-cis',
  description: 'Configuration items by part of the name, type, status',
  input: INPUTS.searchCis,
  permission: 'cmdb.read',
  async run(asking, { name, type, status }) {
    const { tenant, ports } = asking;
    const types = type === undefined ? [] : namedCiTypes(type, await tenantNames(asking));
    const filter = {
      ...(name !== undefined && { search: name }),
      ...(type !== undefined && { types: types.length === 0 ? [type] : types }),
      ...(status !== undefined && { statuses: [status] }),
    };
    const page = { sort: 'name', order: 'asc', limit: MAX_TOOL_ROWS } as const;
    const { items, total } = await ports.topology.findCis(tenant, filter, page);
    const rows = items.map(({ id, description, ...ci }) => ({
      id,
      name: ci.name,
      type: ci.type,
      status: ci.status,
      description: description?.slice(0, MAX_TEXT) || null,
    }));
    return { rows, total };
  },
  items: (row) => [
    ciItem(row, [
      { name: 'status', value: row.status },
      ...(row.description === null ? [] : [freeText('description', row.description)]),
    ]),
  ],
  href: ({ name, type, status }) => `/v1/cmdb/ci${queryOf({ search: name, type, status })}`,
  tell: ({ name, type, status }) => `${name}: ${type.replaceAll('_', ' ')}, ${status}.`,
  none: 'No CI matches.',
};

export interface DetailsRow extends ToolCiRow {
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly lastSeen: string | null;
  /** Null where the caller may not read events. */
  readonly openEvents: number | null;
  readonly openBySeverity: OpenCounts | null;
  readonly dependsOn: readonly CiName[];
  readonly dependents: readonly CiName[];
  /** The newest 5 changes in the CMDB. */
  readonly changes: readonly { readonly at: string; readonly fields: readonly string[] }[];
  readonly services: readonly string[];
  /** CIs and services that fail with it. */
  readonly impacted: readonly CiName[];
  readonly servicesHit: ImpactRow['services'];
}
const isPlain = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value);
const attributesOf = ({ attributes, customFields }: Ci): DetailsRow['attributes'] =>
  Object.fromEntries(
    [...Object.entries(attributes), ...Object.entries(customFields)]
      .flatMap(([name, value]) =>
        isPlain(value) ? [[name, typeof value === 'string' ? value.slice(0, MAX_TEXT) : value] as const] : [],
      )
      .slice(0, MAX_ATTRIBUTES),
  );
const sumOf = (counts: OpenCounts | undefined): number => Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);

/** CIs one hop away over which faults travel. */
export async function near({ tenant, ports }: Asking, id: string, direction: 'up' | 'down'): Promise<CiName[]> {
  const options = { hops: 1, direction, types: CAUSE_TYPES, limit: MAX_NEAR } as const;
  const { nodes } = await ports.graph.neighbourhood(tenant, id, options);
  return nodes.map(({ ci, name, type }) => ({ id: ci, name, type }));
}

async function changesOf({ tenant, ports }: Asking, id: string): Promise<DetailsRow['changes']> {
  const { items } = await ports.history.changes(tenant, id, { limit: 5 });
  return items.map(({ at, before, after }) => ({
    at: iso(at),
    fields:
      before === null
        ? ['created']
        : after === null
          ? ['removed']
          : changedFields(before, after)
              .map(({ field }) => field)
              .slice(0, 10),
  }));
}

export const ciDetails: QuestionTool<{ ciId: string }, DetailsRow> = {
  name: 'get-ci-details',
  description: 'One CI: attributes, open events, what it needs, what needs it, changes. ciId: alias or name',
  input: INPUTS.details,
  permission: 'cmdb.read',
  async run(asking, { ciId }) {
    const { tenant, ports, caller, receivedAt } = asking;
    const meant = await ciOf(asking, 'ciId', ciId);
    const [ci] = meant === null ? [] : await ports.topology.getCis(tenant, [meant.id]);
    if (ci === undefined) throw invalid('ciId', 'no CI has this id');
    const mayHear = caller.permissions.has('events.read');
    const [dependsOn, dependents, changes, seen, open, services] = await Promise.all([
      near(asking, ci.id, 'up'),
      near(asking, ci.id, 'down'),
      changesOf(asking, ci.id),
      ports.topology.lastSeen(tenant, [ci.id]),
      mayHear ? ports.eventCounts.openOn(tenant, [ci.id]) : null,
      caller.permissions.has('services.read') ? ports.memory.services.of(tenant, receivedAt) : null,
    ]);
    const lastSeen = seen.get(ci.id);
    const { impacted } = await impactedBy(asking, [ci.id]);
    const row: DetailsRow = {
      id: ci.id,
      name: ci.name,
      type: ci.type,
      status: ci.status,
      description: ci.description?.slice(0, MAX_TEXT) || null,
      attributes: attributesOf(ci),
      lastSeen: lastSeen === undefined ? null : iso(lastSeen),
      openEvents: open && sumOf(open.get(ci.id)),
      openBySeverity: open && (open.get(ci.id) ?? {}),
      dependsOn,
      dependents,
      changes,
      services: (services?.get(ci.id) ?? []).map(({ name }) => name),
      impacted: impacted.map((one) => ({ id: one.ci, name: one.name, type: one.type })),
      servicesHit: await servicesOf(asking, [ci.id, ...impacted.map((one) => one.ci)]),
    };
    return { rows: [row], total: 1 };
  },
  items: (row) => [
    ciItem(row, [
      { name: 'status', value: row.status },
      ...(row.openEvents === null ? [] : [{ name: 'open events', value: row.openEvents }]),
      ...Object.entries(row.openBySeverity ?? {}).map(([severity, n]) => ({
        name: `open ${severity} events`,
        value: n,
      })),
      ...namesFact('depends on', row.dependsOn),
      ...namesFact('dependents', row.dependents),
      ...namesFact('impacted', row.impacted),
      ...serviceFacts(row.servicesHit),
      ...row.changes.slice(0, 3).map(({ at, fields }) => freeText('changed', `${at} ${fields.join(', ')}`)),
      ...Object.entries(row.attributes)
        .slice(0, 8)
        .map(([name, value]) => freeText(name, String(value))),
      ...(row.description === null ? [] : [freeText('description', row.description)]),
    ]),
  ],
  tell: ({ name, type, status, openEvents }) =>
    `${name} is a CI of type ${type} with status ${status}${openEvents === null ? '' : `, ${counted(openEvents, 'open event')}`}.`,
  none: 'No CI has this name.',
};

export interface ToolRelationshipRow {
  readonly id: string;
  readonly type: string;
  readonly confidence: number;
  readonly source: CiName;
  readonly target: CiName;
}
const nameOf = ({ id, name, type }: CiName): CiName => ({ id, name, type });
export const relationships: QuestionTool<
  { sourceId?: string | undefined; targetId?: string | undefined; type?: string | undefined },
  ToolRelationshipRow
> = {
  name: 'search-relationships',
  description: 'Relationships; the source needs the target',
  input: INPUTS.relationships,
  permission: 'cmdb.read',
  async run(asking, { sourceId, targetId, type }) {
    const { tenant, ports } = asking;
    const [source, target] = await Promise.all([
      ciOf(asking, 'sourceId', sourceId),
      ciOf(asking, 'targetId', targetId),
    ]);
    const filter = {
      includeAi: false,
      ...(source && { source: source.id }),
      ...(target && { target: target.id }),
      ...(type !== undefined && { type: relationshipType(type) }),
    };
    const page = { sort: 'created_at', order: 'desc', limit: 100 } as const;
    const { items, total } = await ports.topology.findRelationships(tenant, filter, page);
    const joined = await joinEnds(ports, tenant, items);
    const rows = joined.map((one) => ({
      id: one.relationship.id,
      type: one.relationship.type,
      confidence: one.relationship.confidence,
      source: nameOf(one.source),
      target: nameOf(one.target),
    }));
    return { rows, total };
  },
  items: ({ id, type, confidence, source, target }) => [
    {
      kind: 'relationship',
      id,
      label: `${source.name} ${type} ${target.name}`,
      facts: [
        { name: 'type', value: type },
        freeText('source', source.name),
        freeText('target', target.name),
        { name: 'confidence', value: confidence },
      ],
    },
  ],
  href: ({ sourceId, targetId, type }) =>
    `/v1/cmdb/relationships${queryOf({ source_ci: sourceId, target_ci: targetId, type })}`,
  tell: ({ source, type, target }) => `${source.name} ${type.replaceAll('_', ' ')} ${target.name}.`,
  none: 'No relationships found.',
};

export interface ImpactRow extends CiName {
  readonly impacted: readonly CiName[];
  readonly truncated: boolean;
  /** Saved by redundancy, with how many paths of a group are left. */
  readonly protected: readonly (CiName & { readonly surviving: number; readonly required: number })[];
  readonly services: readonly {
    readonly id: string;
    readonly name: string;
    readonly criticality: string;
    readonly impact: ServiceHit['impact'];
  }[];
  /** CIs with an open critical event that it shares a load with, and what fails with it because of them. */
  readonly partnersDown: readonly CiName[];
  readonly lostToo: readonly CiName[];
}

const impactedBy = async ({ tenant, ports }: Asking, ids: readonly string[]) =>
  ids.length === 0
    ? { impacted: [], protected: [], truncated: false }
    : ports.graph.impact(tenant, ids, { limit: MAX_IMPACT });

/** Members of the same redundancy groups that are down now. */
async function downPartners(
  asking: Asking,
  self: string,
  saved: readonly { readonly ci: string }[],
): Promise<CiName[]> {
  if (!asking.caller.permissions.has('events.read')) return [];
  const around = await Promise.all(saved.slice(0, 20).map(({ ci }) => near(asking, ci, 'up')));
  const others = new Map(around.flat().map((ci) => [ci.id, ci]));
  others.delete(self);
  const open = await asking.ports.eventCounts.openOn(asking.tenant, [...others.keys()]);
  return [...others.values()].filter(({ id }) => (open.get(id)?.critical ?? 0) > 0);
}

const servicesOf = async (asking: Asking, failing: readonly string[]): Promise<ImpactRow['services']> => {
  if (!asking.caller.permissions.has('services.read')) return [];
  const hits = await servicesHit(asking, new Set(failing));
  return hits.map(({ service: { id, name, criticality }, impact }) => ({ id, name, criticality, impact }));
};

export const impact: QuestionTool<{ ciId: string }, ImpactRow> = {
  name: 'impact',
  description: 'Impact of a failing CI, with redundancy and partners that are down now',
  input: INPUTS.impact,
  permission: 'cmdb.read',
  async run(asking, { ciId }) {
    const ci = await ciOf(asking, 'ciId', ciId);
    if (ci === null) throw invalid('ciId', 'no CI has this id');
    const alone = await impactedBy(asking, [ci.id]);
    const partners = await downPartners(asking, ci.id, alone.protected);
    const ids = partners.map(({ id }) => id);
    const [both, without] = await Promise.all([
      partners.length === 0 ? alone : impactedBy(asking, [ci.id, ...ids]),
      impactedBy(asking, ids),
    ]);
    const known = new Set([...alone.impacted, ...without.impacted].map((one) => one.ci));
    const lostToo = both.impacted.filter((one) => !known.has(one.ci) && !ids.includes(one.ci));
    const named = (one: { readonly ci: string; readonly name: string; readonly type: string }): CiName => ({
      id: one.ci,
      name: one.name,
      type: one.type,
    });
    const row: ImpactRow = {
      ...nameOf(ci),
      impacted: alone.impacted.map(named),
      truncated: alone.truncated,
      protected: alone.protected.map((one) => {
        const least = one.groups[0];
        return { ...named(one), surviving: least?.surviving ?? 1, required: least?.required ?? 1 };
      }),
      services: await servicesOf(asking, [
        ci.id,
        ...alone.impacted.map((one) => one.ci),
        ...lostToo.map((one) => one.ci),
      ]),
      partnersDown: lostToo.length > 0 ? partners : [],
      lostToo: lostToo.map(named),
    };
    return { rows: [row], total: 1 };
  },
  items: (row) => [
    ciItem(row, [
      ...namesFact('impacted', row.impacted),
      ...namesFact('protected by redundancy', row.protected),
      ...serviceFacts(row.services),
      ...(row.partnersDown.length === 0 ? [] : [freeText('partner down', names(row.partnersDown))]),
    ]),
  ],
  tell: ({ name, impacted }) =>
    impacted.length === 0
      ? `No known impact if ${name} fails.`
      : `If ${name} fails, ${counted(impacted.length, 'CI is', 'CIs are')} impacted: ${names(impacted)}.`,
  none: 'No CI has this name.',
};

export interface PathRow {
  readonly nodes: readonly CiName[];
}
export const path: QuestionTool<{ sourceId: string; targetId: string }, PathRow> = {
  name: 'path',
  description: 'Path between two CIs',
  input: INPUTS.path,
  permission: 'cmdb.read',
  async run(asking, { sourceId, targetId }) {
    const { tenant, ports } = asking;
    const [from, to] = [await ciOf(asking, 'sourceId', sourceId), await ciOf(asking, 'targetId', targetId)];
    if (from === null || to === null) return { rows: [], total: 0 };
    const ways = await Promise.all(
      [
        [from.id, to.id],
        [to.id, from.id],
      ].map(([one = '', other = '']) =>
        ports.graph.path(tenant, one, other, { maxHops: 6, direction: 'up', types: CAUSE_TYPES }),
      ),
    );
    const ids =
      ways.find((way) => way !== null) ??
      (await ports.graph.path(tenant, from.id, to.id, { maxHops: 6, direction: 'both' }));
    if (ids === null) return { rows: [], total: 0 };
    const found = new Map((await ports.topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
    return { rows: [{ nodes: ids.flatMap((id) => found.get(id) ?? []).map(nameOf) }], total: 1 };
  },
  items: ({ nodes }) => nodes.map((one) => ciItem(one)),
  href: ({ sourceId, targetId }) => `/v1/cmdb/path${queryOf({ from: sourceId, to: targetId })}`,
  tell: ({ nodes }) => `${nodes.map(({ name }) => name).join(' → ')}.`,
  none: 'No path between them.',
};
