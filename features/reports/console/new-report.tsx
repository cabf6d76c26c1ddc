import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, Fragment, useState } from 'react';
import { Section } from '#console/frame/section.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { plain } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import type { ReportInput, TemplateData } from './api.ts';
import classes from './reports.module.css';
import * as text from './texts.ts';

interface Props {
  readonly templates: readonly TemplateData[];
  readonly generate: (wish: ReportInput) => void;
  readonly isBusy: boolean;
}

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

function Parameter({ parameter }: { readonly parameter: TemplateData['parameters'][number] }) {
  const { name, description, values, type } = parameter;
  const label = plain(name);
  if (name === 'date_range') {
    const usual = RANGES.some(([value]) => value === parameter.default);
    return (
      <NativeSelect size="xs" name={name} label={text.timeRange} defaultValue={parameter.default ?? undefined}>
        {usual || parameter.default === null ? null : (
          <option value={parameter.default}>{plain(parameter.default)}</option>
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
      <NativeSelect
        size="xs"
        name={name}
        label={label}
        description={description}
        defaultValue={parameter.default ?? ''}
      >
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
    />
  );
}

/** Form for parameters and format of a report. */
export function NewReport({ templates, generate, isBusy }: Props) {
  const { permissions } = useMe();
  const allowed = templates.filter((one) => one.permissions.every((needed) => permissions.includes(needed as never)));
  const [id, setId] = useState<string>(allowed[0]?.template_id ?? '');
  const template = allowed.find((one) => one.template_id === id);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (template === undefined) return;
    const form = new FormData(event.currentTarget);
    generate({
      template_id: template.template_id,
      parameters: parametersOf(form, template),
      format: String(form.get('format')) as ReportInput['format'] & string,
      shared: form.get('shared') !== null,
    });
  };
  return (
    <Section flush title={text.newReport}>
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
            <Parameter key={parameter.name} parameter={parameter} />
          ))}
          <NativeSelect size="xs" name="format" label={text.format} defaultValue="pdf">
            {template?.formats.map((format) => (
              <option key={format} value={format}>
                {format.toUpperCase()}
              </option>
            ))}
          </NativeSelect>
          <Checkbox name="shared" label={text.shareWithTenant} />
        </Fragment>
        <Button type="submit" loading={isBusy} disabled={template === undefined}>
          {text.createReport}
        </Button>
      </form>
    </Section>
  );
}
