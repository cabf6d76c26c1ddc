import type { Command } from 'commander';
import { CliError } from '#infra/cli/client/client.ts';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#infra/cli/client/connection.ts';
import type { CliEnvironment } from '#infra/cli/terminal/environment.ts';
import {
  type IssuedReply,
  issuedText,
  limitsFrom,
  type TokenReply,
  type TokensReply,
  tokensTable,
  tokenText,
} from './token-texts.ts';

interface Right extends ConnectionOptions {
  readonly name: string;
  readonly role?: string;
  readonly scope?: string[];
  readonly kind?: string;
  readonly description?: string;
  readonly limit?: string[];
  readonly expires?: string;
}
type Change = Partial<Right>;
interface RotateOptions extends ConnectionOptions {
  readonly overlap: string;
  readonly expires?: string;
}
interface ListOptions extends ConnectionOptions {
  readonly search?: string;
  readonly limit: string;
  readonly cursor?: string;
}

const PATH = '/api/admin/tokens';
const pathOf = (id: string): string => `${PATH}/${encodeURIComponent(id)}`;
const LIMIT = 'requests per minute of a class, such as ingest=12000; several times for several classes';
const EXPIRES = 'such as 12h, 90d, 52w, or never for a token that only sends events';

const collected = (value: string, before: string[] = []): string[] => [...before, value];

/** A role or scopes; a token is made for a sender of events unless the command says otherwise. */
const rightOf = ({ role, scope }: Right) => {
  if (role !== undefined && scope !== undefined) throw new CliError('name either --role or --scope');
  return scope === undefined ? { role: role ?? 'ingest' } : { scopes: scope };
};

const addCreate = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('create'))
    .description('create an API token; it is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--role <role>', 'viewer, operator, editor, admin, ingest (default) or platform-admin')
    .option('--scope <permission>', 'instead of a role, such as events.webhook; several times for several', collected)
    .option('--kind <kind>', 'api_key or service_account')
    .option('--description <text>', 'for people')
    .option('--limit <class=number>', LIMIT, collected)
    .option('--expires <time>', EXPIRES)
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
    .option('--search <text>', 'in name and description')
    .option('--limit <n>', 'how many', '20')
    .option('--cursor <cursor>', 'go on where a list ended')
    .action(async (options: ListOptions) => {
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
    .description('change name, description, limits or expiry of a token; its value stays')
    .option('--name <name>', 'what it is for')
    .option('--description <text>', 'for people')
    .option('--limit <class=number>', `${LIMIT}; ingest=default gives the number of the tenant back`, collected)
    .option('--expires <time>', `from now on, ${EXPIRES}`)
    .action(async (id: string, options: Change) => {
      const { name, description, limit, expires } = options;
      const change = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(limit && { limits: limitsFrom(limit) }),
        ...(expires && { expires_in: expires }),
      };
      if (Object.keys(change).length === 0)
        throw new CliError('name what to change: --name, --description, --limit or --expires');
      show(screen, options, await clientOf(options).put<TokenReply>(pathOf(id), change), tokenText);
    });

const addRotate = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('rotate').argument('<id>'))
    .description('give a token a new value; the value before it works for the overlap')
    .option('--overlap <time>', '0h to 7d', '24h')
    .option('--expires <time>', `of the new value, ${EXPIRES}; default: as long as the value before`)
    .action(async (id: string, options: RotateOptions) => {
      const { overlap, expires } = options;
      const rotation = { overlap, ...(expires && { expires_in: expires }) };
      show(screen, options, await clientOf(options).post<IssuedReply>(`${pathOf(id)}/rotate`, rotation), issuedText);
    });

const addRevoke = (token: Command, { screen }: CliEnvironment): Command =>
  connected(token.command('revoke').argument('<id>'))
    .description('refuse a token from now on')
    .action(async (id: string, options: ConnectionOptions) =>
      show(screen, options, await clientOf(options).delete<object>(pathOf(id)), () => `Token ${id} is revoked.`),
    );

export const addToken = (program: Command, environment: CliEnvironment): Command => {
  const token = program.command('token').description('API tokens');
  for (const add of [addCreate, addList, addShow, addUpdate, addRotate, addRevoke]) add(token, environment);
  return token;
};
