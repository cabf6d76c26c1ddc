import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, queryOf, show } from '#cli/client/connection.ts';
import type { Paged, ReplyOf } from '#cli/client/replies.ts';
import type { CliEnvironment } from '#cli/terminal/environment.ts';
import { clip, type ScreenColumn, tableOf } from '#cli/terminal/screen.ts';
import type { Tenant, User } from '#schemas/http/admin/admin.ts';
import type { TeamBody } from '#schemas/http/admin/teams.ts';

/** Lists that are only read: one endpoint, one table. */
export interface TableList<Row> {
  readonly name: string;
  readonly path: string;
  readonly description: string;
  /** Filters beside paging, with their descriptions. */
  readonly filters?: Readonly<Record<string, string>>;
  /** A title alone: a column of any width. */
  readonly columns: readonly (string | ScreenColumn)[];
  readonly row: (row: Row) => readonly string[];
}
interface ListReply<Row> extends Paged {
  readonly data: readonly Row[];
}
interface ListOptions extends ConnectionOptions {
  readonly limit: string;
  readonly cursor?: string;
}

export const textColumn = (title: string, width: number): ScreenColumn => ({ title, width });
export const numberColumn = (title: string): ScreenColumn => ({ title, right: true });

const users: TableList<ReplyOf<typeof User>> = {
  name: 'users',
  path: '/api/admin/users',
  description: 'list users',
  columns: ['id', textColumn('username', 24), textColumn('name', 28), textColumn('email', 32), 'role', 'state'],
  row: ({ id, username, name, mail, role, disabled, invited_until: until }) => [
    id,
    username,
    clip(name, 60),
    mail ?? '',
    role,
    disabled ? 'disabled' : until === null ? 'active' : 'invited',
  ],
};

const tenants: TableList<ReplyOf<typeof Tenant>> = {
  name: 'tenants',
  path: '/api/admin/tenants',
  description: 'list the tenants (platform administrators)',
  columns: [textColumn('id', 40), textColumn('name', 40), 'state'],
  row: ({ id, name, disabled, state }) => [id, clip(name, 80), disabled && state === 'active' ? 'disabled' : state],
};

const teams: TableList<ReplyOf<typeof TeamBody>> = {
  name: 'teams',
  path: '/api/admin/teams',
  description: 'list the teams that events can be assigned to',
  columns: ['id', textColumn('name', 28), textColumn('description', 32), numberColumn('members')],
  row: ({ id, name, description, members }) => [id, clip(name, 60), clip(description, 80), String(members.length)],
};

/** Texts of pages of a list. */
export const listText =
  <Row>({ name, columns, row }: Pick<TableList<Row>, 'name' | 'columns' | 'row'>) =>
  ({ data, pagination }: ListReply<Row>): string => {
    if (data.length === 0) return `No ${name}.`;
    const more = pagination.nextCursor ? `; next page: --cursor ${pagination.nextCursor}` : '';
    return `${tableOf(columns, data.map(row))}\n${data.length} of ${pagination.total} ${name}${more}`;
  };

export const addList = <Row>(program: Command, { screen }: CliEnvironment, list: TableList<Row>): void => {
  const { name, path, description, filters = {} } = list;
  const command = connected(program.command(name)).description(description);
  for (const [filter, meaning] of Object.entries(filters)) command.option(`--${filter} <text>`, meaning);
  command
    .option('--limit <n>', 'maximum number of results', '20')
    .option('--cursor <cursor>', 'cursor of the next page')
    .action(async (options: ListOptions & Readonly<Record<string, string | undefined>>) => {
      const { limit, cursor } = options;
      const asked = Object.fromEntries(Object.keys(filters).map((filter) => [filter, options[filter]]));
      const reply = await clientOf(options).get<ListReply<Row>>(`${path}?${queryOf({ ...asked, limit, cursor })}`);
      show(screen, options, reply, listText(list));
    });
};

export const addUsers = (program: Command, environment: CliEnvironment): void => addList(program, environment, users);
export const addTeams = (program: Command, environment: CliEnvironment): void => addList(program, environment, teams);
export const addTenants = (program: Command, environment: CliEnvironment): void =>
  addList(program, environment, tenants);
