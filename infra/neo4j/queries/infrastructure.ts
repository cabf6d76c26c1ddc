import type { Part } from '#domain/page.ts';
import {
  ciRow,
  type InfrastructureCiRow,
  type InfrastructureLinkRow,
  linkRow,
} from '#domain/topology/infrastructure-rows.ts';
import type { Run } from '#infra/neo4j/client/client.ts';
import { listCis, listRelationships } from './lists.ts';

/** Number copied in a millisecond or two. */
const AT_ONCE = 50;
const page = (cursor: string | undefined) =>
  ({ sort: 'created_at', order: 'asc', limit: AT_ONCE, ...(cursor !== undefined && { cursor }) }) as const;

export async function infrastructureCis(
  read: Run,
  tenant: string,
  cursor?: string,
): Promise<Part<InfrastructureCiRow>> {
  const { items, nextCursor } = await listCis(read, tenant, {}, page(cursor));
  return { items: items.map(ciRow), nextCursor };
}

export async function infrastructureLinks(
  read: Run,
  tenant: string,
  cursor?: string,
): Promise<Part<InfrastructureLinkRow>> {
  const { items, nextCursor } = await listRelationships(read, tenant, { includeAi: false }, page(cursor));
  return { items: items.map(linkRow), nextCursor };
}
