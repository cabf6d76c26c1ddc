import type { z } from 'zod';
import type { NewTenant, Tenant as TenantBody, TenantPatch } from '#schemas/http/admin/admin.ts';
import type { Call } from '../link/call.ts';
import type { List } from '../list.ts';

export type Tenant = z.output<typeof TenantBody>;

export const listTenants = (call: Call, cursor: string | undefined, signal?: AbortSignal): Promise<List<Tenant>> =>
  call<List<Tenant>>('GET /api/admin/tenants', { query: { limit: 100, cursor }, signal });

export const makeTenant = (call: Call, draft: z.input<typeof NewTenant>): Promise<unknown> =>
  call('POST /api/admin/tenants', { body: draft });

export const changeTenant = (call: Call, id: string, patch: z.input<typeof TenantPatch>): Promise<unknown> =>
  call('PUT /api/admin/tenants/{id}', { params: { id }, body: patch });

export const removeTenant = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/admin/tenants/{id}', { params: { id } });
