import { Link } from '@tanstack/react-router';
import type { GroupDetailData } from '#console/api/groups.ts';
import { SafeLink } from '#console/components/links/safe-link.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import { duration } from '#console/text/times.ts';
import { percent } from '#domain/numbers.ts';
import classes from './advice.module.css';
import { addressIn, adviceOf, type ShownAdvice } from './advice.ts';
import { readRunbook, readSimilar, type SimilarIncidentData } from './api.ts';
import * as text from './texts.ts';

function AdviceLine({ advice }: { readonly advice: ShownAdvice }) {
  const { runbook, isGeneral, eventIds } = advice;
  return (
    <li>
      {runbook === null ? (
        <bdi>{advice.text}</bdi>
      ) : (
        <>
          {text.runbook}
          <SafeLink text={runbook.address} />
          {runbook.text}
        </>
      )}{' '}
      {isGeneral ? <span className={classes.dim}>({text.general})</span> : null}
      {eventIds.map((id) => (
        <Link key={id} to="/events" search={{ event: id } as never} className={classes.evidence}>
          {text.evidence}
        </Link>
      ))}
    </li>
  );
}

function SimilarLine({ one }: { readonly one: SimilarIncidentData }) {
  const { correlationId, title, subject, at, durationSeconds, likeness, by, note } = one;
  const ended = durationSeconds === null ? text.notResolved : text.lasted(duration(durationSeconds * 1_000));
  return (
    <li>
      <Link to={`/groups/${correlationId}`}>
        {subject}: <bdi>{title}</bdi>
      </Link>
      <br />
      <span className={classes.dim}>
        <Timestamp at={at} isDated /> · {ended}
        {by === null ? '' : ` · ${text.resolvedBy(by)}`} · {text.alike(percent(likeness))}
      </span>
      {note === null ? null : (
        <blockquote className={classes.note}>
          <bdi>{note}</bdi>
        </blockquote>
      )}
    </li>
  );
}

function SimilarPart({ id }: { readonly id: string }) {
  const query = useRead(['groups', 'similar', id], (call, signal) => readSimilar(call, id, signal), {
    staleTime: 60_000,
  });
  return (
    <Region query={query} what={text.similarIncidents} skeleton={<Skeleton rows={3} height={40} />}>
      {(similar) =>
        similar.length === 0 ? (
          <p className={classes.dim}>{text.noneSimilar}</p>
        ) : (
          <ul>
            {similar.map((one) => (
              <SimilarLine key={one.correlationId} one={one} />
            ))}
          </ul>
        )
      }
    </Region>
  );
}

const Runbook = ({ said }: { readonly said: string }) => {
  const { address, text: words } = addressIn(said);
  return (
    <p>
      {text.runbook}
      <SafeLink text={address} />
      {words}
    </p>
  );
};

/** Pages on which a runbook is set, for users who may. */
function NoRunbook({ group: { cause } }: { readonly group: GroupDetailData }) {
  const [mayManage, mayEdit] = [useMay('settings.manage'), useMay('cmdb.write')];
  const ci = mayEdit ? cause?.ci : null;
  return (
    <p className={classes.dim}>
      {text.noRunbook}{' '}
      {mayManage ? (
        <Link to="/admin/ai" hash="add-runbook">
          {text.addRunbook}
        </Link>
      ) : null}{' '}
      {ci ? <Link to={`/cis/${ci.id}`}>{text.setRunbookOn(ci.name)}</Link> : null}
    </p>
  );
}

/** Advice of runbooks, users and earlier cases, beside the incidents most like this one. */
export function AdvicePanel({ group }: { readonly group: GroupDetailData }) {
  const { correlationId: id } = group;
  const runbook = useRead(['runbooks', 'of-group', id], (call, signal) => readRunbook(call, id, signal));
  const all = adviceOf(group);
  // The analysis names an earlier one until it runs again.
  const advice = runbook.data ? all.filter((one) => one.runbook === null) : all;
  const hasRunbook = advice.some((one) => one.runbook !== null);
  return (
    <>
      <Panel title={text.advice}>
        <div className={classes.body}>
          <Region query={runbook} what={text.whatRunbook} skeleton={<Skeleton rows={1} height={20} />}>
            {(said) => {
              if (said !== null) return <Runbook said={said} />;
              return hasRunbook ? null : <NoRunbook group={group} />;
            }}
          </Region>
          {advice.length === 0 ? (
            <p className={classes.dim}>{text.notAnalyzed}</p>
          ) : (
            <ul>
              {advice.map((one) => (
                <AdviceLine key={one.text} advice={one} />
              ))}
            </ul>
          )}
        </div>
      </Panel>
      <Panel title={text.similar}>
        <div className={classes.body}>
          <SimilarPart id={group.correlationId} />
        </div>
      </Panel>
    </>
  );
}
