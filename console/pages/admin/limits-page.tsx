import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Limits, readLimits, setLimits } from '#console/api/admin/admin.ts';
import { Section } from '#console/data/section.tsx';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/words/counts.ts';
import { SETTABLE_CLASSES, type SettableClass } from '#domain/limit-class.ts';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';

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
type Draft = Partial<Record<SettableClass, number | null>>;

const said = (value: number | null | undefined): string => (value == null ? 'as by default' : number(value));
const changed = ({ overrides }: Limits, draft: Draft): readonly SettableClass[] =>
  SETTABLE_CLASSES.filter((name) => draft[name] !== undefined && draft[name] !== (overrides[name] ?? null));

function Form({ limits, saved }: { readonly limits: Limits; readonly saved: () => Promise<unknown> }) {
  const { call } = useParts();
  const may = useMay('settings.manage');
  const [draft, setDraft] = useState<Draft>({});
  const [isAsked, setAsked] = useState(false);
  const names = changed(limits, draft);
  const save = async (): Promise<void> => {
    await setLimits(call, Object.fromEntries(names.map((name) => [name, draft[name] ?? null])));
    say({ text: 'The limits count from the next request on' });
    setDraft({});
    await saved();
  };
  return (
    <Section
      title="Requests a minute"
      lead="An empty field is the default. A token may have limits of its own."
      end={
        may ? (
          <Button disabled={names.length === 0} onClick={() => setAsked(true)}>
            Save
          </Button>
        ) : null
      }
      flush
    >
      <SimpleTable
        label="Limits"
        rows={SETTABLE_CLASSES}
        idOf={(name) => name}
        columns={[
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
                value={(draft[name] === undefined ? limits.overrides[name] : draft[name]) ?? ''}
                onChange={(value) => setDraft({ ...draft, [name]: value === '' ? null : Number(value) })}
              />
            ),
          },
        ]}
      />
      <FormDialog
        opened={isAsked}
        title="Save these limits?"
        action="Save"
        size="lg"
        onClose={() => setAsked(false)}
        send={save}
      >
        {() => (
          <ChangesList
            changes={names.map((name) => ({
              field: WORDS[name],
              before: said(limits.overrides[name]),
              after: said(draft[name]),
            }))}
          />
        )}
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
