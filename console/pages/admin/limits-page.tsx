import { Button, NumberInput } from '@mantine/core';
import { useState } from 'react';
import { type Limits, readLimits, setLimits } from '#console/api/admin/admin.ts';
import { LIMITS_HISTORY } from '#console/api/admin/settings-history.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { ChangesList } from '#console/forms/changes-list.tsx';
import { ConflictChoice } from '#console/forms/conflict-choice.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import type { SettingsSection } from '#console/forms/settings/field.ts';
import { SettingsHistory } from '#console/forms/settings/settings-history.tsx';
import * as settings from '#console/forms/settings/texts.ts';
import { Section } from '#console/frame/section.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { number } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import { SETTABLE_CLASSES, type SettableClass } from '#domain/limit-class.ts';
import classes from './admin.module.css';
import { AdminPage } from './admin-page.tsx';
import * as text from './texts.ts';

type LimitChanges = Partial<Record<SettableClass, number | null>>;

const changed = ({ overrides }: Limits, draft: LimitChanges): readonly SettableClass[] =>
  SETTABLE_CLASSES.filter((name) => draft[name] !== undefined && draft[name] !== (overrides[name] ?? null));

/** Edited limits, beside the current ones, also when another user changes them meanwhile. */
const useLimitsDraft = (limits: Limits, saved: () => Promise<unknown>) => {
  const { call } = useAppServices();
  const [draft, setDraft] = useState<LimitChanges>({});
  // The values when the first field was changed: the page may be refetched meanwhile.
  const [begun, setBegun] = useState<Limits | null>(null);
  const [newer, setNewer] = useState<Limits | null>(null);
  const base = begun ?? limits;
  const names = changed(base, draft);
  const clashing = newer === null ? [] : names.filter((name) => newer.overrides[name] !== base.overrides[name]);

  const save = async (): Promise<void> => {
    try {
      await setLimits(call, Object.fromEntries(names.map((name) => [name, draft[name] ?? null])), base.etag);
    } catch (error) {
      if (!isProblem(error, 412)) throw error;
      const now = await readLimits(call);
      if (names.every((name) => now.overrides[name] === base.overrides[name])) setBegun(now);
      else setNewer(now);
      throw new Error(text.someoneElseChangedLimits);
    }
    showToast({ text: text.limitsSaved });
    setDraft({});
    setBegun(null);
    await saved();
  };
  const keep = (name: SettableClass, isMine: boolean): void => {
    const { [name]: mine, ...others } = draft;
    setDraft(isMine && mine !== undefined ? draft : others);
    const isLast = clashing.length === 1;
    if (newer !== null)
      setBegun(isLast ? newer : { ...base, overrides: { ...base.overrides, [name]: newer.overrides[name] } });
    if (isLast) setNewer(null);
  };
  return {
    names,
    save,
    /** The text of the field. */
    valueOf: (name: SettableClass) => (draft[name] === undefined ? limits.overrides[name] : draft[name]),
    change: (name: SettableClass, value: number | null): void => {
      setBegun(base);
      setDraft({ ...draft, [name]: value });
    },
    /** Returns the previous, the edited, and the concurrently changed value. */
    versionsOf: (name: SettableClass) => ({
      before: base.overrides[name],
      mine: draft[name],
      theirs: newer?.overrides[name],
    }),
    clashing,
    keep,
    forgetNewer: (): void => setNewer(null),
  };
};

type LimitsDraft = ReturnType<typeof useLimitsDraft>;

const LIMITS = ['limits'] as const;
const MOST = 100_000_000;
const WORDS: Readonly<Record<SettableClass, string>> = {
  ingest: text.singleEventIngestion,
  bulk: text.bulkIngestion,
  webhook: text.monitoringWebhooks,
  query: text.eventAndGroupQueries,
  standard: text.otherRequests,
  ai: text.aiRequests,
  'ai-platform': text.aiRequestsTenantTotal,
};

/** Names of the limits in their history. */
const SECTIONS: readonly SettingsSection[] = [
  {
    title: text.limits,
    rows: SETTABLE_CLASSES.map((path) => ({
      words: WORDS[path],
      help: '',
      fields: [{ kind: 'number', path, words: '', least: 1, most: MOST, step: 1 }],
    })),
  },
];

const said = (value: number | null | undefined): string => (value == null ? text.defaultLabel : number(value));

interface Props {
  readonly limits: Limits;
  readonly draft: LimitsDraft;
}

const columnsOf = ({ limits, draft }: Props, may: boolean): readonly SimpleColumn<SettableClass>[] => [
  { title: text.requestClass, isName: true, isWide: true, cell: (name) => WORDS[name] },
  {
    title: text.countedBy,
    cell: (name) => (limits.effective[name]?.counted_by === 'tenant' ? 'tenant' : text.tokenOrUser),
  },
  { title: text.defaultLabel, isNumber: true, cell: (name) => said(limits.defaults[name]) },
  {
    title: text.effective,
    isNumber: true,
    cell: (name) => {
      const limit = limits.effective[name]?.limit;
      return limit == null ? text.unlimited : number(limit);
    },
  },
  {
    title: text.tenantLimit,
    value: (name) => limits.overrides[name],
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
  const columns = columnsOf({ limits, draft }, may);
  const [isAsked, setAsked] = useState(false);
  const ask = (
    <Button disabled={draft.names.length === 0} onClick={() => setAsked(true)}>
      {text.save}
    </Button>
  );
  const end = (): void => {
    setAsked(false);
    draft.forgetNewer();
  };
  return (
    <Section
      title={text.requestsPerMinute}
      lead={text.requestsPerMinuteLead}
      end={
        <>
          <ExportRows name="limits" columns={columns} rows={SETTABLE_CLASSES} />
          <SettingsHistory paths={LIMITS_HISTORY} title={settings.history} sections={SECTIONS} />
          {may ? ask : null}
        </>
      }
      flush
    >
      <SimpleTable label={text.limits} rows={SETTABLE_CLASSES} idOf={(name) => name} columns={columns} />
      <FormDialog
        opened={isAsked}
        title={text.saveTheseLimits}
        action={text.save}
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

/** Shows the request limits. */
export function LimitsPage() {
  const query = useRead(LIMITS, (call, signal) => readLimits(call, signal));
  return (
    <AdminPage title={text.limits} lead={text.limitsLead}>
      <Region query={query} what={nouns.limits}>
        {(limits) => <Form limits={limits} saved={query.refetch} />}
      </Region>
    </AdminPage>
  );
}
