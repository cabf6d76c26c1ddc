import { requirePermission } from '#application/access/require-permission.ts';
import type { Ci } from '#domain/topology/topology.ts';
import { type CiToolRow, MAX_TOOL_ROWS, type ToolParams } from '#features/questions/rules/chat/tools.ts';
import { meantCiTypes } from '#features/questions/rules/grammar/tenant-names.ts';
import { tenantNames } from '#features/questions/use-cases/queries/tenant-names.ts';
import type { ChatAsking } from './context.ts';
import type { ToolResult } from './tool-result.ts';

const MAX_DESCRIPTION = 300;

export const ciRow = ({ id, name, type, status, description }: Ci): CiToolRow => ({
  ciId: id,
  name,
  type,
  status,
  description: description?.slice(0, MAX_DESCRIPTION) || null,
});

/** CIs with the words in their name, description, host name, address or external key, by name. */
export async function searchCis(
  asking: ChatAsking,
  { name, type, status }: ToolParams['search-cis'],
): Promise<ToolResult<'search-cis'>> {
  requirePermission(asking, 'cmdb.read');
  const { tenant, ports } = asking;
  const types = type === undefined ? [] : meantCiTypes(type, await tenantNames(asking));
  const filter = {
    ...(name !== undefined && { search: name }),
    ...(type !== undefined && { types: types.length === 0 ? [type] : types }),
    ...(status !== undefined && { statuses: [status] }),
  };
  const page = { sort: 'name', order: 'asc', limit: MAX_TOOL_ROWS } as const;
  const { items, total } = await ports.topology.findCis(tenant, filter, page);
  return { rows: items.map(ciRow), total };
}
