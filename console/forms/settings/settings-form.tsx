import { type ReactNode, useState } from 'react';
import { useMay } from '#console/hooks/use-me.ts';
import { ChangesPart } from './changes-part.tsx';
import { type Draft, differences } from './draft.ts';
import type { SettingsSection } from './field.ts';
import { SaveDialog, type StandingSettings } from './save-dialog.tsx';
import { SettingRows } from './setting-rows.tsx';
import { SideColumns } from './side-columns.tsx';
import { type Drafting, useDraft } from './use-draft.ts';

interface Props<V> {
  readonly stands: StandingSettings<V>;
  readonly defaults: unknown;
  readonly sections: readonly SettingsSection[];
  /** Whether these wishes were tried, in words; without it they cannot be. */
  readonly tried?: (draft: Draft) => readonly ReactNode[];
  /** From when on they count. */
  readonly counts?: string;
  readonly readNow: () => Promise<StandingSettings<V>>;
  /** The value after saving. Throws a problem with status 412 when `version` is out of date. */
  readonly save: (draft: Draft, version: V, before: unknown) => Promise<StandingSettings<V>>;
  /** Below the changes that are collected. */
  readonly beside?: (drafting: Drafting<V>) => ReactNode;
  /** Below the settings. */
  readonly children?: ReactNode;
}

/** Settings with their defaults; what a person changes is collected beside them and saved at once. */
export function SettingsForm<V>({ stands, defaults, sections, tried, counts, readNow, save, ...more }: Props<V>) {
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
