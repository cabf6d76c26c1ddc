import { recordChunks } from '#application/records/list-records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { Ends } from '#domain/ports/topology/topology-queries.ts';
import type { SideRecord } from '#domain/side-record.ts';
import type { Relationship } from '#domain/topology/topology.ts';

const REFUSAL_KIND = 'ai-relationship-refused';
const REMEMBERED_MS = 90 * 86_400_000;
/** Maximum of proposals of one CI that are read. */
const MOST = 1_000;

interface Refusal extends Ends {
  readonly at: number;
  readonly by: string;
  /** Id of the proposal. */
  readonly id: string;
  readonly confidence: number;
}

const keyOf = ({ source, target, type }: Ends): string => `${source}/${target}/${type}`;

/** Stored with the removal of an open proposal, by both of its ends: it is not made again for 90 days. */
export const refusalsOf = (tenant: string, ends: Relationship, at: number, by: string): SideRecord[] => {
  const { source, target, type, id, confidence } = ends;
  const body: Refusal = { source, target, type, at, by, id, confidence };
  const expiresAt = at + REMEMBERED_MS;
  const record = (ci: string) => ({ tenant, kind: REFUSAL_KIND, id: `${ci}/${keyOf(ends)}/${at}`, body, expiresAt });
  return [record(ends.source), record(ends.target)];
};

/** Returns a test for proposals at this CI that were refused within the last 90 days. */
export async function refusedAt(
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  ciId: string,
): Promise<(ends: Ends) => boolean> {
  const found = await records.list<Refusal>(tenant, REFUSAL_KIND, { after: `${ciId}/`, limit: MOST });
  const refused = new Set(found.filter(({ id }) => id.startsWith(`${ciId}/`)).map(({ body }) => keyOf(body)));
  return (ends) => refused.has(keyOf(ends));
}

/** Returns refused proposals of the tenant, within the last 90 days, each once. */
export async function refusedProposals({ records }: Pick<Ports, 'records'>, tenant: string): Promise<Refusal[]> {
  const refused: Refusal[] = [];
  for await (const chunk of recordChunks<Refusal>(records, tenant, REFUSAL_KIND))
    refused.push(...chunk.filter(({ id, body }) => id.startsWith(`${body.source}/`)).map(({ body }) => body));
  return refused;
}

/** Returns a test for proposals anywhere that were refused within the last 90 days. */
export async function refusedAnywhere(ports: Pick<Ports, 'records'>, tenant: string): Promise<(ends: Ends) => boolean> {
  const refused = new Set((await refusedProposals(ports, tenant)).map(keyOf));
  return (ends) => refused.has(keyOf(ends));
}
