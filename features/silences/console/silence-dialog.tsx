import { Checkbox, Chip, Group, Select, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { EndFields } from '#console/forms/end-fields.tsx';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import forms from '#console/forms/forms.module.css';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Local, useLocal } from '#console/hooks/use-local.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { WEEKDAYS, windowsBetween } from '#domain/event/silences/recurrence.ts';
import { capital } from '#domain/text.ts';
import { isZone } from '#domain/texts/time-zone.ts';
import { changeSilence, makeSilence } from './api.ts';
import { ConditionFields } from './condition-fields.tsx';
import {
  bodyOf,
  draftOfEvent,
  draftOfGroup,
  newWeekly,
  recurrenceOf,
  type SilenceDraft,
  type SilencedEvent,
  type SilenceWeekly,
  timesOf,
} from './silence-draft.ts';
import { SilencePreview } from './silence-preview.tsx';
import classes from './silences.module.css';
import * as text from './texts.ts';
import { useSpan } from './use-span.ts';

const FORTNIGHT_MS = 14 * 24 * 3_600_000;
const NEXT = 3;

interface PartProps {
  readonly draft: SilenceDraft;
  readonly change: (part: Partial<SilenceDraft>) => void;
}

function WeeklyFields({ weekly, change }: { readonly weekly: SilenceWeekly } & Pick<PartProps, 'change'>) {
  const set = (part: Partial<SilenceWeekly>) => change({ weekly: { ...weekly, ...part } });
  return (
    <>
      <Chip.Group multiple value={[...weekly.weekdays]} onChange={(weekdays) => set({ weekdays })}>
        <Group gap="xs" role="group" aria-label={text.weekdays}>
          {WEEKDAYS.map((day) => (
            <Chip key={day} value={day} size="xs">
              {capital(day)}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <div className={classes.times}>
        <TextInput
          type="time"
          label={text.windowFrom}
          name="recurrence.from"
          required
          value={weekly.from}
          onChange={({ currentTarget }) => set({ from: currentTarget.value })}
        />
        <TextInput
          type="time"
          label={text.windowTo}
          name="recurrence.to"
          required
          value={weekly.to}
          onChange={({ currentTarget }) => set({ to: currentTarget.value })}
        />
        <Select
          label={text.timeZone}
          searchable
          limit={50}
          data={[...new Set([weekly.zone, 'UTC', ...Intl.supportedValuesOf('timeZone')])]}
          value={weekly.zone}
          allowDeselect={false}
          onChange={(zone) => set({ zone: zone ?? weekly.zone })}
        />
      </div>
    </>
  );
}

/** The next windows with their offsets, so that a change of the clocks is seen. */
function Outcome({ draft, local, now }: { readonly draft: SilenceDraft; readonly local: Local; readonly now: number }) {
  const { full } = useTimes();
  const spanOf = useSpan();
  const { start, end } = timesOf(draft, now, local);
  if (end === null) return null;
  const { weekly } = draft;
  const isWhole = weekly !== null && isZone(weekly.zone) && weekly.from !== '' && weekly.to !== '';
  const windows = isWhole
    ? windowsBetween(
        { startsAt: start, endsAt: end, recurrence: recurrenceOf(weekly) },
        start,
        start + FORTNIGHT_MS,
        NEXT,
      )
    : [];
  return (
    <p className={forms.note}>
      {text.ends(full(end))}
      {windows.length === 0 ? null : ` ${text.nextWindows(windows.map(({ from, to }) => spanOf(from, to)).join('; '))}`}
    </p>
  );
}

function TimeFields({ draft, change }: PartProps) {
  const { clock } = useAppServices();
  const local = useLocal();
  const [now] = useState(clock.now);
  const [isLater, setLater] = useState(draft.startsAt !== '');
  const start = (later: boolean): void => {
    setLater(later);
    const { startsAt } = draft;
    change({ startsAt: later ? startsAt || local.toLocal(now + 3_600_000) : '' });
  };
  return (
    <>
      <div className={classes.times}>
        <Select
          label={text.start}
          data={[
            { value: 'now', label: text.startNow },
            { value: 'later', label: text.startLater },
          ]}
          value={isLater ? 'later' : 'now'}
          allowDeselect={false}
          onChange={(value) => start(value === 'later')}
        />
        {isLater ? (
          <TextInput
            type="datetime-local"
            label={text.startsAt}
            name="startsAt"
            required
            value={draft.startsAt}
            onChange={({ currentTarget }) => change({ startsAt: currentTarget.value })}
          />
        ) : null}
        <EndFields end={draft} onChange={(end) => change(end ?? {})} />
      </div>
      <Checkbox
        label={text.repeatWeekly}
        checked={draft.weekly !== null}
        onChange={({ currentTarget }) =>
          change(
            currentTarget.checked
              ? { weekly: newWeekly(local.zone), ...(draft.length !== 'own' && { length: '90d' }) }
              : { weekly: null },
          )
        }
      />
      {draft.weekly === null ? null : <WeeklyFields weekly={draft.weekly} change={change} />}
      <Outcome draft={draft} local={local} now={now} />
    </>
  );
}

interface FieldsProps {
  readonly start: SilenceDraft;
  readonly keep: (draft: SilenceDraft) => void;
}
function Fields({ start, keep }: FieldsProps) {
  const [draft, setDraft] = useState(start);
  const change = (part: Partial<SilenceDraft>): void => {
    const next = { ...draft, ...part };
    setDraft(next);
    keep(next);
  };
  return (
    <>
      <ConditionFields
        conditions={draft.conditions}
        suggestions={draft.suggestions}
        onChange={(conditions) => change({ conditions })}
      />
      {draft.note === undefined ? null : <p className={forms.note}>{draft.note}</p>}
      <SilencePreview conditions={draft.conditions} />
      <TimeFields draft={draft} change={change} />
      <TextInput
        name="reason"
        label={text.reason}
        required
        maxLength={1_024}
        data-autofocus
        value={draft.reason}
        onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
      />
    </>
  );
}

interface Props {
  /** Null: closed. */
  readonly draft: SilenceDraft | null;
  readonly onClose: () => void;
}

/** Suppresses events for a time, with a reason; or changes such a silence. */
export function SilenceDialog({ draft, onClose }: Props) {
  const { call, clock } = useAppServices();
  const queries = useQueryClient();
  const local = useLocal();
  const [edited, setEdited] = useState<SilenceDraft | null>(null);
  const close = (): void => {
    setEdited(null);
    onClose();
  };
  const send = async (): Promise<void> => {
    const said = edited ?? draft;
    if (said === null) return;
    const body = bodyOf(said, clock.now(), local);
    if (said.id === undefined) await makeSilence(call, body);
    else await changeSilence(call, said.id, { ...body, recurrence: body.recurrence ?? null });
    showToast({ text: said.id === undefined ? text.silenceCreated : text.silenceSaved });
    for (const key of ['silences', 'events', 'groups']) void queries.invalidateQueries({ queryKey: [key] });
  };
  const isEdit = draft?.id !== undefined;
  return (
    <FormDialog
      opened={draft !== null}
      title={isEdit ? text.editSilence : text.silence(draft?.what ?? '')}
      action={isEdit ? text.save : text.silenceLabel}
      size="lg"
      onClose={close}
      send={send}
    >
      {() => (draft === null ? null : <Fields start={draft} keep={setEdited} />)}
    </FormDialog>
  );
}

interface RowProps<Row> {
  readonly row: Row | null;
  readonly onClose: () => void;
}
export const SilenceEvent = ({ row, onClose }: RowProps<SilencedEvent>) => (
  <SilenceDialog draft={row === null ? null : draftOfEvent(row)} onClose={onClose} />
);
export const SilenceGroup = ({ row, onClose }: RowProps<GroupRow>) => (
  <SilenceDialog draft={draftOfGroup(row)} onClose={onClose} />
);
