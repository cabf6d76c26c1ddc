import { Button } from '@mantine/core';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useDone } from '#console/actions/use-done.ts';
import { useOnce } from '#console/actions/use-once.ts';
import type { Versioned } from '#console/api/link/versioned.ts';
import { Age } from '#console/components/age.tsx';
import { Mark } from '#console/components/mark/mark.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { FactsList } from '#console/data/facts-list.tsx';
import { ConfirmDialog } from '#console/forms/confirm-dialog.tsx';
import { Page } from '#console/frame/page.tsx';
import { Section } from '#console/frame/section.tsx';
import { showError } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Notice } from '#console/states/notice.tsx';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { count } from '#console/text/counts.ts';
import * as nouns from '#console/text/nouns/texts.ts';
import {
  confirmSource,
  readSource,
  removeSource,
  runSource,
  SOURCES,
  type SourceRunData,
  type TopologySourceData,
} from './api.ts';
import { Difference } from './difference.tsx';
import { formOf, kindWords, signInWords } from './kinds.ts';
import { EditSourceDialog } from './source-dialog.tsx';
import { changeWords, nextStep, sizeWords, sourceState } from './source-text.ts';
import * as text from './texts.ts';
import classes from './topology-sources.module.css';

type ReadSource = TopologySourceData & Versioned;

interface ActionsProps {
  readonly source: ReadSource;
  readonly onDryRun: (run: SourceRunData | null) => void;
}

function Actions({ source, onDryRun }: ActionsProps) {
  const { call } = useAppServices();
  const navigate = useNavigate();
  const done = useDone(SOURCES);
  const [asked, setAsked] = useState<'edit' | 'confirm' | 'delete' | null>(null);
  const { name, held } = source;
  const [run, isBusy] = useOnce(async (isDryRun: boolean) => {
    try {
      const found = await runSource(call, name, isDryRun);
      onDryRun(isDryRun ? found : null);
      if (!isDryRun)
        await done(async () => undefined, text.ran(name, found.run === null ? '' : changeWords(found.run)));
    } catch (error) {
      await done(async () => undefined, null);
      showError(text.couldntRun(name), error);
    }
  });
  const close = (): void => setAsked(null);
  const isPolled = formOf(source.kind) !== undefined;
  return (
    <>
      {held === null ? null : <Button onClick={() => setAsked('confirm')}>{text.confirm}</Button>}
      {isPolled ? (
        <>
          <Button variant={held === null ? 'filled' : 'default'} loading={isBusy} onClick={() => void run(false)}>
            {text.runNow}
          </Button>
          <Button variant="default" loading={isBusy} onClick={() => void run(true)}>
            {text.preview}
          </Button>
          <Button variant="default" onClick={() => setAsked('edit')}>
            {text.edit}
          </Button>
        </>
      ) : null}
      <Button variant="default" onClick={() => setAsked('delete')}>
        {text.deleteLabel}
      </Button>
      {asked === 'edit' ? <EditSourceDialog source={source} onClose={close} /> : null}
      {asked === 'confirm' && held !== null ? (
        <ConfirmDialog
          opened
          title={text.confirmOf(name)}
          action={text.confirm}
          onClose={close}
          act={() => done(() => confirmSource(call, name), text.confirmed)}
        >
          {text.confirmWarning(count(held.cis, 'CI'), count(held.relationships, 'relationship'))}
        </ConfirmDialog>
      ) : null}
      {asked === 'delete' ? (
        <ConfirmDialog
          opened
          title={text.deleteOf(name)}
          action={text.deleteLabel}
          onClose={close}
          act={async () => {
            await removeSource(call, name);
            await navigate({ to: '/sources', search: { tab: 'topology' } as never });
            await done(async () => undefined, text.deleted(name));
          }}
        >
          {text.deleteWarning}
        </ConfirmDialog>
      ) : null}
    </>
  );
}

/** The reason why the last run did not do all of its work, and the next step. */
function Problem({ source: { held, error, error_code: code, stale_since } }: { readonly source: TopologySourceData }) {
  if (held !== null)
    return (
      <Notice title={text.heldTitle} kind="caution">
        <p>{text.heldText(count(held.cis, 'CI'), count(held.relationships, 'relationship'))}</p>
        {held.examples.length === 0 ? null : <p className={classes.break}>{text.among(held.examples.join(', '))}</p>}
      </Notice>
    );
  if (error === null) return null;
  return (
    <Notice title={stale_since === null ? text.partlyFailed : text.failedTitle} kind="caution">
      {error}. {nextStep(code)}
    </Notice>
  );
}

function Facts({ source }: { readonly source: TopologySourceData }) {
  const { kind, words } = sourceState(source);
  const { last_run, stale_since, counts, url, every, grace, name } = source;
  const own = (formOf(source.kind)?.fields ?? []).flatMap(({ name: field, label, shape }) => {
    const value = (source as Readonly<Record<string, unknown>>)[field];
    return value == null || shape === 'lines' ? [] : [[label, String(value)] as const];
  });
  return (
    <FactsList
      facts={[
        [
          text.status,
          <Mark key="state" kind={kind}>
            {words}
          </Mark>,
        ],
        ...(stale_since === null ? [] : [[text.staleSince, <Timestamp key="stale" at={stale_since} />] as const]),
        [text.lastRun, last_run === null ? text.never : <Age key="run" since={last_run} />],
        [text.size, counts === null ? '–' : sizeWords(counts)],
        [text.kind, kindWords(source)],
        [
          text.url,
          <span key="url" className={classes.break}>
            {url ?? text.syncNote(`/v1/cmdb/sync/${name}`)}
          </span>,
        ],
        ...(url === null ? [] : [[text.signIn, signInWords(source)] as const]),
        ...own,
        ...(every === null ? [] : [[text.interval, every] as const]),
        [text.grace, grace],
      ]}
    />
  );
}

const READ_MS = 5_000;

/** One topology source: its state, and what its last runs changed. */
export function TopologySourcePage() {
  const { name = '' } = useParams({ strict: false }) as { readonly name?: string };
  const mayManage = useMay('settings.manage');
  const [dry, setDry] = useState<SourceRunData | null>(null);
  const query = useRead([...SOURCES, 'one', name], (call, signal) => readSource(call, name, signal), {
    refetchInterval: READ_MS,
  });
  const back = (
    <Link to="/sources" search={{ tab: 'topology' } as never}>
      {text.allTopologySources}
    </Link>
  );
  return (
    <Page
      title={name || text.topologySource}
      scrolls
      lead={back}
      actions={mayManage && query.data !== undefined ? <Actions source={query.data} onDryRun={setDry} /> : null}
    >
      <Region query={query} what={nouns.source} skeleton={<Skeleton rows={8} height={48} />}>
        {(source) => (
          <>
            <Problem source={source} />
            {dry?.run && dry.changes ? (
              <Section title={text.dryRunResult} lead={text.dryRunLead}>
                <div role="status">
                  <Difference counts={dry.run} changes={dry.changes} />
                </div>
              </Section>
            ) : null}
            <Section title={text.status}>
              <Facts source={source} />
            </Section>
            <Section
              title={text.lastChange}
              lead={
                source.last_change === null ? (
                  text.noChangeYet
                ) : (
                  <>
                    {text.lastChangeLead}, <Age since={source.last_change.at} />
                  </>
                )
              }
            >
              {source.last_change === null ? null : <Difference {...source.last_change} />}
            </Section>
          </>
        )}
      </Region>
    </Page>
  );
}
