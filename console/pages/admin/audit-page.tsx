import { type AuditRow, listAudit } from '#console/api/admin/admin.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, type Filter } from '#console/data/filters.ts';
import type { SimpleColumn } from '#console/data/simple-table.tsx';
import { When } from '#console/facts/when.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { count, plain } from '#console/words/counts.ts';
import { AdminPage } from './admin-page.tsx';
import { changesOf } from './changes.ts';
import { AdminList } from './parts/admin-list.tsx';
import { useUsers } from './parts/use-users.ts';

const FILTERS: readonly Filter[] = [
  { name: 'actor', words: 'who' },
  { name: 'action', words: 'action' },
  { name: 'target', words: 'what' },
  { name: 'time', words: 'time', isTime: true, values: [] },
];

function Changed({ entry }: { readonly entry: AuditRow }) {
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{count(changes.length, 'field')}</summary>
      <ChangesList changes={changes} titles={['Before', 'After']} />
    </details>
  );
}

type Names = ReadonlyMap<string, string>;

const namesIn = (record: unknown): string[] => {
  const { name, username } = (record ?? {}) as Readonly<Record<string, unknown>>;
  return [name, username].filter((one): one is string => typeof one === 'string' && one !== '');
};

/** The name that stands in what was changed. */
const calledIn = ({ before, after }: AuditRow): string | undefined => namesIn(after)[0] ?? namesIn(before)[0];

/** Entries keep ids: names stand in what was changed, or belong to somebody who is known. */
const nameOf = (entry: AuditRow, people: Names): string =>
  calledIn(entry) ?? people.get(entry.target.id) ?? entry.target.id;

const columnsOf = (people: Names): readonly SimpleColumn<AuditRow>[] => [
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  { title: 'Who', isName: true, cell: ({ actor }) => <span title={actor.username}>{actor.name}</span> },
  { title: 'Did', cell: ({ action }) => <span title={action}>{plain(action.replaceAll('.', ' '))}</span> },
  {
    title: 'To',
    cell: (entry) => (
      <span title={entry.target.id}>
        {plain(entry.target.kind)} {nameOf(entry, people)}
      </span>
    ),
  },
  { title: 'What changed', isWide: true, cell: (entry) => <Changed entry={entry} /> },
  { title: 'From', cell: ({ address }) => address },
];

/** Names by id: of users there are, of those whose work is listed, and of what is gone, as its entries called it last. */
const usePeople = (rows: readonly AuditRow[]): Names => {
  const { data: users = [] } = useUsers();
  const called = rows.toReversed().flatMap((entry) => {
    const name = calledIn(entry);
    return name === undefined ? [] : [{ id: entry.target.id, name }];
  });
  return new Map([...called, ...rows.map(({ actor }) => actor), ...users].map(({ id, name }) => [id, name]));
};

/** The audit trail. */
export function AuditPage() {
  const { call } = useParts();
  const address = useAddress();
  const asked = askedOf(FILTERS, address.query);
  const list = usePages(['audit', asked], (cursor, signal) => listAudit(call, { ...asked, cursor }, signal));
  const people = usePeople(list.rows);
  return (
    <AdminPage title="Audit" lead="Who changed what, the newest first.">
      <AdminList
        title="Changes"
        what="The audit trail"
        list={list}
        idOf={({ id }) => id}
        columns={columnsOf(people)}
        filters={<FilterBar filters={FILTERS} address={address} />}
        empty={
          Object.values(asked).every((value) => value === undefined) ? (
            <Notice title="Nothing was changed yet">
              Whoever changes something here is named, with what was before.
            </Notice>
          ) : (
            <Notice title="No entry fits">Other filters or another time may show some.</Notice>
          )
        }
      />
    </AdminPage>
  );
}
