import { Chip, Group, Select, TextInput } from '@mantine/core';
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { EventRow } from '#console/api/events.ts';
import type { GroupRow } from '#console/api/groups.ts';
import { FormDialog } from '#console/forms/form-dialog.tsx';
import forms from '#console/forms/forms.module.css';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useTimes } from '#console/hooks/use-times.ts';
import { count } from '#console/words/counts.ts';
import { localText, zonedMs } from '#console/words/zoned-time.ts';
import type { SilenceMatcher } from '#domain/event/silences/silence-rule.ts';
import { makeSilence, previewSilence } from './api.ts';
import {
  endOf,
  LENGTHS,
  matcherOf,
  type SilenceLength,
  type SilenceSubject,
  subjectOfEvent,
  subjectOfGroup,
} from './silence-subject.ts';

interface Props {
  /** Null: closed. */
  readonly subject: SilenceSubject | null;
  readonly onClose: () => void;
}

/** Events of the last day that it would have suppressed. */
function Preview({ matcher }: { readonly matcher: SilenceMatcher | null }) {
  const { call } = useParts();
  const found = useQuery({
    queryKey: ['silences', 'preview', matcher],
    queryFn: ({ signal }) => previewSilence(call, matcher ?? {}, signal),
    enabled: matcher !== null,
    placeholderData: keepPreviousData,
  });
  if (matcher === null) return <p className={forms.text}>Choose at least one condition.</p>;
  if (found.data === undefined) return <p className={forms.text}>Counting matching events…</p>;
  const { matched, truncated } = found.data;
  return (
    <p className={forms.text} role="status">
      Matches {count(matched, 'event').replace(/^(\S+)/, truncated ? '$1+' : '$1')} of the last 24 hours.
    </p>
  );
}

/** The choices go with the form in two hidden fields. */
function Fields({ subject }: { readonly subject: SilenceSubject }) {
  const { clock } = useParts();
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
        <Group gap="xs" role="group" aria-label="Events that are silenced">
          {subject.parts.map(({ name, words }) => (
            <Chip key={name} value={name} size="xs">
              {words}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      <Preview matcher={matcher} />
      <Select
        label="Duration"
        data={LENGTHS}
        value={length}
        allowDeselect={false}
        onChange={(next) => setLength((next ?? '2h') as SilenceLength)}
      />
      {length === 'own' ? (
        <TextInput
          type="datetime-local"
          label="Ends at"
          required
          value={own}
          onChange={({ currentTarget }) => setOwn(currentTarget.value)}
        />
      ) : null}
      {end === null ? null : <p className={forms.text}>Ends {full(end)}</p>}
      <TextInput name="reason" label="Reason" required maxLength={1_024} data-autofocus />
    </>
  );
}

/** Suppresses events for a time, and says why. */
function SilenceDialog({ subject, onClose }: Props) {
  const { call } = useParts();
  const queries = useQueryClient();
  const send = async (form: FormData): Promise<void> => {
    const said = (name: string): string => String(form.get(name) ?? '').trim();
    if (said('matcher') === '') throw new Error('Choose at least one condition');
    if (said('endsAt') === '') throw new Error('Choose when it ends');
    await makeSilence(call, { matcher: JSON.parse(said('matcher')), endsAt: said('endsAt'), reason: said('reason') });
    say({ text: 'Silence created' });
    for (const key of ['silences', 'events', 'groups']) void queries.invalidateQueries({ queryKey: [key] });
  };
  return (
    <FormDialog
      opened={subject !== null}
      title={`Silence ${subject?.what ?? ''}`}
      action="Silence"
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
export const SilenceEvent = ({ row, onClose }: RowProps<EventRow>) => (
  <SilenceDialog subject={row === null ? null : subjectOfEvent(row)} onClose={onClose} />
);
export const SilenceGroup = ({ row, onClose }: RowProps<GroupRow>) => (
  <SilenceDialog subject={subjectOfGroup(row)} onClose={onClose} />
);
