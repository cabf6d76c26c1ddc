import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import type { GroupDetailData } from '#console/api/groups.ts';
import { CiName } from '#console/components/ci-name.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useMay } from '#console/hooks/use-me.ts';
import { count } from '#console/text/counts.ts';
import { refusalWords } from '#console/text/refusal-text.ts';
import { percent } from '#domain/numbers.ts';
import { investigateGroup } from './api.ts';
import classes from './investigation.module.css';
import { type InvestigationProgress, movedWords, NOT_BEGUN, withMessage } from './progress.ts';
import * as text from './texts.ts';

/** Runs one investigation at a time; leaving the page cancels it. */
const useInvestigation = (groupId: string) => {
  const { call } = useAppServices();
  const [progress, setProgress] = useState<InvestigationProgress>(NOT_BEGUN);
  const [isBusy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const start = async (): Promise<void> => {
    const controller = new AbortController();
    const { signal } = controller;
    running.current = controller;
    setBusy(true);
    setProgress(NOT_BEGUN);
    try {
      await investigateGroup(call, groupId, signal, (event, data) =>
        setProgress((before) => withMessage(before, event, data)),
      );
      setProgress((before) =>
        before.end === null && before.error === null ? { ...before, error: text.connectionEnded } : before,
      );
    } catch (error) {
      if (!signal.aborted) setProgress((before) => ({ ...before, error: refusalWords(error) }));
    }
    if (!signal.aborted) setBusy(false);
  };
  const cancel = (): void => {
    running.current?.abort();
    setBusy(false);
  };
  return { progress, isBusy, start, cancel };
};

const MAX_CITED = 3;

/** Events that a sentence is based on. */
function Evidence({ eventIds }: { readonly eventIds: readonly string[] }) {
  return eventIds.slice(0, MAX_CITED).map((id, at) => (
    <Link key={id} to="/events" search={{ event: id } as never} className={classes.evidence}>
      {text.evidence(at + 1)}
    </Link>
  ));
}

function Hypothesis({ one }: { readonly one: InvestigationProgress['hypotheses'][number] }) {
  const { text: named, confidence, rejected, mustFail, checks, eventId, ci } = one;
  return (
    <li>
      <p>
        <bdi>{named}</bdi> <Evidence eventIds={eventId === null ? [] : [eventId]} />{' '}
        {ci === null ? null : <CiName id={ci.id} name={ci.name} />}{' '}
        <span className={classes.dim}>
          {rejected ? text.rejected : text.confidence(percent(confidence))}
          {mustFail.total === 0 ? '' : ` · ${text.mustFail(count(mustFail.total, 'CI'), String(mustFail.failed))}`}
        </span>
      </p>
      <ul className={classes.checks} aria-label={text.checks}>
        {checks.map(({ check, text: result, moved, eventIds }) => (
          <li key={check}>
            <strong>{text.CHECK_WORDS[check]}</strong> {result} <span className={classes.dim}>{movedWords(moved)}</span>{' '}
            <Evidence eventIds={eventIds} />
          </li>
        ))}
      </ul>
    </li>
  );
}

function Conclusion({ end }: { readonly end: NonNullable<InvestigationProgress['end']> }) {
  const { text: answer, against, next, settles, rival, knowableAt } = end.conclusion;
  const facts = [
    ...against.map((one) => [text.against, one] as const),
    ...(rival === null
      ? []
      : [[text.alternative, `${rival.text}, ${text.confidence(percent(rival.confidence))}`] as const]),
    ...next.map((one) => [text.nextSteps, one] as const),
    ...(settles === null ? [] : [[text.settles, settles] as const]),
  ];
  return (
    <>
      <p className={classes.conclusion}>{answer}</p>
      {end.complete ? null : <p className={classes.dim}>{text.incomplete}</p>}
      <dl className={classes.facts}>
        {facts.map(([name, value]) => [<dt key={`${name} ${value}`}>{name}</dt>, <dd key={value}>{value}</dd>])}
        {knowableAt === null ? null : (
          <>
            <dt>{text.knowable}</dt>
            <dd>
              <Timestamp at={knowableAt} />
            </dd>
          </>
        )}
      </dl>
    </>
  );
}

/** Possible root causes of the group, with each check as it finishes. */
export function InvestigationPanel({ group }: { readonly group: GroupDetailData }) {
  const { progress, isBusy, start, cancel } = useInvestigation(group.correlationId);
  const mayRead = useMay('cmdb.read');
  if (!mayRead) return null;
  const { text: begun, hypotheses, end, error } = progress;
  const words = end === null ? text.investigate : text.investigateAgain;
  return (
    <Panel
      title={text.investigation}
      end={
        <Button size="compact-sm" variant="default" onClick={() => (isBusy ? cancel() : void start())}>
          {isBusy ? text.cancel : words}
        </Button>
      }
    >
      <div className={classes.body}>
        <div aria-live="polite">
          {error === null ? null : <p role="alert">{text.couldntInvestigate(error)}</p>}
          {end === null ? (
            <p className={classes.dim}>{begun === '' ? (isBusy ? text.checking : text.explainer) : begun}</p>
          ) : (
            <Conclusion end={end} />
          )}
        </div>
        <ul className={classes.hypotheses}>
          {hypotheses.map((one) => (
            <Hypothesis key={one.id} one={one} />
          ))}
        </ul>
      </div>
    </Panel>
  );
}
