import { Select, TextInput } from '@mantine/core';
import { type ChosenEnd, LENGTHS } from './chosen-end.ts';
import * as text from './texts.ts';

interface Props {
  readonly end: ChosenEnd | null;
  readonly onChange: (end: ChosenEnd | null) => void;
  /** Words for no end; absent: one must be chosen. */
  readonly endless?: string;
}

/** Asks how long something lasts. */
export function EndFields({ end, onChange, endless }: Props) {
  const lengths = LENGTHS.map(({ value, label }) => ({ value, label }));
  const choose = (value: string | null): void => {
    const chosen = LENGTHS.find((one) => one.value === value);
    onChange(chosen === undefined ? null : { length: chosen.value, endsAt: end?.endsAt ?? '' });
  };
  return (
    <>
      <Select
        label={text.duration}
        data={endless === undefined ? lengths : [{ value: '', label: endless }, ...lengths]}
        value={end?.length ?? ''}
        allowDeselect={false}
        onChange={choose}
      />
      {end?.length === 'own' ? (
        <TextInput
          type="datetime-local"
          label={text.endsAt}
          name="endsAt"
          required
          value={end.endsAt}
          onChange={({ currentTarget }) => onChange({ ...end, endsAt: currentTarget.value })}
        />
      ) : null}
    </>
  );
}
