import { z } from 'zod';
import { listCis } from '#api/cmdb/list-cis.ts';
import { listTopologyChanges } from '#api/endpoints.ts';
import { isBeyond, quoted, tool } from '#api/surfaces/tool.ts';
import { getImpact } from '#api/topology/impact.ts';
import { getNeighbourhood } from '#api/topology/neighbourhood.ts';
import { getPath } from '#api/topology/path.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { iso } from '#schemas/http/time.ts';
import {
  ci,
  counted,
  found,
  given,
  hours,
  joined,
  lines,
  link,
  rows,
  ShownCi,
  text,
  total,
  truncated,
  utc,
} from './fields.ts';

const ciWords = ({ name, type }: ShownCi): string => `${quoted(name)} (${type})`;

const Ci = ShownCi.extend({
  status: z.string(),
  description: z.string().optional(),
  external_key: z.string().optional(),
  last_seen: z.string().nullable(),
  relationships: z.object({ count: z.int() }),
  link,
});
type ListedCis = readonly { readonly _id: string }[];

const finding = tool({
  name: 'find_cis',
  title: 'Find CIs',
  description: 'Finds configuration items by part of name, description, hostname, address or external key.',
  endpoint: listCis,
  input: z.strictObject({
    search: text.optional(),
    type: z.array(text).min(1).max(20).optional(),
    status: z.array(z.enum(CI_STATUSES)).min(1).optional(),
    limit: rows(25, 10),
  }),
  output: z.object({ cis: z.array(Ci), total, truncated }),
  async run({ ask, link: linkTo }, { search, type, status, limit }) {
    const query = given({ search, type: joined(type), status: joined(status), limit: String(limit) });
    const { body, total: all } = await ask(listCis, { query });
    const cis = (body as ListedCis).map((one) => ({ ...one, id: one._id, link: linkTo(`/ui/cis/${one._id}`) }));
    return { cis, total: all, truncated: isBeyond(cis, all) };
  },
  tell: ({ cis, total: all }) =>
    lines(
      found('CI', cis, all),
      cis.map(
        (one) => `${ciWords(one)}, ${one.status}, ${counted(one.relationships.count, 'relationship')}, ID ${one.id}`,
      ),
    ),
});

const Node = ShownCi.extend({ hops: z.int() });
type Node = z.output<typeof Node>;
const nodeWords = (node: Node): string => `${ciWords(node)}, ${counted(node.hops, 'hop')}, ID ${node.id}`;
const Edge = z.object({ source: z.string(), target: z.string(), type: z.string() });

/** Describes relationships by the names of their ends; CIs that are not listed by ID. */
const edgeWords = (nodes: readonly ShownCi[], edges: readonly z.output<typeof Edge>[]): string[] => {
  const names = new Map(nodes.map(({ id, name }) => [id, quoted(name)]));
  const nameOf = (id: string): string => names.get(id) ?? id;
  return edges.map(({ source, type, target }) => `${nameOf(source)} ${type} ${nameOf(target)}`);
};

const surrounding = tool({
  name: 'get_neighbourhood',
  title: 'Get the neighborhood of a CI',
  description: 'CIs around a CI with the relationships between them. up: what it depends on; down: what depends on it.',
  endpoint: getNeighbourhood,
  input: z.strictObject({
    ci,
    hops: z.int().min(1).max(3).default(1),
    direction: z.enum(['up', 'down', 'both']).default('both'),
    limit: rows(50, 25),
  }),
  output: z.object({ ci: ShownCi, nodes: z.array(Node), edges: z.array(Edge), truncated }),
  async run({ ask, ciNamed }, { ci: named, hops, direction, limit }) {
    const query = { hops: String(hops), direction, limit: String(limit) };
    return (await ask(getNeighbourhood, { params: { id: await ciNamed(named) }, query })).body;
  },
  tell: ({ ci: center, nodes, edges }) =>
    lines(`${ciWords(center)} has ${counted(nodes.length, 'neighbor')}${nodes.length === 0 ? '.' : ':'}`, [
      ...nodes.map(nodeWords),
      ...edgeWords([center, ...nodes], edges),
    ]),
});

const leading = tool({
  name: 'path',
  title: 'Find the path between CIs',
  description: 'The shortest path of relationships between two CIs.',
  endpoint: getPath,
  input: z.strictObject({ from: ci, to: ci }),
  output: z.object({ found: z.boolean(), hops: z.int().nullable(), nodes: z.array(ShownCi) }),
  run: async ({ ask, ciNamed }, { from, to }) =>
    (await ask(getPath, { query: { from: await ciNamed(from), to: await ciNamed(to) } })).body,
  tell: ({ found: isFound, hops, nodes }) =>
    isFound ? `${counted(hops ?? 0, 'hop')}: ${nodes.map(ciWords).join(' → ')}` : 'No path found.',
});

const Service = z.object({ id: z.string(), name: z.string(), criticality: z.string(), impact: z.string() });

const failing = tool({
  name: 'impact_of',
  title: 'Get the impact of a CI',
  description: 'What is impacted if a CI fails: CIs, services, and CIs that are protected by redundancy.',
  endpoint: getImpact,
  input: z.strictObject({ ci, limit: rows(50, 25) }),
  output: z.object({
    ci: ShownCi,
    impacted: z.array(Node),
    protected: z.array(Node),
    services: z.array(Service),
    total: z.int(),
    truncated,
  }),
  run: async ({ ask, ciNamed }, { ci: named, limit }) =>
    (await ask(getImpact, { params: { id: await ciNamed(named) }, query: { limit: String(limit) } })).body,
  tell: ({ ci: center, impacted, protected: saved, services, total: all }) =>
    lines(
      `If ${ciWords(center)} fails, ${counted(all, 'other CI')} and ${counted(services.length, 'service')} are impacted.`,
      [
        ...services.map(
          ({ name, criticality, impact }) => `Service ${quoted(name)} (${criticality}): ${impact.replaceAll('_', ' ')}`,
        ),
        ...impacted.map(nodeWords),
        ...saved.map((one) => `Protected by redundancy: ${nodeWords(one)}`),
      ],
    ),
});

const HOUR_MS = 3_600_000;
const End = z.object({ id: z.string(), name: z.string().nullable() }).nullable();
const Change = z.object({
  at: z.string(),
  of: z.string(),
  action: z.string(),
  by: z.string().nullable(),
  id: z.string(),
  name: z.string().nullable(),
  type: z.string(),
  source: End,
  target: End,
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })),
});

const endWords = (end: z.output<typeof End>): string => quoted(end?.name ?? end?.id ?? 'a deleted CI');
const changeWords = ({
  at,
  of,
  action,
  by,
  name,
  id,
  type,
  source,
  target,
  changes,
}: z.output<typeof Change>): string => {
  const what =
    of === 'ci' ? `CI ${quoted(name ?? id)}` : `relationship ${endWords(source)} ${type} ${endWords(target)}`;
  const fields = changes.length === 0 ? '' : ` (${changes.map(({ field }) => field).join(', ')})`;
  return `${utc(at)}: ${what} ${action}${fields}${by === null ? '' : ` by ${quoted(by)}`}`;
};

const changing = tool({
  name: 'what_changed',
  title: 'List changes near a CI',
  description: 'Created, changed and deleted CIs and relationships near a CI, newest first.',
  endpoint: listTopologyChanges,
  input: z.strictObject({
    ci,
    hops: z.int().min(0).max(3).default(1),
    hours: hours.default(24).describe('Time range ending now'),
    limit: rows(50, 20),
  }),
  output: z.object({ changes: z.array(Change), total, truncated }),
  async run({ ask, ciNamed, receivedAt }, { ci: named, hops, hours: range, limit }) {
    const from = iso(receivedAt - range * HOUR_MS);
    const query = { near: await ciNamed(named), hops: String(hops), from, limit: String(limit) };
    const { body, total: all } = await ask(listTopologyChanges, { query });
    const changes = body as readonly unknown[];
    return { changes, total: all, truncated: isBeyond(changes, all) };
  },
  tell: ({ changes, total: all }) => lines(found('change', changes, all), changes.map(changeWords)),
});

export const topologyTools = [finding, surrounding, leading, failing, changing];
