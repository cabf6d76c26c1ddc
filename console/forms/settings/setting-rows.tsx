import { Button } from '@mantine/core';
import { Section } from '#console/frame/section.tsx';
import { Control } from './control.tsx';
import { type Draft, isSame, type Stand, said, valueAt } from './draft.ts';
import type { Field, Row, SettingsSection, Value } from './field.ts';
import classes from './settings.module.css';

interface Props extends Stand {
  readonly sections: readonly SettingsSection[];
  readonly draft: Draft;
  readonly mayChange: boolean;
  readonly wish: (path: string, value: Value) => void;
}

type OneProps = Omit<Props, 'sections'> & { readonly row: Row; readonly field: Field };

/** The control, and whatever is not as by default. */
function Setting({ row, field, effective, defaults, draft, mayChange, wish }: OneProps) {
  const { path, words, kind } = field;
  const value = draft[path] ?? (path in draft ? null : valueAt(effective, path));
  const usual = valueAt(defaults, path);
  return (
    <span className={classes.setting} data-changed={path in draft || undefined}>
      {kind === 'switch' || kind === 'several' || kind === 'list' ? null : (
        <span className={classes.word}>{words}</span>
      )}
      <Control
        field={field}
        row={row.words}
        value={value}
        disabled={!mayChange}
        onChange={(next) => wish(path, next)}
      />
      {isSame(value, usual) ? null : (
        <Button
          variant="subtle"
          size="compact-xs"
          disabled={!mayChange}
          aria-label={`${row.words}: back to the default, ${said(field, usual)}`}
          onClick={() => wish(path, usual)}
        >
          {kind === 'several' || kind === 'list' ? 'as by default' : `default ${said(field, usual)}`}
        </Button>
      )}
    </span>
  );
}

/** Settings with what they mean and what they are by default. */
export function SettingRows({ sections, ...rest }: Props) {
  return sections.map(({ title, rows }) => (
    <Section flush key={title} title={title}>
      <div className={classes.rows}>
        {rows.map((row) => (
          <div key={row.words} className={classes.row}>
            <div>
              <h3 className={classes.name}>{row.words}</h3>
              <p className={classes.help}>{row.help}</p>
            </div>
            <div className={classes.controls}>
              {row.fields.map((field) => (
                <Setting key={field.path} row={row} field={field} {...rest} />
              ))}
            </div>
          </div>
        ))}
      </div>
    </Section>
  ));
}
