import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Correlation, readCorrelation, saveCorrelation } from '#console/api/tuning.ts';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { ChangesPart } from './form/changes-part.tsx';
import { type Draft, differences, draftOf, patchOf, valueAt } from './form/draft.ts';
import { GROUPING } from './form/fields.ts';
import { SaveDialog } from './form/save-dialog.tsx';
import { SettingRows } from './form/setting-rows.tsx';
import { TrialPart } from './trial/trial-part.tsx';
import { verdictOfTrial } from './trial/trial-words.ts';
import { useTrial } from './trial/use-trials.ts';
import classes from './tuning.module.css';
import { useDraft } from './use-draft.ts';

const KEY = ['tuning', 'correlation'] as const;

function Form({ stands, address }: { readonly stands: Correlation; readonly address: Address }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const mayChange = useMay('settings.manage');
  const { defaults } = stands;
  const drafting = useDraft(stands.effective);
  const { draft, before } = drafting;
  const [isSaving, setSaving] = useState(false);
  const shown = address.query.trial ?? null;
  const trial = useTrial(mayChange ? shown : null);
  const patch = patchOf(draft, defaults);
  const isTried = trial.data?.state === 'completed' && JSON.stringify(trial.data.patch) === JSON.stringify(patch);

  const save = async (wishes: Draft): Promise<void> => {
    const saved = await saveCorrelation(call, patchOf(wishes, defaults));
    queries.setQueryData(KEY, saved);
    drafting.onNewer(saved.effective, {});
    setSaving(false);
    const earlier = Object.fromEntries(Object.keys(wishes).map((path) => [path, valueAt(before, path)]));
    say({
      text: 'Saved. It counts for events that arrive from now on.',
      undo: async () => queries.setQueryData(KEY, await saveCorrelation(call, patchOf(earlier, defaults))),
    });
  };

  return (
    <div className={classes.columns}>
      <div className={classes.stack}>
        <SettingRows
          sections={GROUPING}
          effective={before}
          defaults={defaults}
          draft={draft}
          mayChange={mayChange}
          wish={drafting.wish}
        />
      </div>
      <div className={`${classes.stack} ${classes.side}`}>
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
      </div>
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
        readNow={async () => (await readCorrelation(call)).effective}
        save={save}
        onNewer={drafting.onNewer}
        onClose={() => setSaving(false)}
      />
    </div>
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
