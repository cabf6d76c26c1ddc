import { Checkbox, NativeSelect, NumberInput, Switch, Textarea } from '@mantine/core';
import { isSame, said } from './draft.ts';
import { type Field, UNITS, type Value } from './fields.ts';
import classes from './form.module.css';

interface Props {
  readonly field: Field;
  /** Words of its row, for those who do not see where it stands. */
  readonly row: string;
  readonly value: Value;
  readonly disabled: boolean;
  readonly onChange: (value: Value) => void;
}

/** Milliseconds as a number of the unit: hours of a 30 s window are 0.0083, so two digits are not enough everywhere. */
const inUnit = (ms: number, unit: keyof typeof UNITS): number => Number((ms / UNITS[unit]).toPrecision(6));

function Numbered({
  field,
  row,
  value,
  disabled,
  onChange,
}: Props & { readonly field: Field & { kind: 'number' | 'duration' } }) {
  const factor = field.kind === 'duration' ? UNITS[field.unit] : 1;
  const unit = field.kind === 'duration' ? ` ${field.unit}` : '';
  const shown = field.kind === 'duration' ? inUnit(Number(value), field.unit) : Number(value);
  return (
    <NumberInput
      size="xs"
      className={classes.number}
      aria-label={`${row}, ${field.words}${unit}`}
      value={shown}
      min={field.least / factor}
      max={field.most / factor}
      step={field.kind === 'number' ? field.step : 1}
      decimalScale={field.kind === 'number' ? (String(field.step).split('.')[1]?.length ?? 0) : 4}
      suffix={unit}
      allowNegative={false}
      disabled={disabled}
      onChange={(next) => {
        if (typeof next !== 'number') return;
        const wish = field.kind === 'duration' ? Math.round(next * factor) : next;
        if (wish >= field.least && wish <= field.most) onChange(wish);
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
    case 'list':
      return (
        <Textarea
          className={classes.list}
          aria-label={row}
          autosize
          minRows={2}
          maxRows={8}
          defaultValue={Array.isArray(value) ? value.join('\n') : ''}
          disabled={disabled}
          onChange={({ currentTarget }) => onChange(linesOf(currentTarget.value))}
        />
      );
    default:
      return <Numbered {...props} field={field} />;
  }
}
