import { Button, Menu } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef } from 'react';
import { GroupDialogs } from '#console/actions/group/group-dialogs.tsx';
import { type GroupActions, useGroupActions } from '#console/actions/group/use-group-actions.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import { Age } from '#console/components/age.tsx';
import { CiName } from '#console/components/ci-name.tsx';
import { Confidence } from '#console/components/confidence.tsx';
import { copyText } from '#console/components/copy.ts';
import { GroupAssignee } from '#console/components/group-assignee.tsx';
import { GroupTitle } from '#console/components/group-title.tsx';
import { Icon, type IconName } from '#console/components/icon.tsx';
import { ScoreBars } from '#console/components/score-bars.tsx';
import { SeverityMark } from '#console/components/severity-mark.tsx';
import { SEVERITY_WORDS } from '#console/components/severity-shapes.ts';
import { Timestamp } from '#console/components/timestamp.tsx';
import { ReasonDialog } from '#console/forms/reason-dialog.tsx';
import heading from '#console/frame/heading.module.css';
import { Panel } from '#console/frame/panel.tsx';
import { showToast } from '#console/frame/toasts.tsx';
import { NOTHING } from '#console/grid/selection.ts';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useShortcuts } from '#console/hooks/use-shortcuts.ts';
import type { Beside } from '#console/memory/neighbours.ts';
import { useSlot } from '#console/slots/feature.ts';
import { count, names, number, plain } from '#console/text/counts.ts';
import { PART_WORDS, PATTERN_WORDS } from '#console/text/explain-text.ts';
import {
  confirmed,
  confirmedBy,
  explainedWords,
  hitWords,
  isCertain,
  openWords,
  reasonWords,
  stateWords,
} from '#console/text/group-text.ts';
import * as shared from '#console/text/texts.ts';
import { curlOf, ticketMarkdown, ticketText } from '#console/text/ticket.ts';
import { duration } from '#console/text/times.ts';
import { clueWords } from '#domain/correlation/root-cause/clue-words.ts';
import { titledAt } from '#domain/event/event-words.ts';
import { percent } from '#domain/numbers.ts';
import { DemoHints } from './demo-hints.tsx';
import classes from './group.module.css';
import { GroupButtons } from './group-buttons.tsx';
import { GroupTabs } from './group-tabs.tsx';
import { LanesPanel } from './lanes-panel.tsx';
import { MapPanel } from './map-panel.tsx';
import { NowStrip } from './now-strip.tsx';
import * as texts from './texts.ts';
import { useGroupChanges } from './use-group-changes.ts';
import { type Looking, useLooking } from './use-looking.ts';

interface GroupHeadProps {
  readonly group: GroupDetailData;
  /** Position in the list from which it was opened. */
  readonly beside: Beside;
  /** Query of that list. */
  readonly list: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function CopyMenu({ group }: { readonly group: GroupDetailData }) {
  const { root } = useAppServices();
  const link = new URL(`ui/groups/${group.correlationId}`, root).href;
  const copy = async (text: string): Promise<void> => {
    showToast({ text: (await copyText(text)) ? texts.copied : texts.copyFailedBlockedBrowser });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<Icon name="copy" size={14} />}>
          {texts.copy}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy(ticketText(group, link))}>{texts.asPlainText}</Menu.Item>
        <Menu.Item onClick={() => void copy(ticketMarkdown(group, link))}>{texts.asMarkdown}</Menu.Item>
        <Menu.Item onClick={() => void copy(link)}>{texts.link}</Menu.Item>
        <Menu.Item onClick={() => void copy(curlOf(root, group.correlationId))}>{texts.asCurl}</Menu.Item>
        <Menu.Item onClick={() => void copy(group.correlationId)}>{texts.groupId}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function BesideLink({
  id,
  words,
  icon,
}: {
  readonly id: string | null;
  readonly words: string;
  readonly icon: IconName;
}) {
  const arrow = <Icon name={icon} size={14} />;
  if (id === null) return <span className={classes.noWay}>{arrow}</span>;
  return (
    <Link to={`/groups/${id}`} className={classes.way} aria-label={words} title={words}>
      {arrow}
    </Link>
  );
}

/** The subject of the group, and its actions. */
function GroupHead({ group, beside, list, children }: GroupHeadProps) {
  const { severity, status, timeSpan, lastActivity, causeOverSince } = group;
  const hit = hitWords(group);
  return (
    <header className={classes.head}>
      <div className={classes.headWays}>
        <Link to="/groups" search={list as never} className={heading.back}>
          <Icon name="left" size={14} /> {texts.groups}
        </Link>
        {beside.at === null ? null : (
          <nav className={classes.beside} aria-label={texts.groupNavigation}>
            <BesideLink id={beside.before} words={texts.previousGroup} icon="left" />
            {texts.position(beside.at, beside.of)}
            <BesideLink id={beside.after} words={texts.nextGroup} icon="right" />
          </nav>
        )}
        <CopyMenu group={group} />
      </div>
      <h1 className={heading.title}>
        <GroupTitle group={group} />
      </h1>
      <p className={heading.facts}>
        {severity === null ? null : <SeverityMark severity={severity} />}
        <span>{stateWords(group)}</span>
        <span>{openWords(group)}</span>
        {group.learning ? <span title={group.learningReason}>{texts.learning}</span> : null}
        {hit === '' ? null : <strong className={classes.hit}>{hit}</strong>}
        {status === 'resolved' ? (
          <span>
            {texts.lasted(duration(Date.parse(lastActivity) - Date.parse(timeSpan.start)))}{' '}
            <Timestamp at={lastActivity} />
          </span>
        ) : (
          <Age since={timeSpan.start} before={texts.started} />
        )}
        {status === 'resolved' || causeOverSince === null ? null : (
          <span>
            {texts.rootCauseResolved} <Timestamp at={causeOverSince} />
          </span>
        )}
        <GroupAssignee group={group} />
      </p>
      <div className={classes.actions}>{children}</div>
    </header>
  );
}

type Cause = NonNullable<GroupDetailData['cause']>;

/** The most that a part can add to the score. */
const MAX_PART = 1;
const ALTERNATIVES = 3;

const nameOf = (cause: Cause): string => cause.ci?.name ?? cause.event.hostname ?? cause.event.title;

/** The name links to more data on the cause. */
function Name({ cause, certain }: { readonly cause: Cause; readonly certain: boolean }) {
  if (!certain)
    return (
      <strong>
        {nameOf(cause) === cause.event.title ? null : `${nameOf(cause)}: `}
        <bdi>{cause.event.title}</bdi>
      </strong>
    );
  return <strong>{cause.ci === null ? nameOf(cause) : <CiName id={cause.ci.id} name={cause.ci.name} />}</strong>;
}

function Bound({ cause }: { readonly cause: Cause }) {
  const { binding } = cause.event;
  const words = [
    ...(cause.ci === null ? [texts.noCiBound] : [plain(cause.ci.type).toLowerCase()]),
    ...(binding === undefined ? [] : [texts.boundBy(binding.method, percent(binding.confidence))]),
    ...(cause.owner === null ? [] : [texts.owner(cause.owner)]),
  ];
  return <span className={classes.dim}>{words.join(' · ')}</span>;
}

/** Alternatives on other CIs than the cause, each CI once. */
const otherPlaces = (cause: Cause): Cause['alternatives'] => {
  const named = new Set([nameOf(cause)]);
  return cause.alternatives.filter(({ ciName }) => {
    const isNew = ciName === null || !named.has(ciName);
    if (ciName !== null) named.add(ciName);
    return isNew;
  });
};

function Others({ cause, certain }: { readonly cause: Cause; readonly certain: boolean }) {
  const others = otherPlaces(cause).slice(0, certain ? ALTERNATIVES : 1);
  if (others.length === 0) return null;
  return (
    <p className={classes.others}>
      <span className={classes.dim}>{certain ? texts.alternatives(cause.score !== null) : texts.alternative}</span>{' '}
      {others.map(({ eventId, ciName, title, score }, at) => (
        <span key={`${eventId} ${ciName}`} title={title ?? undefined}>
          {at === 0 ? '' : ', '}
          {certain ? (ciName ?? title) : titledAt(title ?? eventId, ciName)}{' '}
          {cause.score ? <span className={classes.dim}>{percent(score / cause.score)}</span> : null}
        </span>
      ))}
    </p>
  );
}

/** `first, 12 s ahead`, `12 s after the first`. */
const earlyWords = ({ timeSpan }: GroupDetailData, { aheadMs, event }: Cause): string => {
  if (aheadMs !== null) return aheadMs < 1_000 ? 'first' : texts.firstBeforeTheNext(duration(aheadMs));
  const late = Date.parse(event.timestamp) - Date.parse(timeSpan.start);
  return late < 1_000 ? 'first' : texts.afterTheFirstEvent(duration(late));
};

/** Facts behind the parts of the score: `25 of 30 CIs`, `link down`. */
const factsOf = (group: GroupDetailData, cause: Cause): Readonly<Record<keyof typeof PART_WORDS, string>> => {
  const others = group.cis.count - (cause.ci === null ? 0 : 1);
  return {
    coverage:
      others <= 0 ? '' : `${number(cause.explains.length)}${cause.explainsMore ? '+' : ''} of ${count(others, 'CI')}`,
    // The clues are listed below the parts.
    evidence: '',
    earliness: earlyWords(group, cause),
    severity: SEVERITY_WORDS[cause.event.severity].toLowerCase(),
    knownPattern: cause.pattern === null ? '' : PATTERN_WORDS[cause.pattern],
  };
};

const CLUES = 3;

/** The problems that speak for its CI. */
function Evidence({ cause }: { readonly cause: Cause }) {
  if (cause.evidence.length === 0) return null;
  return (
    <ul className={classes.clues} aria-label={texts.evidence}>
      {cause.evidence.slice(0, CLUES).map((clue) => (
        <li key={`${clue.kind} ${clue.eventId}`}>
          <bdi>{clue.title ?? clue.eventId}</bdi> <span className={classes.dim}>{clueWords(clue)}</span>
        </li>
      ))}
    </ul>
  );
}

/** Explains why the server considers this event the cause. */
function CausePanel({ group }: { readonly group: GroupDetailData }) {
  const { cause } = group;
  const certain = isCertain(group);
  if (cause === null)
    return (
      <Panel title={texts.rootCauseLowConfidence}>
        <p className={`${classes.cause} ${classes.text}`}>{texts.noEventStandsOut}</p>
      </Panel>
    );
  const setBy = confirmedBy(group);
  if (setBy !== undefined)
    return (
      <Panel title={texts.setRootCause}>
        <div className={classes.cause}>
          <p className={classes.causeName}>
            <Name cause={cause} certain={false} /> <Bound cause={cause} />
          </p>
          <p className={classes.text}>{confirmed(setBy)}.</p>
          <Others cause={cause} certain={true} />
        </div>
      </Panel>
    );
  const explained = cause.explains.map(({ name }) => name ?? shared.deletedCi);
  return (
    <Panel
      title={certain ? texts.probableRootCause : texts.rootCauseLowConfidence}
      end={<Confidence value={cause.confidence} />}
    >
      <div className={classes.cause}>
        <p className={classes.causeName}>
          <Name cause={cause} certain={certain} /> <Bound cause={cause} />
        </p>
        <p className={classes.text}>
          {plain(reasonWords(cause.reasoning))}.
          {explained.length === 0
            ? ` ${texts.explainsNoOtherCis}`
            : ` ${texts.explains(explainedWords(explained.length, cause.explainsMore), names(explained, explained.length, 4))}`}
        </p>
        {cause.parts === null ? null : (
          <ScoreBars
            most={MAX_PART}
            bars={(Object.keys(PART_WORDS) as (keyof typeof PART_WORDS)[]).map((part) => ({
              words: PART_WORDS[part],
              value: cause.parts?.[part] ?? 0,
              fact: factsOf(group, cause)[part],
            }))}
          />
        )}
        <Evidence cause={cause} />
        <Others cause={cause} certain={certain} />
      </div>
    </Panel>
  );
}

interface Ways {
  readonly beside: Beside;
  /** Query of the list from which it was opened. */
  readonly list: Readonly<Record<string, string>>;
}

/** Keys on the page of one group, beside those of all groups. */
const useGroupKeys = (looking: Looking, { mayWrite, mayCorrelate }: GroupActions, { beside, list }: Ways): void => {
  const navigate = useNavigate();
  const { selected } = looking;
  const isSome = selected.ids.size > 0;
  const goTo = (other: string | null): void => {
    if (other !== null) void navigate({ to: `/groups/${other}` });
  };
  useShortcuts([
    {
      keys: 'p',
      words: texts.splitSelectedEvents,
      section: 'Actions',
      isActive: mayCorrelate && isSome,
      run: () => looking.setSplitting(true),
    },
    { keys: 'e', words: texts.explainTwoSelectedEvents, section: 'Actions', run: looking.explainPair },
    { keys: 'n', words: texts.addNote, section: 'Actions', isActive: mayWrite, run: looking.writeNote },
    {
      keys: '[',
      words: texts.previousGroup,
      section: 'Go to',
      isActive: beside.before !== null,
      run: () => goTo(beside.before),
    },
    {
      keys: ']',
      words: texts.nextGroup,
      section: 'Go to',
      isActive: beside.after !== null,
      run: () => goTo(beside.after),
    },
    {
      keys: 'Escape',
      words: texts.backToGroups,
      section: 'Go to',
      run: () => (isSome ? looking.setSelection(NOTHING) : void navigate({ to: '/groups', search: list as never })),
    },
  ]);
};

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly eventIds: readonly string[];
  readonly split: (eventIds: readonly string[], reason: string) => Promise<unknown>;
}

function SplitDialog({ opened, onClose, eventIds, split }: Props) {
  return (
    <ReasonDialog
      opened={opened}
      onClose={onClose}
      title={texts.splitEventsOff(count(eventIds.length, 'event'))}
      action={texts.split}
      needsReason
      act={(reason) => split(eventIds, reason)}
    >
      <p className={classes.text}>
        {eventIds.length === 1 ? texts.eventRemovedFromGroup : texts.eventsMoveNewGroup} {texts.faultlineWontGroupThem}
      </p>
    </ReasonDialog>
  );
}

/** A group that has been read. */
export function GroupView({ group }: { readonly group: GroupDetailData }) {
  const { correlationId: id } = group;
  const { neighbours } = useAppServices();
  const actions = useGroupActions({ meant: [group] });
  const changes = useGroupChanges(group);
  const looking = useLooking(group);
  const panels = useSlot('groupPanels');
  const place = useRef<HTMLDivElement>(null);
  const known = [id, ...group.aliases];
  const [beside, list] = [neighbours.of(known), neighbours.listOf(known)];
  const { members, ci, chooseCi, selected, isSplitting, setSplitting } = looking;
  const split = (): void => setSplitting(true);

  useEffect(() => place.current?.focus({ preventScroll: true }), []);
  // The pressed button may disappear with the status that it changed: keys must remain active.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the status removes buttons.
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus({ preventScroll: true });
  }, [group.status]);
  useGroupKeys(looking, actions, { beside, list });

  return (
    <div ref={place} className={classes.group} data-keys tabIndex={-1}>
      <DemoHints />
      <GroupHead group={group} beside={beside} list={list}>
        <GroupButtons
          group={group}
          members={members}
          actions={actions}
          changes={changes}
          split={selected.ids.size > 0 ? split : undefined}
        />
      </GroupHead>
      <NowStrip group={group} members={members} />
      <div className={classes.columns}>
        <div className={classes.side}>
          <CausePanel group={group} />
          <MapPanel group={group} selected={ci} onSelect={chooseCi} />
          {panels.map(({ id: panel, Part }) => (
            <Part key={`${panel} ${id}`} group={group} />
          ))}
        </div>
        <div className={classes.main}>
          <LanesPanel group={group} members={members} onSelect={chooseCi} />
          <GroupTabs group={group} looking={looking} actions={actions} changes={changes} />
        </div>
      </div>
      <GroupDialogs actions={actions} />
      <SplitDialog
        opened={isSplitting}
        onClose={() => setSplitting(false)}
        eventIds={[...selected.ids]}
        split={changes.split}
      />
    </div>
  );
}
