import { TextInput } from '@mantine/core';
import { Icon } from '#console/components/icon.tsx';
import choice from '#console/data/choice.module.css';
import classes from '#console/data/data.module.css';

interface Props {
  readonly values: readonly { readonly value: string; readonly words: string; readonly note?: string }[];
  readonly isSet: (value: string) => boolean;
  readonly choose: (value: string) => void;
  /** The list is the reply of a search: it scrolls. */
  readonly isFound?: boolean;
}

/** Values of a filter, of which those in effect have a tick. */
export const ValueList = ({ values, isSet, choose, isFound = false }: Props) => (
  <ul className={isFound ? `${classes.values} ${classes.people}` : classes.values}>
    {values.map(({ value, words, note }) => (
      <li key={value}>
        <button
          type="button"
          className={`${choice.choice} ${classes.value}`}
          aria-pressed={isSet(value)}
          onClick={() => choose(value)}
        >
          <span className={classes.tick}>{isSet(value) ? <Icon name="check" size={14} /> : null}</span>
          {words}
          {note === undefined ? null : <span className={classes.note}>{note}</span>}
        </button>
      </li>
    ))}
  </ul>
);

interface SearchProps {
  readonly label: string;
  readonly placeholder: string;
  readonly typed: string;
  readonly onTyped: (typed: string) => void;
}

/** Field above values that are found by their names. */
export const ValueSearch = ({ label, placeholder, typed, onTyped }: SearchProps) => (
  <TextInput
    aria-label={label}
    placeholder={placeholder}
    value={typed}
    onChange={({ currentTarget }) => onTyped(currentTarget.value)}
    data-autofocus
  />
);
