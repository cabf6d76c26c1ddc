import { useEffect, useState } from 'react';
import { Age } from '#console/facts/age.tsx';
import { Mark } from '#console/facts/mark/mark.tsx';
import { useLiveState } from '#console/hooks/use-live.ts';
import { useMe } from '#console/hooks/use-me.ts';
import { useTicking } from '#console/hooks/use-times.ts';
import { count } from '#console/words/counts.ts';
import { pipelineWords } from '../pipeline/stages.ts';
import classes from './noc.module.css';
import { useLastEvent, useWallPipeline } from './use-wall.ts';
import { endWords, isSilent } from './wall-words.ts';

function LastEvent() {
  const { data: at, error } = useLastEvent();
  const kind = useTicking((now) => (isSilent(at ?? null, now) ? 'caution' : 'good')) as 'caution' | 'good';
  if (error !== null && at === undefined) return <Mark kind="bad">When the last event came could not be read</Mark>;
  if (at === undefined) return null;
  if (at === null) return <Mark kind="quiet">No event has come yet</Mark>;
  return (
    <Mark kind={kind}>
      <Age since={new Date(at).toISOString()} before="Last event " after=" ago" />
    </Mark>
  );
}

function PipelineState() {
  const { may, pipeline } = useWallPipeline();
  if (!may) return null;
  if (pipeline.error !== null) return <Mark kind="bad">The pipeline could not be read</Mark>;
  if (pipeline.data === undefined) return null;
  const { kind, words } = pipelineWords(pipeline.data.processors);
  const { waiting } = pipeline.data.dead_letters;
  return (
    <>
      <Mark kind={kind}>{words}</Mark>
      {waiting === 0 ? null : <Mark kind="caution">{count(waiting, 'dead letter')}</Mark>}
    </>
  );
}

/** Tasks of the person who looks after the screen; it never does anything by itself. */
function Advice() {
  const { user } = useMe();
  const { version } = useLiveState();
  const [first, setFirst] = useState('');
  useEffect(() => {
    if (first === '') setFirst(version);
  }, [first, version]);
  const ends = user.credential === 'jwt' || user.expires_at === null ? null : Date.parse(user.expires_at);
  const end = useTicking((now) => endWords(ends, now) ?? '');
  const isOld = first !== '' && version !== '' && version !== first;
  return (
    <>
      {end === '' ? null : <Mark kind="caution">{end}. A new one is made under Admin, Tokens.</Mark>}
      {isOld ? <Mark kind="caution">Faultline was updated to {version}: open this page anew.</Mark> : null}
    </>
  );
}

/** Whether what the screen shows can be trusted. */
export function WallFoot() {
  return (
    <footer className={classes.foot}>
      <LastEvent />
      <PipelineState />
      <Advice />
    </footer>
  );
}
