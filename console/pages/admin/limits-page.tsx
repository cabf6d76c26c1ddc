import { Button, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Limits, readLimits, setLimits } from '#console/api/admin/admin.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { Section } from '#console/data/section.tsx';
import { SimpleTable } from '#console/data/simple-table.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { ConflictChoice } from '#console/forms/conflict-choice.tsx';
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
  // What stood when the first field was changed: the page may be read anew meanwhile.
  const [begun, setBegun] = useState<Limits | null>(null);
  const [newer, setNewer] = useState<Limits | null>(null);
  const base = begun ?? limits;
  const names = changed(base, draft);
  const clashing = newer === null ? [] : names.filter((name) => newer.overrides[name] !== base.overrides[name]);
  const change = (name: SettableClass, value: number | null): void => {
    setBegun(base);
    setDraft({ ...draft, [name]: value });
  };
  const end = (): void => {
    setAsked(false);
    setNewer(null);
  };
  const save = async (): Promise<void> => {
    try {
      await setLimits(call, Object.fromEntries(names.map((name) => [name, draft[name] ?? null])), base.etag);
    } catch (error) {
      if (!isProblem(error, 412)) throw error;
      const now = await readLimits(call);
      if (names.every((name) => now.overrides[name] === base.overrides[name])) setBegun(now);
      else setNewer(now);
      throw new Error('Somebody else has changed the limits meanwhile: look at them, and save again');
    }
    say({ text: 'The limits count from the next request on' });
    setDraft({});
    setBegun(null);
    await saved();
  };
  const keep = (name: string, isMine: boolean): void => {
    const { [name as SettableClass]: mine, ...others } = draft;
    setDraft(isMine && mine !== undefined ? draft : others);
    const isLast = clashing.length === 1;
    if (newer !== null)
      setBegun(
        isLast ? newer : { ...base, overrides: { ...base.overrides, [name]: newer.overrides[name as SettableClass] } },
      );
    if (isLast) setNewer(null);
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
                onChange={(value) => change(name, value === '' ? null : Number(value))}
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
        onClose={end}
        isReady={clashing.length === 0}
        send={save}
      >
        {() =>
          clashing.length > 0 ? (
            <ConflictChoice
              keep={keep}
              clashes={clashing.map((name) => ({
                ...{ id: name, words: WORDS[name] },
                ...{ mine: said(draft[name]), theirs: said(newer?.overrides[name]) },
              }))}
            />
          ) : (
            <ChangesList
              changes={names.map((name) => ({
                field: WORDS[name],
                before: said(base.overrides[name]),
                after: said(draft[name]),
              }))}
            />
          )
        }
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
