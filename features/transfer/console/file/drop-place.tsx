import { Button } from '@mantine/core';
import { type DragEvent, useRef, useState } from 'react';
import classes from './drop-place.module.css';
import { type ImportKind, KINDS } from './kinds.ts';
import * as texts from './texts.ts';

/** Files to begin with; columns that one does not have may be left out. */
const TEMPLATES: Readonly<Record<ImportKind, { readonly name: string; readonly text: string }>> = {
  cis: {
    name: 'faultline-cis.csv',
    text: [
      'name,type,status,description,external_key,attributes.hostname,attributes.ip_address,attributes.environment,attributes.site',
      'web-1,server,active,First web server,asset-1001,web-1.example.com,192.0.2.11,production,ams2',
      'db-1,database,active,Main database,asset-1002,db-1.example.com,192.0.2.21,production,ams2',
      '',
    ].join('\n'),
  },
  relationships: {
    name: 'faultline-relationships.csv',
    text: ['source_ci,type,target_ci', 'web-1,depends_on,db-1', ''].join('\n'),
  },
};

/** Returns the address of a file that the browser saves unchanged. */
const addressOfTemplate = (kind: ImportKind): string =>
  `data:text/csv;charset=utf-8,${encodeURIComponent(TEMPLATES[kind].text)}`;

interface Props {
  /** Words of the button. */
  readonly choose: string;
  /** True if it has little room. */
  readonly isSmall?: boolean;
  /** True if a file is the next step. */
  readonly isMain: boolean;
  readonly take: (file: File | undefined) => unknown;
}

/** Area to drop or choose a file. */
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
        aria-label={texts.ciOrRelationshipFile}
        accept=".csv,.json,.jsonl,.ndjson"
        onChange={({ currentTarget }) => {
          void take(currentTarget.files?.[0]);
          currentTarget.value = '';
        }}
      />
      <Button variant={isMain ? 'filled' : 'default'} onClick={() => input.current?.click()}>
        {choose}
      </Button>
      <span className={classes.dim}>{texts.orDropFile}</span>
      <span className={classes.templates}>
        {texts.templates}{' '}
        {KINDS.map(({ value, words }) => (
          <a key={value} className={classes.template} href={addressOfTemplate(value)} download={TEMPLATES[value].name}>
            {words}
          </a>
        ))}
      </span>
    </div>
  );
}
