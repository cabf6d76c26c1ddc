import type { CiFacts, CiPast } from '#console/api/cmdb/cmdb.ts';
import { fieldWords, valueText } from '#console/cis/ci-words.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { MoreRows } from '#console/data/more-rows.tsx';
import { Panel } from '#console/frame/panel.tsx';
import { useMe } from '#console/hooks/use-me.ts';
import { Region } from '#console/states/region.tsx';
import { Skeleton } from '#console/states/skeleton.tsx';
import * as nouns from '#console/text/nouns/texts.ts';
import classes from './ci.module.css';
import * as text from './texts.ts';
import { useCiPast } from './use-ci.ts';

const ACTION_WORDS = {
  created: text.created,
  updated: text.updated,
  deleted: text.deleted,
  merged: text.mergedIntoAnotherCi,
} as const;
/** `import:…` and `scan:…` name the origin; an id alone is meaningless to users. */
const byWords = (by: string | null, me: string): string => {
  if (by === me) return text.byYou;
  const [way] = (by ?? '').split(':');
  if (way === 'import') return text.byImport;
  return way === 'discovery' || way === 'scan' ? text.byDiscovery : '';
};

function Change({ change }: { readonly change: CiPast }) {
  const me = useMe();
  return (
    <li className={classes.past}>
      <Timestamp at={change.at} />
      <span className={classes.pastWords}>
        {ACTION_WORDS[change.action]}
        {byWords(change.by, me.user._id)}
        {change.action === 'created'
          ? null
          : change.changes.map(({ field, before, after }) => (
              <span key={field} className={classes.pastField}>
                {fieldWords(field)}: {valueText(before) || '(empty)'} → {valueText(after) || '(empty)'}
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
    <Panel title={text.history}>
      <Region query={found} what={nouns.history} skeleton={<Skeleton rows={3} height={30} />}>
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
