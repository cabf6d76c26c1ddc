import type { z } from 'zod';
import type {
  AuditView,
  LimitsPatch,
  LimitsReply,
  NewInvitation,
  User,
  UserInvitation,
} from '#schemas/http/admin/admin.ts';
import type { AddressQuery } from '../link/address.ts';
import type { Call, Reply } from '../link/call.ts';
import { type Versioned, versioned } from '../link/versioned.ts';
import type { List } from '../list.ts';

export type AuditRow = z.output<typeof AuditView>;
export type Limits = z.output<typeof LimitsReply> & Versioned;
export type UserAccount = z.output<typeof User>;

export const listAudit = (call: Call, query: AddressQuery, signal?: AbortSignal): Promise<List<AuditRow>> =>
  call<List<AuditRow>>('GET /api/admin/audit', { query: { limit: 50, ...query }, signal });

export const readLimits = async (call: Call, signal?: AbortSignal): Promise<Limits> =>
  versioned(await call.whole<Reply<z.output<typeof LimitsReply>>>('GET /api/admin/limits', { signal }));

export const setLimits = (call: Call, patch: z.input<typeof LimitsPatch>, etag: string | null): Promise<unknown> =>
  call('PUT /api/admin/limits', { body: patch, etag });

export const listUsers = (call: Call, cursor: string | undefined, signal?: AbortSignal): Promise<List<UserAccount>> =>
  call<List<UserAccount>>('GET /api/admin/users', { query: { limit: 100, cursor }, signal });

export const makeUser = (call: Call, body: Readonly<Record<string, string>>): Promise<unknown> =>
  call('POST /api/admin/users', { body });

export const changeUser = (
  call: Call,
  id: string,
  body: {
    readonly role?: string;
    readonly disabled?: boolean;
    readonly name?: string;
    readonly mail?: string | null;
    readonly password?: string;
  },
): Promise<unknown> => call('PUT /api/admin/users/{id}', { params: { id }, body });

export type Invitation = z.output<typeof UserInvitation>;

export const inviteUser = async (call: Call, body: z.input<typeof NewInvitation>): Promise<Invitation> =>
  (await call<Reply<Invitation>>('POST /api/admin/users/invite', { body })).data;

export const inviteAgain = async (call: Call, id: string): Promise<Invitation> =>
  (await call<Reply<Invitation>>('POST /api/admin/users/{id}/invite', { params: { id } })).data;

export const removeUser = (call: Call, id: string): Promise<unknown> =>
  call('DELETE /api/admin/users/{id}', { params: { id } });
