import { joinEnds } from '#application/cmdb/join-ends.ts';
import { impactNow } from '#application/services/impact-now.ts';
import type { ServiceHit } from '#application/services/services-hit.ts';
import { invalid } from '#domain/fault.ts';
import type { RelationshipFilter } from '#domain/ports/topology/topology-queries.ts';
import type { OpenCounts } from '#domain/services/health.ts';
import { changedFields } from '#domain/topology/ci-diff.ts';
import { CAUSE_TYPES, type Ci, relationshipType } from '#domain/topology/topology.ts';
import { clockTime, counted, enumeration, factsOf, freeText, freeTexts } from '#features/ai/rules/findings.ts';
import type { NewItem } from '#features/ai/rules/pack.ts';
import type { CiName } from '#features/questions/rules/asking/memory.ts';
import { namedCiTypes } from '#features/questions/rules/grammar/tenant-names.ts';
import { given } from '#features/questions/rules/query.ts';
import { INPUTS, type ParamsOf } from '#features/questions/schemas/tool-input.ts';
import { tenantNames } from '#features/questions/use-cases/queries/read-query.ts';
import { cisNamed } from '#features/questions/use-cases/queries/resolve.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';
import { type Asking, item, listOf, MAX_TOOL_ROWS, type ParamWords, type QuestionTool, queryOf } from '../tool.ts';

const NAMES = 8;
const MAX_TEXT = 300;
const MAX_ATTRIBUTES = 20;
const MAX_NEAR = 50;
const MAX_IMPACT = 10_000;

const ciItem = ({ id, name, type }: CiName, facts: NewItem['facts'] = []): NewItem =>
  item('ci', id, name, [{ name: 'type', value: type }], facts);
const names = (cis: readonly { readonly name: string }[]): string =>
  enumeration(
    cis.map(({ name }) => name),
    NAMES,
  );
const namesFact = (name: string, cis: readonly CiName[]): NewItem['facts'] => [
  { name, value: cis.length },
  ...freeTexts({ [name]: names(cis) }),
];
/** Lines `Label: text`; empty texts are omitted. */
const linesOf = (texts: Readonly<Record<string, string>>): string[] =>
  Object.entries(texts).flatMap(([label, text]) => (text === '' ? [] : [`${label}: ${text}`]));

const serviceFacts = (services: ImpactRow['services']): NewItem['facts'] =>
  services.slice(0, NAMES).map(({ name, impact: hit }) => freeText('service', `${name} (${hit})`));

/** The one CI with this ID or name. Throws Fault `invalid` for none, and for several with their IDs. */
export async function ciNamed(
  asking: Pick<Asking, 'tenant' | 'ports' | 'caller'>,
  field: string,
  text: string,
): Promise<CiName> {
  const { tenant, ports } = asking;
  const [binding] = await ports.matcher.bind(tenant, [{ ciId: text, hostname: text, ipAddress: text, hints: [text] }]);
  if (binding?.ci) return binding.ci;
  const several = binding?.ambiguous ? await cisNamed(asking, text) : [];
  throw several.length > 1
    ? invalid(field, `${several.length} CIs have this name. Use an ID: ${several.slice(0, NAMES).join(', ')}`)
    : invalid(field, 'no CI with this ID or name');
}
export const ciOf = async (asking: Asking, field: string, text: string | undefined): Promise<CiName | null> =>
  text === undefined ? null : ciNamed(asking, field, text);

/** IDs of one CI, or of several; null: no condition. Throws Fault `invalid` for an unknown name. */
export async function cisOf(
  asking: Asking,
  field: string,
  said: ParamWords | undefined,
): Promise<readonly CiName[] | null> {
  const names = listOf(said);
  if (names === undefined) return null;
  const known = names.length > 1 ? await asking.ports.topology.getCis(asking.tenant, names) : [];
  const ids = new Set(known.map(({ id }) => id));
  const others = names.filter((name) => !ids.has(name));
  return [...known, ...(await Promise.all(others.map((name) => ciNamed(asking, field, name))))];
}

const toolCi = ({ id, name, type, status, description }: Ci) => {
  return { id, name, type, status, description: description?.slice(0, MAX_TEXT) || null };
};
export const searchCis: QuestionTool<ParamsOf<typeof INPUTS.cis>, ReturnType<typeof toolCi>> = {
  name: 'find_cis',
  title: 'Find CIs',
  description: 'Finds configuration items by part of the name, type and status.',
  input: INPUTS.cis,
  chat: { name: 'search-cis', params: { search: 'name' } },
  permission: 'cmdb.read',
  async run(asking, { search, type, status }) {
    const { tenant, ports } = asking;
    const known = type === undefined ? null : await tenantNames(asking);
    const types = listOf(type)?.flatMap((one) => {
      const stored = known === null ? [] : namedCiTypes(one, known);
      return stored.length === 0 ? [one] : stored;
    });
    const page = { sort: 'name', order: 'asc', limit: MAX_TOOL_ROWS } as const;
    const filter = given({ search, types, statuses: listOf(status) });
    const { items, total } = await ports.topology.findCis(tenant, filter, page);
    return { rows: items.map(toolCi), total };
  },
  items: (row) => [ciItem(row, [...factsOf({ status: row.status }), ...freeTexts({ description: row.description })])],
  href: ({ search, type, status }) => `/v1/cmdb/ci${queryOf({ search, type, status })}`,
  noun: 'CI',
  tell: ({ name, type, status }) => `${name}: ${type.replaceAll('_', ' ')}, ${status}.`,
  none: 'No CIs found.',
};

const attributesOf = ({ attributes, customFields }: Ci): Readonly<Record<string, string | number | boolean>> =>
  Object.fromEntries(
    [...Object.entries(attributes), ...Object.entries(customFields)]
      .flatMap(([name, value]): [string, string | number | boolean][] => {
        if (typeof value === 'string') return [[name, value.slice(0, MAX_TEXT)]];
        return typeof value === 'number' || typeof value === 'boolean' ? [[name, value]] : [];
      })
      .slice(0, MAX_ATTRIBUTES),
  );
const sumOf = (counts: OpenCounts | undefined): number => Object.values(counts ?? {}).reduce((sum, n) => sum + n, 0);

/** CIs around over which faults travel; by default one hop away. */
export async function near(
  { tenant, ports }: Asking,
  id: string,
  direction: 'up' | 'down',
  hops = 1,
): Promise<CiName[]> {
  const options = { hops, direction, types: CAUSE_TYPES, limit: MAX_NEAR * hops } as const;
  return (await ports.graph.neighbourhood(tenant, id, options)).nodes.map(ofGraph);
}

/** The newest 5 changes in the CMDB. */
async function changesOf({ tenant, ports }: Asking, id: string) {
  const { items } = await ports.history.changes(tenant, id, { limit: 5 });
  return items.map(({ at, before, after }) => {
    const fields = before && after ? changedFields(before, after).map(({ field }) => field) : null;
    return { at: iso(at), fields: fields?.slice(0, 10) ?? [before === null ? 'created' : 'removed'] };
  });
}

/** A CI with its surroundings, and the CIs and services that fail with it. */
async function detailsOf(asking: Asking, named: string) {
  const { tenant, ports, caller, receivedAt } = asking;
  const { id } = await ciNamed(asking, 'ci', named);
  const [ci] = await ports.topology.getCis(tenant, [id]);
  if (ci === undefined) throw invalid('ci', 'no CI with this ID or name');
  const [dependsOn, dependents, changes, seen, open, services] = await Promise.all([
    near(asking, id, 'up'),
    near(asking, id, 'down'),
    changesOf(asking, id),
    ports.topology.lastSeen(tenant, [id]),
    caller.permissions.has('events.read') ? ports.eventCounts.openOn(tenant, [id]) : null,
    caller.permissions.has('services.read') ? ports.memory.services.of(tenant, receivedAt) : null,
  ]);
  const now = await impactNow(asking, [id], { limit: MAX_IMPACT });
  return {
    ...toolCi(ci),
    attributes: attributesOf(ci),
    lastSeen: isoOrNull(seen.get(id) ?? null),
    // Null where the caller may not read events.
    openEvents: open && sumOf(open.get(id)),
    openBySeverity: open && (open.get(id) ?? {}),
    dependsOn,
    dependents,
    changes,
    services: (services?.get(id) ?? []).map(({ name }) => name),
    impacted: now.impact.impacted.map(ofGraph),
    servicesHit: services === null ? [] : now.services.map(shownHit),
  };
}
type DetailsRow = Awaited<ReturnType<typeof detailsOf>>;

export const ciDetails: QuestionTool<ParamsOf<typeof INPUTS.ci>, DetailsRow> = {
  name: 'get_ci_details',
  title: 'Get a CI',
  description: 'One CI with its attributes, open events, dependencies, dependents, services and latest changes.',
  input: INPUTS.ci,
  chat: { name: 'get-ci-details', params: { ci: 'ciId' } },
  permission: 'cmdb.read',
  run: async (asking, { ci }) => ({ rows: [await detailsOf(asking, ci)], total: 1 }),
  items: (row) => [
    ciItem(row, [
      ...factsOf({ status: row.status, 'open events': row.openEvents }),
      ...Object.entries(row.openBySeverity ?? {}).map(([name, value]) => ({ name: `open ${name} events`, value })),
      ...namesFact('depends on', row.dependsOn),
      ...namesFact('dependents', row.dependents),
      ...namesFact('impacted', row.impacted),
      ...serviceFacts(row.servicesHit),
      ...row.changes.slice(0, 3).map(({ at, fields }) => freeText('changed', `${at} ${fields.join(', ')}`)),
      ...Object.entries(row.attributes)
        .slice(0, 8)
        .map(([name, value]) => freeText(name, String(value))),
      ...freeTexts({ description: row.description }),
    ]),
  ],
  noun: 'CI',
  tell: ({ name, type, status, openEvents }) =>
    `${name} is a CI of type ${type} with status ${status}${openEvents === null ? '' : `, ${counted(openEvents, 'open event')}`}.`,
  more: ({ dependsOn, dependents, services, changes, attributes }) => [
    ...linesOf({
      'Depends on': names(dependsOn),
      Dependents: names(dependents),
      Services: enumeration(services, NAMES),
    }),
    ...changes.map(({ at, fields }) => `Changed ${clockTime(Date.parse(at))}: ${fields.join(', ')}`),
    ...Object.entries(attributes).map(([name, value]) => `${name}: ${value}`),
  ],
  none: 'No CI has this name.',
};

const nameOf = ({ id, name, type }: CiName): CiName => ({ id, name, type });
async function relationshipRows({ tenant, ports }: Asking, filter: RelationshipFilter) {
  const page = { sort: 'created_at', order: 'desc', limit: 100 } as const;
  const { items, total } = await ports.topology.findRelationships(tenant, filter, page);
  const joined = await joinEnds(ports, tenant, items);
  const rows = joined.map(({ relationship: { id, type, confidence }, source, target }) => {
    return { id, type, confidence, source: nameOf(source), target: nameOf(target) };
  });
  return { rows, total };
}
type ToolRelationshipRow = Awaited<ReturnType<typeof relationshipRows>>['rows'][number];

export const relationships: QuestionTool<ParamsOf<typeof INPUTS.relationships>, ToolRelationshipRow> = {
  name: 'search_relationships',
  title: 'Find relationships',
  description: 'Finds relationships, newest first; the source depends on the target.',
  input: INPUTS.relationships,
  chat: { name: 'search-relationships', params: { source: 'sourceId', target: 'targetId' } },
  permission: 'cmdb.read',
  async run(asking, params) {
    const source = await ciOf(asking, 'source', params.source);
    const target = await ciOf(asking, 'target', params.target);
    const type = params.type === undefined ? undefined : relationshipType(params.type);
    return relationshipRows(asking, { includeAi: false, ...given({ source: source?.id, target: target?.id, type }) });
  },
  items: ({ id, type, confidence, source, target }) => {
    const ends = freeTexts({ source: source.name, target: target.name });
    const label = `${source.name} ${type} ${target.name}`;
    return [item('relationship', id, label, factsOf({ type }), ends, factsOf({ confidence }))];
  },
  href: ({ source, target, type }) =>
    `/v1/cmdb/relationships${queryOf({ source_ci: source, target_ci: target, type })}`,
  noun: 'relationship',
  tell: ({ source, type, target }) => `${source.name} ${type.replaceAll('_', ' ')} ${target.name}.`,
  none: 'No relationships found.',
};

const shownHit = ({ service: { id, name, criticality }, impact }: ServiceHit) => ({ id, name, criticality, impact });

interface GraphNode {
  readonly ci: string;
  readonly name: string;
  readonly type: string;
}
const ofGraph = ({ ci: id, name, type }: GraphNode): CiName => ({ id, name, type });
const shownImpact = (one: GraphNode & { readonly hops: number }) => ({ ...ofGraph(one), hops: one.hops });

/** Failures with a CI; partners are down now, so that CIs are lost which their redundancy would have saved. */
async function impactOf(asking: Asking, named: string) {
  const ci = await ciNamed(asking, 'ci', named);
  const options = { limit: MAX_IMPACT };
  const { impact: found, services } = await impactNow(asking, [ci.id], options);
  const partners = found.partnersDown ?? [];
  const alone = partners.length === 0 ? found : await asking.ports.graph.impact(asking.tenant, [ci.id], options);
  const known = new Set(alone.impacted.map((one) => one.ci));
  return {
    ...nameOf(ci),
    impacted: found.impacted.filter((one) => known.has(one.ci)).map(shownImpact),
    truncated: found.truncated,
    // CIs saved by redundancy, with the paths of the group that are left.
    protected: found.protected.map((one) => {
      const { surviving = 1, required = 1 } = one.groups[0] ?? {};
      return { ...shownImpact(one), surviving, required };
    }),
    services: asking.caller.permissions.has('services.read') ? services.map(shownHit) : [],
    partnersDown: partners.map(ofGraph),
    lostToo: found.impacted.filter((one) => !known.has(one.ci)).map(shownImpact),
  };
}
export type ImpactRow = Awaited<ReturnType<typeof impactOf>>;

export const impact: QuestionTool<ParamsOf<typeof INPUTS.ci>, ImpactRow> = {
  name: 'impact_of',
  title: 'Get the impact of a CI',
  description:
    'Impact of a failing CI: impacted CIs and services, CIs that redundancy protects, and partners that are down now.',
  input: INPUTS.ci,
  permission: 'cmdb.read',
  run: async (asking, { ci }) => ({ rows: [await impactOf(asking, ci)], total: 1 }),
  items: (row) => [
    ciItem(row, [
      ...namesFact('impacted', row.impacted),
      ...namesFact('protected by redundancy', row.protected),
      ...serviceFacts(row.services),
      ...freeTexts({ 'partner down': names(row.partnersDown) }),
    ]),
  ],
  noun: 'impact',
  tell: ({ name, impacted }) =>
    impacted.length === 0
      ? `No known impact if ${name} fails.`
      : `If ${name} fails, ${counted(impacted.length, 'CI is', 'CIs are')} impacted: ${names(impacted)}.`,
  more: ({ services, lostToo, partnersDown, protected: saved }) => [
    ...services.map((one) => `Service ${one.name} (${one.criticality}): ${one.impact.replaceAll('_', ' ')}`),
    ...linesOf({
      [`Impacted too, because partners are down now (${names(partnersDown)})`]: names(lostToo),
      'Protected by redundancy': names(saved),
    }),
  ],
  none: 'No CI has this name.',
};

export interface PathRow {
  /** The end that depends on the other one; null: neither. */
  readonly dependent: string | null;
  readonly nodes: readonly CiName[];
}
export const path: QuestionTool<ParamsOf<typeof INPUTS.path>, PathRow> = {
  name: 'path',
  title: 'Find the path between CIs',
  description: 'The shortest path of relationships between two CIs.',
  input: INPUTS.path,
  permission: 'cmdb.read',
  async run(asking, params) {
    const { tenant, ports } = asking;
    const [from, to] = [await ciNamed(asking, 'from', params.from), await ciNamed(asking, 'to', params.to)];
    const upwards = { maxHops: 6, direction: 'up', types: CAUSE_TYPES } as const;
    const [there, back] = await Promise.all([
      ports.graph.path(tenant, from.id, to.id, upwards),
      ports.graph.path(tenant, to.id, from.id, upwards),
    ]);
    const directed = there ?? back;
    const ids = directed ?? (await ports.graph.path(tenant, from.id, to.id, { maxHops: 6, direction: 'both' }));
    if (ids === null) return { rows: [], total: 0 };
    const found = new Map((await ports.topology.getCis(tenant, ids)).map((ci) => [ci.id, ci]));
    const nodes = ids.flatMap((id) => found.get(id) ?? []).map(nameOf);
    return { rows: [{ nodes, dependent: directed?.[0] ?? null }], total: 1 };
  },
  items: ({ nodes }) => nodes.map((one) => ciItem(one)),
  href: ({ from, to }) => `/v1/cmdb/path${queryOf({ from, to })}`,
  noun: 'path',
  tell: ({ nodes }) =>
    `${counted(nodes.length - 1, 'hop')}: ${nodes.map(({ name, type }) => `${name} (${type})`).join(' → ')}.`,
  none: 'No path found.',
};

export interface NeighborRow extends CiName {
  readonly hops: number;
  /** Relationships of the CI that were followed. */
  readonly by: readonly string[];
}
export const neighbourhood: QuestionTool<ParamsOf<typeof INPUTS.neighbourhood>, NeighborRow> = {
  name: 'get_neighbourhood',
  title: 'Get the neighborhood of a CI',
  description: 'CIs around a CI, nearest first, with the relationships between them.',
  input: INPUTS.neighbourhood,
  permission: 'cmdb.read',
  async run(asking, { ci: named, hops = 1, direction = 'both' }) {
    const { tenant, ports } = asking;
    const ci = await ciNamed(asking, 'ci', named);
    const options = { hops, direction, limit: MAX_NEAR };
    const { nodes, edges, truncated } = await ports.graph.neighbourhood(tenant, ci.id, options);
    const nameBy = new Map([...nodes.map((one) => [one.ci, one.name] as const), [ci.id, ci.name]]);
    const rows = nodes.map((one) => ({
      ...shownImpact(one),
      by: edges
        .filter(({ source, target }) => source === one.ci || target === one.ci)
        .slice(0, NAMES)
        .map(({ source, type, target }) => `${nameBy.get(source) ?? source} ${type} ${nameBy.get(target) ?? target}`),
    }));
    return { rows, total: rows.length + Number(truncated) };
  },
  items: (row) => [
    ciItem(row, [{ name: 'hops', value: row.hops }, ...row.by.map((text) => freeText('relationship', text))]),
  ],
  noun: 'neighbor',
  tell: ({ name, type, hops, by }) => `${name} (${type}), ${counted(hops, 'hop')}: ${by.join('; ')}.`,
  none: 'No neighbors found.',
};
