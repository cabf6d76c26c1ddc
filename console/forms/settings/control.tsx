import { Checkbox, NativeSelect, NumberInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { isSame, said } from './draft.ts';
import { type Field, UNITS, type Value } from './field.ts';
import classes from './settings.module.css';
import * as texts from './texts.ts';

interface Props {
  readonly field: Field;
  /** Label of its row, for screen readers. */
  readonly row: string;
  readonly value: Value;
  readonly disabled: boolean;
  readonly onChange: (value: Value) => void;
}

/** Milliseconds as a number of the unit: hours of a 30 s window are 0.0083, so two digits are not enough everywhere. */
const inUnit = (ms: number, unit: keyof typeof UNITS): number => Number((ms / UNITS[unit]).toPrecision(6));

type NumberField = Field & { kind: 'number' | 'duration' };

/** Returns the display unit of the field: milliseconds in its unit, shares in percent. */
const measureOf = (field: NumberField) => {
  if (field.kind === 'duration') return { factor: UNITS[field.unit], unit: ` ${field.unit}`, step: 1, digits: 4 };
  if (field.isShare) return { factor: 0.01, unit: '%', step: 1, digits: 0 };
  return { factor: 1, unit: '', step: field.step, digits: String(field.step).split('.')[1]?.length ?? 0 };
};

function Numbered({ field, row, value, disabled, onChange }: Props & { readonly field: NumberField }) {
  const { factor, unit, step, digits } = measureOf(field);
  const none = field.kind === 'number' ? field.none : undefined;
  const shown = field.kind === 'duration' ? inUnit(Number(value), field.unit) : Number(value) / factor;
  const [least, most] = [field.least / factor, field.most / factor];
  // Out of bounds while the user types; on blur it becomes the nearest allowed value.
  const [outside, setOutside] = useState<number | null>(null);
  return (
    <NumberInput
      size="xs"
      className={classes.number}
      data-wide={field.most > 1_000_000 || undefined}
      aria-label={`${row}, ${field.words}${unit === '%' ? ' (%)' : unit}`}
      value={outside ?? (value === null ? '' : Number(shown.toPrecision(12)))}
      error={outside === null ? undefined : texts.range(least, most, unit)}
      placeholder={none ?? ''}
      min={least}
      max={most}
      step={step}
      decimalScale={digits}
      suffix={unit}
      thousandSeparator={field.most > 1_000_000 ? ',' : ''}
      allowNegative={false}
      disabled={disabled}
      onChange={(next) => {
        setOutside(null);
        if (next === '' && none !== undefined) onChange(null);
        if (typeof next !== 'number') return;
        const wish = field.kind === 'duration' ? Math.round(next * factor) : Number((next * factor).toPrecision(12));
        if (wish >= field.least && wish <= field.most) onChange(wish);
        else setOutside(next);
      }}
    />
  );
}

function Choice({ field, row, value, disabled, onChange }: Props & { readonly field: Field & { kind: 'choice' } }) {
  const at = field.choices.findIndex((choice) => isSame(choice.value, value));
  return (
    <NativeSelect
      size="xs"
      className={classes.choice}
      aria-label={`${row}, ${field.words}`}
      value={String(at)}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(field.choices[Number(currentTarget.value)]?.value ?? null)}
    >
      {at === -1 ? <option value="-1">{said(field, value)}</option> : null}
      {field.choices.map(({ words }, place) => (
        <option key={words} value={String(place)}>
          {words}
        </option>
      ))}
    </NativeSelect>
  );
}

function Several({ field, row, value, disabled, onChange }: Props & { readonly field: Field & { kind: 'several' } }) {
  const chosen = Array.isArray(value) ? value : [];
  const order = field.choices.map((choice) => choice.value);
  return (
    <fieldset className={classes.several} aria-label={row}>
      {field.choices.map(({ value: one, words }) => (
        <Checkbox
          key={one}
          label={words}
          checked={chosen.includes(one)}
          disabled={disabled}
          onChange={({ currentTarget }) => {
            const next = new Set(chosen);
            if (currentTarget.checked) next.add(one);
            else next.delete(one);
            onChange(order.filter((name) => next.has(name)));
          }}
        />
      ))}
    </fieldset>
  );
}

const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== ''),
  ),
];

function Lines({ row, value, disabled, onChange }: Props) {
  const lines = Array.isArray(value) ? value : [];
  const [text, setText] = useState(lines.join('\n'));
  return (
    <Textarea
      className={classes.list}
      aria-label={row}
      autosize
      minRows={2}
      maxRows={8}
      // Text as typed, with its empty lines, until it is reverted or set elsewhere.
      value={isSame(linesOf(text), lines) ? text : lines.join('\n')}
      disabled={disabled}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        onChange(linesOf(currentTarget.value));
      }}
    />
  );
}

/** One thing that can be set. */
export function Control(props: Props) {
  const { field, row, value, disabled, onChange } = props;
  switch (field.kind) {
    case 'switch':
      return (
        <Switch
          aria-label={row}
          checked={value === true}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return <Choice {...props} field={field} />;
    case 'several':
      return <Several {...props} field={field} />;
    case 'text':
      return (
        <TextInput
          className={classes.choice}
          aria-label={`${row}, ${field.words}`}
          maxLength={field.most}
          placeholder={field.none}
          value={typeof value === 'string' ? value : ''}
          disabled={disabled}
          onChange={({ currentTarget: { value: text } }) =>
            onChange((field.isUpper ? text.toUpperCase() : text) || null)
          }
        />
      );
    case 'list':
      return <Lines {...props} />;
    default:
      return <Numbered {...props} field={field} />;
  }
}
