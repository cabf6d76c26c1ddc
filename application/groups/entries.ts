import { actorOf } from '#application/access/actor.ts';
import type { UseCaseContext } from '#application/access/context.ts';
import { entryId, GROUP_ENTRY, type GroupEntry } from '#domain/correlation/grouping/group-entry.ts';
import type { Group } from '#domain/correlation/records.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';

/** The newest of one group, and merged groups whose entries are read with it. */
const ENTRIES = 200;
const MERGED = 50;

/** Returns user actions on the group and those merged into it, oldest first. */
export const entriesOf = async (
  { records }: Pick<Ports, 'records'>,
  tenant: string,
  { id, aliases }: Pick<Group, 'id' | 'aliases'>,
): Promise<GroupEntry[]> => {
  const found: GroupEntry[] = [];
  for (const group of [id, ...aliases.slice(-MERGED)]) {
    // Sorts after every id that begins with the name and a slash.
    const options = { after: `${group}/~`, limit: ENTRIES, descending: true };
    const listed = await records.list<GroupEntry>(tenant, GROUP_ENTRY, options);
    found.push(...listed.map(({ body }) => body).filter((entry) => entry.group === group));
  }
  return found.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
};

/** Returns an entry, to be stored with the change. */
export const entryOf = (
  { tenant, ports, caller, receivedAt: at }: UseCaseContext,
  group: string,
  { kind, text }: Pick<GroupEntry, 'kind' | 'text'>,
): SideRecord & { readonly body: GroupEntry } => {
  const entry: GroupEntry = { id: ports.ids.ulid(), group, kind, at, by: actorOf(caller), text };
  return { tenant, kind: GROUP_ENTRY, id: entryId(entry), body: entry };
};
