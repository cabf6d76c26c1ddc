import { memo } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/facts/age.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { Sparkline } from '#console/facts/sparkline.tsx';
import { When } from '#console/facts/when.tsx';
import { Cell } from '#console/grid/cell.tsx';
import { Check } from '#console/grid/check.tsx';
import { names } from '#console/words/counts.ts';
import { hitWords, isCertain, isLone, openWords, reachWords, rowPath, sureWords } from '#console/words/group-words.ts';
import { duration } from '#console/words/times.ts';
import type { GroupPart } from './group-parts.ts';
import classes from './groups.module.css';

interface Props {
  readonly group: GroupRow;
  readonly isSelected: boolean;
  readonly toggle: (group: GroupRow) => void;
  /** It left the list by what it has become, and keeps its place. */
  readonly hasLeft: boolean;
  /** Fields beside the title, as the person chose. */
  readonly has: (part: GroupPart) => boolean;
  /** Its page is opened by its name. */
  readonly onOpen: () => void;
}

/** How sure the cause is, and what it reaches; of a cause that is not certain the second best takes the room of the first part. */
const reachSaid = (group: GroupRow): readonly [sure: string, reach: string] => {
  if (isLone(group)) return ['', [...group.cis.names, ...group.hosts.names].slice(0, 1).join('')];
  return isCertain(group) ? [`${sureWords(group)} · ${reachWords(group)}`, ''] : [sureWords(group), reachWords(group)];
};

/** How long it lasted, and until when; of one that lasts since when. */
function Lasting({ group: { status, timeSpan, lastActivity } }: { readonly group: GroupRow }) {
  if (status !== 'resolved') return <Age since={timeSpan.start} />;
  const lasted = Date.parse(lastActivity) - Date.parse(timeSpan.start);
  return (
    <span>
      lasted {duration(lasted)}, over <When at={lastActivity} />
    </span>
  );
}

const verdictSaid = ({ verdict }: GroupRow): string =>
  verdict === null ? 'no verdict' : `the cause was ${verdict.cause === 'unknown' ? 'not known' : verdict.cause}`;

/** One group of the feed, in three lines; where the focus is says the row around it. */
export const GroupCard = memo(function GroupCard({ group, isSelected, toggle, hasLeft, has, onOpen }: Props) {
  const { correlationId, title, severity, status, spark } = group;
  const hit = has('hit') ? hitWords(group) : '';
  const [sure, reach] = has('reach') ? reachSaid(group) : ['', ''];
  const causeOver = status === 'resolved' || isLone(group) ? null : group.causeOverSince;
  return (
    <div className={classes.card} data-left={hasLeft || undefined} data-over={status === 'resolved' || undefined}>
      <Cell className={classes.check}>
        <Check
          aria-label={`Select ${title ?? correlationId}`}
          checked={isSelected}
          onChange={() => toggle(group)}
          tabIndex={-1}
        />
      </Cell>
      <Cell className={classes.mark}>{severity === null ? null : <SeverityMark severity={severity} />}</Cell>
      <Cell className={classes.facts}>
        <PageLink to={rowPath(group)} className={classes.name} tabIndex={-1} onClick={onOpen}>
          <bdi>{title ?? 'No root cause identified'}</bdi>
        </PageLink>
        <span className={classes.reach}>
          {sure === '' ? null : (
            <span className={classes.sure} title={sure}>
              {sure}
            </span>
          )}
          {reach === '' && hit === '' ? null : (
            <span className={classes.far}>
              {reach}
              {reach === '' || hit === '' ? '' : ' · '}
              <span className={classes.hit}>{hit}</span>
            </span>
          )}
        </span>
        <span className={classes.who}>
          {has('who') ? <Keeper group={group} /> : null}
          {causeOver === null ? null : (
            <span>
              Root cause over since <When at={causeOver} />
            </span>
          )}
          {group.learning ? (
            <span className={classes.learning} title={group.learningReason}>
              Learning
            </span>
          ) : null}
          {has('sources') ? <span>{names(group.sources.names, group.sources.count)}</span> : null}
          {has('verdict') ? <span>{verdictSaid(group)}</span> : null}
        </span>
      </Cell>
      <Cell className={classes.numbers}>
        {has('size') ? <span className={classes.size}>{openWords(group)}</span> : null}
        {has('age') ? <Lasting group={group} /> : null}
        {spark === null || !has('spark') ? null : <Sparkline values={spark} label="Arrivals since it began" />}
      </Cell>
    </div>
  );
});
