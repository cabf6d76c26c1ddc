import { CliError } from '#infra/cli/client/client.ts';
import type { DataReply, PageReply, ReplyOf } from '#infra/cli/client/replies.ts';
import { clip, moment, tableOf } from '#infra/cli/terminal/screen.ts';
import type { IssuedToken, Token } from '#schemas/http/admin/admin.ts';

type TokenView = ReplyOf<typeof Token>;
export type TokenReply = DataReply<typeof Token>;
export type IssuedReply = DataReply<typeof IssuedToken>;
export type TokensReply = PageReply<typeof Token>;

const timeOf = (iso: string | null, none: string): string => (iso === null ? none : moment(iso));
const rightsOf = ({ role, scopes }: TokenView): string => role ?? scopes.join(', ');
const limitsOf = ({ limits }: TokenView): string =>
  Object.entries(limits)
    .map(([name, number]) => `${name}=${number}`)
    .join(', ');

/** A new value and what is to be known of it. */
export const issuedText = ({ data }: IssuedReply): string =>
  [
    `Token "${data.name}" (${data.id}) with ${data.role === null ? 'the scopes' : 'the role'} ${rightsOf(data)}. It is shown this once:`,
    '',
    `  ${data.token ?? ''}`,
    '',
    data.note,
    'Use it with --token, or as the header "Authorization: Bearer …".',
  ].join('\n');

export const tokenText = ({ data }: TokenReply): string =>
  [
    `${data.name} (${data.id}), ${data.kind}`,
    ...(data.description === '' ? [] : [data.description]),
    `rights:    ${rightsOf(data)}`,
    `limits:    ${limitsOf(data) || 'those of the tenant'}`,
    `created:   ${moment(data.created_at)}`,
    `expires:   ${timeOf(data.expires_at, 'never')}`,
    `last used: ${timeOf(data.last_used_at, 'never')}`,
    ...(data.rotated_at === null ? [] : [`rotated:   ${moment(data.rotated_at)}`]),
    ...(data.previous_valid_until === null
      ? []
      : [`the value before is accepted until ${moment(data.previous_valid_until)}`]),
  ].join('\n');

export const tokensTable = ({ data, pagination }: TokensReply): string => {
  if (data.length === 0) return 'No tokens.';
  const columns = ['id', 'name', 'rights', 'expires (UTC)', 'last used (UTC)'].map((title) => ({ title }));
  const table = tableOf(
    columns,
    data.map((token) => [
      token.id,
      clip(token.name, 40),
      clip(rightsOf(token), 40),
      timeOf(token.expires_at, 'never'),
      timeOf(token.last_used_at, 'never'),
    ]),
  );
  const more = pagination.nextCursor ? `; go on with --cursor ${pagination.nextCursor}` : '';
  return `${table}\n${data.length} of ${pagination.total} tokens${more}`;
};

/** `ingest=12000` for the request; `ingest=default` gives the number of the tenant back. */
export const limitsFrom = (given: readonly string[] = []): Record<string, number | null> =>
  Object.fromEntries(
    given.map((text) => {
      const [, name, number] = /^([a-z-]+)=(\d{1,9}|default)$/.exec(text) ?? [];
      if (name === undefined)
        throw new CliError(`--limit ${text}: expected a class and a number, such as ingest=12000`);
      return [name, number === 'default' ? null : Number(number)];
    }),
  );
