import type { Command } from 'commander';
import { CliError } from '#cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { DataReply, PageReply, ReplyOf } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, moment } from '#cli/terminal/screen.ts';
import type { IssuedToken, Token } from '#schemas/http/admin/admin.ts';
import { listText } from './lists.ts';

type TokenView = ReplyOf<typeof Token>;
type TokenReply = DataReply<typeof Token>;
type IssuedReply = DataReply<typeof IssuedToken>;
type TokensReply = PageReply<typeof Token>;

const timeOf = (iso: string | null, none: string): string => (iso === null ? none : moment(iso));
const rightsOf = ({ role, scopes }: TokenView): string => role ?? scopes.join(', ');
const limitsOf = ({ limits }: TokenView): string =>
  Object.entries(limits)
    .map(([name, number]) => `${name}=${number}`)
    .join(', ');

/** Returns a new value and its properties. */
const issuedText = ({ data }: IssuedReply): string =>
  [
    `Token "${data.name}" (${data.id}) with ${data.role === null ? 'the scopes' : 'the role'} ${rightsOf(data)}. Shown once:`,
    '',
    `  ${data.token ?? ''}`,
    '',
    data.note,
    'Use it with --token, or as the header "Authorization: Bearer …".',
  ].join('\n');

const tokenText = ({ data }: TokenReply): string =>
  [
    `${data.name} (${data.id}), ${data.kind}`,
    ...(data.description === '' ? [] : [data.description]),
    `rights:    ${rightsOf(data)}`,
    `limits:    ${limitsOf(data) || 'tenant limits'}`,
    `created:   ${moment(data.created_at)}`,
    `expires:   ${timeOf(data.expires_at, 'never')}`,
    `last used: ${timeOf(data.last_used_at, 'never')}`,
    ...(data.rotated_at === null ? [] : [`rotated:   ${moment(data.rotated_at)}`]),
    ...(data.previous_valid_until === null ? [] : [`previous value valid until ${moment(data.previous_valid_until)}`]),
  ].join('\n');

const tokensTable = listText<TokensReply['data'][number]>({
  name: 'tokens',
  columns: ['id', 'name', 'rights', 'expires (UTC)', 'last used (UTC)'],
  row: (token) => [
    token.id,
    clip(token.name, 40),
    clip(rightsOf(token), 40),
    timeOf(token.expires_at, 'never'),
    timeOf(token.last_used_at, 'never'),
  ],
});

/** `ingest=12000` for the request; `ingest=default` restores the number of the tenant. */
const limitsFrom = (given: readonly string[] = []): Record<string, number | null> =>
  Object.fromEntries(
    given.map((text) => {
      const [, name, number] = /^([a-z-]+)=(\d{1,9}|default)$/.exec(text) ?? [];
      if (name === undefined)
        throw new CliError(`--limit ${text}: expected a class and a number, such as ingest=12000`);
      return [name, number === 'default' ? null : Number(number)];
    }),
  );

interface Right extends ConnectionOptions {
  readonly name: string;
  readonly role?: string;
  readonly scope?: string[];
  readonly kind?: string;
  readonly description?: string;
  readonly limit?: string[];
  readonly expires?: string;
}
type RightOptions = Partial<Right>;
interface RotateOptions extends ConnectionOptions {
  readonly overlap: string;
  readonly expires?: string;
}
interface TokenListOptions extends ConnectionOptions {
  readonly search?: string;
  readonly limit: string;
  readonly cursor?: string;
}

const PATH = '/api/admin/tokens';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const LIMIT = 'requests per minute of a class, for example ingest=12000 (repeatable)';
const EXPIRES = 'for example 12h, 90d, 52w, or never (ingest-only tokens)';

const collected = (value: string, before: string[] = []): string[] => [...before, value];

/** Returns a role or scopes; a token is made for a sender of events unless the command sets another. */
const rightOf = ({ role, scope }: Right) => {
  if (role !== undefined && scope !== undefined) throw new CliError('pass --role or --scope');
  return scope === undefined ? { role: role ?? 'ingest' } : { scopes: scope };
};

const addCreate = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('create'))
    .description('create an API token (shown once)')
    .requiredOption('--name <name>', 'name')
    .option('--role <role>', 'role: viewer, operator, editor, admin, ingest (default) or platform-admin')
    .option('--scope <permission>', 'scope instead of a role, for example events.webhook (repeatable)', collected)
    .option('--kind <kind>', 'token type: api_key, service_account or integration (32 hex digits)')
    .option('--description <text>', 'description')
    .option('--limit <class=number>', LIMIT, collected)
    .option('--expires <time>', `expiry, ${EXPIRES}`)
    .action(async (options: Right) => {
      const { name, kind, description, expires, limit } = options;
      const draft = {
        name,
        ...rightOf(options),
        limits: limitsFrom(limit),
        ...(kind && { kind }),
        ...(description && { description }),
        ...(expires && { expires_in: expires }),
      };
      show(screen, options, await clientOf(options).post<IssuedReply>(PATH, draft), issuedText);
    });

const addList = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('list'))
    .description('list API and discovery tokens with expiry and last use')
    .option('--search <text>', 'search name and description')
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (options: TokenListOptions) => {
      const { search, limit, cursor } = options;
      const query = queryOf({ search, limit, cursor });
      show(screen, options, await clientOf(options).get<TokensReply>(`${PATH}?${query}`), tokensTable);
    });

const addShow = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('show').argument('<id>'))
    .description('show a token, without its value')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).get<TokenReply>(pathOf(id)), tokenText),
    );

const addUpdate = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('update').argument('<id>'))
    .description("update a token's name, description, limits or expiry")
    .option('--name <name>', 'name')
    .option('--description <text>', 'description')
    .option('--limit <class=number>', `${LIMIT}; ingest=default resets to the tenant limit`, collected)
    .option('--expires <time>', `expiry from now on, ${EXPIRES}`)
    .action(async (id: string, options: RightOptions) => {
      const { name, description, limit, expires } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(limit && { limits: limitsFrom(limit) }),
        ...(expires && { expires_in: expires }),
      };
      if (Object.keys(change).length === 0) throw new CliError('pass --name, --description, --limit or --expires');
      show(screen, options, await clientOf(options).put<TokenReply>(pathOf(id), change), tokenText);
    });

const addRotate = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('rotate').argument('<id>'))
    .description('rotate a token; the previous value works during the overlap')
    .option('--overlap <time>', 'overlap, 0h to 7d', '24h')
    .option('--expires <time>', `expiry of the new value, ${EXPIRES}; default: same as the previous value`)
    .action(async (id: string, options: RotateOptions) => {
      const { overlap, expires } = options;
      const rotation = { overlap, ...(expires && { expires_in: expires }) };
      show(screen, options, await clientOf(options).post<IssuedReply>(`${pathOf(id)}/rotate`, rotation), issuedText);
    });

const addRevoke = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('revoke').argument('<id>'))
    .description('revoke a token')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).delete<object>(pathOf(id)), () => `Revoked token ${id}.`),
    );

export const addToken = (program: Command, environment: CliEnvironment): Command => {
  const token = program.command('token').description('manage API tokens');
  for (const add of [addCreate, addList, addShow, addUpdate, addRotate, addRevoke]) add(token, environment);
  return token;
};
