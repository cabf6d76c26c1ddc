import { z } from 'zod';
import { endpoint, mount, on } from '#api/surfaces/endpoint.ts';
import type { Page } from '#domain/page.ts';
import { isProposed, type Relationship } from '#domain/topology/topology.ts';
import {
  AiRelationshipPatch,
  AiRelationshipsBody,
  AiRelationshipsQuery,
  aiRelationship,
  DecidedProposals,
  DecideProposals,
  NewAiRelationship,
} from '#features/proposals/schemas/proposals.ts';
import {
  acceptProposal,
  changeProposal,
  decideProposals,
  listProposals,
  type NewProposal,
  type ProposalChange,
  type ProposalsAsked,
  type ProposalsDecided,
  propose,
  removeProposal,
} from '#features/proposals/use-cases/proposals.ts';
import type { Joined } from '#schemas/http/cmdb/relationships.ts';
import { succeeded } from '#schemas/http/envelope.ts';
import { type Paging, pageInfo, pageRequest } from '#schemas/http/paging.ts';

const writing = { tag: 'AI: configuration items', limit: 'ai', permission: 'cmdb.write' } as const;
const PATH = '/cmdb/ai-relationships';
const params = z.object({ id: z.string() });
const done = { reply: succeeded({}), present: () => ({ body: {} }) } as const;

const createProposal = endpoint<NewProposal, Relationship>({
  ...writing,
  id: 'ai-relationships.create',
  summary: 'Propose a relationship',
  mounts: on.ai.post(PATH, {
    status: 201,
    body: NewAiRelationship,
    reply: succeeded({ relationshipId: z.string() }),
    read: ({ body }) => body,
    present: ({ id }) => ({ status: 201, body: { relationshipId: id } }),
  }),
  handle: (input, context) => propose(context, input),
});

interface ProposalsRequest {
  readonly filter: ProposalsAsked;
  readonly paging: Paging;
}
interface ProposalsPage {
  readonly found: Page<Joined>;
  readonly paging: Paging;
}

const getProposals = endpoint<ProposalsRequest, ProposalsPage>({
  ...writing,
  id: 'ai-relationships.list',
  summary: 'List proposed relationships',
  permission: 'cmdb.read',
  mounts: on.ai.get(PATH, {
    query: AiRelationshipsQuery,
    reply: AiRelationshipsBody,
    read: ({ query: { source, target, type, status, ...paging } }) => ({
      filter: { source, target, type, status },
      paging,
    }),
    present: ({ found, paging }) => ({
      body: { relationships: found.items.map((one) => aiRelationship(one, isProposed(one.relationship))) },
      page: pageInfo(paging, found),
    }),
  }),
  handle: async ({ filter, paging }, context) => ({
    found: await listProposals(context, filter, pageRequest(paging, 'created_at', 'asc')),
    paging,
  }),
});

const putProposal = endpoint<ProposalChange, void>({
  ...writing,
  id: 'ai-relationships.update',
  summary: 'Update a proposal',
  alsoFaults: ['conflict'],
  mounts: mount({
    ...done,
    on: 'ai',
    method: 'put',
    path: `${PATH}/{id}`,
    params,
    body: AiRelationshipPatch,
    read: ({ params: { id }, body }) => ({ id, ...body }),
  }),
  handle: (change, context) => changeProposal(context, change),
});

const deleteProposal = endpoint<string, void>({
  ...writing,
  id: 'ai-relationships.delete',
  summary: 'Reject or delete a proposed relationship',
  mounts: mount({
    ...done,
    on: 'ai',
    method: 'delete',
    path: `${PATH}/{id}`,
    params,
    read: ({ params: { id } }) => id,
  }),
  handle: (id, context) => removeProposal(context, id),
});

const acceptOne = endpoint<string, void>({
  ...writing,
  id: 'ai-relationships.accept',
  summary: 'Accept a proposed relationship',
  alsoFaults: ['not-found'],
  mounts: mount({
    ...done,
    on: 'ai',
    method: 'post',
    path: `${PATH}/{id}/accept`,
    params,
    read: ({ params: { id } }) => id,
  }),
  handle: (id, context) => acceptProposal(context, id),
});

const decideMany = endpoint<z.output<typeof DecideProposals>, ProposalsDecided>({
  ...writing,
  id: 'ai-relationships.decide',
  summary: 'Accept and reject proposals in bulk',
  description:
    'Each proposal is processed individually; `failed` lists deleted and already accepted ones. Rejected relationships are not proposed again for 90 days.',
  mounts: on.ai.post(`${PATH}/decide`, {
    body: DecideProposals,
    reply: DecidedProposals,
    read: ({ body }) => body,
    present: ({ accepted, rejected, failed }) => ({ body: { accepted, rejected, failed: [...failed] } }),
  }),
  handle: (asked, context) => decideProposals(context, asked),
});

/** Relationships that AI proposes. */
export const recordEndpoints = [createProposal, getProposals, decideMany, putProposal, deleteProposal, acceptOne];
