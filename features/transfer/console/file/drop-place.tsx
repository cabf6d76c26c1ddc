import { Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import classes from './drop-place.module.css';
import { KINDS } from './kinds.ts';
import { addressOfTemplate, TEMPLATES } from './templates.ts';

interface Props {
  /** Words of the button. */
  readonly choose: string;
  /** Whether it has little room. */
  readonly isSmall?: boolean;
  /** Whether a file is the next step. */
  readonly isMain: boolean;
  readonly take: (file: File | undefined) => unknown;
}

/** Where a file is dropped or chosen. */
export function DropPlace({ choose, isSmall = false, isMain, take }: Props) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const dropped = (event: DragEvent): void => {
    event.preventDefault();
    setOver(false);
    void take(event.dataTransfer.files[0]);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one way more; the button is the other.
    <div
      className={classes.drop}
      data-over={isOver || undefined}
      data-small={isSmall || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={dropped}
    >
      <input
        ref={input}
        type="file"
        className={classes.file}
        aria-label="File of CIs or relationships"
        accept=".csv,.json,.jsonl,.ndjson"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button variant={isMain ? 'filled' : 'default'} onClick={() => input.current?.click()}>
        {choose}
      </Button>
      <span className={classes.dim}>or drop one here</span>
      <span className={classes.templates}>
        Templates:{' '}
        {KINDS.map(({ value, words }) => (
          <a key={value} className={classes.template} href={addressOfTemplate(value)} download={TEMPLATES[value].name}>
            {words}
          </a>
        ))}
      </span>
    </div>
  );
}
