import { useEffect, useRef } from 'react';
import classes from './topology.module.css';

interface Props {
  readonly label: string;
  readonly shown: string;
  readonly latest: string;
  /** Given an empty text, the map is as of now. */
  readonly onTyped: (text: string) => void;
}

/** While a year is typed it reads 0002, 0020 and 0202. */
const EARLIEST = '2000';
const isWhole = (text: string): boolean => text.length >= EARLIEST.length && text >= EARLIEST;

/** A time that can be typed part by part: the address follows once it is whole, and never changes what is being typed. */
export function AsOfField({ label, shown, latest, onTyped }: Props) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = input.current;
    if (field !== null && field.value !== shown && document.activeElement !== field) field.value = shown;
  }, [shown]);
  const settle = (field: HTMLInputElement): void => {
    if (field.value === shown && !field.validity.badInput) return;
    const isEmptied = field.value === '' && !field.validity.badInput;
    if (isEmptied || isWhole(field.value)) onTyped(field.value);
    else field.value = shown;
  };
  return (
    <input
      ref={input}
      type="datetime-local"
      className={classes.when}
      aria-label={label}
      defaultValue={shown}
      max={latest}
      onChange={({ currentTarget }) => isWhole(currentTarget.value) && onTyped(currentTarget.value)}
      onBlur={({ currentTarget }) => settle(currentTarget)}
      onKeyDown={({ key, currentTarget }) => key === 'Enter' && settle(currentTarget)}
    />
  );
}
