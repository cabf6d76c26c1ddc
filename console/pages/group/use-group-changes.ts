import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { GROUPS } from '#console/actions/groups-cache.ts';
import { type Judgement, judgeGroup, mergeGroups, noteGroup, splitGroup } from '#console/api/group-changes.ts';
import { readMembers } from '#console/api/group-parts.ts';
import type { GroupDetailData } from '#console/api/groups.ts';
import type { Call } from '#console/api/link/call.ts';
import { showError, showToast } from '#console/frame/toasts.tsx';
import { useAppServices } from '#console/hooks/app-services.ts';
import { count } from '#console/text/counts.ts';
import * as shared from '#console/text/texts.ts';
import * as texts from './texts.ts';

const bringBack = async (call: Call, id: string, eventIds: readonly string[]): Promise<void> => {
  const { members } = await readMembers(call, id, { limit: 1 });
  const [stayed] = members;
  if (stayed === undefined) throw new Error(texts.groupHasNoEvents);
  await mergeGroups(call, stayed.eventId, eventIds, texts.splitUndone);
};

/** Actions on one group beside moving its members. */
export const useGroupChanges = (group: GroupDetailData) => {
  const { call } = useAppServices();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { correlationId: id } = group;

  const attempt = async (what: string, change: () => Promise<unknown>): Promise<void> => {
    try {
      await change();
    } catch (error) {
      showError(what, error);
    }
    await queries.invalidateQueries({ queryKey: GROUPS });
  };

  return {
    /** Throws when the server does not have it. */
    async note(text: string): Promise<void> {
      await noteGroup(call, id, text);
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
    /** Throws when the server does not have it. */
    async judge(verdict: Judgement): Promise<void> {
      await judgeGroup(call, id, verdict);
      showToast({ text: texts.verdictSavedThankYou });
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
    /** Throws when the server has not done it. */
    async split(eventIds: readonly string[], reason: string): Promise<void> {
      const founded = await splitGroup(call, id, eventIds, reason);
      const undo = () =>
        attempt(shared.couldntUndo, async () => {
          await bringBack(call, id, eventIds);
          showToast({ text: shared.undone });
        });
      showToast({ text: texts.splitFromTheGroup(count(eventIds.length, 'event')), undo });
      if (founded !== null) await navigate({ to: `/groups/${founded}` });
      await queries.invalidateQueries({ queryKey: GROUPS });
    },
  };
};
