import type { Verdict } from '#domain/correlation/grouping/group-state.ts';
import type { CauseLesson } from '#domain/correlation/root-cause/cause-lesson.ts';
import { complaintKindOf } from '#domain/event/complaints/kind.ts';
import type { Event } from '#domain/event/event.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { SideRecord } from '#domain/side-record.ts';

const CAUSE_LESSON = 'cause-lesson';
const KEPT_MS = 400 * 86_400_000;
/** Signatures of one tenant that are looked at. */
const MOST = 2_000;

/** Side records of a verdict, one per signature of the root cause and of the candidate. */
export function causeLesson(
  tenant: string,
  groupId: string,
  { verdict, root, scored }: { readonly verdict: Verdict; readonly root: Event; readonly scored: Event | null },
): SideRecord[] {
  const { by, at, note = null } = verdict;
  const signatures = new Set([root.signature, ...(scored === null ? [] : [scored.signature])]);
  return [...signatures].map((signature) => {
    const body: CauseLesson = {
      signature,
      by: by.name,
      at,
      groupId,
      note,
      rootTitle: root.title,
      rootSubject: root.ci?.name ?? root.hostname ?? root.ipAddress ?? 'no host',
      rootKind: complaintKindOf(root).name,
      scoredKind: scored === null ? null : complaintKindOf(scored).name,
    };
    return { tenant, kind: CAUSE_LESSON, id: `${signature}:${at}`, body, expiresAt: at + KEPT_MS };
  });
}

/** The newest lesson of each signature; older verdicts on the same group are left out. */
export async function causeLessons(
  { records }: Pick<Ports, 'records'>,
  tenant: string,
): Promise<ReadonlyMap<string, CauseLesson>> {
  const stored = await records.list<CauseLesson>(tenant, CAUSE_LESSON, { limit: MOST });
  const last = new Map<string, number>();
  for (const { body } of stored) last.set(body.groupId, Math.max(body.at, last.get(body.groupId) ?? 0));
  return new Map(
    stored.flatMap(({ body }) => (body.at === last.get(body.groupId) ? [[body.signature, body] as const] : [])),
  );
}
