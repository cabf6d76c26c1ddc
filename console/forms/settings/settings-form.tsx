import { Button } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import type { SettingsHistoryPaths } from '#console/api/admin/settings-history.ts';
import { Section } from '#console/frame/section.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { ChangesPart } from './changes-part.tsx';
import { Control } from './control.tsx';
import { type Draft, differences, isSame, type Stand, said, valueAt } from './draft.ts';
import type { Field, SettingRow, SettingsSection, Value } from './field.ts';
import { SaveDialog, type StandingSettings } from './save-dialog.tsx';
import classes from './settings.module.css';
import { SettingsHistory } from './settings-history.tsx';
import { SideColumns } from './side-columns.tsx';
import * as text from './texts.ts';
import { type Drafting, useDraft } from './use-draft.ts';

interface SettingRowsProps extends Stand {
  readonly sections: readonly SettingsSection[];
  readonly draft: Draft;
  readonly mayChange: boolean;
  readonly wish: (path: string, value: Value) => void;
}

type OneProps = Omit<SettingRowsProps, 'sections'> & { readonly row: SettingRow; readonly field: Field };

/** The control, with a mark for values other than the default. */
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
          aria-label={text.resetToDefault(row.words, said(field, usual))}
          onClick={() => wish(path, usual)}
        >
          {kind === 'several' || kind === 'list' ? text.byDefault : text.defaultValue(said(field, usual))}
        </Button>
      )}
    </span>
  );
}

/** Settings with their meanings and defaults. */
function SettingRows({ sections, ...rest }: SettingRowsProps) {
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

interface Props<V> {
  readonly stands: StandingSettings<V>;
  readonly defaults: unknown;
  readonly sections: readonly SettingsSection[];
  /** Returns the text on trials of these changes; absent: none are possible. */
  readonly tried?: (draft: Draft) => readonly ReactNode[];
  readonly histories: readonly { readonly paths: SettingsHistoryPaths; readonly title: string }[];
  /** Time from which they apply. */
  readonly counts?: string;
  readonly readNow: () => Promise<StandingSettings<V>>;
  /** The value after saving. Throws a problem with status 412 when `version` is out of date. */
  readonly save: (draft: Draft, version: V, before: unknown) => Promise<StandingSettings<V>>;
  /** Content below the collected changes. */
  readonly beside?: (drafting: Drafting<V>) => ReactNode;
  /** Content below the settings. */
  readonly children?: ReactNode;
}

/** Settings with their defaults; changes are collected beside them and saved together. */
export function SettingsForm<V>({
  stands,
  defaults,
  sections,
  tried,
  counts,
  readNow,
  save,
  histories,
  ...more
}: Props<V>) {
  const mayChange = useMay('settings.manage');
  const drafting = useDraft(stands);
  const { draft, before } = drafting;
  const [isSaving, setSaving] = useState(false);
  return (
    <>
      <SideColumns
        side={
          <>
            <ChangesPart
              differences={differences(draft, before, sections)}
              mayChange={mayChange}
              discard={() => drafting.replace({})}
              save={() => setSaving(true)}
            />
            <div className={classes.histories}>
              {histories.map(({ paths, title }) => (
                <SettingsHistory key={paths.list} paths={paths} title={title} sections={sections} />
              ))}
            </div>
            {more.beside?.(drafting)}
          </>
        }
      >
        <SettingRows
          sections={sections}
          effective={before}
          defaults={defaults}
          draft={draft}
          mayChange={mayChange}
          wish={drafting.wish}
        />
        {more.children}
      </SideColumns>
      <SaveDialog
        key={isSaving ? 'open' : 'closed'}
        opened={isSaving}
        sections={sections}
        draft={draft}
        before={before}
        tried={tried?.(draft) ?? []}
        {...(counts !== undefined && { counts })}
        version={drafting.version}
        readNow={readNow}
        save={async (wishes, version) => {
          drafting.onNewer(await save(wishes, version, before), {});
          setSaving(false);
        }}
        onNewer={drafting.onNewer}
        onClose={() => setSaving(false)}
      />
    </>
  );
}
