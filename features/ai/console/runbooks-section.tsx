import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { SafeLink } from '#console/components/links/safe-link.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { RowButton } from '#console/data/row-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import { Section } from '#console/frame/section.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Notice } from '#console/states/notice.tsx';
import { capital } from '#domain/text.ts';
import { KNOWN_CI_TYPES } from '#domain/topology/vocabulary.ts';
import { AI_SETTINGS, readAiSettings, saveAiSettings } from './api.ts';
import { KINDS, kindWords } from './kind-words.ts';
import { appliesTo, movedUp, RUNBOOK_CONDITIONS, type Runbook, runbookOf, withRunbook } from './runbooks.ts';
import * as text from './texts.ts';

/** Changes the newest list, so that what others have done meanwhile stays. */
const useRunbookChange = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  return async (change: (all: readonly Runbook[]) => readonly Runbook[]): Promise<void> => {
    const { effective, etag } = await readAiSettings(call);
    queries.setQueryData(AI_SETTINGS, await saveAiSettings(call, { runbooks: change(effective.runbooks) }, etag));
    showToast({ text: text.runbookSaved });
  };
};

const CI_TYPES = [...new Set<string>(KNOWN_CI_TYPES)];

interface DialogProps {
  /** Null: a new one. */
  readonly runbook: Runbook | null;
  readonly onClose: () => void;
}

function RunbookDialog({ runbook, onClose }: DialogProps) {
  const change = useRunbookChange();
  return (
    <FormDialog
      opened
      title={runbook === null ? text.addRunbook : text.editRunbook}
      action={text.save}
      onClose={onClose}
      send={(form) => change((all) => withRunbook(all, runbook, runbookOf(form)))}
    >
      {() => (
        <>
          <TextInput
            name="url"
            label={text.address}
            required
            maxLength={500}
            defaultValue={runbook?.url}
            data-autofocus
          />
          <TextInput name="text" label={text.shownText} maxLength={255} defaultValue={runbook?.text} />
          {RUNBOOK_CONDITIONS.map(([name, words, most]) =>
            name === 'complaint' ? (
              <NativeSelect key={name} name={name} label={capital(words)} defaultValue={runbook?.complaint ?? ''}>
                <option value="">{text.everything}</option>
                {KINDS.map((kind) => (
                  <option key={kind} value={kind}>
                    {kindWords(kind)}
                  </option>
                ))}
              </NativeSelect>
            ) : name === 'ciType' ? (
              <Autocomplete
                key={name}
                name={name}
                label={capital(words)}
                placeholder={text.everything}
                maxLength={most}
                data={CI_TYPES}
                limit={12}
                defaultValue={runbook?.ciType ?? ''}
              />
            ) : (
              <TextInput
                key={name}
                name={name}
                label={capital(words)}
                placeholder={text.everything}
                maxLength={most}
                defaultValue={runbook?.[name]}
              />
            ),
          )}
        </>
      )}
    </FormDialog>
  );
}

const COLUMNS: readonly SimpleColumn<Runbook>[] = [
  { title: text.appliesTo, isName: true, cell: (one) => appliesTo(one) || text.everyEvent },
  {
    title: text.runbook,
    isWide: true,
    cell: (one) => (
      <>
        <SafeLink text={one.url} /> {one.text}
      </>
    ),
    value: (one) => `${one.url} ${one.text}`.trim(),
  },
];

interface Asked {
  readonly runbook: Runbook | null;
  readonly isRemoval?: true;
}

/** Runbooks of the tenant, in the order in which they are tried. */
export function RunbooksSection({ runbooks }: { readonly runbooks: readonly Runbook[] }) {
  const mayChange = useMay('settings.manage');
  const change = useRunbookChange();
  const [asked, setAsked] = useState<Asked | null>(() =>
    mayChange && location.hash === '#add-runbook' ? { runbook: null } : null,
  );
  const moveUp = (runbook: Runbook): Promise<void> =>
    change((all) => movedUp(all, runbook)).catch((error: unknown) => showError(text.couldntMove, error));
  return (
    <Section
      flush
      title={text.runbooks}
      lead={text.runbooksLead}
      end={
        <>
          <ExportRows name="runbooks" columns={COLUMNS} rows={runbooks} />
          {mayChange ? (
            <Button variant="default" onClick={() => setAsked({ runbook: null })}>
              {text.addRunbook}
            </Button>
          ) : null}
        </>
      }
    >
      {runbooks.length === 0 ? (
        <Notice title={text.noRunbooks}>{text.noRunbooksHint}</Notice>
      ) : (
        <SimpleTable
          label={text.runbooks}
          rows={runbooks}
          idOf={(one) => JSON.stringify(one)}
          columns={COLUMNS}
          {...(mayChange && {
            actions: (one: Runbook) => (
              <>
                {one === runbooks[0] ? null : (
                  <RowButton words={text.moveUp} of={one.url} onClick={() => moveUp(one)} />
                )}
                <RowButton words={text.edit} of={one.url} onClick={() => setAsked({ runbook: one })} />
                <RowButton
                  words={text.remove}
                  of={one.url}
                  onClick={() => setAsked({ runbook: one, isRemoval: true })}
                />
              </>
            ),
          })}
        />
      )}
      {asked !== null && !asked.isRemoval ? (
        <RunbookDialog runbook={asked.runbook} onClose={() => setAsked(null)} />
      ) : null}
      <ConfirmDialog
        opened={asked?.isRemoval === true}
        title={text.removeRunbook}
        action={text.remove}
        onClose={() => setAsked(null)}
        act={() => change((all) => withRunbook(all, asked?.runbook ?? null, null))}
      >
        {text.removeRunbookHint(asked?.runbook?.url ?? '')}
      </ConfirmDialog>
    </Section>
  );
}
