/** The loss when members of a redundancy group are lost. */
import { itemAt } from '#domain/assert.ts';
import type { Redundancy } from '#domain/topology/topology.ts';

/** The loss of one of several needs: 0 nothing, 1 all. */
export interface Need {
  readonly redundancy: Redundancy | null;
  readonly loss: number;
}

/** The loss of a CI with these dependencies: the worst loss among them; a group loses as much as its last required member. */
export const lossOf = (needs: readonly Need[]): number => {
  const groups = new Map<string, { required: number; losses: number[] }>();
  let worst = 0;
  for (const { redundancy, loss } of needs) {
    if (redundancy === null) {
      worst = Math.max(worst, loss);
      continue;
    }
    const group = groups.get(redundancy.group);
    if (group === undefined) groups.set(redundancy.group, { required: redundancy.required, losses: [loss] });
    else {
      group.required = Math.max(group.required, redundancy.required);
      group.losses.push(loss);
    }
  }
  for (const { required, losses } of groups.values()) {
    losses.sort((a, b) => a - b);
    worst = Math.max(worst, itemAt(losses, Math.min(required, losses.length) - 1));
  }
  return worst;
};
