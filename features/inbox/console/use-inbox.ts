import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { showError } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { useLive } from '#console/hooks/use-live.ts';
import { useRead } from '#console/hooks/use-read.ts';
import { useZonedTimes } from '#console/hooks/use-times.ts';
import { isWithin } from '#features/inbox/rules/hours.ts';
import { INBOX, type InboxData, type InboxEntry, markRead, markShown, RULES, readInbox, readRules } from './api.ts';
import { reasonWords, titleWith, titleWords, withRead } from './inbox-text.ts';
import * as text from './texts.ts';

/** Minimum interval; in a storm six times as long. */
const READ_MS = 2_000;
const QUIET_MS = 60_000;

export const useInbox = () => {
  const inbox = useRead(INBOX, readInbox, { refetchInterval: QUIET_MS });
  useLive(['groups', 'events', 'silences'], () => inbox.refetch({ cancelRefetch: false }), undefined, READ_MS);
  return inbox;
};

/** Marks entries as read, all without ids: on the screen at once, and as the server has them afterwards. */
export const useMarkRead = () => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  return async (ids?: readonly string[]): Promise<void> => {
    await queries.cancelQueries({ queryKey: INBOX });
    queries.setQueryData<InboxData>(INBOX, (before) => before && withRead(before, ids));
    await markRead(call, ids).catch((error: unknown) => showError(text.couldntMark, error));
    await queries.invalidateQueries({ queryKey: INBOX });
  };
};

export const useRules = () => useRead(RULES, readRules, { staleTime: QUIET_MS });

/** Shows the number of unread entries in the title of the browser's tab, whichever page sets it. */
export const useTitleCount = (unread: number): void => {
  useEffect(() => {
    const show = (): void => {
      const title = titleWith(unread, document.title);
      if (title !== document.title) document.title = title;
    };
    show();
    const observer = new MutationObserver(show);
    observer.observe(document.head, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      document.title = titleWith(0, document.title);
    };
  }, [unread]);
};

const MOST = 3;

/** Sends browser notifications of new entries, where the user has chosen them. Equal tags of several tabs are one. */
export const useNotifications = (entries: readonly InboxEntry[] | undefined): void => {
  const navigate = useNavigate();
  const { call, clock } = useAppServices();
  const { clockTime } = useZonedTimes();
  const { data: rules } = useRules();
  const known = useRef<ReadonlySet<string> | null>(null);
  const look = useEffectEvent((unread: readonly InboxEntry[]): void => {
    const before = known.current;
    known.current = new Set([...(before ?? []), ...unread.map(({ id }) => id)]);
    if (before === null || rules?.notify !== true || !('Notification' in window)) return;
    if (Notification.permission !== 'granted' || !isWithin(rules.hours, clockTime(clock.now()).slice(0, 5))) return;
    const fresh = unread.filter(({ id }) => !before.has(id)).slice(0, MOST);
    if (fresh.length > 0)
      void markShown(
        call,
        fresh.map(({ id }) => id),
      ).catch(() => undefined);
    for (const entry of fresh) {
      const notification = new Notification(titleWords(entry), { body: reasonWords(entry), tag: entry.id });
      notification.onclick = () => {
        window.focus();
        void navigate({ to: '/inbox' });
      };
    }
  });
  useEffect(() => {
    if (entries !== undefined) look(entries.filter(({ read }) => !read));
  }, [entries]);
};
