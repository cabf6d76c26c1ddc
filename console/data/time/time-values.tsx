import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useAppServices } from '#console/hooks/app-services.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useSettings } from '#console/hooks/use-settings.ts';
import { useZonedTimes } from '#console/hooks/use-times.ts';
import { localText } from '#console/text/zoned-time.ts';
import { parseTime } from '#domain/texts/time-text.ts';
import * as text from './texts.ts';
import classes from './time.module.css';
import { typedRange } from './typed-range.ts';

const shown = (ms: number | null, zone: string | null): string => (ms === null ? '' : localText(ms, zone));

/** A range with a beginning, an end or both, typed in the zone of the person. */
export function TimeValues({
  address,
  name,
  done,
}: {
  readonly address: Address;
  readonly name: string;
  readonly done: () => void;
}) {
  const { clock } = useAppServices();
  const { zone } = useSettings();
  const { zoneWord } = useZonedTimes();
  const [from, to] = [parseTime(address.query.from ?? ''), parseTime(address.query.to ?? '')];
  const words = new Set([from, to].flatMap((ms) => (ms === null ? [] : [zoneWord(ms)])));
  const zoneWords = words.size === 0 ? zoneWord(clock.now()) : [...words].join(', ');
  const [error, setError] = useState<string | null>(null);
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const range = typedRange(String(form.get('from') ?? ''), String(form.get('to') ?? ''), zone);
    if (typeof range === 'string') setError(range);
    else {
      address.change({ [name]: null, ...range });
      done();
    }
  };
  return (
    <form onSubmit={submit} className={classes.form}>
      <TextInput
        type="datetime-local"
        name="from"
        label={text.start}
        defaultValue={shown(from, zone)}
        error={error}
        data-autofocus
      />
      <TextInput type="datetime-local" name="to" label={text.end} defaultValue={shown(to, zone)} />
      <div className={classes.foot}>
        <span className={classes.zone}>{zoneWords}</span>
        <Button type="submit">{text.apply}</Button>
      </div>
    </form>
  );
}
