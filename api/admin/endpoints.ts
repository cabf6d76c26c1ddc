import { endpoint, mount } from '#api/surfaces/endpoint.ts';
import { type AuditFilter, listAudit } from '#application/access/list-audit.ts';
import { ROLE_PERMISSIONS, ROLES, type Role } from '#domain/access/permissions.ts';
import type { AuditRecord } from '#domain/access/records.ts';
import type { Page } from '#domain/page.ts';
import { AuditQuery, AuditView, RoleView, ShortListQuery } from '#schemas/http/admin/admin.ts';
import { wrappedList } from '#schemas/http/envelope.ts';
import type { Paging } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';
import { clockConfirmation } from './confirm-clock.ts';
import { deadLetterEndpoints } from './dead-letter-endpoints.ts';
import { lifecycleEndpoints } from './lifecycle-endpoints.ts';
import { limitEndpoints } from './limit-endpoints.ts';
import { sinkEndpoints } from './pause-sinks.ts';
import { showPipeline } from './pipeline.ts';
import { showPipelineHistory } from './pipeline-history.ts';
import { listRejected } from './rejected.ts';
import { settingsEndpoints } from './settings-endpoints.ts';
import { sourceEndpoints } from './source-endpoints.ts';
import { sourceMappingEndpoints } from './source-mapping-endpoints.ts';
import { teamEndpoints } from './team-endpoints.ts';
import { tenantEndpoints } from './tenant-endpoints.ts';
import { tokenEndpoints } from './token-endpoints.ts';
import { listTopics } from './topics.ts';
import { userEndpoints } from './user-endpoints.ts';

const roleView = (name: Role) => ({ name, permissions: ROLE_PERMISSIONS[name] });

const listRoles = endpoint<Paging, Paging>({
  id: 'admin.roles.list',
  summary: 'List the roles with their permissions',
  tag: 'Administration',
  permission: 'settings.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/roles',
      query: ShortListQuery,
      reply: wrappedList(RoleView),
      read: ({ query }) => query,
      present: ({ page, limit }) => ({
        body: ROLES.slice((page - 1) * limit, page * limit).map(roleView),
        page: { page, limit, total: ROLES.length },
      }),
    }),
  ],
  handle: async (paging) => paging,
});

const listAuditRecords = endpoint<AuditFilter, { readonly limit: number; readonly found: Page<AuditRecord> }>({
  id: 'admin.audit.list',
  summary: 'List who changed what, newest first',
  description: 'At most 10,000 records are looked at per request; pagination.nextCursor goes on from there.',
  tag: 'Administration',
  permission: 'audit.read',
  limit: 'standard',
  mounts: [
    mount({
      on: 'platform',
      method: 'get',
      path: '/admin/audit',
      query: AuditQuery,
      reply: wrappedList(AuditView),
      read: ({ query }) => query,
      present: ({ limit, found: { items, total, nextCursor } }) => ({
        body: items.map((record) => ({ ...record, at: iso(record.at) })),
        page: { page: 1, limit, total, nextCursor },
      }),
    }),
  ],
  handle: async (filter, context) => ({ limit: filter.limit, found: await listAudit(context, filter) }),
});

export const adminEndpoints = [
  ...tenantEndpoints,
  ...userEndpoints,
  ...teamEndpoints,
  ...tokenEndpoints,
  ...sourceEndpoints,
  ...sourceMappingEndpoints,
  listRoles,
  ...settingsEndpoints,
  ...lifecycleEndpoints,
  ...limitEndpoints,
  listAuditRecords,
  listRejected,
  showPipeline,
  showPipelineHistory,
  ...sinkEndpoints,
  clockConfirmation,
  listTopics,
  ...deadLetterEndpoints,
];
