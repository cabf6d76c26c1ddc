import type { CiFacts, CiPast } from '#console/api/cmdb/cmdb.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import { MoreRows } from '#console/data/more-rows.tsx';
import { When } from '#console/facts/when.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import classes from './ci.module.css';
import { useCiPast } from './use-ci.ts';

const ACTION_WORDS = {
  created: 'made',
  updated: 'changed',
  deleted: 'deleted',
  merged: 'merged into another CI',
} as const;
/** `import:…` and `scan:…` say how it came about; an id alone says nothing to a person. */
const byWords = (by: string | null, me: string): string => {
  if (by === me) return ' by you';
  const [way] = (by ?? '').split(':');
  if (way === 'import') return ' by an import';
  return way === 'discovery' || way === 'scan' ? ' by a scan' : '';
};

function Change({ change }: { readonly change: CiPast }) {
  const me = useMe();
  return (
    <li className={classes.past}>
      <When at={change.at} />
      <span className={classes.pastWords}>
        {ACTION_WORDS[change.action]}
        {byWords(change.by, me.user._id)}
        {change.action === 'created'
          ? null
          : change.changes.map(({ field, before, after }) => (
              <span key={field} className={classes.pastField}>
                {fieldWords(field)}: {valueText(before) || 'nothing'} → {valueText(after) || 'nothing'}
              </span>
            ))}
      </span>
    </li>
  );
}

/** Its earlier versions, and their authors. */
export function PastPanel({ ci }: { readonly ci: CiFacts }) {
  const { found, rows, total } = useCiPast(ci._id);
  return (
    <Panel title="Past">
      <Region query={found} what="Its past" skeleton={<Skeleton rows={3} height={30} />}>
        {() => (
          <>
            <ol className={classes.plainList}>
              {rows.map((change) => (
                <Change key={`${change.revision} ${change.action}`} change={change} />
              ))}
            </ol>
            <MoreRows list={{ found, rows, total }} />
          </>
        )}
      </Region>
    </Panel>
  );
}
