import { Chip, Group, Select, TextInput } from '@mantine/core';
import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import forms from '#console/forms/forms.module.css';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { count } from '#console/text/counts.ts';
import { localText, zonedMs } from '#console/text/zoned-time.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { makeSilence, previewSilence } from './api.ts';
import {
  endOf,
  LENGTHS,
  matcherOf,
  type SilencedEvent,
  type SilenceLength,
  type SilenceSubject,
  subjectOfEvent,
  subjectOfGroup,
} from './silence-subject.ts';
import * as text from './texts.ts';

interface Props {
  /** Null: closed. */
  readonly subject: SilenceSubject | null;
  readonly onClose: () => void;
}

/** Events of the last day that it would have suppressed. */
function Preview({ matcher }: { readonly matcher: SilenceMatcher | null }) {
  const found = useRead(
    ['silences', 'preview', matcher],
    (call, signal) => previewSilence(call, matcher ?? {}, signal),
    { enabled: matcher !== null, placeholderData: keepPreviousData },
  );
  if (matcher === null) return <p className={forms.text}>{text.noCondition}</p>;
  if (found.data === undefined) return <p className={forms.text}>{text.countingMatchingEvents}</p>;
  const { matched, truncated } = found.data;
  return (
    <p className={forms.text} role="status">
      {text.matches(count(matched, 'event').replace(/^(\S+)/, truncated ? '$1+' : '$1'))}
    </p>
  );
}

/** The choices go with the form in two hidden fields. */
function Fields({ subject }: { readonly subject: SilenceSubject }) {
  const { clock } = useAppServices();
  const { zone } = useSettings();
  const { full } = useTimes();
  const [on, setOn] = useState<readonly string[]>(() =>
    subject.parts.filter(({ isOn }) => isOn).map(({ name }) => name),
  );
  const [length, setLength] = useState<SilenceLength>('2h');
  const [own, setOwn] = useState('');
  const matcher = matcherOf(subject.parts, new Set(on));
  const local = { toLocal: (ms: number) => localText(ms, zone), toMs: (text: string) => zonedMs(text, zone) };
  const end = endOf(length, clock.now(), own, local);
  return (
    <>
      <input type="hidden" name="matcher" value={matcher === null ? '' : JSON.stringify(matcher)} />
      <input type="hidden" name="endsAt" value={end === null ? '' : new Date(end).toISOString()} />
      <Chip.Group multiple value={[...on]} onChange={setOn}>
        <Group gap="xs" role="group" aria-label={text.conditions}>
          {subject.parts.map(({ name, words }) => (
            <Chip key={name} value={name} size="xs">
              {words}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Preview matcher={matcher} />
      <Select
        label={text.duration}
        data={LENGTHS}
        value={length}
        allowDeselect={false}
        onChange={(next) => setLength((next ?? '2h') as SilenceLength)}
      />
      {length === 'own' ? (
        <TextInput
          type="datetime-local"
          label={text.endsAt}
          required
          value={own}
          onChange={({ currentTarget }) => setOwn(currentTarget.value)}
        />
      ) : null}
      {end === null ? null : <p className={forms.text}>{text.ends(full(end))}</p>}
      <TextInput name="reason" label={text.reason} required maxLength={1_024} data-autofocus />
    </>
  );
}

/** Suppresses events for a time, with a reason. */
function SilenceDialog({ subject, onClose }: Props) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const send = async (form: FormData): Promise<void> => {
    const said = (name: string): string => String(form.get(name) ?? '').trim();
    if (said('matcher') === '') throw new Error(text.conditionNeeded);
    if (said('endsAt') === '') throw new Error(text.chooseEndTime);
    await makeSilence(call, { matcher: JSON.parse(said('matcher')), endsAt: said('endsAt'), reason: said('reason') });
    showToast({ text: text.silenceCreated });
    for (const key of ['silences', 'events', 'groups']) void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <FormDialog
      opened={subject !== null}
      title={text.silence(subject?.what ?? '')}
      action={text.silenceLabel}
      onClose={onClose}
      send={send}
    >
      {() => (subject === null ? null : <Fields subject={subject} />)}
    </FormDialog>
  );
}

interface RowProps<Row> {
  readonly row: Row | null;
  readonly onClose: () => void;
}
export const SilenceEvent = ({ row, onClose }: RowProps<SilencedEvent>) => (
  <SilenceDialog subject={row === null ? null : subjectOfEvent(row)} onClose={onClose} />
);
export const SilenceGroup = ({ row, onClose }: RowProps<GroupRow>) => (
  <SilenceDialog subject={subjectOfGroup(row)} onClose={onClose} />
);
