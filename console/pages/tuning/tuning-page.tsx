import { useQueryClient } from '@tanstack/react-query';
import { CORRELATION_HISTORY } from '#console/api/admin/settings-history.ts';
import { type Correlation, readCorrelation, saveCorrelation } from '#console/api/tuning.ts';
import { Tabs } from '#console/data/tabs.tsx';
import { type Draft, differences, draftOf, patchOf, valueAt } from '#console/forms/settings/draft.ts';
import { SettingsForm } from '#console/forms/settings/settings-form.tsx';
import * as settings from '#console/forms/settings/texts.ts';
import { Page } from '#console/frame/page.tsx';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { type Address, useAddress } from '#console/hooks/use-address.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useSlot } from '#console/slots/feature.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import * as shared from '#console/text/texts.ts';
import { ArrivalView } from './arrival-view.tsx';
import { GROUPING } from './fields.ts';
import { QualityView } from './quality/quality-view.tsx';
import * as text from './texts.ts';
import classes from './tuning.module.css';

const KEY = ['tuning', 'correlation'] as const;

const standingOf = ({ effective, etag }: Correlation) => ({ effective, version: etag });

function Form({ stands, address }: { readonly stands: Correlation; readonly address: Address }) {
  const { call } = useAppServices();
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
    showToast({
      text: text.saved,
      undo: () =>
        saveCorrelation(call, patched(earlier), saved.etag).then(
          (back) => queries.setQueryData(KEY, back),
          (error: unknown) => showError(shared.couldntUndo, error),
        ),
    });
    return standingOf(saved);
  };

  return (
    <SettingsForm
      stands={standingOf(stands)}
      defaults={defaults}
      sections={GROUPING}
      histories={[{ paths: CORRELATION_HISTORY, title: settings.history }]}
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
function GroupingView({ address }: { readonly address: Address }) {
  const query = useRead(KEY, (call, signal) => readCorrelation(call, signal));
  return (
    <Region query={query} what={nouns.settings} skeleton={<Skeleton rows={12} height={48} />}>
      {(stands) => <Form stands={stands} address={address} />}
    </Region>
  );
}

const VIEWS = [
  { value: 'grouping', words: text.grouping },
  { value: 'events', words: text.eventLifecycle },
  { value: 'quality', words: text.quality },
] as const;
type View = (typeof VIEWS)[number]['value'];

const LEADS: Readonly<Record<View, string>> = {
  grouping: text.groupingLead,
  events: text.eventLifecycleLead,
  quality: text.qualityLead,
};

/** Settings of correlation, tried before they count, and how good the groups are. */
export function TuningPage() {
  const address = useAddress();
  const mayRead = useMay('events.read');
  const views = VIEWS.filter(({ value }) => value !== 'quality' || mayRead);
  const view = views.find(({ value }) => value === address.query.view)?.value ?? 'grouping';
  return (
    <Page title={text.tuning} lead={LEADS[view]} scrolls>
      <div className={classes.views}>
        <Tabs
          label={text.tuningSections}
          value={view}
          tabs={views}
          onChange={(next) => address.change({ view: next === 'grouping' ? null : next })}
        />
      </div>
      {view === 'grouping' ? <GroupingView address={address} /> : null}
      {view === 'events' ? <ArrivalView /> : null}
      {view === 'quality' ? <QualityView address={address} /> : null}
    </Page>
  );
}
