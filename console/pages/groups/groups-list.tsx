import { useMediaQuery } from '@mantine/hooks';
import { memo } from 'react';
import type { GroupRow } from '#console/api/groups.ts';
import { PageLink } from '#console/cis/page-link.tsx';
import { Age } from '#console/components/age.tsx';
import { GroupAssignee } from '#console/components/group-assignee.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { Sparkline } from '#console/components/sparkline.tsx';
import { Timestamp } from '#console/components/timestamp.tsx';
import type { Columns } from '#console/data/views/use-views.ts';
import { Cell } from '#console/grid/cell.tsx';
import { Check } from '#console/grid/check.tsx';
import { List } from '#console/grid/list.tsx';
import { type Selection, toggled } from '#console/grid/selection.ts';
import { useStable } from '#console/hooks/use-stable.ts';
import { names } from '#console/text/counts.ts';
import {
  groupTitle,
  hitWords,
  isCertain,
  isLone,
  openWords,
  reachWords,
  rowPath,
  sureWords,
} from '#console/text/group-text.ts';
import { duration } from '#console/text/times.ts';
import type { GroupPart } from './group-parts.ts';
import classes from './groups.module.css';
import * as text from './texts.ts';

interface GroupCardProps {
  readonly group: GroupRow;
  readonly isSelected: boolean;
  readonly toggle: (group: GroupRow) => void;
  /** It left the list by a change, and retains its place. */
  readonly hasLeft: boolean;
  /** Fields beside the title, as the person chose. */
  readonly has: (part: GroupPart) => boolean;
  /** Its page is opened by its name. */
  readonly onOpen: () => void;
}

/** Confidence of the cause, and its reach; for an uncertain cause the second best replaces the first part. */
const reachSaid = (group: GroupRow): readonly [sure: string, reach: string] => {
  if (isLone(group)) return ['', ''];
  return isCertain(group) ? [`${sureWords(group)} · ${reachWords(group)}`, ''] : [sureWords(group), reachWords(group)];
};

/** Its duration, and its end; for an active one its start. */
function Lasting({ group: { status, timeSpan, lastActivity } }: { readonly group: GroupRow }) {
  if (status !== 'resolved') return <Age since={timeSpan.start} />;
  const lasted = Date.parse(lastActivity) - Date.parse(timeSpan.start);
  return (
    <span>
      {text.lasted(duration(lasted))} <Timestamp at={lastActivity} />
    </span>
  );
}

const verdictSaid = ({ verdict }: GroupRow): string =>
  verdict === null ? text.noVerdict : text.verdictOf[verdict.cause];

/** One group of the feed, in two lines; the row around it shows the focus. */
const GroupCard = memo(function GroupCard({ group, isSelected, toggle, hasLeft, has, onOpen }: GroupCardProps) {
  const { severity, status, spark } = group;
  const hit = has('hit') ? hitWords(group) : '';
  const [sure, reach] = has('reach') ? reachSaid(group) : ['', ''];
  const causeOver = status === 'resolved' || isLone(group) ? null : group.causeOverSince;
  return (
    <div className={classes.card} data-left={hasLeft || undefined} data-over={status === 'resolved' || undefined}>
      <Cell className={classes.check}>
        <Check
          aria-label={text.select(groupTitle(group))}
          checked={isSelected}
          onChange={() => toggle(group)}
          tabIndex={-1}
        />
      </Cell>
      <Cell className={classes.mark}>{severity === null ? null : <SeverityMark severity={severity} />}</Cell>
      <Cell className={classes.facts}>
        <PageLink to={rowPath(group)} className={classes.name} tabIndex={-1} onClick={onOpen}>
          <GroupTitle group={group} className={classes.subject} />
        </PageLink>
        <span className={classes.line}>
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
            {causeOver === null ? null : (
              <span>
                {text.rootCauseResolved} <Timestamp at={causeOver} />
              </span>
            )}
            {group.learning ? (
              <span className={classes.learning} title={group.learningReason}>
                {text.learning}
              </span>
            ) : null}
            {has('sources') ? <span>{names(group.sources.names, group.sources.count)}</span> : null}
            {has('verdict') ? <span>{verdictSaid(group)}</span> : null}
          </span>
        </span>
      </Cell>
      {has('who') ? (
        <Cell className={classes.keeper}>
          <GroupAssignee group={group} />
        </Cell>
      ) : null}
      {spark === null || !has('spark') ? null : (
        <Cell className={classes.spark}>
          <Sparkline values={spark} label={text.eventsOverTime} />
        </Cell>
      )}
      <Cell className={classes.numbers}>
        {has('size') ? <span className={classes.size}>{openWords(group)}</span> : null}
        {has('age') ? <Lasting group={group} /> : null}
      </Cell>
    </div>
  );
});

export const ROW_HEIGHT = 52;
const NARROW_ROW_HEIGHT = 118;
export const groupId = ({ correlationId }: GroupRow): string => correlationId;

interface Props {
  readonly rows: readonly GroupRow[];
  readonly total: number;
  readonly order: readonly string[];
  /** Ids of rows that retain their place although they left the list. */
  readonly left: ReadonlySet<string>;
  readonly has: Columns['has'];
  readonly selection: Selection;
  readonly onSelection: (selection: Selection) => void;
  readonly focused: string | null;
  readonly onFocused: (id: string) => void;
  readonly onOpen: (row: GroupRow) => void;
  /** Its page is opened by its name. */
  readonly remember: () => void;
}

export function GroupsList({ rows, total, left, has, remember, onOpen, ...list }: Props) {
  const isNarrow = useMediaQuery('(max-width: 700px)', false, { getInitialValueInEffect: false });
  const toggle = useStable((row: GroupRow) => list.onSelection(toggled(list.selection, groupId(row))));
  return (
    <List
      {...list}
      label={text.groups}
      count={rows.length}
      total={Math.max(total, rows.length)}
      rowAt={(index) => rows[index]}
      idOf={groupId}
      rowHeight={isNarrow ? NARROW_ROW_HEIGHT : ROW_HEIGHT}
      onOpen={onOpen}
      opensByClick={isNarrow === true}
      autoFocus={list.focused !== null}
    >
      {(group, { selected }) => (
        <GroupCard
          group={group}
          isSelected={selected}
          toggle={toggle}
          hasLeft={left.has(groupId(group))}
          has={has}
          onOpen={remember}
        />
      )}
    </List>
  );
}
