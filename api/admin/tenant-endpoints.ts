import { endpoint, on } from '#api/surfaces/endpoint.ts';
import { recordPage } from '#application/records/list-records.ts';
import { deleteTenant } from '#application/tenants/delete-tenant.ts';
import { changeTenant, createTenant, findTenant, type TenantChange } from '#application/tenants/tenants.ts';
import { ACCESS_KINDS, type TenantRecord } from '#domain/access/records.ts';
import { stateOf } from '#domain/access/tenant-state.ts';
import type { Page } from '#domain/page.ts';
import { SYSTEM_TENANT } from '#domain/ports/record-store.ts';
import { IdPath, NewTenant, Tenant, TenantPatch, TenantsQuery } from '#schemas/http/admin/admin.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

const common = { tag: 'Administration', permission: 'tenants.manage', limit: 'standard' } as const;
const view = (tenant: TenantRecord) => ({
  id: tenant.id,
  name: tenant.name,
  disabled: tenant.disabled,
  state: stateOf(tenant),
  created_at: iso(tenant.createdAt),
  updated_at: iso(tenant.updatedAt),
  taken_until: isoOrNull(tenant.takenUntil ?? null),
});
const present = (tenant: TenantRecord) => ({ body: view(tenant) });

type TenantsPage = { readonly paging: Paging; readonly found: Page<TenantRecord> };

const listTenants = endpoint<Paging, TenantsPage>({
  ...common,
  id: 'admin.tenants.list',
  summary: 'List tenants',
  mounts: on.platform.get('/admin/tenants', {
    query: TenantsQuery,
    reply: wrappedList(Tenant),
    read: ({ query }) => query,
    present: ({ paging, found }) => ({ body: found.items.map(view), page: pageInfo(paging, found) }),
  }),
  handle: async (paging, { ports }) => ({
    paging,
    found: await recordPage<TenantRecord>(ports.records, SYSTEM_TENANT, ACCESS_KINDS.tenant, paging),
  }),
});

const addTenant = endpoint<{ readonly id: string; readonly name?: string | undefined }, TenantRecord>({
  ...common,
  id: 'admin.tenants.create',
  summary: 'Create a tenant',
  description: 'Create its first user with X-Tenant-ID set to the new tenant.',
  mounts: on.platform.post('/admin/tenants', {
    status: 201,
    replyHeaders: ['Location'],
    body: NewTenant,
    reply: wrapped(Tenant),
    read: ({ body }) => body,
    present: (tenant) => ({ body: view(tenant), headers: { Location: `/api/admin/tenants/${tenant.id}` } }),
  }),
  handle: (draft, context) => createTenant(context, draft),
});

const getTenant = endpoint<string, TenantRecord>({
  ...common,
  id: 'admin.tenants.get',
  summary: 'Get a tenant',
  mounts: on.platform.get('/admin/tenants/{id}', {
    params: IdPath,
    reply: wrapped(Tenant),
    read: ({ params }) => params.id,
    present,
  }),
  handle: async (id, context) => (await findTenant(context, id)).body,
});

const updateTenant = endpoint<TenantChange, TenantRecord>({
  ...common,
  id: 'admin.tenants.update',
  summary: 'Update a tenant',
  mounts: on.platform.put('/admin/tenants/{id}', {
    params: IdPath,
    body: TenantPatch,
    reply: wrapped(Tenant),
    read: ({ params, body }) => ({ ...body, id: params.id }),
    present,
  }),
  handle: (change, context) => changeTenant(context, change),
});

const removeTenant = endpoint<string, TenantRecord>({
  ...common,
  id: 'admin.tenants.delete',
  summary: 'Delete a tenant and its data',
  description:
    'Credentials are revoked immediately. Data is deleted in the background; `state` shows the progress. The name is reserved until `taken_until`.',
  mounts: on.platform.delete('/admin/tenants/{id}', {
    status: 202,
    params: IdPath,
    reply: wrapped(Tenant),
    read: ({ params }) => params.id,
    present,
  }),
  handle: (id, context) => deleteTenant(context, id),
});

export const tenantEndpoints = [listTenants, addTenant, getTenant, updateTenant, removeTenant];
