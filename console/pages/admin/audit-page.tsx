import { type AuditEntry, listAudit } from '#console/api/admin/admin.ts';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { askedOf, type Filter } from '#console/data/filters.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { Section } from '#console/data/section.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { When } from '#console/facts/when.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { usePages } from '#console/hooks/use-pages.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count, plain } from '#console/words/counts.ts';
import { AdminPage } from './admin-page.tsx';
import { changesOf } from './changes.ts';

const FILTERS: readonly Filter[] = [
  { name: 'actor', words: 'who' },
  { name: 'action', words: 'action' },
  { name: 'target', words: 'what' },
  { name: 'from', words: 'from' },
  { name: 'to', words: 'to' },
];

function Changed({ entry }: { readonly entry: AuditEntry }) {
  const changes = changesOf(entry.before, entry.after);
  if (changes.length === 0) return null;
  return (
    <details>
      <summary>{count(changes.length, 'field')}</summary>
      <ChangesList changes={changes} titles={['Before', 'After']} />
    </details>
  );
}

const COLUMNS: readonly SimpleColumn<AuditEntry>[] = [
  { title: 'When', cell: ({ at }) => <When at={at} /> },
  { title: 'Who', isName: true, cell: ({ actor }) => <span title={actor.username}>{actor.name}</span> },
  { title: 'Did', cell: ({ action }) => <span title={action}>{plain(action.replaceAll('.', ' '))}</span> },
  { title: 'To', cell: ({ target: { kind, id } }) => `${plain(kind)} ${id}` },
  { title: 'What changed', isWide: true, cell: (entry) => <Changed entry={entry} /> },
  { title: 'From', cell: ({ address }) => address },
];

/** Who changed what. */
export function AuditPage() {
  const { call } = useParts();
  const address = useAddress();
  const asked = askedOf(FILTERS, address.query);
  const { found, rows, total } = usePages(['audit', asked], (cursor, signal) =>
    listAudit(call, { ...asked, cursor }, signal),
  );
  return (
    <AdminPage title="Audit" lead="Who changed what, the newest first.">
      <Section title="Changes" flush>
        <FilterBar filters={FILTERS} address={address} />
        <Region query={found} what="The audit trail">
          {() =>
            rows.length === 0 ? (
              <Notice title="No entry fits">Other filters or another time may show some.</Notice>
            ) : (
              <SimpleTable label="Audit" rows={rows} idOf={({ id }) => id} columns={COLUMNS} />
            )
          }
        </Region>
        <MoreRows
          shown={rows.length}
          total={total}
          hasMore={found.hasNextPage}
          isReading={found.isFetchingNextPage}
          more={found.fetchNextPage}
        />
      </Section>
    </AdminPage>
  );
}
