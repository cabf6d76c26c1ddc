import { Button, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useOnce } from '#console/actions/use-once.ts';
import { isProblem } from '#console/api/link/problem.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { Card } from '#console/pages/get-started/card.tsx';
import { refusalWords } from '#console/text/refusal-text.ts';
import { NEW_SOURCE, putSource, type SourceRunData } from './api.ts';
import { inputOf, NEW_DRAFT, nameByUrl } from './source-draft.ts';
import { foundWords, nextStep } from './source-text.ts';
import * as text from './texts.ts';
import classes from './topology-sources.module.css';

type Found = NonNullable<SourceRunData['run']>;
type Stage =
  | { readonly at: 'asking'; readonly error?: string }
  | { readonly at: 'found'; readonly run: Found }
  | { readonly at: 'added' };

const messageOf = (error: unknown, name: string): string => {
  if (isProblem(error, 412)) return text.nameTaken(name);
  const words = refusalWords(error);
  return `${words}. ${nextStep(isProblem(error) ? error.code : null) ?? ''}`.trim();
};

/** Reads a Prometheus server, shows its size, and offers to add it. */
export function PrometheusCard({ number }: { readonly number: number }) {
  const { call } = useAppServices();
  const [url, setUrl] = useState('');
  const [stage, setStage] = useState<Stage>({ at: 'asking' });
  const name = nameByUrl(url.trim());
  const [send, isBusy] = useOnce(async (isDryRun: boolean) => {
    try {
      const body = inputOf({ ...NEW_DRAFT, url });
      const { run } = await putSource(call, name || 'prometheus', body, {
        etag: isDryRun ? null : NEW_SOURCE,
        isDryRun,
      });
      setStage(isDryRun && run !== null ? { at: 'found', run } : { at: 'added' });
    } catch (error) {
      setStage({ at: 'asking', error: messageOf(error, name) });
    }
  });
  const check = (event: FormEvent): void => {
    event.preventDefault();
    void send(true);
  };
  return (
    <Card number={number} title={text.readTopology}>
      <p>{text.readTopologyHelp}</p>
      <form className={classes.form} onSubmit={check}>
        <TextInput
          label={text.prometheusUrl}
          type="url"
          required
          placeholder={text.urlExample}
          value={url}
          onChange={({ currentTarget }) => {
            setUrl(currentTarget.value);
            setStage({ at: 'asking' });
          }}
          error={stage.at === 'asking' ? stage.error : undefined}
        />
        <div className={classes.row}>
          <Button type="submit" variant={stage.at === 'found' ? 'default' : 'filled'} loading={isBusy}>
            {text.preview}
          </Button>
          {stage.at === 'found' && stage.run.cis.total > 0 ? (
            <Button type="button" loading={isBusy} onClick={() => void send(false)}>
              {text.addSource}
            </Button>
          ) : null}
        </div>
      </form>
      <div role="status">
        {stage.at === 'found' ? (
          <strong>{stage.run.cis.total === 0 ? text.nothingFound : foundWords(stage.run)}</strong>
        ) : null}
        {stage.at === 'added' ? (
          <>
            {text.added(name)}. <Link to={`/topology-sources/${encodeURIComponent(name)}`}>{text.viewSource}</Link>
          </>
        ) : null}
      </div>
      <Link to="/sources" search={{ tab: 'topology' } as never}>
        {text.otherKinds}
      </Link>
    </Card>
  );
}
