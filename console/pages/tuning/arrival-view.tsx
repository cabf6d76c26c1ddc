import { useQueryClient } from '@tanstack/react-query';
import { CORRELATION_HISTORY, LIFECYCLE_HISTORY } from '#console/api/admin/settings-history.ts';
import {
  type Correlation,
  type LifecycleData,
  type LifecycleInput,
  readCorrelation,
  readLifecycle,
  saveCorrelation,
  saveLifecycle,
} from '#console/api/tuning.ts';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { type Draft, isSame, patchOf, valueAt } from '#console/forms/settings/draft.ts';
import type { SettingsSection } from '#console/forms/settings/field.ts';
import type { StandingSettings } from '#console/forms/settings/save-dialog.tsx';
import parts from '#console/forms/settings/settings.module.css';
import { SettingsForm } from '#console/forms/settings/settings-form.tsx';
import * as settings from '#console/forms/settings/texts.ts';
import { Section } from '#console/frame/section.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import { duration } from '#console/text/times.ts';
import { ARRIVAL, ENDING } from './fields.ts';
import * as text from './texts.ts';

const KEY = ['tuning', 'arrival'] as const;
const SECTIONS: readonly SettingsSection[] = [...ARRIVAL, ...ENDING];
const isEnding = (path: string): boolean => path in NAMES;
const NAMES: Readonly<Record<string, true>> = Object.fromEntries(
  ENDING.flatMap(({ rows }) => rows.flatMap(({ fields }) => fields.map(({ path }) => [path, true]))),
);
const partOf = (draft: Draft, ending: boolean): Draft =>
  Object.fromEntries(Object.entries(draft).filter(([path]) => isEnding(path) === ending));

interface Both {
  readonly correlation: Correlation;
  readonly lifecycle: LifecycleData;
}

/** The two settings as one: their names differ. */
const together = ({ correlation, lifecycle }: Both) => ({
  effective: { ...correlation.effective, ...lifecycle.effective },
  defaults: { ...correlation.defaults, ...lifecycle.defaults },
});

interface Tags {
  readonly correlation: string | null;
  readonly lifecycle: string | null;
}
const standingOf = (both: Both): StandingSettings<Tags> => ({
  effective: together(both).effective,
  version: { correlation: both.correlation.etag, lifecycle: both.lifecycle.etag },
});

/** Returns all differences from the default, for the server: omitted values are reset. */
const lifecycleInput = ({ overrides, defaults }: LifecycleData, draft: Draft): LifecycleInput =>
  Object.fromEntries(
    Object.entries({ ...overrides, ...draft }).filter(
      ([path, value]) => !isSame(value as never, valueAt(defaults, path)),
    ),
  );

function Exceptions({ lifecycle }: { readonly lifecycle: LifecycleData }) {
  const { exceptions } = lifecycle.effective;
  if (exceptions.length === 0) return null;
  return (
    <Section flush title={text.exceptions} lead={text.exceptionsLead}>
      <ul className={parts.body}>
        {exceptions.map(({ source, severity, resolveAfterMs }) => (
          <li key={`${source} ${severity}`}>
            {[
              ...(severity === undefined ? [] : [SEVERITY_WORDS[severity]]),
              ...(source === undefined ? [] : [text.from(source)]),
            ].join(' ')}
            : {resolveAfterMs === null ? 'never' : text.after(duration(resolveAfterMs))}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Form({ both }: { readonly both: Both }) {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const { defaults } = together(both);

  const save = async (wishes: Draft, tags: Tags): Promise<StandingSettings<Tags>> => {
    const [of, ends] = [partOf(wishes, false), partOf(wishes, true)];
    const correlation =
      Object.keys(of).length === 0
        ? both.correlation
        : await saveCorrelation(call, patchOf(of, defaults), tags.correlation);
    const lifecycle =
      Object.keys(ends).length === 0
        ? both.lifecycle
        : await saveLifecycle(call, lifecycleInput(await readLifecycle(call), ends), tags.lifecycle);
    const saved = { correlation, lifecycle };
    queries.setQueryData(KEY, saved);
    void queries.invalidateQueries({ queryKey: ['tuning', 'correlation'] });
    showToast({ text: text.saved });
    return standingOf(saved);
  };

  return (
    <SettingsForm
      stands={standingOf(both)}
      defaults={defaults}
      sections={SECTIONS}
      histories={[
        { paths: LIFECYCLE_HISTORY, title: settings.lifecycleHistory },
        { paths: CORRELATION_HISTORY, title: settings.history },
      ]}
      readNow={async () =>
        standingOf({ correlation: await readCorrelation(call), lifecycle: await readLifecycle(call) })
      }
      save={save}
    >
      <Exceptions lifecycle={both.lifecycle} />
    </SettingsForm>
  );
}

/** Settings of arrivals, and of silence that ends events. */
export function ArrivalView() {
  const query = useRead(KEY, async (call, signal): Promise<Both> => {
    const [correlation, lifecycle] = await Promise.all([readCorrelation(call, signal), readLifecycle(call, signal)]);
    return { correlation, lifecycle };
  });
  return (
    <Region query={query} what={nouns.settings} skeleton={<Skeleton rows={10} height={48} />}>
      {(both) => <Form both={both} />}
    </Region>
  );
}
