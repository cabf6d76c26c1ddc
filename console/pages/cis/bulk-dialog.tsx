import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changeMany } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS } from '#console/cis/ci-words.ts';
import compact from '#console/data/compact-table.module.css';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { count, number } from '#console/words/counts.ts';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import type { BulkReport } from '#schemas/http/cmdb/bulk.ts';
import type { selectedCis } from './ci-filters.ts';
import classes from './cis-page.module.css';

export type Meant =
  | { readonly ids: readonly string[] }
  | { readonly filter: NonNullable<ReturnType<typeof selectedCis>>; readonly expect: number };

interface Props {
  readonly meant: Meant | null;
  readonly onClose: () => void;
  readonly done: () => unknown;
}

type Field = 'status' | 'type' | 'attribute';
interface Wish {
  readonly field: Field;
  readonly key: string;
  readonly value: string;
}
const NO_WISH: Wish = { field: 'status', key: '', value: '' };
const FIELDS = [
  { value: 'status', label: 'State' },
  { value: 'type', label: 'Type' },
  { value: 'attribute', label: 'Attribute' },
];
/** Rows of a report that are drawn; the sums above count all. */
const MOST_ROWS = 200;
const ACTION_WORDS = { updated: 'changes', deleted: 'goes', unchanged: 'is so already', failed: 'cannot' } as const;

const isWhole = ({ field, key, value }: Wish): boolean => (field === 'attribute' ? key : value).trim() !== '';
const setOf = ({ field, key, value }: Wish) => {
  if (field === 'attribute') return { attributes: { [key.trim()]: value.trim() === '' ? null : value.trim() } };
  return field === 'type' ? { type: value.trim() } : { status: value as (typeof CI_STATUSES)[number] };
};
const numberOf = (meant: Meant): number => ('ids' in meant ? meant.ids.length : meant.expect);

function Report({ report }: { readonly report: BulkReport }) {
  return (
    <>
      <p className={classes.sum} role="status">
        {count(report.updated, 'CI')} would change, {number(report.unchanged)} would stay as they are
        {report.failed > 0 ? <span className={classes.failed}>, {number(report.failed)} cannot be changed</span> : null}
        .
      </p>
      <div className={`${compact.framed} ${classes.report}`}>
        <table className={compact.table}>
          <thead>
            <tr>
              <th>CI</th>
              <th>What happens</th>
            </tr>
          </thead>
          <tbody>
            {report.rows.slice(0, MOST_ROWS).map(({ id, name, action, error }) => (
              <tr key={id}>
                <td>{name ?? 'a CI that is gone'}</td>
                <td className={action === 'failed' ? classes.failed : undefined}>{error ?? ACTION_WORDS[action]}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {report.rows.length > MOST_ROWS ? (
        <span className={classes.total}>
          The first {MOST_ROWS} of {number(report.rows.length)} are shown.
        </span>
      ) : null}
    </>
  );
}

function Fields({ wish, onWish }: { readonly wish: Wish; readonly onWish: (wish: Wish) => void }) {
  const { field, key, value } = wish;
  return (
    <Group gap="sm" align="end" grow>
      <Select
        label="What"
        data={FIELDS}
        value={field}
        allowDeselect={false}
        onChange={(next) => onWish({ ...wish, field: (next ?? 'status') as Field, value: '' })}
      />
      {field === 'attribute' ? (
        <TextInput
          label="Attribute"
          placeholder="environment"
          value={key}
          onChange={({ currentTarget }) => onWish({ ...wish, key: currentTarget.value })}
        />
      ) : null}
      {field === 'status' ? (
        <Select
          label="New state"
          data={CI_STATUSES.map((one) => ({ value: one, label: CI_STATUS_WORDS[one] }))}
          value={value || null}
          onChange={(next) => onWish({ ...wish, value: next ?? '' })}
        />
      ) : (
        <TextInput
          label={field === 'attribute' ? 'New value, empty to remove' : 'New type'}
          value={value}
          onChange={({ currentTarget }) => onWish({ ...wish, value: currentTarget.value })}
        />
      )}
    </Group>
  );
}

/** A wish, what would become of it, and the change itself. */
const useBulk = ({ meant, onClose, done }: Props) => {
  const { call } = useParts();
  const [wish, setWish] = useState(NO_WISH);
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
        say({
          text: `${count(told.updated, 'CI')} changed${told.failed > 0 ? `, ${number(told.failed)} failed` : ''}`,
        });
        onClose();
        done();
      }
    } catch (error) {
      sayFailure('The CIs could not be changed', error);
    }
    setBusy(false);
  };
  const change = (next: Wish): void => {
    setWish(next);
    setReport(null);
  };
  return { wish, change, report, isBusy, ask };
};

/** Changes many CIs: what would happen is looked at first, and nothing is written by that. */
export function BulkDialog(props: Props) {
  const { meant, onClose } = props;
  const { wish, change, report, isBusy, ask } = useBulk(props);
  return (
    <Modal
      opened={meant !== null}
      onClose={onClose}
      title={meant === null ? '' : `Change ${count(numberOf(meant), 'CI')}`}
      size="lg"
    >
      <Stack gap="md">
        <Fields wish={wish} onWish={change} />
        {report === null ? null : <Report report={report} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {report === null ? (
            <Button disabled={!isWhole(wish)} loading={isBusy} onClick={() => void ask(true)}>
              Look what would happen
            </Button>
          ) : (
            <Button disabled={report.updated === 0} loading={isBusy} onClick={() => void ask(false)}>
              Change {count(report.updated, 'CI')}
            </Button>
          )}
        </Group>
      </Stack>
    </Modal>
  );
}
