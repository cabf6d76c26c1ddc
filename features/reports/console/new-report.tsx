import { Button, Checkbox, Group, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, Fragment, useState } from 'react';
import { textOf } from '#console/forms/form-text.ts';
import { Section } from '#console/frame/section.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { plain } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import type { ReportInput, ScheduleData, ScheduleInput, TemplateData } from './api.ts';
import classes from './reports.module.css';
import { PERIODS, WEEKDAYS } from './schedule-text.ts';
import * as text from './texts.ts';

interface Props {
  readonly templates: readonly TemplateData[];
  /** A schedule that is edited. */
  readonly start: ScheduleData | null;
  readonly generate: (wish: ReportInput) => void;
  readonly schedule: (wish: ScheduleInput) => void;
  readonly cancel: () => void;
  readonly isBusy: boolean;
}

const ONCE = 'once';
/** That of the schedule, else that of the user. */
const useZone = (start: ScheduleData | null): string => {
  const { zone } = useSettings();
  return start?.time_zone ?? zone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
};

const RANGES = [
  ['24h', shared.last24Hours],
  ['last_7_days', shared.last7Days],
  ['last_30_days', text.last30Days],
  ['last_90_days', text.last90Days],
] as const;

const names = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

const parametersOf = (form: FormData, template: TemplateData): Record<string, unknown> =>
  Object.fromEntries(
    template.parameters.flatMap(({ name, type }) => {
      const text = String(form.get(name) ?? '').trim();
      if (text === '') return [];
      return [[name, type.includes('list') ? names(text) : text]];
    }),
  );

interface ParameterProps {
  readonly parameter: TemplateData['parameters'][number];
  /** Value of a schedule. */
  readonly given: unknown;
}

function Parameter({ parameter, given }: ParameterProps) {
  const { name, description, values, type } = parameter;
  const label = plain(name);
  const usual = given === undefined ? parameter.default : [given].flat().join(', ');
  if (name === 'date_range') {
    return (
      <NativeSelect size="xs" name={name} label={text.timeRange} defaultValue={usual ?? undefined}>
        {usual === null || RANGES.some(([value]) => value === usual) ? null : (
          <option value={usual}>{plain(usual)}</option>
        )}
        {RANGES.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </NativeSelect>
    );
  }
  if (values !== null && !type.includes('list'))
    return (
      <NativeSelect size="xs" name={name} label={label} description={description} defaultValue={usual ?? ''}>
        {values.map((value) => (
          <option key={value} value={value}>
            {plain(value)}
          </option>
        ))}
      </NativeSelect>
    );
  return (
    <TextInput
      name={name}
      label={label}
      description={`${description}${type.includes('list') ? text.separateWithCommas : ''}`}
      defaultValue={given === undefined ? '' : (usual ?? '')}
    />
  );
}

/** Repetition, and the place of the result. */
interface RepetitionProps extends Pick<Props, 'start'> {
  readonly every: string;
  readonly onEvery: (every: string) => void;
}
function Repetition({ start, every, onEvery }: RepetitionProps) {
  const zone = useZone(start);
  return (
    <>
      <NativeSelect
        size="xs"
        name="every"
        label={text.repeat}
        value={every}
        onChange={({ currentTarget }) => onEvery(currentTarget.value)}
      >
        {start === null ? <option value={ONCE}>{text.never}</option> : null}
        {PERIODS.map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </NativeSelect>
      {every !== 'week' ? null : (
        <NativeSelect size="xs" name="weekday" label={text.weekday} defaultValue={start?.weekday ?? 1}>
          {WEEKDAYS.map((words, at) => (
            <option key={words} value={at + 1}>
              {words}
            </option>
          ))}
        </NativeSelect>
      )}
      {every === ONCE ? null : (
        <TextInput type="time" name="at" label={text.timeIn(zone)} required defaultValue={start?.at ?? '08:00'} />
      )}
      <NativeSelect size="xs" name="delivery" label={text.delivery} defaultValue={start?.delivery.method ?? 'download'}>
        <option value="download">{text.forDownload}</option>
        <option value="webhook">{text.toWebhooks}</option>
        <option value="email">{text.byEmail}</option>
      </NativeSelect>
      <TextInput
        name="recipients"
        label={text.recipients}
        placeholder={text.recipientsHint}
        defaultValue={start?.delivery.recipients.join(', ') ?? ''}
      />
    </>
  );
}

const submitWords = (start: ScheduleData | null, every: string): string => {
  if (start !== null) return text.save;
  return every === ONCE ? text.createReport : text.createSchedule;
};

/** Form for parameters, format and repetition of a report. */
export function NewReport({ templates, start, generate, schedule, cancel, isBusy }: Props) {
  const { permissions } = useMe();
  const zone = useZone(start);
  const allowed = templates.filter((one) => one.permissions.every((needed) => permissions.includes(needed as never)));
  const [id, setId] = useState<string>(start?.template_id ?? allowed[0]?.template_id ?? '');
  const template = allowed.find((one) => one.template_id === id);
  const [every, setEvery] = useState<string>(start?.every ?? ONCE);
  const kept = start !== null && start.template_id === id ? start : null;
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (template === undefined) return;
    const form = new FormData(event.currentTarget);
    const method = textOf(form, 'delivery') as ScheduleData['delivery']['method'];
    const wish = {
      template_id: template.template_id,
      parameters: parametersOf(form, template),
      format: textOf(form, 'format') as ScheduleData['format'],
      shared: form.get('shared') !== null,
      delivery: {
        method,
        recipients: textOf(form, 'recipients')
          .split(',')
          .map((one) => one.trim())
          .filter((one) => one !== ''),
      },
      ...(kept !== null && { category: kept.category }),
    };
    if (every === ONCE) generate(wish);
    else {
      const weekday = every === 'week' ? Number(textOf(form, 'weekday')) : 1;
      schedule({ ...wish, every: every as ScheduleData['every'], weekday, at: textOf(form, 'at'), time_zone: zone });
    }
  };
  return (
    <Section flush title={start === null ? text.newReport : text.editSchedule}>
      <form className={classes.form} onSubmit={submit}>
        <NativeSelect
          size="xs"
          label={text.reportType}
          description={template?.description}
          value={id}
          onChange={({ currentTarget }) => setId(currentTarget.value)}
        >
          {allowed.map(({ template_id, name }) => (
            <option key={template_id} value={template_id}>
              {name}
            </option>
          ))}
        </NativeSelect>
        {/* What was filled in for another kind of report is not taken over. */}
        <Fragment key={id}>
          {template?.parameters.map((parameter) => (
            <Parameter key={parameter.name} parameter={parameter} given={kept?.parameters[parameter.name]} />
          ))}
          <NativeSelect size="xs" name="format" label={text.format} defaultValue={kept?.format ?? 'pdf'}>
            {template?.formats.map((format) => (
              <option key={format} value={format}>
                {format.toUpperCase()}
              </option>
            ))}
          </NativeSelect>
          <Checkbox name="shared" label={text.shareWithTenant} defaultChecked={kept?.shared ?? false} />
        </Fragment>
        <Repetition start={start} every={every} onEvery={setEvery} />
        <Group gap="sm">
          <Button type="submit" loading={isBusy} disabled={template === undefined}>
            {submitWords(start, every)}
          </Button>
          {start === null ? null : (
            <Button variant="default" onClick={cancel}>
              {text.cancel}
            </Button>
          )}
        </Group>
      </form>
    </Section>
  );
}
