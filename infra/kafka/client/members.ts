import kafkajs, { type Admin } from 'kafkajs';
import type { MemberReport } from '#domain/ports/operations.ts';

const partitionsOf = (assignment: Buffer, topic: string): number[] => {
  if (assignment.length === 0) return [];
  const decoded = kafkajs.AssignerProtocol.MemberAssignment.decode(assignment);
  return [...(decoded?.assignment[topic] ?? [])].sort((a, b) => a - b);
};

/** A processor's group and the topic that it reads. */
export interface ConsumerGroup {
  readonly group: string;
  readonly input: string;
}

/** The members of each consumer group and the partitions that each one reads; a group without members has none. */
export const membersOf = async (
  admin: Admin,
  groups: readonly ConsumerGroup[],
): Promise<ReadonlyMap<string, readonly MemberReport[]>> => {
  const topics = new Map(groups.map(({ group, input }) => [group, input]));
  const described = await admin.describeGroups([...topics.keys()]);
  return new Map(
    described.groups.map(({ groupId, members }) => [
      groupId,
      members.map(({ memberId, clientHost, memberAssignment }) => ({
        id: memberId,
        host: clientHost.replace(/^\//, ''),
        partitions: partitionsOf(memberAssignment, topics.get(groupId) ?? ''),
      })),
    ]),
  );
};
