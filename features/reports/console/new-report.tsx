import { Button, Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { type FormEvent, Fragment, useState } from 'react';
import { Section } from '#console/frame/section.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { plain } from '#console/words/counts.ts';
import type { ReportWish, TemplateShown } from './api.ts';
import classes from './reports.module.css';

interface Props {
  readonly templates: readonly TemplateShown[];
  readonly generate: (wish: ReportWish) => void;
  readonly isBusy: boolean;
}

const RANGES = [
  ['24h', 'the last day'],
  ['last_7_days', 'the last 7 days'],
  ['last_30_days', 'the last 30 days'],
  ['last_90_days', 'the last 90 days'],
] as const;

const names = (text: string): string[] => [
  ...new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

const parametersOf = (form: FormData, template: TemplateShown): Record<string, unknown> =>
  Object.fromEntries(
    template.parameters.flatMap(({ name, type }) => {
      const text = String(form.get(name) ?? '').trim();
      if (text === '') return [];
      return [[name, type.includes('list') ? names(text) : text]];
    }),
  );

function Parameter({ parameter }: { readonly parameter: TemplateShown['parameters'][number] }) {
  const { name, description, values, type } = parameter;
  const label = plain(name);
  if (name === 'date_range') {
    const usual = RANGES.some(([value]) => value === parameter.default);
    return (
      <NativeSelect size="xs" name={name} label="Time" defaultValue={parameter.default ?? undefined}>
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
      description={`${description}${type.includes('list') ? '; several are separated by commas' : ''}`}
    />
  );
}

/** Parameters and formats of a report. */
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
      format: String(form.get('format')) as ReportWish['format'] & string,
      shared: form.get('shared') !== null,
    });
  };
  return (
    <Section flush title="A new report">
      <form className={classes.form} onSubmit={submit}>
        <NativeSelect
          size="xs"
          label="What it tells"
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
          <NativeSelect size="xs" name="format" label="Format" defaultValue="pdf">
            {template?.formats.map((format) => (
              <option key={format} value={format}>
                {format.toUpperCase()}
              </option>
            ))}
          </NativeSelect>
          <Checkbox name="shared" label="Colleagues see it, too" />
        </Fragment>
        <Button type="submit" loading={isBusy} disabled={template === undefined}>
          Make the report
        </Button>
      </form>
    </Section>
  );
}
