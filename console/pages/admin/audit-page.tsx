import { type AuditRow, listAudit } from '#console/api/admin/admin.ts';
import type { CsvField } from '#console/data/csv/csv.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, type Filter } from '#console/data/filters.ts';
import { type SimpleColumn, timeColumn } from '#console/data/simple-table.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { count, plain } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { AdminPage } from './admin-page.tsx';
import { changesOf } from './changes.ts';
import { AdminList } from './parts/admin-list.tsx';
import { useUsers } from './parts/use-users.ts';
import * as text from './texts.ts';

const FILTERS: readonly Filter[] = [
  { name: 'actor', words: text.user },
  { name: 'action', words: text.action },
  { name: 'target', words: text.target },
  { name: 'time', words: text.time, isTime: true, values: [] },
];

function Changed({ entry }: { readonly entry: AuditRow }) {
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{count(changes.length, 'field')}</summary>
      <ChangesList changes={changes} titles={[text.before, text.after]} />
    </details>
  );
}

type Names = ReadonlyMap<string, string>;

const namesIn = (record: unknown): string[] => {
  const { name, username } = (record ?? {}) as Readonly<Record<string, unknown>>;
  return [name, username].filter((one): one is string => typeof one === 'string' && one !== '');
};

/** Returns the name in the changed record. */
const calledIn = ({ before, after }: AuditRow): string | undefined => namesIn(after)[0] ?? namesIn(before)[0];

/** Entries contain ids: names are in the changed record, or of known users. */
const nameOf = (entry: AuditRow, people: Names): string =>
  calledIn(entry) ?? people.get(entry.target.id) ?? entry.target.id;

const columnsOf = (people: Names): readonly SimpleColumn<AuditRow>[] => [
  timeColumn(text.timeTitle, ({ at }) => at),
  { title: text.userTitle, isName: true, cell: ({ actor }) => <span title={actor.username}>{actor.name}</span> },
  { title: text.actionTitle, cell: ({ action }) => <span title={action}>{plain(action.replaceAll('.', ' '))}</span> },
  {
    title: text.targetTitle,
    cell: (entry) => (
      <span title={entry.target.id}>
        {plain(entry.target.kind)} {nameOf(entry, people)}
      </span>
    ),
  },
  { title: text.changes, isWide: true, cell: (entry) => <Changed entry={entry} /> },
  { title: text.ipAddress, cell: ({ address }) => address },
];

/**
 * Returns names by id: of current users, of those in the listed entries, and of deleted objects, from their last entry.
 */
const usePeople = (rows: readonly AuditRow[]): Names => {
  const { data: users = [] } = useUsers();
  const called = rows.toReversed().flatMap((entry) => {
    const name = calledIn(entry);
    return name === undefined ? [] : [{ id: entry.target.id, name }];
  });
  return new Map([...called, ...rows.map(({ actor }) => actor), ...users].map(({ id, name }) => [id, name]));
};

const FIELDS: readonly CsvField<AuditRow>[] = [
  ['Time', ({ at }) => at],
  ['User', ({ actor }) => actor.username],
  ['Action', ({ action }) => action],
  ['Target', ({ target }) => `${target.kind} ${target.id}`],
  ['Before', ({ before }) => JSON.stringify(before)],
  ['After', ({ after }) => JSON.stringify(after)],
  ['IP address', ({ address }) => address],
];

/** The audit trail. */
export function AuditPage() {
  const { call } = useAppServices();
  const address = useAddress();
  const asked = askedOf(FILTERS, address.query);
  const list = usePages(['audit', asked], (cursor, signal) => listAudit(call, { ...asked, cursor }, signal));
  const people = usePeople(list.rows);
  return (
    <AdminPage title={text.auditLog} lead={text.auditLogLead}>
      <AdminList
        title={text.changes}
        what={nouns.auditLog}
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(people)}
        fields={FIELDS}
        filters={<FilterBar filters={FILTERS} address={address} />}
        empty={
          Object.values(asked).every((value) => value === undefined) ? (
            <Notice title={text.noChangesYet}>{text.noChangesYetHint}</Notice>
          ) : (
            <Notice title={text.noMatchingEntries}>{text.noMatchingEntriesHint}</Notice>
          )
        }
      />
    </AdminPage>
  );
}
