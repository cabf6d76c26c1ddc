import type { ListedGroup } from '#domain/correlation/grouping/group-state.ts';
import type { SimulatedGroup } from '#domain/correlation/on-demand/simulation.ts';
import type { Ports } from '#domain/ports/ports.ts';
import type { TrialResult } from '#features/trials/rules/trial.ts';

/** Groups with a verdict that are looked at, those with the latest arrival. */
const MOST = 1_000;
const PAGE = 100;

interface Compared {
  /** ms. */
  readonly from: number;
  readonly before: readonly SimulatedGroup[];
  readonly after: readonly SimulatedGroup[];
}

const membersOf = ({ members }: SimulatedGroup): string => members.toSorted().join(' ');

/** Whether the other side has the same group. */
const isKept = (
  { care: { verdict } }: ListedGroup,
  before: SimulatedGroup,
  after: ReadonlyMap<string, SimulatedGroup>,
): boolean => {
  const other = after.get(before.members[0] ?? '');
  if (other === undefined) return false;
  const sameMembers = verdict?.members !== 'right' || membersOf(other) === membersOf(before);
  const sameCause = verdict?.cause !== 'right' || other.group.candidate?.eventId === before.group.candidate?.eventId;
  return sameMembers && sameCause;
};

/** Of the groups whose members or cause people called right: how many would come out the same in that. */
export async function judgedGroups(
  { groupRows }: Pick<Ports, 'groupRows'>,
  tenant: string,
  { from, before, after }: Compared,
): Promise<TrialResult['verdicts']> {
  const stood = new Map(before.flatMap((one) => [one.group.id, ...one.group.aliases].map((id) => [id, one] as const)));
  const ofMember = new Map(after.flatMap((one) => one.members.map((id) => [id, one] as const)));
  let [kept, lost] = [0, 0];
  for (const verdict of ['right', 'wrong', 'unknown'] as const) {
    let cursor: string | null | undefined;
    for (let read = 0; cursor !== null && read < MOST; read += PAGE) {
      const page = { sort: 'last', order: 'desc', limit: PAGE, ...(cursor !== undefined && { cursor }) } as const;
      const { items, nextCursor } = await groupRows.find(tenant, { verdict, from }, page);
      for (const row of items) {
        const group = stood.get(row.group.id);
        const isRight = row.care.verdict?.cause === 'right' || row.care.verdict?.members === 'right';
        if (group === undefined || !isRight) continue;
        if (isKept(row, group, ofMember)) kept += 1;
        else lost += 1;
      }
      cursor = nextCursor;
    }
  }
  return { kept, lost };
}
