import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type CiRow, changeMany } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS } from '#console/cis/ci-words.ts';
import { MakeDialog } from '#console/cis/make-dialog.tsx';
import compact from '#console/data/compact-table.module.css';
import { ExportButton } from '#console/data/csv/export-button.tsx';
import { FilterBar } from '#console/data/filter-bar.tsx';
import { chipsOf, clearing, type Filter } from '#console/data/filters.ts';
import { SelectionActions } from '#console/data/selection-actions.tsx';
import { Page } from '#console/frame/page.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import place from '#console/grid/place.module.css';
import { Table } from '#console/grid/table.tsx';
import { type Choice, useChoice } from '#console/grid/use-choice.ts';
import { useFocusedRow } from '#console/grid/use-focused-row.ts';
import { useHeld } from '#console/grid/use-held.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count, number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import type { BulkReport } from '#schemas/http/cmdb/bulk.ts';
import { ciColumns, narrowCi } from './ci-columns.tsx';
import { askedCis, CI_KNOWN, ciFilters, readCiAddress, selectedCis } from './ci-filters.ts';
import { CI_FIELDS, cisFile } from './cis-file.ts';
import classes from './cis-page.module.css';
import * as text from './texts.ts';
import { TypeCounts } from './type-counts.tsx';
import { useCis, useTypes } from './use-cis.ts';

type BulkTarget =
  | { readonly ids: readonly string[] }
  | { readonly filter: NonNullable<ReturnType<typeof selectedCis>>; readonly expect: number };

interface BulkDialogProps {
  readonly meant: BulkTarget | null;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

type BulkField = 'status' | 'type' | 'attribute';
interface BulkInput {
  readonly field: BulkField;
  readonly key: string;
  readonly value: string;
}
const NO_INPUT: BulkInput = { field: 'status', key: '', value: '' };
const FIELDS = [
  { value: 'status', label: text.status },
  { value: 'type', label: text.type },
  { value: 'attribute', label: text.attribute },
];
/** Rows of a report that are drawn; the sums above count all. */
const MAX_ROWS = 200;
const ACTION_WORDS = {
  updated: text.update,
  deleted: text.deleteLabel,
  unchanged: text.noChange,
  failed: text.failed,
} as const;

const isWhole = ({ field, key, value }: BulkInput): boolean => (field === 'attribute' ? key : value).trim() !== '';
const setOf = ({ field, key, value }: BulkInput) => {
  if (field === 'attribute') return { attributes: { [key.trim()]: value.trim() === '' ? null : value.trim() } };
  return field === 'type' ? { type: value.trim() } : { status: value as (typeof CI_STATUSES)[number] };
};
const numberOf = (meant: BulkTarget): number => ('ids' in meant ? meant.ids.length : meant.expect);

function Report({ report }: { readonly report: BulkReport }) {
  return (
    <>
      <p className={classes.sum} role="status">
        {text.bulkPreview(count(report.updated, 'CI'), number(report.unchanged))}
        {report.failed > 0 ? <span className={classes.failed}>{text.andFailed(number(report.failed))}</span> : null}.
      </p>
      <div className={`${compact.framed} ${classes.report}`}>
        <table className={compact.table}>
          <thead>
            <tr>
              <th>{text.ci}</th>
              <th>{text.result}</th>
            </tr>
          </thead>
          <tbody>
            {report.rows.slice(0, MAX_ROWS).map(({ id, name, action, error }) => (
              <tr key={id}>
                <td>{name ?? shared.deletedCi}</td>
                <td className={action === 'failed' ? classes.failed : undefined}>{error ?? ACTION_WORDS[action]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report.rows.length > MAX_ROWS ? (
        <span className={classes.total}>{text.showing(MAX_ROWS, number(report.rows.length))}</span>
      ) : null}
    </>
  );
}

function Fields({ wish, onWish }: { readonly wish: BulkInput; readonly onWish: (wish: BulkInput) => void }) {
  const { field, key, value } = wish;
  return (
    <Group gap="sm" align="end" grow>
      <Select
        label={text.field}
        data={FIELDS}
        value={field}
        allowDeselect={false}
        onChange={(next) => onWish({ ...wish, field: (next ?? 'status') as BulkField, value: '' })}
      />
      {field === 'attribute' ? (
        <TextInput
          label={text.attribute}
          placeholder={text.environment}
          value={key}
          onChange={({ currentTarget }) => onWish({ ...wish, key: currentTarget.value })}
        />
      ) : null}
      {field === 'status' ? (
        <Select
          label={text.newStatus}
          data={CI_STATUSES.map((one) => ({ value: one, label: CI_STATUS_WORDS[one] }))}
          value={value || null}
          onChange={(next) => onWish({ ...wish, value: next ?? '' })}
        />
      ) : (
        <TextInput
          label={field === 'attribute' ? text.newValue : text.newType}
          value={value}
          onChange={({ currentTarget }) => onWish({ ...wish, value: currentTarget.value })}
        />
      )}
    </Group>
  );
}

/** Requested change, its preview, and the change itself. */
const useBulk = ({ meant, onClose, done }: BulkDialogProps) => {
  const { call } = useAppServices();
  const [wish, setWish] = useState(NO_INPUT);
  const [report, setReport] = useState<BulkReport | null>(null);
  const [isBusy, setBusy] = useState(false);
  const ask = async (dryRun: boolean): Promise<void> => {
    if (meant === null) return;
    setBusy(true);
    try {
      const which = 'ids' in meant ? { ids: [...meant.ids] } : meant;
      const told = await changeMany(call, { ...which, action: 'update', set: setOf(wish), dry_run: dryRun });
      if (dryRun) setReport(told);
      else {
        showToast({
          text: `Updated ${count(told.updated, 'CI')}${told.failed > 0 ? `, ${number(told.failed)} failed` : ''}`,
        });
        onClose();
        done();
      }
    } catch (error) {
      showError(text.couldntUpdateCis, error);
    }
    setBusy(false);
  };
  const change = (next: BulkInput): void => {
    setWish(next);
    setReport(null);
  };
  return { wish, change, report, isBusy, ask };
};

/** Changes many CIs: a preview is first, which writes nothing. */
function BulkDialog(props: BulkDialogProps) {
  const { meant, onClose } = props;
  const { wish, change, report, isBusy, ask } = useBulk(props);
  return (
    <Modal
      opened={meant !== null}
      onClose={onClose}
      title={meant === null ? '' : text.edit(count(numberOf(meant), 'CI'))}
      size="lg"
    >
      <Stack gap="md">
        <Fields wish={wish} onWish={change} />
        {report === null ? null : <Report report={report} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            {text.cancel}
          </Button>
          {report === null ? (
            <Button disabled={!isWhole(wish)} loading={isBusy} onClick={() => void ask(true)}>
              {text.previewChanges}
            </Button>
          ) : (
            <Button disabled={report.updated === 0} loading={isBusy} onClick={() => void ask(false)}>
              {text.applyTo(count(report.updated, 'CI'))}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}

/** Explains why the list is empty, and the next step. */
function NoCis({ filters, address }: { readonly filters: readonly Filter[]; readonly address: Address }) {
  const mayWrite = useMay('cmdb.write');
  const isFiltered = chipsOf(filters, address.query).length > 0 || address.query.search !== undefined;
  return isFiltered ? (
    <Notice
      title={text.noMatchingCis}
      ways={
        <Button variant="default" onClick={() => address.change(clearing(filters, ['search']))}>
          {text.clearFilters}
        </Button>
      }
    >
      {text.noMatchingCisHint}
    </Notice>
  ) : (
    <Notice
      title={text.noCisYet}
      ways={
        mayWrite ? (
          <>
            <Link to="/import">{text.importCis}</Link>
            <Link to="/discovery">{text.setUpDiscovery}</Link>
          </>
        ) : undefined
      }
    >
      {text.noCisYetHint}
    </Notice>
  );
}

const ROW_HEIGHTS = { comfortable: 34, compact: 26 } as const;
const NARROW_ROW_HEIGHT = 64;
const idOf = ({ _id }: CiRow): string => _id;
const nameOf = ({ name }: CiRow): string => name;

interface CisTableProps {
  readonly cis: ReturnType<typeof useCis>;
  readonly filters: readonly Filter[];
  readonly address: Address;
  readonly choice: Choice;
}

function CisTable({ cis, filters, address, choice }: CisTableProps) {
  const navigate = useNavigate();
  const { density } = useSettings();
  const isNarrow = useMediaQuery('(max-width: 900px)', false, { getInitialValueInEffect: false }) ?? false;
  const [focused, setFocused] = useFocusedRow('cis');
  const { first, total, order, states } = cis;
  const columns = useMemo(() => ciColumns(states), [states]);
  const narrow = useMemo(() => narrowCi(states), [states]);
  return (
    <Region query={first} what={nouns.cis} skeleton={<Skeleton rows={16} height={ROW_HEIGHTS[density]} />}>
      {() =>
        total === 0 ? (
          <NoCis filters={filters} address={address} />
        ) : (
          <Table
            label={text.cis}
            count={cis.count}
            total={total}
            rowAt={cis.rowAt}
            idOf={idOf}
            nameOf={nameOf}
            order={order}
            rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHTS[density]}
            columns={columns}
            {...(isNarrow && { narrow })}
            sorting={{ by: address.query.sort ?? 'name', order: address.query.order === 'desc' ? 'desc' : 'asc' }}
            onSorting={({ by, order: way }) => address.change({ sort: by, order: way })}
            selection={choice.selection}
            onSelection={choice.select}
            focused={focused ?? order[0] ?? null}
            onFocused={setFocused}
            onOpen={({ _id }) => void navigate({ to: `/cis/${_id}` })}
            onSeen={cis.onSeen}
            autoFocus
          />
        )
      }
    </Region>
  );
}

/** Maximum changed by one request. */
const MAX_CHANGED = 1_000;
/** Initial maximum on a map. */
const MAX_ON_MAP = 50;

interface Props {
  readonly choice: Choice;
  /** All that match; null: the server cannot select them. */
  readonly filter: ReturnType<typeof selectedCis>;
  readonly total: number;
  readonly readAnew: () => unknown;
}

/** Actions on the selected CIs. */
function SelectedCis({ choice, filter, total, readAnew }: Props) {
  const navigate = useNavigate();
  const mayWrite = useMay('cmdb.write');
  const [changing, setChanging] = useState<BulkTarget | null>(null);
  const { selection, isAll } = choice;
  const meant = (): BulkTarget => (isAll && filter !== null ? { filter, expect: total } : { ids: [...selection.ids] });
  const showFalling = (): void => {
    const ci = [...selection.ids].slice(0, MAX_ON_MAP).join(',');
    void navigate({ to: '/topology', search: { mode: 'impact', ci } as never });
  };
  return (
    <>
      {mayWrite ? (
        <SelectionActions choice={choice} one="CI" total={total} mayAll={filter !== null && total <= MAX_CHANGED}>
          <Button variant="default" onClick={() => setChanging(meant())}>
            {text.editLabel}
          </Button>
          <Button variant="default" disabled={isAll} onClick={showFalling}>
            {text.viewImpact}
          </Button>
        </SelectionActions>
      ) : null}
      <BulkDialog
        key={changing === null ? 'none' : 'some'}
        meant={changing}
        onClose={() => setChanging(null)}
        done={() => {
          choice.selectNone();
          void readAnew();
        }}
      />
    </>
  );
}

/** All configuration items. */
export function CisPage() {
  const address = useAddress(readCiAddress);
  const mayWrite = useMay('cmdb.write');
  const { isHeld, holding } = useHeld();
  const choice = useChoice();
  const [isMaking, setMaking] = useState(false);
  const types = useTypes();
  const filters = ciFilters(types.data);
  const cis = useCis(address.query, isHeld || choice.hasAny);
  useShortcuts([
    { keys: 'Escape', words: text.clearSelection, section: 'List', isActive: choice.hasAny, run: choice.selectNone },
  ]);

  return (
    <Page title={text.cis}>
      <FilterBar
        filters={filters}
        address={address}
        known={CI_KNOWN}
        searches={text.searchHint}
        end={
          <>
            {cis.first.data === undefined ? null : <span className={classes.total}>{count(cis.total, 'CI')}</span>}
            <ExportButton
              name="cis"
              fields={CI_FIELDS}
              read={cisFile({
                ...askedCis(address.query),
                sort: address.query.sort ?? 'name',
                order: address.query.order ?? 'asc',
              })}
            />
            {cis.isOld ? (
              <Button variant="subtle" onClick={() => void cis.readAnew()}>
                {text.dataChanged}
              </Button>
            ) : null}
            {mayWrite ? (
              <Button variant="default" onClick={() => setMaking(true)}>
                {text.createCi}
              </Button>
            ) : null}
          </>
        }
      />
      <div className={place.split}>
        <TypeCounts types={types} address={address} />
        <section className={place.place} aria-label={text.cis} {...holding}>
          <CisTable cis={cis} filters={filters} address={address} choice={choice} />
          <SelectedCis choice={choice} filter={selectedCis(address.query)} total={cis.total} readAnew={cis.readAnew} />
        </section>
      </div>
      <MakeDialog opened={isMaking} onClose={() => setMaking(false)} />
    </Page>
  );
}
