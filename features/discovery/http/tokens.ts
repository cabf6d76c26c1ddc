import { both, onBothLinked, onBothList } from '#api/surfaces/both.ts';
import { type Context, endpoint } from '#api/surfaces/endpoint.ts';
import {
  createToken,
  findToken,
  type IssuedToken,
  removeToken,
  rotateToken,
  type TokenRotation,
} from '#application/access/tokens.ts';
import { recordPage } from '#application/records/list-records.ts';
import { ACCESS_KINDS, type TokenRecord } from '#domain/access/records.ts';
import { notFound } from '#domain/fault.ts';
import type { Page } from '#domain/page.ts';
import {
  DISCOVERY_SCOPES,
  DiscoveryToken,
  IssuedDiscoveryToken,
  NewDiscoveryToken,
} from '#features/discovery/schemas/discovery-admin.ts';
import { IdPath, PageQuery, Rotation } from '#schemas/http/admin/admin.ts';
import { endNote, endsView } from '#schemas/http/admin/token-view.ts';
import { Message } from '#schemas/http/common.ts';
import { type Paging, pageInfo } from '#schemas/http/paging.ts';
import { iso } from '#schemas/http/time.ts';

const common = { tag: 'Discovery', permission: 'discovery.manage', limit: 'standard' } as const;
const PATH = '/discovery/tokens';
const view = ({ id, name, description, scopes, ...token }: TokenRecord, now: number) => ({
  id,
  name,
  description,
  scopes: DISCOVERY_SCOPES.filter((scope) => scopes.includes(scope)),
  created_at: iso(token.createdAt),
  ...endsView(token, now),
});
const isForDiscovery = ({ kind }: TokenRecord): boolean => kind === 'discovery';

/** Throws Fault `not-found` for an API token too: those are looked after elsewhere. */
const find = async (context: Context, id: string): Promise<TokenRecord> => {
  const token = await findToken(context, id);
  if (!isForDiscovery(token)) throw notFound('Token', id);
  return token;
};

type NewToken = ReturnType<typeof NewDiscoveryToken.parse>;
const presentIssued =
  (prefix: string, message = 'Token created') =>
  ({ token, record }: IssuedToken, { receivedAt }: Context) => ({
    body: { ...view(record, receivedAt), token, message, note: endNote(record, receivedAt) },
    headers: { Location: `${prefix}${PATH}/${record.id}`, 'Cache-Control': 'no-store' },
  });

const createOne = endpoint<NewToken, IssuedToken>({
  ...common,
  id: 'discovery.tokens.create',
  summary: 'Create a discovery token',
  secretFields: ['token'],
  mounts: onBothLinked.post(
    PATH,
    IssuedDiscoveryToken,
    { status: 201, replyHeaders: ['Location'], body: NewDiscoveryToken, read: ({ body }) => body },
    presentIssued,
  ),
  handle: ({ name, description, expires_in: expiresIn, scopes }, context) =>
    createToken(context, { name, description, expiresIn, scopes, kind: 'discovery', role: null, limits: {} }),
});

interface DiscoveryTokensPage {
  readonly paging: Paging;
  readonly found: Page<TokenRecord>;
}

const list = endpoint<Paging, DiscoveryTokensPage>({
  ...common,
  id: 'discovery.tokens.list',
  summary: 'List discovery tokens',
  mounts: onBothList.get(PATH, DiscoveryToken, {
    query: PageQuery,
    read: ({ query }) => query,
    present: ({ paging, found }: DiscoveryTokensPage, { receivedAt }: Context) => ({
      body: found.items.map((token) => view(token, receivedAt)),
      page: pageInfo(paging, found),
    }),
  }),
  handle: async (paging, { tenant, ports }) => ({
    paging,
    found: await recordPage<TokenRecord>(ports.records, tenant, ACCESS_KINDS.token, paging, isForDiscovery),
  }),
});

const onOne = {
  path: `${PATH}/{id}`,
  params: IdPath,
  read: ({ params }: { params: { id: string } }) => params.id,
} as const;

const getOne = endpoint<string, TokenRecord>({
  ...common,
  id: 'discovery.tokens.get',
  summary: 'Get a discovery token',
  mounts: both(
    {
      ...onOne,
      method: 'get',
      present: (token: TokenRecord, { receivedAt }: Context) => ({ body: view(token, receivedAt) }),
    },
    DiscoveryToken,
  ),
  handle: (id, context) => find(context, id),
});

const rotate = endpoint<TokenRotation, IssuedToken>({
  ...common,
  id: 'discovery.tokens.rotate',
  summary: 'Rotate a discovery token',
  description: 'The previous value stays valid for the overlap period.',
  secretFields: ['token'],
  mounts: onBothLinked.post(
    `${PATH}/{id}/rotate`,
    IssuedDiscoveryToken,
    {
      params: IdPath,
      replyHeaders: ['Location'],
      body: Rotation,
      read: ({ params, body }) => ({ id: params.id, overlap: body.overlap, expiresIn: body.expires_in }),
    },
    (at) => presentIssued(at, 'Token rotated'),
  ),
  async handle(rotation, context) {
    await find(context, rotation.id);
    return rotateToken(context, rotation);
  },
});

const revoke = endpoint<string, void>({
  ...common,
  id: 'discovery.tokens.revoke',
  summary: 'Revoke a discovery token',
  mounts: both({ ...onOne, method: 'delete', present: () => ({ body: { message: 'Token revoked' } }) }, Message),
  async handle(id, context) {
    await find(context, id);
    await removeToken(context, id);
  },
});

export const discoveryTokenEndpoints = [createOne, list, getOne, rotate, revoke];
