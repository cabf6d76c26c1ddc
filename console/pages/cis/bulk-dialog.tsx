import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { changeMany } from '#console/api/cmdb/cmdb.ts';
import { CI_STATUS_WORDS } from '#console/cis/ci-words.ts';
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
const FIELDS = [
  { value: 'status', label: 'State' },
  { value: 'type', label: 'Type' },
  { value: 'attribute', label: 'Attribute' },
];
/** Rows of a report that are drawn; the sums above count all. */
const MOST_ROWS = 200;
const ACTION_WORDS = { updated: 'changes', deleted: 'goes', unchanged: 'is so already', failed: 'cannot' } as const;

const numberOf = (meant: Meant): number => ('ids' in meant ? meant.ids.length : meant.expect);

function Report({ report }: { readonly report: BulkReport }) {
  return (
    <>
      <p className={classes.sum} role="status">
        {count(report.updated, 'CI')} would change, {number(report.unchanged)} would stay as they are
        {report.failed > 0 ? <span className={classes.failed}>, {number(report.failed)} cannot be changed</span> : null}
        .
      </p>
      <div className={classes.report}>
        <table>
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

/** Changes many CIs: what would happen is looked at first, and nothing is written by that. */
export function BulkDialog({ meant, onClose, done }: Props) {
  const { call } = useParts();
  const [field, setField] = useState<Field>('status');
  const [key, setKey] = useState('');
  const [value, setValue] = useState('');
  const [report, setReport] = useState<BulkReport | null>(null);
  const [isBusy, setBusy] = useState(false);

  const set = () => {
    if (field === 'attribute') return { attributes: { [key.trim()]: value.trim() === '' ? null : value.trim() } };
    return field === 'type' ? { type: value.trim() } : { status: value as (typeof CI_STATUSES)[number] };
  };
  const isReady = field === 'attribute' ? key.trim() !== '' : value.trim() !== '';
  const ask = async (dryRun: boolean): Promise<void> => {
    if (meant === null) return;
    setBusy(true);
    try {
      const which = 'ids' in meant ? { ids: [...meant.ids] } : meant;
      const told = await changeMany(call, { ...which, action: 'update', set: set(), dry_run: dryRun });
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
  const changed = (change: () => void): void => {
    change();
    setReport(null);
  };

  return (
    <Modal
      opened={meant !== null}
      onClose={onClose}
      title={meant === null ? '' : `Change ${count(numberOf(meant), 'CI')}`}
      size="lg"
    >
      <Stack gap="md">
        <Group gap="sm" align="end" grow>
          <Select
            label="What"
            data={FIELDS}
            value={field}
            allowDeselect={false}
            onChange={(next) => changed(() => [setField((next ?? 'status') as Field), setValue('')])}
          />
          {field === 'attribute' ? (
            <TextInput
              label="Attribute"
              placeholder="environment"
              value={key}
              onChange={({ currentTarget }) => changed(() => setKey(currentTarget.value))}
            />
          ) : null}
          {field === 'status' ? (
            <Select
              label="New state"
              data={CI_STATUSES.map((one) => ({ value: one, label: CI_STATUS_WORDS[one] }))}
              value={value || null}
              onChange={(next) => changed(() => setValue(next ?? ''))}
            />
          ) : (
            <TextInput
              label={field === 'attribute' ? 'New value, empty to remove' : 'New type'}
              value={value}
              onChange={({ currentTarget }) => changed(() => setValue(currentTarget.value))}
            />
          )}
        </Group>
        {report === null ? null : <Report report={report} />}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          {report === null ? (
            <Button disabled={!isReady} loading={isBusy} onClick={() => void ask(true)}>
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
