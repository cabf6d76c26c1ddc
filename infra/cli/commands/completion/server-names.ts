import type { Client } from '#infra/cli/client/client.ts';
import { queryOf } from '#infra/cli/client/connection.ts';
import type { CompletedKind } from './candidates.ts';

/** Names that are shown. */
const MOST = '50';

// biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, of which one field is read.
type Reply = any;
interface Source {
  readonly path: (typed: string) => string;
  readonly names: (reply: Reply) => readonly string[];
}

const SOURCES: Readonly<Record<CompletedKind, Source>> = {
  events: {
    path: () => `/api/events?${queryOf({ view: 'row', status: 'open,acknowledged,suppressed', limit: MOST })}`,
    names: ({ events }) => events.map(({ eventId }: Reply) => eventId),
  },
  groups: {
    path: () => `/api/events/groups?${queryOf({ limit: MOST })}`,
    names: ({ groups }) => groups.map(({ correlationId }: Reply) => correlationId),
  },
  hosts: {
    path: (typed) => `/api/events/facets?${queryOf({ host: `${typed}*` })}`,
    names: ({ facets }) => facets.host.map(({ value }: Reply) => value),
  },
  cis: {
    path: (typed) => `/v1/cmdb/ci?${queryOf({ search: typed === '' ? undefined : typed, limit: MOST })}`,
    names: ({ data }) => data.map(({ name }: Reply) => name),
  },
  tokens: {
    path: () => `/api/admin/tokens?${queryOf({ limit: MOST })}`,
    names: ({ data }) => data.map(({ id }: Reply) => id),
  },
  silences: {
    path: () => `/api/events/silences?${queryOf({ limit: MOST })}`,
    names: ({ silences }) => silences.map(({ id }: Reply) => id),
  },
};

/** Those that begin as typed, upper and lower case being one; none when the server does not say so in time. */
export async function serverNames(client: Client, kind: CompletedKind, typed: string): Promise<readonly string[]> {
  const { path, names } = SOURCES[kind];
  try {
    const found = names(await client.get<Reply>(path(typed)));
    return found.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()));
  } catch {
    return [];
  }
}
