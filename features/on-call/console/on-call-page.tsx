import { Button, Checkbox, NumberInput, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Timestamp } from '#console/components/timestamp.tsx';
import { ExportRows } from '#console/data/csv/export-button.tsx';
import { type SimpleColumn, SimpleTable } from '#console/data/simple-table.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import forms from '#console/forms/forms.module.css';
import { Section } from '#console/frame/section.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { NameCell } from '#console/pages/admin/parts/name-cell.tsx';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { count, inSentence } from '#console/text/counts.ts';
import { listOnCall, ON_CALL, type OnCallData, putOnCall, READ_MS } from './api.ts';
import * as text from './texts.ts';

const MAX_MINUTES = 24 * 60;

/** An escalation to it would notify no one. */
const isEmpty = (teams: readonly OnCallData[], id: string | undefined): boolean =>
  teams.some(({ team, members }) => team.id === id && members === 0);

const columnsOf = (teams: readonly OnCallData[]): readonly SimpleColumn<OnCallData>[] => [
  { title: text.team, isName: true, cell: ({ team }) => team.name },
  {
    title: text.now,
    cell: ({ now, calendar_host: host }) => {
      if (now === null) return host === null ? '–' : text.unknown;
      return (
        <>
          {now.name} {text.until} <Timestamp at={now.until} />
        </>
      );
    },
    value: ({ now }) => now?.name,
  },
  {
    title: text.calendar,
    cell: ({ calendar_host: host, error }) =>
      host === null ? text.noCalendar : <NameCell name={host} note={error === null ? '' : text.failed(error)} />,
    value: ({ calendar_host: host }) => host,
  },
  {
    title: text.escalation,
    cell: ({ after_minutes: after, next_team: next }) => {
      if (after === null || next === null) return text.never;
      const note = isEmpty(teams, next.id) ? text.noMembers(next.name) : '';
      return <NameCell name={text.after(count(after, 'minute'), next.name)} note={note} />;
    },
    value: ({ after_minutes: after, next_team: next }) =>
      after === null || next === null ? null : text.after(count(after, 'minute'), next.name),
  },
];

interface CalendarFieldsProps {
  readonly edited: OnCallData | null;
  readonly isRemoved: boolean;
  readonly onRemoved: (isRemoved: boolean) => void;
}
function CalendarFields({ edited, isRemoved, onRemoved }: CalendarFieldsProps) {
  const host = edited?.calendar_host ?? null;
  return (
    <>
      <TextInput
        type="url"
        name="calendar"
        label={text.url}
        description={host === null ? undefined : text.urlHint}
        placeholder={host ?? 'https://'}
        disabled={isRemoved}
        maxLength={2_048}
        data-autofocus
      />
      {host === null ? null : (
        <Checkbox
          label={text.removeCalendar}
          checked={isRemoved}
          onChange={({ currentTarget }) => onRemoved(currentTarget.checked)}
        />
      )}
    </>
  );
}

interface DialogProps {
  /** Null: closed. */
  readonly edited: OnCallData | null;
  readonly teams: readonly OnCallData[];
  readonly onClose: () => void;
}
function OnCallDialog({ edited, teams, onClose }: DialogProps) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const [next, setNext] = useState<string | null>(null);
  const [isRemoved, setRemoved] = useState(false);
  const [known, setKnown] = useState(edited);
  // Another team begins with its own values.
  if (known !== edited) {
    setKnown(edited);
    setNext(edited?.next_team?.id ?? null);
    setRemoved(false);
  }
  const send = async (form: FormData): Promise<void> => {
    if (edited === null) return;
    const url = String(form.get('calendar') ?? '').trim();
    const minutes = Number(form.get('after_minutes'));
    await putOnCall(call, edited.team.id, {
      ...(isRemoved ? { calendar: null } : url !== '' && { calendar: url }),
      after_minutes: next === null || minutes === 0 ? null : minutes,
      next_team: minutes === 0 ? null : next,
    });
    showToast({ text: text.saved(edited.team.name) });
    await queries.invalidateQueries({ queryKey: ON_CALL });
  };
  return (
    <FormDialog
      opened={edited !== null}
      title={text.editTitle(edited?.team.name ?? '')}
      action={text.save}
      onClose={onClose}
      send={send}
    >
      {() => (
        <>
          <CalendarFields edited={edited} isRemoved={isRemoved} onRemoved={setRemoved} />
          <Select
            label={text.nextTeam}
            clearable
            data={teams
              .filter(({ team }) => team.id !== edited?.team.id)
              .map(({ team }) => ({ value: team.id, label: team.name }))}
            value={next}
            onChange={setNext}
          />
          {isEmpty(teams, next ?? undefined) ? (
            <p role="alert" className={forms.caution}>
              {text.emptyTeam(teams.find(({ team }) => team.id === next)?.team.name ?? '')}
            </p>
          ) : null}
          <NumberInput
            name="after_minutes"
            label={text.minutes}
            min={1}
            max={MAX_MINUTES}
            disabled={next === null}
            defaultValue={edited?.after_minutes ?? 15}
          />
        </>
      )}
    </FormDialog>
  );
}

/** Teams with who is on call, and to whom they escalate. */
export function OnCallPage() {
  const [edited, setEdited] = useState<OnCallData | null>(null);
  const teams = useRead(ON_CALL, listOnCall, { refetchInterval: READ_MS });
  return (
    <AdminPage title={text.onCall} lead={text.onCallLead}>
      <Section title={text.teams} flush end={<ExportRows name="on-call" columns={columnsOf([])} rows={teams.data} />}>
        <Region query={teams} what={inSentence(text.teams)}>
          {(rows) =>
            rows.length === 0 ? (
              <Notice title={text.noTeams}>{text.noTeamsHint}</Notice>
            ) : (
              <SimpleTable
                label={text.teams}
                rows={rows}
                columns={columnsOf(rows)}
                idOf={({ team }) => team.id}
                actions={(row) => (
                  <Button variant="default" size="compact-sm" onClick={() => setEdited(row)}>
                    {text.edit}
                  </Button>
                )}
              />
            )
          }
        </Region>
      </Section>
      <OnCallDialog edited={edited} teams={teams.data ?? []} onClose={() => setEdited(null)} />
    </AdminPage>
  );
}
