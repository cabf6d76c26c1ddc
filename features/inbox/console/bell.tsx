import { ActionIcon } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Icon } from '#console/components/icon.tsx';
import { useMay } from '#console/hooks/use-me.ts';
import { number } from '#console/text/counts.ts';
import classes from './inbox.module.css';
import * as text from './texts.ts';
import { useInbox, useNotifications, useTitleCount } from './use-inbox.ts';

const MOST = 50;

function OpenBell() {
  const { data } = useInbox();
  const unread = data?.unread ?? 0;
  useTitleCount(unread);
  useNotifications(data?.items);
  const words = unread >= MOST ? `${MOST}+` : number(unread);
  return (
    <ActionIcon
      component={Link}
      to="/inbox"
      className={classes.bell}
      aria-label={unread === 0 ? text.inbox : text.inboxUnread(words)}
      title={text.inbox}
    >
      <Icon name="bell" />
      {unread === 0 ? null : (
        <span className={classes.count} aria-hidden>
          {words}
        </span>
      )}
    </ActionIcon>
  );
}

/** A link to the inbox with the number of unread entries. */
export const Bell = () => (useMay('events.read') ? <OpenBell /> : null);
