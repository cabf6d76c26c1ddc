import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { GroupDetailShown } from '#console/api/groups.ts';
import { Age } from '#console/facts/age.tsx';
import { copyText } from '#console/facts/copy.ts';
import { Icon, type IconName } from '#console/facts/icon.tsx';
import { Keeper } from '#console/facts/keeper.tsx';
import { SeverityMark } from '#console/facts/severity-mark.tsx';
import { When } from '#console/facts/when.tsx';
import heading from '#console/frame/heading.module.css';
import { say } from '#console/frame/toasts.tsx';
import { useParts } from '#console/hooks/parts.ts';
import type { Beside } from '#console/memory/neighbours.ts';
import { hitWords, openWords, stateWords } from '#console/words/group-words.ts';
import { curlOf, ticketMarkdown, ticketText } from '#console/words/ticket.ts';
import { duration } from '#console/words/times.ts';
import classes from './group.module.css';

interface Props {
  readonly group: GroupDetailShown;
  /** In the list from which it was opened. */
  readonly beside: Beside;
  /** Query of that list. */
  readonly list: Readonly<Record<string, string>>;
  readonly children: ReactNode;
}

function CopyMenu({ group }: { readonly group: GroupDetailShown }) {
  const { root } = useParts();
  const link = new URL(`ui/groups/${group.correlationId}`, root).href;
  const copy = async (text: string): Promise<void> => {
    say({ text: (await copyText(text)) ? 'Copied' : 'The browser did not allow it' });
  };
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<Icon name="copy" size={14} />}>
          Copy
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => void copy(ticketText(group, link))}>As text, for a ticket</Menu.Item>
        <Menu.Item onClick={() => void copy(ticketMarkdown(group, link))}>As Markdown</Menu.Item>
        <Menu.Item onClick={() => void copy(link)}>Link</Menu.Item>
        <Menu.Item onClick={() => void copy(curlOf(root, group.correlationId))}>As curl</Menu.Item>
        <Menu.Item onClick={() => void copy(group.correlationId)}>Id</Menu.Item>
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
export function GroupHead({ group, beside, list, children }: Props) {
  const { severity, title, status, timeSpan, lastActivity, causeOverSince } = group;
  const hit = hitWords(group);
  return (
    <header className={classes.head}>
      <div className={classes.headWays}>
        <Link to="/groups" search={list as never} className={heading.back}>
          <Icon name="left" size={14} /> Groups
        </Link>
        {beside.at === null ? null : (
          <nav className={classes.beside} aria-label="Groups of the list">
            <BesideLink id={beside.before} words="Previous group" icon="left" />
            {beside.at} of {beside.of}
            <BesideLink id={beside.after} words="Next group" icon="right" />
          </nav>
        )}
        <CopyMenu group={group} />
      </div>
      <h1 className={heading.title}>
        <bdi>{title ?? 'No root cause identified'}</bdi>
      </h1>
      <p className={heading.facts}>
        {severity === null ? null : <SeverityMark severity={severity} />}
        <span>{stateWords(group)}</span>
        <span>{openWords(group)}</span>
        {group.learning ? <span title={group.learningReason}>Learning</span> : null}
        {hit === '' ? null : <strong className={classes.hit}>{hit}</strong>}
        {status === 'resolved' ? (
          <span>
            lasted {duration(Date.parse(lastActivity) - Date.parse(timeSpan.start))}, over <When at={lastActivity} />
          </span>
        ) : (
          <Age since={timeSpan.start} before="since " />
        )}
        {status === 'resolved' || causeOverSince === null ? null : (
          <span>
            Root cause over since <When at={causeOverSince} />
          </span>
        )}
        <Keeper group={group} />
      </p>
      <div className={classes.actions}>{children}</div>
    </header>
  );
}
