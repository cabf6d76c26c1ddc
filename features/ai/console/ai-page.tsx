import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Mark } from '#console/facts/mark/mark.tsx';
import { patchOf } from '#console/forms/settings/draft.ts';
import { SettingsForm } from '#console/forms/settings/settings-form.tsx';
import { Section } from '#console/frame/section.tsx';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import { AdminPage } from '#console/pages/admin/admin-page.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './ai.module.css';
import { AI_SECTIONS } from './ai-fields.ts';
import { type AiSettingsShown, readAiSettings, saveAiSettings } from './api.ts';
import { Usage } from './usage.tsx';

const KEY = ['ai', 'settings'] as const;

function Model({ model }: { readonly model: string | null }) {
  return (
    <Section title="Who answers">
      {model === null ? (
        <>
          <Mark kind="quiet">
            <span className={classes.said}>The rules answer; this server has no language model.</span>
          </Mark>
          <p className={classes.text}>
            Every function works without one. A model only words what the rules have found. Whoever runs the server sets
            one with OPENAI_MODEL and OPENAI_BASE_URL or OPENAI_API_KEY, a local one too.
          </p>
        </>
      ) : (
        <>
          <Mark kind="good">{model} words the answers.</Mark>
          <p className={classes.text}>
            It words what the rules have found and finds nothing by itself; each of its sentences is checked. When it
            fails, or a budget is spent, the rules answer.
          </p>
        </>
      )}
    </Section>
  );
}

const standingOf = ({ effective, etag }: AiSettingsShown) => ({ effective, version: etag });

function Settings({ stands }: { readonly stands: AiSettingsShown }) {
  const { call } = useParts();
  const queries = useQueryClient();
  const { defaults } = stands;
  return (
    <SettingsForm
      stands={standingOf(stands)}
      defaults={defaults}
      sections={AI_SECTIONS}
      counts="They count from the next answer on."
      readNow={async () => standingOf(await readAiSettings(call))}
      save={async (wishes, etag) => {
        const saved = await saveAiSettings(call, patchOf(wishes, defaults), etag);
        queries.setQueryData(KEY, saved);
        void queries.invalidateQueries({ queryKey: ['ai', 'usage'] });
        say({ text: 'Saved. It counts from the next answer on.' });
        return standingOf(saved);
      }}
    />
  );
}

/** The model, its budget, and its use. */
export function AiPage() {
  const { call } = useParts();
  const query = useQuery({ queryKey: KEY, queryFn: ({ signal }) => readAiSettings(call, signal) });
  return (
    <AdminPage title="AI" lead="Who answers questions and analyses events, what it may cost, and what it was used for.">
      <Region query={query} what="The settings" skeleton={<Skeleton rows={12} height={48} />}>
        {(stands) => (
          <>
            <Model model={stands.model} />
            <Usage settings={stands} />
            <Settings stands={stands} />
          </>
        )}
      </Region>
    </AdminPage>
  );
}
