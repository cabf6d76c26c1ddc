import { useRef, useState } from 'react';
import type { GroupDetailData } from '#console/api/groups.ts';
import { kept, NOTHING } from '#console/grid/selection.ts';
import { useAddress } from '#console/hooks/use-address.ts';
import { useMembers } from './read/use-group.ts';
import { type MemberSort, memberId } from './tabs/members-tab.tsx';

const TABS = ['members', 'timeline', 'notes', 'together', 'whynot', 'review', 'raw'] as const;
export type TabName = (typeof TABS)[number];
type EventPair = readonly [string | null, string | null];

/** The open part; the address remembers it for a reload and for links. */
const useTab = () => {
  const { query, change } = useAddress();
  const [tab, show] = useState<TabName>(TABS.find((one) => one === query.tab) ?? 'members');
  const setTab = (next: TabName): void => {
    if (next === tab) return;
    show(next);
    change({ tab: next === 'members' ? null : next }, { replace: true });
  };
  return { tab, setTab };
};

/** The view of a group: the open part, the selected members, the explained pair, the CI on the map. */
export const useLooking = (group: GroupDetailData) => {
  const noteField = useRef<HTMLTextAreaElement>(null);
  const [sort, setSort] = useState<MemberSort>({ by: 'timestamp', order: 'asc' });
  const { tab, setTab } = useTab();
  const [note, setNote] = useState('');
  const [selection, setSelection] = useState(NOTHING);
  const [focused, setFocused] = useState<string | null>(null);
  const [pair, setPair] = useState<EventPair>([null, null]);
  const [ci, setCi] = useState<string | null>(null);
  const [isSplitting, setSplitting] = useState(false);
  const found = useMembers(group.correlationId, sort);
  const members = found.data?.members ?? [];
  const selected = kept(selection, members.map(memberId));
  const cause = group.cause?.event.eventId ?? null;
  return {
    found,
    members,
    cause,
    noteField,
    note,
    setNote,
    sort,
    setSort,
    tab,
    setTab,
    pair,
    setPair,
    ci,
    selected,
    setSelection,
    focused,
    setFocused,
    isSplitting,
    setSplitting,
    explainPair(): void {
      const [one, other] = [...selected.ids];
      setPair(one === undefined ? [cause, focused] : [one, other ?? cause]);
      setTab('together');
    },
    writeNote(): void {
      setTab('notes');
      setTimeout(() => noteField.current?.focus(), 50);
    },
    /** Selecting a CI on the map shows its members. */
    chooseCi(chosen: string | null): void {
      setCi(chosen);
      const first = members.find(({ ciId, hostname }) => (ciId?._id ?? hostname) === chosen);
      if (first === undefined) return;
      setTab('members');
      setFocused(first.eventId);
    },
  };
};

export type Looking = ReturnType<typeof useLooking>;
