import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Correlation, readCorrelation, saveCorrelation } from '#console/api/tuning.ts';
import { type Draft, differences, draftOf, patchOf, valueAt } from '#console/forms/settings/draft.ts';
import { SettingsForm } from '#console/forms/settings/settings-form.tsx';
import { say, sayFailure } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Address } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { GROUPING } from './fields.ts';

const KEY = ['tuning', 'correlation'] as const;

const standingOf = ({ effective, etag }: Correlation) => ({ effective, version: etag });

function Form({ stands, address }: { readonly stands: Correlation; readonly address: Address }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const mayChange = useMay('settings.manage');
  const { defaults, effective } = stands;
  const shown = address.query.trial ?? null;
  const parts = useSlot('tuningParts');
  const words = useSlot('trialWords');
  const patched = (draft: Draft) => patchOf(draft, defaults);

  const save = async (wishes: Draft, etag: string | null, before: unknown) => {
    const saved = await saveCorrelation(call, patched(wishes), etag);
    queries.setQueryData(KEY, saved);
    const earlier = Object.fromEntries(Object.keys(wishes).map((path) => [path, valueAt(before, path)]));
    say({
      text: 'Saved. It counts for events that arrive from now on.',
      undo: () =>
        saveCorrelation(call, patched(earlier), saved.etag).then(
          (back) => queries.setQueryData(KEY, back),
          (error: unknown) => sayFailure("Couldn't undo", error),
        ),
    });
    return standingOf(saved);
  };

  return (
    <SettingsForm
      stands={standingOf(stands)}
      defaults={defaults}
      sections={GROUPING}
      tried={(draft) =>
        words.map(({ id, Part }) => <Part key={id} patch={patched(draft)} shown={mayChange ? shown : null} />)
      }
      readNow={async () => standingOf(await readCorrelation(call))}
      save={save}
      beside={({ draft, replace }) =>
        mayChange
          ? parts.map(({ id, Part }) => (
              <Part
                key={id}
                patch={patched(draft)}
                shown={shown}
                show={(one) => address.change({ trial: one }, { replace: true })}
                tell={(one) => differences(draftOf(one, { effective: {}, defaults }), effective, GROUPING)}
                takeOver={(one) => replace(draftOf(one, { effective, defaults }))}
              />
            ))
          : null
      }
    />
  );
}

/** Settings of grouping beside their effect. */
export function GroupingView({ address }: { readonly address: Address }) {
  const { call } = useParts();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => readCorrelation(call, signal) });
  return (
    <Region query={query} what="The settings" skeleton={<Skeleton rows={12} height={48} />}>
      {(stands) => <Form stands={stands} address={address} />}
    </Region>
  );
}
