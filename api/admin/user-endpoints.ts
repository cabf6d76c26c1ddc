import type { z } from 'zod';
import { type Context, endpoint, on } from '#api/surfaces/endpoint.ts';
import { recordPage } from '#application/records/list-records.ts';
import { inviteAgain, inviteUser, type SentInvitation } from '#application/tenants/password-links.ts';
import {
  changeUser,
  createUser,
  findUser,
  publicUser,
  removeUser,
  type UserChange,
  type UserDraft,
} from '#application/tenants/users.ts';
import { ACCESS_KINDS, type UserRecord } from '#domain/access/records.ts';
import { usernameOf } from '#domain/access/tenant.ts';
import type { Page } from '#domain/page.ts';
import {
  IdPath,
  NewInvitation,
  NewUser,
  PageQuery,
  User,
  UserInvitation,
  UserPatch,
} from '#schemas/http/admin/admin.ts';
import { Message } from '#schemas/http/common.ts';
import { wrapped, wrappedList } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso, isoOrNull } from '#schemas/http/time.ts';

const common = { tag: 'Administration', permission: 'users.manage', limit: 'standard' } as const;
const view = (user: UserRecord) => ({
  ...publicUser(user),
  invited_until: isoOrNull(user.invitedUntil ?? null),
  created_at: iso(user.createdAt),
  updated_at: iso(user.updatedAt),
});
const present = (user: UserRecord) => ({ body: view(user) });

type UsersPage = { readonly paging: Paging; readonly found: Page<UserRecord> };

const listUsers = endpoint<Paging, UsersPage>({
  ...common,
  id: 'admin.users.list',
  summary: 'List users',
  mounts: on.platform.get('/admin/users', {
    query: PageQuery,
    reply: wrappedList(User),
    read: ({ query }) => query,
    present: ({ paging, found }) => ({ body: found.items.map(view), page: pageInfo(paging, found) }),
  }),
  handle: async (paging, { tenant, ports }) => ({
    paging,
    found: await recordPage<UserRecord>(ports.records, tenant, ACCESS_KINDS.user, paging),
  }),
});

const addUser = endpoint<UserDraft, UserRecord>({
  ...common,
  id: 'admin.users.create',
  summary: 'Create a user',
  description: "You can't grant a role above your own.",
  mounts: on.platform.post('/admin/users', {
    status: 201,
    replyHeaders: ['Location'],
    body: NewUser,
    reply: wrapped(User),
    read: ({ body }) => body,
    present: (user) => ({ body: view(user), headers: { Location: `/api/admin/users/${user.id}` } }),
  }),
  handle: (draft, context) => createUser(context, draft),
});

const getUser = endpoint<string, UserRecord>({
  ...common,
  id: 'admin.users.get',
  summary: 'Get a user',
  mounts: on.platform.get('/admin/users/{id}', {
    params: IdPath,
    reply: wrapped(User),
    read: ({ params }) => params.id,
    present,
  }),
  handle: async (id, context) => (await findUser(context, id)).body,
});

const updateUser = endpoint<UserChange, UserRecord>({
  ...common,
  id: 'admin.users.update',
  summary: 'Update a user',
  description: "Changing the password or disabling ends all sessions. The last administrator can't be downgraded.",
  mounts: on.platform.put('/admin/users/{id}', {
    params: IdPath,
    body: UserPatch,
    reply: wrapped(User),
    read: ({ params, body }) => ({ ...body, id: params.id }),
    present,
  }),
  handle: (change, context) => changeUser(context, change),
});

const deleteUser = endpoint<string, void>({
  ...common,
  id: 'admin.users.delete',
  summary: 'Delete a user',
  mounts: on.platform.delete('/admin/users/{id}', {
    params: IdPath,
    reply: wrapped(Message),
    read: ({ params }) => params.id,
    present: () => ({ body: { message: 'User removed' } }),
  }),
  handle: (id, context) => removeUser(context, id),
});

const presentInvitation = ({ user, path }: SentInvitation, { baseUrl }: Context) => ({
  body: { user: view(user), sent: path === null, link: path === null ? null : baseUrl + path },
  headers: { 'Cache-Control': 'no-store' },
});
const invitation = { ...common, secretFields: ['link'] } as const;

const invite = endpoint<z.output<typeof NewInvitation>, SentInvitation>({
  ...invitation,
  id: 'admin.users.invite',
  summary: 'Invite a user',
  description:
    'Creates a user who sets the password with a link that works once, for 7 days. The link is emailed if FAULTLINE_SMTP_URL and FAULTLINE_PUBLIC_URL are set, otherwise returned once.',
  mounts: on.platform.post('/admin/users/invite', {
    status: 201,
    body: NewInvitation,
    reply: wrapped(UserInvitation),
    read: ({ body }) => body,
    present: presentInvitation,
  }),
  handle: ({ username, ...draft }, context) =>
    inviteUser(context, { ...draft, username: username ?? usernameOf(draft.mail) }),
});

const inviteOnceMore = endpoint<string, SentInvitation>({
  ...invitation,
  id: 'admin.users.invite-again',
  summary: 'Send an invitation again',
  description: 'The previous link stops working.',
  mounts: on.platform.post('/admin/users/{id}/invite', {
    params: IdPath,
    reply: wrapped(UserInvitation),
    read: ({ params }) => params.id,
    present: presentInvitation,
  }),
  handle: (id, context) => inviteAgain(context, id),
});

export const userEndpoints = [listUsers, addUser, invite, inviteOnceMore, getUser, updateUser, deleteUser];
