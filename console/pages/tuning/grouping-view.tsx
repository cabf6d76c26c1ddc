import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Correlation, readCorrelation, saveCorrelation } from '#console/api/tuning.ts';
import { ChangesPart } from '#console/forms/settings/changes-part.tsx';
import { SettingColumns } from '#console/forms/settings/columns.tsx';
import { type Draft, differences, draftOf, patchOf, valueAt } from '#console/forms/settings/draft.ts';
import { SaveDialog } from '#console/forms/settings/save-dialog.tsx';
import { SettingRows } from '#console/forms/settings/setting-rows.tsx';
import { useDraft } from '#console/forms/settings/use-draft.ts';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { GROUPING } from './fields.ts';
import { TrialPart } from './trial/trial-part.tsx';
import { verdictOfTrial } from './trial/trial-words.ts';
import { useTrial } from './trial/use-trials.ts';

const KEY = ['tuning', 'correlation'] as const;

const standingOf = ({ effective, etag }: Correlation) => ({ effective, version: etag });

function Form({ stands, address }: { readonly stands: Correlation; readonly address: Address }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const mayChange = useMay('settings.manage');
  const { defaults } = stands;
  const drafting = useDraft(standingOf(stands));
  const { draft, before } = drafting;
  const [isSaving, setSaving] = useState(false);
  const shown = address.query.trial ?? null;
  const trial = useTrial(mayChange ? shown : null);
  const patch = patchOf(draft, defaults);
  const isTried = trial.data?.state === 'completed' && JSON.stringify(trial.data.patch) === JSON.stringify(patch);

  const save = async (wishes: Draft, etag: string | null): Promise<void> => {
    const saved = await saveCorrelation(call, patchOf(wishes, defaults), etag);
    queries.setQueryData(KEY, saved);
    drafting.onNewer(standingOf(saved), {});
    setSaving(false);
    const earlier = Object.fromEntries(Object.keys(wishes).map((path) => [path, valueAt(before, path)]));
    say({
      text: 'Saved. It counts for events that arrive from now on.',
      undo: () =>
        saveCorrelation(call, patchOf(earlier, defaults), saved.etag).then(
          (back) => queries.setQueryData(KEY, back),
          (error: unknown) => sayFailure('It could not be taken back', error),
        ),
    });
  };

  return (
    <>
      <SettingColumns
        side={
          <>
            <ChangesPart
              differences={differences(draft, before, GROUPING)}
              mayChange={mayChange}
              discard={() => drafting.replace({})}
              save={() => setSaving(true)}
            />
            {mayChange ? (
              <TrialPart
                patch={patch}
                shown={shown}
                show={(id) => address.change({ trial: id }, { replace: true })}
                tell={(one) =>
                  differences(draftOf(one, { effective: stands.effective, defaults }), stands.effective, GROUPING)
                }
                takeOver={drafting.replace}
                effective={stands.effective}
                defaults={defaults}
              />
            ) : null}
          </>
        }
      >
        <SettingRows
          sections={GROUPING}
          effective={before}
          defaults={defaults}
          draft={draft}
          mayChange={mayChange}
          wish={drafting.wish}
        />
      </SettingColumns>
      <SaveDialog
        key={isSaving ? 'open' : 'closed'}
        opened={isSaving}
        sections={GROUPING}
        draft={draft}
        before={before}
        tried={
          isTried && trial.data !== undefined
            ? `Tried on stored events: ${verdictOfTrial(trial.data)}`
            : 'These changes were not tried on stored events.'
        }
        version={drafting.version}
        readNow={async () => standingOf(await readCorrelation(call))}
        save={save}
        onNewer={drafting.onNewer}
        onClose={() => setSaving(false)}
      />
    </>
  );
}

/** What makes events one group: settings beside what they would do. */
export function GroupingView({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => readCorrelation(call, signal) });
  return (
    <Region query={query} what="The settings" skeleton={<Skeleton rows={12} height={48} />}>
      {(stands) => <Form stands={stands} address={address} />}
    </Region>
  );
}
