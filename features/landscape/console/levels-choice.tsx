import { Select } from '@mantine/core';
import type { LandscapeData } from './api.ts';
import classes from './landscape.module.css';
import { levelWords, MAX_LEVELS } from './place.ts';
import * as text from './texts.ts';

interface Props {
  readonly levels: readonly string[];
  readonly fields: LandscapeData['fields'];
  readonly onChange: (levels: readonly string[]) => void;
}

/** Chooses the fields by which boxes are nested, the outer one first. */
export function LevelsChoice({ levels, fields, onChange }: Props) {
  const all = [...new Set(['type', ...fields.map(({ field }) => field), ...levels])];
  const choose = (at: number, value: string | null): void => {
    const next = levels.toSpliced(at, 1, ...(value === null ? [] : [value]));
    onChange([...new Set(next)]);
  };
  return (
    <fieldset className={classes.levels} aria-label={text.levels}>
      {Array.from({ length: Math.min(MAX_LEVELS, levels.length + 1) }, (_, at) => (
        <Select
          // biome-ignore lint/suspicious/noArrayIndexKey: a level is its position.
          key={at}
          size="xs"
          aria-label={text.level(at + 1)}
          placeholder={text.none}
          searchable
          clearable={levels.length > 1 && at < levels.length}
          data={all
            .filter((level) => level === levels[at] || !levels.includes(level))
            .map((level) => ({ value: level, label: levelWords(level) }))}
          value={levels[at] ?? null}
          onChange={(value) => choose(at, value)}
        />
      ))}
    </fieldset>
  );
}
