import type { Command } from 'commander';
import { type ConnectionOptions, clientOf, connected, show } from '../connection.ts';
import type { World } from '../world.ts';

interface Options extends ConnectionOptions {
  readonly name: string;
  readonly role: string;
  readonly expires?: string;
}

interface Made {
  readonly data: {
    readonly id: string;
    readonly token: string;
    readonly name: string;
    readonly role: string;
    readonly expires_at: string | null;
  };
}

const madeText = ({ data: { token, name, role, expires_at } }: Made): string =>
  [
    `Token "${name}" with the role ${role}, valid until ${expires_at ?? 'revoked'}. It is shown this once:`,
    '',
    `  ${token}`,
    '',
    'Use it with --token, or as the header "Authorization: Bearer …".',
  ].join('\n');

export const addToken = (program: Command, { screen }: World): Command => {
  const token = program.command('token').description('API tokens');
  return connected(token.command('create'))
    .description('create an API token; it is shown once')
    .requiredOption('--name <name>', 'what it is for')
    .option('--role <role>', 'viewer, operator, editor, admin, ingest or platform-admin', 'ingest')
    .option('--expires <time>', 'such as 12h, 90d, 52w')
    .action(async (options: Options) => {
      const { name, role, expires } = options;
      const draft = { name, role, ...(expires && { expires_in: expires }) };
      show(screen, options, await clientOf(options).post<Made>('/api/admin/tokens', draft), madeText);
    });
};
