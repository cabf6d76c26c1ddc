import { CliError, type Client } from '#cli/client/client.ts';
import { queryOf } from '#cli/client/connection.ts';
import type { PageReply, ReplyOf } from '#cli/client/replies.ts';
import type { V1CiListed } from '#schemas/http/cmdb/cmdb.ts';

type CiReply = Pick<ReplyOf<typeof V1CiListed>, 'id' | 'name' | 'type'>;

const PAGE = 100;
/** Pages that are looked through for a name. */
const PAGES = 10;
/** Maximum of CIs with one name that are listed. */
const TOLD = 20;

const byId = async (client: Client, id: string): Promise<CiReply | null> => {
  try {
    return await client.get<CiReply>(`/v1/cmdb/ci/${encodeURIComponent(id)}`);
  } catch (error) {
    if (error instanceof CliError && error.status === 404) return null;
    throw error;
  }
};

const plain = (name: string): string => name.trim().toLowerCase();

/** The result also contains names with the text as a part. */
const byName = async (client: Client, name: string): Promise<CiReply[]> => {
  const found: CiReply[] = [];
  for (let page = 1; page <= PAGES; page++) {
    const query = queryOf({ search: name.trim(), sort: 'name', limit: String(PAGE), page: String(page) });
    const { data } = await client.get<PageReply<typeof V1CiListed>>(`/v1/cmdb/ci?${query}`);
    found.push(...data.filter((ci) => plain(ci.name) === plain(name)));
    if (data.length < PAGE) break;
  }
  return found;
};

/** Returns the id of the configuration item that has this id or, regardless of case, this name. Throws CliError. */
export const ciIdOf = async (client: Client, text: string): Promise<string> => {
  if (text.trim() === '') throw new CliError('expected the ID or name of a CI');
  const own = await byId(client, text);
  if (own !== null) return own.id;
  const [first, ...others] = await byName(client, text);
  if (first === undefined) throw new CliError(`no CI with ID or name ${text}`, 404);
  if (others.length === 0) return first.id;
  const all = [first, ...others];
  const ids = all.slice(0, TOLD).map(({ id, type }) => `${id} (${type})`);
  throw new CliError(`${all.length} CIs are named ${text}; use an ID: ${ids.join(', ')}`);
};
