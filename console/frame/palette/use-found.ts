import { findByAddress, listCis } from '#console/api/cmdb/cmdb.ts';
import { listEvents } from '#console/api/events.ts';
import { listGroups } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import type { Permission } from '#domain/access/permissions.ts';

const MIN_LETTERS = 2;
interface NamedCi {
  readonly _id: string;
  readonly name: string;
  readonly type: string;
}

/** Maximum of each kind. */
const FOUND = 5;

/** Whole addresses only: of a part there may be thousands. */
const isAddress = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) || (/^[\da-f:.]{4,}$/i.test(text) && text.split(':').length > 2);

/** `isOld`: rows of earlier words than the typed ones. */
interface Rows<T> {
  readonly rows: readonly T[];
  readonly isOld: boolean;
}
type SearchReader<T> = (call: Call, text: string, signal: AbortSignal) => Promise<readonly T[]>;

const useSearch = <T>(kind: string, text: string, needs: Permission, read: SearchReader<T>): Rows<T> => {
  const may = useMay(needs);
  const { data, isPlaceholderData } = useRead(
    [kind, 'found', text, FOUND],
    (call, signal) => read(call, text, signal),
    { enabled: may && text.length >= MIN_LETTERS, placeholderData: (before) => before },
  );
  if (text.length < MIN_LETTERS || !may) return { rows: [], isOld: false };
  return { rows: data ?? [], isOld: isPlaceholderData };
};

/** Things of the tenant that match these words. */
export const useFound = (text: string) => ({
  groups: useSearch('groups', text, 'events.read', async (call, search, signal) => {
    const { groups } = await listGroups(call, { search, limit: FOUND }, signal);
    return groups;
  }),
  events: useSearch('events', text, 'events.read', async (call, search, signal) => {
    const { events } = await listEvents(call, { search, limit: FOUND }, signal);
    return events;
  }),
  cis: useSearch<NamedCi>('cis', text, 'cmdb.read', async (call, search, signal) => {
    if (isAddress(search)) return [await findByAddress(call, search, signal)].filter((ci) => ci !== null);
    const { data } = await listCis(call, { search, limit: FOUND }, signal);
    return data;
  }),
});
