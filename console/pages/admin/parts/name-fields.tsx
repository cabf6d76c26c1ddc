import { TextInput } from '@mantine/core';
import * as text from './texts.ts';

interface NameProps {
  readonly value?: string | undefined;
  readonly error: string | undefined;
  /** The first field of its form, which then needs it. */
  readonly leads?: boolean;
  readonly onName?: (name: string) => void;
}

/** The display name of an object. */
export function NameField({ value, error, leads = false, onName }: NameProps) {
  return (
    <TextInput
      name="name"
      label={text.name}
      required={leads}
      maxLength={255}
      autoComplete="off"
      defaultValue={value}
      onChange={({ currentTarget }) => onName?.(currentTarget.value.trim())}
      error={error}
      data-autofocus={leads || undefined}
    />
  );
}

interface IdProps {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly most: number;
  readonly error: string | undefined;
}

/** The name typed to identify it; the first field of its form. */
export function IdField({ name, label, description, most, error }: IdProps) {
  return (
    <TextInput
      name={name}
      label={label}
      description={description}
      error={error}
      required
      maxLength={most}
      autoComplete="off"
      data-autofocus
    />
  );
}
