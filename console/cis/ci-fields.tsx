import { ActionIcon, Autocomplete, Button, Group, Select, Textarea, TextInput } from '@mantine/core';
import { Icon } from '#console/components/icon.tsx';
import { CI_STATUSES } from '#domain/topology/topology.ts';
import { KNOWN_CI_TYPES } from '#domain/topology/vocabulary.ts';
import type { CiDraft, DraftRows } from './ci-draft.ts';
import classes from './ci-forms.module.css';
import { CI_STATUS_WORDS } from './ci-words.ts';
import * as text from './texts.ts';

interface Props {
  readonly draft: CiDraft;
  readonly onChange: (draft: CiDraft) => void;
  /** Errors of the server by field. */
  readonly errors?: Readonly<Record<string, string>>;
}

const TYPES = [...new Set<string>(KNOWN_CI_TYPES)];

interface RowsProps {
  readonly rows: DraftRows;
  readonly labels: typeof text.ATTRIBUTES;
  readonly add: string;
  readonly onRows: (rows: DraftRows) => void;
}

/** Names and values that a user writes. */
function RowFields({ rows, labels, add, onRows }: RowsProps) {
  const change = (at: number, part: Partial<DraftRows[number]>): void =>
    onRows(rows.map((row, i) => (i === at ? { ...row, ...part } : row)));
  return (
    <fieldset className={classes.attributes}>
      <legend className={classes.legend}>{labels.title}</legend>
      {rows.map(({ key, value }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name but their place while they are written.
        <div key={at} className={classes.attribute}>
          <TextInput
            aria-label={labels.nameOf(at + 1)}
            placeholder={labels.example}
            maxLength={256}
            value={key}
            onChange={({ currentTarget }) => change(at, { key: currentTarget.value })}
          />
          <TextInput
            aria-label={text.value(key || labels.called(at + 1))}
            value={value}
            onChange={({ currentTarget }) => change(at, { value: currentTarget.value })}
          />
          <ActionIcon
            aria-label={text.remove(key || labels.called(at + 1))}
            onClick={() => onRows(rows.filter((_, i) => i !== at))}
          >
            <Icon name="close" size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        leftSection={<Icon name="plus" size={12} />}
        onClick={() => onRows([...rows, { key: '', value: '' }])}
      >
        {add}
      </Button>
    </fieldset>
  );
}

/** The fields of a CI, to make one or to change it. */
export function CiFields({ draft, onChange, errors = {} }: Props) {
  const set = <K extends keyof CiDraft>(field: K, value: CiDraft[K]): void => onChange({ ...draft, [field]: value });
  return (
    <>
      <TextInput
        label={text.name}
        required
        maxLength={255}
        value={draft.name}
        error={errors.name}
        onChange={({ currentTarget }) => set('name', currentTarget.value)}
        data-autofocus
      />
      <Group grow gap="sm" align="start">
        <Autocomplete
          size="xs"
          label={text.type}
          required
          maxLength={255}
          data={TYPES}
          limit={12}
          value={draft.type}
          error={errors.type}
          onChange={(type) => set('type', type)}
        />
        <Select
          label={text.status}
          data={CI_STATUSES.map((value) => ({ value, label: CI_STATUS_WORDS[value] }))}
          value={draft.status}
          allowDeselect={false}
          onChange={(status) => set('status', (status ?? 'active') as CiDraft['status'])}
        />
      </Group>
      <Textarea
        label={text.description}
        autosize
        minRows={1}
        maxRows={6}
        value={draft.description}
        error={errors.description}
        onChange={({ currentTarget }) => set('description', currentTarget.value)}
      />
      <TextInput
        label={text.externalKey}
        description={text.idCiAnotherSystem}
        maxLength={255}
        value={draft.external_key}
        error={errors.external_key}
        onChange={({ currentTarget }) => set('external_key', currentTarget.value)}
      />
      <RowFields
        rows={draft.attributes}
        labels={text.ATTRIBUTES}
        add={text.addAttribute}
        onRows={(rows) => set('attributes', rows)}
      />
      <RowFields
        rows={draft.custom_fields}
        labels={text.CUSTOM_FIELDS}
        add={text.addCustomField}
        onRows={(rows) => set('custom_fields', rows)}
      />
    </>
  );
}
