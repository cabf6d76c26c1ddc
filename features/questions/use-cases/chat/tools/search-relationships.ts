import { requirePermission } from '#application/access/require-permission.ts';
import { joinEnds } from '#application/cmdb/join-ends.ts';
import { relationshipType } from '#domain/topology/topology.ts';
import { MAX_TOOL_ROWS, type RelationshipToolRow, type ToolParams } from '#features/questions/rules/chat/tools.ts';
import type { ChatAsking } from './context.ts';
import { ciOf, type ToolResult } from './tool-result.ts';

/** Stored relationships between, from or to CIs, the newest first; proposals that nobody has accepted are left out. */
export async function searchRelationships(
  asking: ChatAsking,
  { sourceId, targetId, type }: ToolParams['search-relationships'],
): Promise<ToolResult<'search-relationships'>> {
  requirePermission(asking, 'cmdb.read');
  const { tenant, ports } = asking;
  const [source, target] = await Promise.all([ciOf(asking, 'sourceId', sourceId), ciOf(asking, 'targetId', targetId)]);
  const filter = {
    includeAi: false,
    ...(source && { source: source.id }),
    ...(target && { target: target.id }),
    ...(type !== undefined && { type: relationshipType(type) }),
  };
  const page = { sort: 'created_at', order: 'desc', limit: MAX_TOOL_ROWS } as const;
  const { items, total } = await ports.topology.findRelationships(tenant, filter, page);
  const joined = await joinEnds(ports, tenant, items);
  const rows = joined.map(
    (one): RelationshipToolRow => ({
      relationshipId: one.relationship.id,
      type: one.relationship.type,
      confidence: one.relationship.confidence,
      sourceId: one.source.id,
      sourceName: one.source.name,
      sourceType: one.source.type,
      targetId: one.target.id,
      targetName: one.target.name,
      targetType: one.target.type,
    }),
  );
  return { rows, total };
}
