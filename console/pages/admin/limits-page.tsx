import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Limits, readLimits } from '#console/api/admin/admin.ts';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { ConflictChoice } from '#console/forms/conflict-choice.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/words/counts.ts';
import { SETTABLE_CLASSES, type SettableClass } from '#domain/limit-class.ts';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import { type LimitsDraft, useLimitsDraft } from './use-limits-draft.ts';

const LIMITS = ['limits'] as const;
const MOST = 100_000_000;
const WORDS: Readonly<Record<SettableClass, string>> = {
  ingest: 'Single events',
  bulk: 'Events in bulk',
  webhook: 'Webhooks of monitoring systems',
  query: 'Reading events and groups',
  standard: 'All else',
  ai: 'Questions to the AI',
  'ai-platform': 'AI, of the tenant together',
};

const said = (value: number | null | undefined): string => (value == null ? 'as by default' : number(value));

interface Props {
  readonly limits: Limits;
  readonly draft: LimitsDraft;
}

const columnsOf = ({ limits, draft }: Props, may: boolean): readonly SimpleColumn<SettableClass>[] => [
  { title: 'Requests', isName: true, isWide: true, cell: (name) => WORDS[name] },
  {
    title: 'Counted by',
    cell: (name) => (limits.effective[name]?.counted_by === 'tenant' ? 'tenant' : 'credential'),
  },
  { title: 'Default', isNumber: true, cell: (name) => said(limits.defaults[name]) },
  {
    title: 'Counts now',
    isNumber: true,
    cell: (name) => {
      const limit = limits.effective[name]?.limit;
      return limit == null ? 'not limited' : number(limit);
    },
  },
  {
    title: 'Of this tenant',
    cell: (name) => (
      <NumberInput
        size="xs"
        className={classes.number}
        aria-label={WORDS[name]}
        disabled={!may}
        min={1}
        max={MOST}
        allowDecimal={false}
        value={draft.valueOf(name) ?? ''}
        onChange={(value) => draft.change(name, value === '' ? null : Number(value))}
      />
    ),
  },
];

function Versions({ draft }: { readonly draft: LimitsDraft }) {
  if (draft.clashing.length === 0) {
    const changes = draft.names.map((name) => {
      const { before, mine } = draft.versionsOf(name);
      return { field: WORDS[name], before: said(before), after: said(mine) };
    });
    return <ChangesList changes={changes} />;
  }
  const clashes = draft.clashing.map((name) => {
    const { mine, theirs } = draft.versionsOf(name);
    return { id: name, words: WORDS[name], mine: said(mine), theirs: said(theirs) };
  });
  return <ConflictChoice clashes={clashes} keep={(name, isMine) => draft.keep(name as SettableClass, isMine)} />;
}

function Form({ limits, saved }: { readonly limits: Limits; readonly saved: () => Promise<unknown> }) {
  const may = useMay('settings.manage');
  const draft = useLimitsDraft(limits, saved);
  const [isAsked, setAsked] = useState(false);
  const ask = (
    <Button disabled={draft.names.length === 0} onClick={() => setAsked(true)}>
      Save
    </Button>
  );
  const end = (): void => {
    setAsked(false);
    draft.forgetNewer();
  };
  return (
    <Section
      title="Requests a minute"
      lead="An empty field is the default. A token may have limits of its own."
      end={may ? ask : null}
      flush
    >
      <SimpleTable
        label="Limits"
        rows={SETTABLE_CLASSES}
        idOf={(name) => name}
        columns={columnsOf({ limits, draft }, may)}
      />
      <FormDialog
        opened={isAsked}
        title="Save these limits?"
        action="Save"
        size="lg"
        onClose={end}
        isReady={draft.clashing.length === 0}
        send={draft.save}
      >
        {() => <Versions draft={draft} />}
      </FormDialog>
    </Section>
  );
}

/** How much each may ask. */
export function LimitsPage() {
  const { call } = useParts();
  const query = useQuery({ queryKey: LIMITS, queryFn: ({ signal }) => readLimits(call, signal) });
  return (
    <AdminPage title="Limits" lead="What is over a limit is answered 429, with the time after which to ask again.">
      <Region query={query} what="The limits">
        {(limits) => <Form limits={limits} saved={query.refetch} />}
      </Region>
    </AdminPage>
  );
}
